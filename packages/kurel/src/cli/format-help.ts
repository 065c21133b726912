import { commonFlags } from './command.ts';
import type { Command, FlagDefinition } from './command.ts';
import type { CommandEntry } from './command-table.ts';
import { divideFlags } from './flag-sections.ts';
import type { NamedFlag } from './flag-sections.ts';
import { wrapText } from './wrap-text.ts';

const WIDTH = 100;

export function formatProgramHelp(commands: readonly CommandEntry[]): string {
  const rows = commands.map(({ name, summary }): Row => [name, summary]);
  return [
    'kurel turns Kubernetes packages into static, validated manifests.',
    '',
    'Usage: kurel COMMAND [ARGUMENTS] [FLAGS]',
    '',
    'Commands:',
    ...formatRows(rows),
    '',
    'kurel help COMMAND explains a command. Exit codes: 0 fine, 1 findings or failure, 2 wrong usage.',
    '',
  ].join('\n');
}

export function formatCommandHelp(command: Command): string {
  const words = command.arguments.map(({ name, required, repeats = false }) => {
    const word = repeats ? `${name}...` : name;
    return required ? word : `[${word}]`;
  });
  const lines = [command.summary, '', `Usage: ${['kurel', command.name, ...words, '[FLAGS]'].join(' ')}`];
  if (command.description !== undefined) lines.push('', ...wrapText(command.description, WIDTH));
  if (command.arguments.length > 0) {
    lines.push('', 'Arguments:', ...formatRows(command.arguments.map(({ name, summary }): Row => [name, summary])));
  }
  const sections = divideFlags(Object.entries({ ...command.flags, ...commonFlags }));
  const width = termWidth(sections.flatMap(({ flags }) => flags.map(flagRow)));
  for (const { title, flags } of sections) lines.push('', `${title}:`, ...formatRows(flags.map(flagRow), width));
  if (command.examples !== undefined) {
    lines.push('', 'Examples:', ...command.examples.flatMap(({ line, says }) => [`  # ${says}`, `  ${line}`]));
  }
  return `${lines.join('\n')}\n`;
}

type Row = readonly [term: string, text: string];

function flagRow([name, flag]: NamedFlag): Row {
  const short = flag.short === undefined ? '    ' : `-${flag.short}, `;
  const value = flag.type === 'switch' ? '' : ` ${flag.placeholder ?? 'VALUE'}`;
  return [`${short}--${name}${value}`, flag.type === 'list' ? `${flag.summary} May be repeated.` : summaryOf(flag)];
}

/** With the words that can be given, unless it has all of them anyway. */
function summaryOf({ summary, choices = [] }: FlagDefinition): string {
  const said = new Set(summary.split(/[^\w-]+/));
  return choices.every((choice) => said.has(choice)) ? summary : `${summary} One of ${choices.join(', ')}.`;
}

function termWidth(rows: readonly Row[]): number {
  return Math.max(...rows.map(([term]) => term.length)) + 2;
}

export function formatRows(rows: readonly Row[], width = termWidth(rows)): string[] {
  return rows.flatMap(([term, text]) =>
    wrapText(text, WIDTH - width - 2).map((line, index) => `  ${(index === 0 ? term : '').padEnd(width)}${line}`),
  );
}
