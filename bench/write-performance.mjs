import { describeCommands } from './describe-commands.mjs';
import { describeProfiles } from './describe-profiles.mjs';
import { floorSubjects } from './floors.mjs';
import { formatVerdict } from './format-figures.mjs';
import { escapeCell, writeSections } from './write-tables.mjs';

/** The page for contributors: targets, floors, and how to run the benchmarks. */
export function writePerformance({ rows, targets }) {
  const measured = new Set(rows.filter(({ subject }) => floorSubjects.includes(subject)).map((row) => row.case));
  const compared = rows.filter(
    (row) => measured.has(row.case) && (row.role === 'kurel' || floorSubjects.includes(row.subject)),
  );
  return `# Performance

For contributors: the targets that kurel is measured against, and how to run the benchmarks. [Benchmarks](benchmarks.md) compares kurel with
other programs, from the same run.

${describeCommands()}

${describeProfiles()}

## Targets

Ratios of wall times are followed by the ratio of user times, which depends less on the load of the machine.

${targets.map(writeTarget).join('\n\n')}

## Floors

A floor is the least that a program could take.

- \`node -e 0\` starts Node and does nothing.
- \`JSON.parse + JSON.stringify\` is these two calls, once, in their own process and without its start, on the objects that kurel prints in
  that case, as compact JSON. They are native code, and JSON is much easier to read than YAML.

${writeSections(compared, rows)}
`;
}

function writeTarget({ target, reason, verdicts }) {
  const lines = verdicts.map((verdict) => {
    const { figure, most, met, remark } = formatVerdict(verdict);
    return `| ${escapeCell(verdict.what)} | ${figure} | ${most} | ${verdict.met ? met : `**${met}**`} | ${remark} |`;
  });
  const why = reason !== undefined && verdicts.some(({ met }) => !met) ? `\n\n${reason}` : '';
  const title = target[0].toUpperCase() + target.slice(1);
  return `**${escapeCell(title)}**\n\n| input | figure | at most | | |\n|---|--:|--:|---|---|\n${lines.join('\n')}${why}`;
}
