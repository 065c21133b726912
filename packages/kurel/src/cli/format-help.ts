import { wrapText } from '../diagnostics/index.ts';
import type { CommandEntry } from './command-table.ts';
import { commonFlags } from './command.ts';
import type { Command, FlagDefinition, FlagSectionName } from './command.ts';
import { widest } from './terminal-width.ts';

/** For a terminal with so many columns, if it is for one. */
export function formatProgramHelp(commands: readonly CommandEntry[], width?: number): string {
  const rows = commands.map(({ name, summary }): Row => [name, summary]);
  return [
    'kurel turns Kubernetes packages into static, validated manifests.',
    '',
    'Usage: kurel COMMAND [ARGUMENTS] [FLAGS]',
    '',
    'Commands:',
    ...formatRows(rows, { width }),
    '',
    ...fit('kurel help COMMAND explains a command. Exit codes: 0 fine, 1 findings or failure, 2 wrong usage.', width),
    '',
  ].join('\n');
}

export function formatCommandHelp(command: Command, width?: number): string {
  const words = command.arguments.map(({ name, required, repeats = false }) => {
    const word = repeats ? `${name}...` : name;
    return required ? word : `[${word}]`;
  });
  const lines = [
    ...fit(command.summary, width),
    '',
    `Usage: ${['kurel', command.name, ...words, '[FLAGS]'].join(' ')}`,
  ];
  const add = (heading: string, more: readonly string[]): void => {
    for (const line of ['', ...(heading === '' ? [] : [heading]), ...more]) lines.push(line);
  };
  if (command.description !== undefined) add('', wrapText(command.description, { width: width ?? widest }));
  if (command.arguments.length > 0) {
    const rows = command.arguments.map(({ name, summary }): Row => [name, summary]);
    add('Arguments:', formatRows(rows, { width }));
  }
  const sections = divideFlags(Object.entries({ ...command.flags, ...commonFlags }));
  const terms = termWidth(sections.flatMap(({ flags }) => flags.map(flagRow)));
  for (const { title, flags } of sections) add(`${title}:`, formatRows(flags.map(flagRow), { width, terms }));
  if (command.examples !== undefined) {
    const examples = command.examples.flatMap(({ line, says }) => [`  # ${says}`, `  ${line}`]);
    add('Examples:', examples);
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
  const parsed = new Set(summary.split(/[^\w-]+/));
  return choices.every((choice) => parsed.has(choice)) ? summary : `${summary} One of ${choices.join(', ')}.`;
}

function termWidth(rows: readonly Row[]): number {
  return rows.reduce((most, [term]) => Math.max(most, term.length), 0) + 2;
}

export interface RowOptions {
  /** Of the terminal. */
  readonly width: number | undefined;
  /** Columns of the terms; as many as they need unless given. */
  readonly terms?: number;
}

export function formatRows(rows: readonly Row[], { width = widest, terms = termWidth(rows) }: RowOptions): string[] {
  return rows.flatMap(([term, text]) =>
    wrapText(text, { width: width - terms - 2 }).map(
      (line, index) => `  ${(index === 0 ? term : '').padEnd(terms)}${line}`,
    ),
  );
}

/** Only terminals need lines that fit. */
export function fit(text: string, width = Infinity): string[] {
  return wrapText(text, { width });
}

interface FlagSection {
  readonly title: string;
  readonly flags: readonly NamedFlag[];
}

type NamedFlag = readonly [name: string, flag: FlagDefinition];

interface SectionTitle {
  readonly title: string;
  /** What the title says already. */
  readonly drops?: string;
}

/** In the order in which they are shown. */
const sectionTitles: Readonly<Record<FlagSectionName, SectionTitle>> = {
  side: { title: 'Flags for one side' },
  application: { title: 'Flags for application packages', drops: 'Application package: ' },
  package: { title: 'Flags for patch packages', drops: 'Patch package: ' },
  program: { title: 'Flags for charts and kustomizations' },
  layout: { title: 'Flags for layouts' },
  limit: { title: 'Limits' },
};

const MANY = 20;

/** The flags of a command as help shows them: few in one list, many by what they are for. */
function divideFlags(flags: readonly NamedFlag[]): readonly FlagSection[] {
  if (flags.length < MANY) return [{ title: 'Flags', flags }];
  const sections = Object.entries(sectionTitles).map(([name, { title, drops = '' }]) => ({
    title,
    flags: flags.filter(([, { section }]) => section === name).map((flag) => dropWords(flag, drops)),
  }));
  const others = flags.filter(([, { section }]) => section === undefined);
  return [{ title: 'Flags', flags: others }, ...sections].filter((section) => section.flags.length > 0);
}

function dropWords([name, flag]: NamedFlag, words: string): NamedFlag {
  if (words === '' || !flag.summary.startsWith(words)) return [name, flag];
  const rest = flag.summary.slice(words.length);
  return [name, { ...flag, summary: rest.slice(0, 1).toUpperCase() + rest.slice(1) }];
}
