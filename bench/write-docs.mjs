import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { drawChart } from './draw-chart.mjs';
import { suiteTitles } from './suite-titles.mjs';
import { writeBenchmarks } from './write-benchmarks.mjs';
import { writePerformance } from './write-performance.mjs';

/** Writes docs/benchmarks.md with its chart, for users, and docs/performance.md, for contributors, from the results of a whole run. */
export function writeDocs(root, results) {
  const missing = Object.keys(suiteTitles).find((suite) => !results.rows.some((row) => row.suite === suite));
  if (missing !== undefined) throw new Error(`the results lack the suite ${missing}: run all suites`);
  const docs = join(root, 'docs');
  writeFileSync(join(docs, 'benchmarks.svg'), drawChart(results.rows));
  writeFileSync(join(docs, 'benchmarks.md'), writePage(results));
}

const titles = {
  'start-up': 'Start-up',
  small: 'One small package of each form, cold',
  build: 'Manifests with one label',
  patch: 'Manifests with 50 patch files',
  package: 'Patch packages with 50 patch files',
  application: 'Application packages',
  comments: 'Patches that keep comments',
  validate: 'Validation',
  jq: 'A jq filter',
  inspect: 'Diff, explain and images',
  workspace: 'Many builds in one process',
  'jq-in-memory': 'A jq filter by the library',
  'validate-in-memory': 'Validation by the library',
};

function writePage({ machine, limit, rows, targets }) {
  const sections = Object.entries(titles).map(([suite, title]) => {
    const table = writeRows(
      rows.filter((row) => row.suite === suite),
      rows,
    );
    return `### ${title}\n\n${table}`;
  });
  return `# Benchmarks

All figures on this page come from one run of one command, \`npm run bench -- --docs\`, which also makes this page. They were measured on
${describeMachine(machine)}

Seconds depend on the machine; ratios much less. So everything is also given as a multiple of what kurel takes for the same work in the same
run: 2 × takes twice as long as kurel, 0.5 × half as long.

![What others take as a multiple of what kurel takes; the tables below have the same figures](benchmarks.svg)

## Targets

${targets.map(writeTarget).join('\n\n')}

## All figures

Wall time is the median of all rounds, user time (on all cores) their mean, memory the highest peak of one of them. Rows in bold are what the
others in the same case are compared with.

${sections.join('\n\n')}

${describeMethod({ limit })}`;
}

function describeMachine({ system, architecture, processor, cores, gigabytes, loadBefore, programs }) {
  const { kurel, node, ...others } = programs;
  const peers = Object.entries(others).map(([name, version]) => `${name} ${version}`);
  const beside = peers.length === 0 ? 'no peers' : peers.join(', ');
  const load = `The load of the machine was ${loadBefore} before the run.`;
  return `${cores} cores of "${processor}" with ${gigabytes} GB of memory, ${system} on ${architecture}: kurel ${kurel} on Node ${node}, beside
${beside}. ${load}`;
}

function writeTarget({ target, reason, verdicts }) {
  const lines = verdicts.map((verdict) => {
    const { figure, most, met, remark } = formatVerdict(verdict);
    return `| ${escape(verdict.what)} | ${figure} | ${most} | ${verdict.met ? met : `**${met}**`} | ${remark} |`;
  });
  const why = reason !== undefined && verdicts.some(({ met }) => !met) ? `\n\n${reason}` : '';
  const title = target[0].toUpperCase() + target.slice(1);
  return `**${escape(title)}**\n\n| case | figure | at most | | |\n|---|--:|--:|---|---|\n${lines.join('\n')}${why}`;
}

function writeRows(some, rows) {
  const lines = [];
  let before;
  for (const row of some) {
    const what = row.case === before ? '' : escape(row.what);
    before = row.case;
    const cells = [row.subject, ...formatRow(row, rows)].map(escape);
    const shown = row.role === 'kurel' ? cells.map((cell) => (cell === '' ? '' : `**${cell}**`)) : cells;
    lines.push(`| ${[what, ...shown].join(' | ')} |`);
  }
  return `| case | program | wall | user | memory | × kurel | rounds | |\n|---|---|--:|--:|--:|--:|--:|---|\n${lines.join('\n')}`;
}

function escape(text) {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
