import { commandTable } from '../packages/kurel/src/cli/command-table.ts';
import { formatCommandHelp, formatProgramHelp } from '../packages/kurel/src/cli/format-help.ts';
import { cliProblems } from '../packages/kurel/src/cli/problems.ts';
import { hostProblems } from '../packages/kurel/src/host/index.ts';
import { problemDefinitions } from '../packages/kurel/src/problem-definitions.ts';

export interface Page {
  readonly path: string;
  readonly text: string;
}

/** The pages under docs/reference, made from the tables that the program itself uses. */
export async function referencePages(): Promise<readonly Page[]> {
  return [
    { path: 'cli.md', text: await describeCommands() },
    { path: 'diagnostics.md', text: describeProblems() },
  ];
}

async function describeCommands(): Promise<string> {
  const commands = await Promise.all(commandTable.map((entry) => entry.load()));
  const sections = commands.map((command) => `## kurel ${command.name}\n\n${fence(formatCommandHelp(command))}`);
  return ['# Command line', fence(formatProgramHelp(commandTable)), ...sections].join('\n\n').concat('\n');
}

function describeProblems(): string {
  const definitions = Object.entries({
    ...problemDefinitions,
    ...hostProblems.definitions,
    ...cliProblems.definitions,
  });
  const rows = definitions
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([code, { severity, summary }]) => `| \`${code}\` | ${severity} | ${summary.replaceAll('|', String.raw`\|`)} |`,
    );
  return [
    '# Findings',
    '',
    'Every finding has a code that does not change. `--strict` makes warnings errors.',
    '',
    '| code | severity | when |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function fence(text: string): string {
  return `\`\`\`text\n${text.trimEnd()}\n\`\`\``;
}
