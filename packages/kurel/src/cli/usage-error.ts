import { defineProblems, spell, spellPlainly } from '../diagnostics/index.ts';
import type { Diagnostic, Message, SourceFile } from '../model/index.ts';
import { listSet } from '../settings/index.ts';
import { commonFlags } from './command.ts';
import type { ExitCode } from './command.ts';

/** Mistakes in the call. */
export const usageProblems = defineProblems(() => ({
  usage: {
    summary: 'The command line is wrong: a command, a flag or an argument. Nothing was done, and the exit code is 2.',
    message: ({ message }: { readonly message: Message; readonly hint?: Message | undefined }) => message,
    fix: 'Follow the hint, or run the command with --help, which lists its arguments and flags.',
  },
}));

/** The command line itself is wrong; exit code 2. */
export class UsageError extends Error {
  readonly diagnostics: readonly Diagnostic[];
  /** The words of the command line that the finding points into. */
  readonly sources: readonly SourceFile[];

  constructor(message: Message, hint?: Message, place?: UsagePlace) {
    super(spell(message, spellPlainly));
    this.name = 'UsageError';
    this.sources = place === undefined ? [] : [place.source];
    const location = place && {
      file: place.source.path,
      range: { start: place.offset, end: place.offset + 1 },
    };
    this.diagnostics = [usageProblems.create('usage', { message, hint }, { location })];
  }
}

export type UsageCollector = ReturnType<typeof collectUsage>;

/** Collects the mistakes of steps that do not depend on each other, so that all of them are reported together. */
export function collectUsage() {
  const errors: UsageError[] = [];
  return {
    /** `undefined` after a mistake. */
    attempt<Result>(step: () => Result): Result | undefined {
      try {
        return step();
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        errors.push(error);
        return undefined;
      }
    },
    /** The results without those of mistakes. */
    attemptEach<Item, Result>(items: readonly Item[], step: (item: Item) => Result): readonly Result[] {
      return items.flatMap((item) => {
        const result = this.attempt(() => [step(item)]);
        return result ?? [];
      });
    },
    /** All mistakes as one error; `undefined` if there are none. */
    error(): UsageError | undefined {
      const [first, ...others] = errors;
      if (first === undefined || others.length === 0) return first;
      return Object.assign(new UsageError(first.message), {
        diagnostics: errors.flatMap(({ diagnostics }) => diagnostics),
        sources: errors.flatMap(({ sources }) => sources),
      });
    },
    throwAll(): void {
      const error = this.error();
      if (error !== undefined) throw error;
    },
  };
}

/** A place inside the value of a flag, such as the column of a mistake in a jq program. */
interface UsagePlace {
  readonly source: SourceFile;
  readonly offset: number;
}

export function hasErrors(diagnostics: readonly Pick<Diagnostic, 'severity'>[]): boolean {
  return diagnostics.some(({ severity }) => severity === 'error');
}

/** 1 if there are errors, 2 if flags are wrong. */
export function exitCodeOf(diagnostics: readonly Diagnostic[]): ExitCode {
  return hasErrors(diagnostics) ? failureOf(diagnostics) : 0;
}

/**
 * The exit code of a failure with these findings. A missing or wrong flag is sometimes found only when the input is known. Findings about
 * a file are not about flags.
 */
export function failureOf(diagnostics: readonly Diagnostic[]): 1 | 2 {
  const isUsage = ({ code, location }: Diagnostic): boolean =>
    code === 'set-syntax' || (location === undefined && wrongUsage.has(code));
  return diagnostics.some(isUsage) ? 2 : 1;
}

const wrongUsage: ReadonlySet<string> = new Set([
  'profile-missing',
  'acceptance-code-unknown',
  'acceptance-object-invalid',
  'acceptance-refused',
  'input-setting-refused',
]);

interface Refusal<Name> {
  /** What the flags are for. */
  readonly owner: string;
  readonly hint: string | ((name: Name) => string);
}

/** Rejects flags that are for something else than the command was called with. */
export function refuseFlags<Name extends string>(
  flags: Readonly<Partial<Record<Name, unknown>>>,
  names: readonly Name[],
  { owner, hint }: Refusal<Name>,
): void {
  const usage = collectUsage();
  usage.attemptEach(listSet(flags, names), (name) => {
    throw new UsageError(`--${name} is only for ${owner}`, typeof hint === 'string' ? hint : hint(name));
  });
  usage.throwAll();
}

/** Rejects all flags except some, and those of every command. */
export function refuseOtherFlags(
  flags: Readonly<Record<string, unknown>>,
  used: readonly string[],
  refusal: Refusal<string>,
): void {
  const kept = new Set([...used, ...Object.keys(commonFlags)]);
  refuseFlags(
    flags,
    Object.keys(flags).filter((name) => !kept.has(name)),
    refusal,
  );
}

export function refuseBothFlags<Name extends string>(
  flags: Readonly<Partial<Record<Name, unknown>>>,
  names: readonly [Name, Name],
): void {
  if (listSet(flags, names).length < names.length) return;
  throw new UsageError(`--${names[0]} and --${names[1]} are mutually exclusive`, 'remove one of them');
}
