import { commandTable } from '../../packages/kurel/src/cli/command-table.ts';
import type { ListedCommand } from '../../packages/kurel/src/cli/command-table.ts';
import type { Command } from '../../packages/kurel/src/cli/command.ts';
import { divideFlags, flagRow, formatUsage } from '../../packages/kurel/src/cli/format-help.ts';
import { kurelVersion } from '../../packages/kurel/src/cli/kurel-version.ts';
import { environmentVariables } from '../reference/environment-variables.ts';

export interface ManPage {
  readonly file: string;
  readonly text: string;
}

/** `man kurel`, and `man kurel-build` for each command, from the table that help is made from. */
export async function createManPages(): Promise<readonly ManPage[]> {
  const commands = await Promise.all(commandTable.map((entry) => entry.load()));
  return [describeProgram(), ...commands.map(describeCommand)];
}

function describeProgram(): ManPage {
  return formatPage('kurel', [
    ...section('Name', [`kurel \\- ${escape('build static, validated Kubernetes manifests')}`]),
    ...section('Synopsis', [synopsis('kurel', 'COMMAND [ARGUMENTS] [FLAGS]')]),
    ...section('Description', [
      escape('kurel turns packages, Helm charts, kustomizations and plain manifests into static, validated manifests.'),
      '.PP',
      escape('kurel help COMMAND shows the flags of a command, and kurel help CODE explains an error.'),
    ]),
    ...section(
      'Commands',
      commandTable.flatMap(({ name, summary }) => term(`kurel-${name}(1)`, summary)),
    ),
    ...section(
      'Environment',
      environmentVariables.flatMap(([name, text]) => term(name, text.replaceAll('`', ''))),
    ),
    ...section('Exit status', [
      ...term('0', 'Success.'),
      ...term('1', 'Errors, or differences in kurel diff.'),
      ...term('2', 'Wrong usage.'),
    ]),
  ]);
}

function describeCommand(command: ListedCommand): ManPage {
  const { name, summary, description, examples = [] } = command;
  const shortSummary = summary.slice(0, 1).toLowerCase() + summary.slice(1).replace(/\.$/, '');
  return formatPage(`kurel-${name}`, [
    ...section('Name', [`${escape(`kurel-${name}`)} \\- ${escape(shortSummary)}`]),
    ...section('Synopsis', [synopsis(`kurel ${name}`, formatUsage(command))]),
    ...section('Description', [escape(description ?? summary)]),
    ...section(
      'Arguments',
      command.arguments.flatMap((argument) => term(argument.name, argument.summary)),
    ),
    ...section('Flags', describeFlags(command)),
    ...section(
      'Examples',
      examples.flatMap(({ says, line }) => [
        '.PP',
        escape(`${says}:`),
        '.PP',
        '.RS 4',
        '.nf',
        escape(line),
        '.fi',
        '.RE',
      ]),
    ),
    ...section('See also', [escape('kurel(1)')]),
  ]);
}

function describeFlags(command: Command): readonly string[] {
  const sections = divideFlags(command);
  return sections.flatMap(({ title, flags }) => {
    const heading = sections.length === 1 ? [] : [`.SS ${escape(title)}`];
    return heading.concat(flags.map(flagRow).flatMap(([words, summary]) => term(words.trim(), summary)));
  });
}

/** Without a date: the same sources give the same page. */
function formatPage(name: string, lines: readonly string[]): ManPage {
  const title = `.TH ${escape(name.toUpperCase())} 1 "" "kurel ${escape(kurelVersion)}" "kurel"`;
  // Flags and paths are neither hyphenated nor stretched.
  return { file: `${name}.1`, text: `${[title, '.nh', '.ad l', ...lines].join('\n')}\n` };
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`.SH ${title.toUpperCase()}`, ...lines];
}

function synopsis(name: string, words: string): string {
  return `\\fB${escape(name)}\\fR ${escape(words)}`;
}

function term(name: string, text: string): readonly string[] {
  return ['.TP', `\\fB${escape(name)}\\fR`, escape(text)];
}

/** Hyphens and quotes can be copied as they are, and no line is a request. */
function escape(text: string): string {
  return text
    .replaceAll('\\', String.raw`\e`)
    .replaceAll('-', String.raw`\-`)
    .replaceAll("'", String.raw`\(aq`)
    .replaceAll('`', String.raw`\(ga`)
    .replaceAll('^', String.raw`\(ha`)
    .replaceAll('~', String.raw`\(ti`)
    .replaceAll(
      /[^ -~]/gu,
      (character) => `\\[u${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`,
    )
    .replace(/^(?=\.)/, String.raw`\&`);
}
