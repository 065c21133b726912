import type { Environment } from './environment.ts';

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

export type CompletionSource =
  | 'parameter'
  | 'patch'
  | 'kind'
  | 'name'
  | 'object'
  | 'field'
  | 'subject'
  | 'target'
  | 'topic'
  | 'code';

export type FlagDefinitions = Readonly<Record<string, FlagDefinition>>;

/** The values of flags, typed by their definitions: a switch is a boolean, a list an array, a string may be absent. */
export type FlagValues<Flags extends FlagDefinitions> = {
  readonly [Name in keyof Flags]: Flags[Name]['type'] extends 'switch'
    ? boolean
    : Flags[Name]['type'] extends 'list'
      ? readonly string[]
      : (Flags[Name] extends { readonly choices: readonly (infer Choice)[] } ? Choice : string) | undefined;
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
  run(call: CommandCall<Flags>): Promise<ExitCode>;
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

/** The flags in a section of the help. */
export function inSection<const Flags extends FlagDefinitions>(section: FlagSectionName, flags: Flags): Flags {
  const entries = Object.entries(flags).map(([name, flag]) => [name, { ...flag, section }]);
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
