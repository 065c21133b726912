import type { CompletionSource, SettingValue } from '../settings/index.ts';
import type { Environment } from './environment.ts';
import type { SourcedFindings } from './sourced-findings.ts';

/** One flag of a command; help, completion and did-you-mean are made from these records. */
export interface FlagDefinition {
  readonly type: 'switch' | 'text' | 'list';
  readonly short?: string;
  /** The value in help: `FILE`, `KEY=VALUE`. */
  readonly placeholder?: string;
  readonly choices?: readonly string[];
  /** Source of completions for the value: files, or parts of the package on the command line. */
  readonly completes?: 'path' | CompletionSource;
  /** Section of the help if a command has many flags; common flags have none and come first. */
  readonly section?: FlagSectionName;
  /** Actions of the command that have the flag, if not all of them do. */
  readonly actions?: readonly string[];
  readonly summary: string;
}

/** Sections of the help, in the order in which they are shown. `drops` is a prefix of summaries that the title makes redundant. */
export const flagSections = {
  side: { title: 'One side only' },
  input: { title: 'Input' },
  select: { title: 'Select objects' },
  change: { title: 'Change objects' },
  validation: { title: 'Validation' },
  output: { title: 'Output' },
  application: { title: 'Application packages', drops: 'Application package: ' },
  package: { title: 'Patch packages', drops: 'Patch package: ' },
  program: { title: 'Charts and kustomizations' },
  layout: { title: 'Layouts' },
  limit: { title: 'Limits' },
} as const satisfies Readonly<Record<string, { readonly title: string; readonly drops?: string }>>;

type FlagSectionName = keyof typeof flagSections;

export type FlagDefinitions = Readonly<Record<string, FlagDefinition>>;

/** The values of flags, typed by their definitions: a switch is a boolean, a list an array, a string may be absent. */
export type FlagValues<Flags extends FlagDefinitions> = {
  readonly [Name in keyof Flags]: SettingValue<Flags[Name]>;
};

interface ArgumentDefinition {
  readonly name: string;
  readonly summary: string;
  readonly optional?: boolean;
  readonly choices?: readonly string[];
  readonly completes?: 'path' | CompletionSource;
  /** Whether the argument can be repeated; only for the last one. */
  readonly repeats?: boolean;
  /**
   * Whether `oci://…` is allowed: `content` fetches the package before the command runs, so that it is a path like any other;
   * `reference` leaves it to the command.
   */
  readonly inRegistry?: 'content' | 'reference';
}

export interface Command<Flags extends FlagDefinitions = FlagDefinitions> {
  readonly name: string;
  /** Shown by help between usage and flags. */
  readonly description?: string;
  readonly arguments: readonly ArgumentDefinition[];
  readonly flags: Flags;
  readonly examples?: readonly { readonly line: string; readonly says: string }[];
  /** Returns what the dispatcher prints, in the format of the flags. Findings can also be thrown, as a `DiagnosticError`. */
  run(call: CommandCall<Flags>): Promise<CommandResult>;
  /** Whether files of flags can be `REVISION:PATH`, as in git. */
  readonly readsRevisions?: true;
  /** Whether it reads no input, and so has no limits. */
  readonly readsNothing?: true;
  /** Whether the findings are the output of the command: in the format of `--format`, on stdout. */
  readonly isReport?: true;
}

/** What a command prints, and how it ends. Without findings, `--message-format` prints no empty list. */
export interface CommandResult extends Partial<SourcedFindings> {
  /** Printed before the findings. */
  readonly stdout?: string | undefined;
  /** For people: printed to stderr after the findings, unless those are for programs. */
  readonly remark?: string | undefined;
  /** Whether findings and remark are the output of the command, and so go to stdout. */
  readonly isReport?: boolean | undefined;
  /** Defaults to 1 if there are errors, 2 if they are about flags. */
  readonly exitCode?: ExitCode | undefined;
  /** For `--watch`: the result in a few words, `12 objects, 0 errors`, and its effect. */
  readonly conclusion?: { readonly result: string; readonly effect?: string | undefined } | undefined;
}

export interface CommandCall<Flags extends FlagDefinitions> {
  readonly positionals: readonly string[];
  readonly flags: FlagValues<Flags & typeof commonFlags>;
  readonly environment: Environment;
}

/** Whether an argument or the value of a flag is a path, after the arguments before it. */
export function takesPath(
  { completes }: Pick<FlagDefinition | ArgumentDefinition, 'completes'>,
  [first]: readonly string[],
): boolean {
  return completes === 'path' || (completes === 'subject' && first === 'generate');
}

/** 0 success, 1 findings or failure, 2 wrong usage. */
export type ExitCode = 0 | 1 | 2;

type FlagExtras = Omit<FlagDefinition, 'type' | 'placeholder' | 'summary'>;

interface ValueFlag<Type extends 'text' | 'list'> {
  readonly type: Type;
  readonly placeholder: string;
  readonly summary: string;
}

/** A flag with a value. */
export function textFlag<const Extras extends FlagExtras>(
  placeholder: string,
  summary: string,
  extras?: Extras,
): ValueFlag<'text'> & Extras {
  return { type: 'text', placeholder, summary, ...extras } as ValueFlag<'text'> & Extras;
}

/** A flag with a value that can be repeated. */
export function listFlag<const Extras extends FlagExtras>(
  placeholder: string,
  summary: string,
  extras?: Extras,
): ValueFlag<'list'> & Extras {
  return { type: 'list', placeholder, summary, ...extras } as ValueFlag<'list'> & Extras;
}

export function switchFlag(summary: string, extras: FlagExtras = {}) {
  return { type: 'switch', summary, ...extras } as const satisfies FlagDefinition;
}

/** `--format`; the first choice is the default. */
export function formatFlag<const Choices extends readonly string[]>(choices: Choices, summary: string) {
  return textFlag('FORMAT', summary, { choices });
}

export function outputFlag(placeholder: 'FILE' | 'DIR' | 'FILE|DIR', summary: string) {
  return textFlag(placeholder, summary, { short: 'o', completes: 'path' });
}

/** A flag that comes first in the help of a command. */
export function withoutSection<const Flag extends FlagDefinition>(flag: Flag): Omit<Flag, 'section'> {
  const { section, ...rest } = flag;
  return section === undefined ? flag : rest;
}

/** A longer list of actions would hide what the flag is for. */
const mostNamed = 5;

/** Flags that only some actions of a command have. Their summaries begin with these actions. */
export function forActions<const Flags extends FlagDefinitions>(actions: readonly string[], flags: Flags): Flags {
  const prefix = actions.length > mostNamed ? '' : `${actions.join(', ')}: `;
  const entries = Object.entries(flags).map(([name, flag]) => {
    return [name, { ...flag, actions, summary: `${prefix}${flag.summary}` }];
  });
  return Object.fromEntries(entries);
}

export const commonFlags = {
  help: switchFlag('Show this help.', { short: 'h' }),
  color: textFlag('WHEN', 'Use colour: on a terminal (auto, the default), always or never. NO_COLOR is respected.', {
    choices: ['auto', 'always', 'never'],
    section: 'output',
  }),
} as const satisfies FlagDefinitions;

/** Gives a command its inferred flag types. */
export function defineCommand<const Flags extends FlagDefinitions>(command: Command<Flags>): Command<Flags> {
  return command;
}
