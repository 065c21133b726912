import type { Diagnostic, SourceFile } from '../model/index.ts';

/** Thrown by a stage that cannot go on; carries everything it found, so that all of it is reported at once. */
export class DiagnosticError extends Error {
  readonly diagnostics: readonly Diagnostic[];
  /** Texts that the diagnostics point into and that are no files, such as what a program printed. */
  readonly sources: readonly SourceFile[];

  constructor(
    diagnostics: readonly Diagnostic[],
    options?: { readonly cause?: unknown; readonly sources?: readonly SourceFile[] },
  ) {
    super(diagnostics.map((diagnostic) => diagnostic.message).join('\n'), options);
    this.name = 'DiagnosticError';
    this.diagnostics = diagnostics;
    this.sources = options?.sources ?? [];
  }
}

/** The error and the chain of its causes, each once: a chain may bite its tail. */
export function* causesOf(error: unknown): Iterable<Error> {
  const seen = new Set<unknown>();
  for (let current = error; current instanceof Error && !seen.has(current); current = current.cause) {
    seen.add(current);
    yield current;
  }
}

/** The diagnostics in an error or anywhere in its chain of causes. */
export function diagnosticsOf(error: unknown): readonly Diagnostic[] | undefined {
  for (const cause of causesOf(error)) if (cause instanceof DiagnosticError) return cause.diagnostics;
  return undefined;
}

/** The texts that came with the diagnostics of an error, so that they can be shown with an excerpt. */
export function sourcesOfError(error: unknown): readonly SourceFile[] {
  for (const cause of causesOf(error)) if (cause instanceof DiagnosticError) return cause.sources;
  return [];
}
