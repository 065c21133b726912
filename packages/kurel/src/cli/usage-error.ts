import type { Diagnostic, SourceFile } from '../model/index.ts';
import type { ExitCode } from './command.ts';

/** The command line itself is wrong; exit code 2. */
export class UsageError extends Error {
  readonly diagnostic: Diagnostic;
  /** The words of the command line that the finding points into. */
  readonly sources: readonly SourceFile[];

  constructor(message: string, hint?: string, place?: UsagePlace) {
    super(message);
    this.name = 'UsageError';
    this.sources = place === undefined ? [] : [place.source];
    this.diagnostic = {
      code: 'usage',
      severity: 'error',
      message,
      ...(hint === undefined ? {} : { hint }),
      ...(place === undefined
        ? {}
        : { location: { file: place.source.path, range: { start: place.offset, end: place.offset + 1 } } }),
    };
  }
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
]);

/** The first of some flags that was given. */
export function findGiven<Name extends string>(
  flags: Readonly<Partial<Record<Name, unknown>>>,
  names: readonly Name[],
): Name | undefined {
  return names.find((name) => {
    const value = flags[name];
    return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
  });
}

/** Rejects flags that are for something else than the command was called with. */
export function refuseFlags<Name extends string>(
  flags: Readonly<Partial<Record<Name, unknown>>>,
  names: readonly Name[],
  { owner, hint }: { readonly owner: string; readonly hint: string | ((name: Name) => string) },
): void {
  const name = findGiven(flags, names);
  if (name === undefined) return;
  throw new UsageError(`--${name} is only for ${owner}`, typeof hint === 'string' ? hint : hint(name));
}

export function refuseBoth<Name extends string>(
  flags: Readonly<Partial<Record<Name, unknown>>>,
  names: readonly [Name, Name],
  hint = 'remove one of them',
): void {
  if (names.some((name) => findGiven(flags, [name]) === undefined)) return;
  throw new UsageError(`--${names[0]} and --${names[1]} are mutually exclusive`, hint);
}
