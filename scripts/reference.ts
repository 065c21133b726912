import { commandTable } from '../packages/kurel/src/cli/command-table.ts';
import { formatCommandHelp, formatProgramHelp } from '../packages/kurel/src/cli/format-help.ts';
import { cliProblems } from '../packages/kurel/src/cli/problems.ts';
import { hostProblems } from '../packages/kurel/src/host/index.ts';
import { problemDefinitions } from '../packages/kurel/src/problem-definitions.ts';
import { describeHandlers } from './reference/handler-pages.ts';
import type { HandlerPage, HandlerPages } from './reference/handler-pages.ts';

export interface Page {
  readonly path: string;
  readonly text: string;
}

export interface Reference {
  readonly pages: readonly Page[];
  /** Handlers that have no case to show. */
  readonly withoutExample: readonly string[];
}

/** The pages under docs/reference, made from the tables that the program itself uses and the cases below `root`. */
export async function createReference(root: string): Promise<Reference> {
  const handlers = await describeHandlers(root);
  const all = [...handlers.components, ...handlers.traits, ...handlers.policies];
  return {
    pages: [
      { path: 'README.md', text: describeIndex(handlers) },
      { path: 'cli.md', text: await describeCommands() },
      { path: 'diagnostics.md', text: describeProblems() },
      ...all.map(({ path, text }) => ({ path, text })),
    ],
    withoutExample: all.filter(({ hasExample }) => !hasExample).map(({ type }) => type),
  };
}

function describeIndex({ components, traits, policies }: HandlerPages): string {
  const list = (pages: readonly HandlerPage[]): string =>
    pages.map(({ type, path, summary }) => `- [${type}](${path}): ${summary}`).join('\n');
  const lines = [
    '# Reference',
    'Made by `npm run docs` from the tables that the program works with.',
    '- [Command line](cli.md)\n- [Findings](diagnostics.md)',
    '## Components',
    list(components),
    '## Traits',
    list(traits),
    '## Policies of an application',
    list(policies),
    '## In an editor',
    'The same tables as JSON Schemas: an editor with a YAML language server completes and checks the documents with them.',
    fence('kurel schema app -o app.schema.json\nkurel schema profile -o profile.schema.json', 'sh'),
    'and as the first line of app.yaml:',
    fence('# yaml-language-server: $schema=app.schema.json', 'yaml'),
  ];
  return `${lines.join('\n\n')}\n`;
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
    'Every finding has a code that does not change: `field-unknown` in `error[field-unknown]: …`. Search this page for the code.',
    'The table says when a finding is told. The finding itself says where, and mostly how to mend it (`= hint: …`).',
    '`--strict` makes warnings errors.',
    '',
    '| code | severity | when |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function fence(text: string, language = 'text'): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}
