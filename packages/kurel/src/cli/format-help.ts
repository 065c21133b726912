import { wrapText } from '../diagnostics/index.ts';
import type { CommandEntry, CommandGroup, ListedCommand } from './command-table.ts';
import { commonFlags, flagSections } from './command.ts';
import type { Command, FlagDefinition } from './command.ts';
import { paint, widest } from './terminal.ts';

export interface HelpOptions {
  /** Columns of the terminal, if the text goes to one. */
  readonly width?: number | undefined;
  readonly color?: boolean;
}

const groupTitles: Readonly<Record<CommandGroup, string>> = {
  build: 'Build',
  understand: 'Understand',
  author: 'Author',
  publish: 'Publish',
  maintain: 'Maintain',
};

export function formatProgramHelp(commands: readonly CommandEntry[], options: HelpOptions = {}): string {
  const { width, color = false } = options;
  const terms = termWidth(commands.map(({ name }): Row => [name, '']));
  const groups = Object.entries(groupTitles).flatMap(([group, title]) => {
    const rows = commands.filter((entry) => entry.group === group).map(({ name, summary }): Row => [name, summary]);
    return [paint(headingStyle, title, color)].concat(formatRows(rows, { width, terms, color }), '');
  });
  return [
    'kurel turns Kubernetes packages into static, validated manifests.',
    '',
    `${paint(headingStyle, 'Usage:', color)} kurel COMMAND [ARGUMENTS] [FLAGS]`,
    '',
    ...groups,
    ...fit('Run kurel help COMMAND for its flags, or kurel help CODE to explain an error.', width),
    ...fit('Exit codes: 0 success, 1 errors, or differences in kurel diff, 2 wrong usage.', width),
    '',
  ].join('\n');
}

export function formatCommandHelp(command: ListedCommand, options: HelpOptions = {}): string {
  const { width, color = false } = options;
  const lines = [
    ...fit(command.summary, width),
    '',
    `${paint(headingStyle, 'Usage:', color)} kurel ${command.name} ${formatUsage(command)}`,
  ];
  const add = (heading: string, more: readonly string[]): void => {
    for (const line of ['', ...(heading === '' ? [] : [paint(headingStyle, heading, color)]), ...more])
      lines.push(line);
  };
  if (command.description !== undefined) add('', wrapText(command.description, { width: width ?? widest }));
  if (command.arguments.length > 0) {
    const rows = command.arguments.map(({ name, summary }): Row => [name, summary]);
    add('Arguments:', formatRows(rows, { width, color }));
  }
  const sections = divideFlags(command);
  const terms = termWidth(sections.flatMap(({ flags }) => flags.map(flagRow)));
  for (const { title, flags } of sections) add(`${title}:`, formatRows(flags.map(flagRow), { width, terms, color }));
  if (command.examples !== undefined) {
    const examples = command.examples.flatMap(({ line, says }) => [`  # ${says}`, `  ${line}`]);
    add('Examples:', examples);
  }
  return `${lines.join('\n')}\n`;
}

/** The arguments of a command, after its name. */
export function formatUsage(command: Command): string {
  const words = command.arguments.map(({ name, optional = false, repeats = false }) => {
    const word = repeats ? `${name}...` : name;
    return optional ? `[${word}]` : word;
  });
  return [...words, '[FLAGS]'].join(' ');
}

// Select Graphic Rendition codes: bold and underlined, bold. Colours are hard to read on some backgrounds.
const headingStyle = '1;4';
const termStyle = '1';

type Row = readonly [term: string, text: string];

export function flagRow([name, flag]: NamedFlag): Row {
  const short = flag.short === undefined ? '    ' : `-${flag.short}, `;
  const value = flag.type === 'switch' ? '' : ` ${flag.placeholder ?? 'VALUE'}`;
  return [`${short}--${name}${value}`, flag.type === 'list' ? `${flag.summary} Can be repeated.` : summaryOf(flag)];
}

/** Lists the choices, unless the summary already names all of them. */
function summaryOf({ summary, choices = [] }: FlagDefinition): string {
  const named = new Set(summary.split(/[^\w-]+/));
  return choices.every((choice) => named.has(choice)) ? summary : `${summary} One of ${choices.join(', ')}.`;
}

function termWidth(rows: readonly Row[]): number {
  return rows.reduce((most, [term]) => Math.max(most, term.length), 0) + 2;
}

interface RowOptions extends HelpOptions {
  /** Columns of the terms; defaults to the longest one. */
  readonly terms?: number;
}

export function formatRows(
  rows: readonly Row[],
  { width = widest, terms = termWidth(rows), color = false }: RowOptions,
): string[] {
  return rows.flatMap(([term, text]) =>
    wrapText(text, { width: width - terms - 2 }).map((line, index) => {
      const shown = index === 0 ? term : '';
      return `  ${paint(termStyle, shown, color)}${' '.repeat(Math.max(0, terms - shown.length))}${line}`;
    }),
  );
}

/** Wraps for terminals only. */
export function fit(text: string, width = Infinity): string[] {
  return wrapText(text, { width });
}

interface FlagSection {
  readonly title: string;
  readonly flags: readonly NamedFlag[];
}

type NamedFlag = readonly [name: string, flag: FlagDefinition];

const MANY = 20;

/** Few flags are one list; many are divided into common flags and titled sections. */
export function divideFlags(command: Command): readonly FlagSection[] {
  const flags: readonly NamedFlag[] = Object.entries({ ...command.flags, ...commonFlags });
  if (flags.length < MANY) return [{ title: 'Flags', flags }];
  const titles: Readonly<Record<string, { readonly title: string; readonly drops?: string }>> = flagSections;
  const sections = Object.entries(titles).map(([name, { title, drops = '' }]) => ({
    title,
    flags: flags.filter(([, flag]) => flag.section === name).map((flag) => dropPrefix(flag, drops)),
  }));
  const common = flags.filter(([, { section }]) => section === undefined);
  return [{ title: 'Common flags', flags: common }, ...sections].filter((section) => section.flags.length > 0);
}

function dropPrefix([name, flag]: NamedFlag, prefix: string): NamedFlag {
  if (prefix === '' || !flag.summary.startsWith(prefix)) return [name, flag];
  const rest = flag.summary.slice(prefix.length);
  return [name, { ...flag, summary: rest.slice(0, 1).toUpperCase() + rest.slice(1) }];
}
