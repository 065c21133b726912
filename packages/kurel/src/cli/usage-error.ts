import type { Diagnostic, SourceFile } from '../model/index.ts';

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

/** A missing or wrong flag is sometimes found only when the input is known. Findings about a file are not about flags. */
export function isWrongUsage(diagnostics: readonly Pick<Diagnostic, 'code' | 'location'>[]): boolean {
  return diagnostics.some(({ code, location }) => location === undefined && wrongUsage.has(code));
}

const wrongUsage: ReadonlySet<string> = new Set([
  'profile-missing',
  'acceptance-code-unknown',
  'acceptance-object-invalid',
  'acceptance-refused',
]);

/** The first of some flags that was given. */
export function findGiven<Name extends string>(
  flags: Readonly<Record<Name, unknown>>,
  names: readonly Name[],
): Name | undefined {
  return names.find((name) => {
    const value = flags[name];
    return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
  });
}
