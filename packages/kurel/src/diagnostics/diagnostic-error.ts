import type { Diagnostic } from '../model/index.ts';

/** Thrown by a stage that cannot go on; carries everything it found, so that all of it is reported at once. */
export class DiagnosticError extends Error {
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[], options?: { readonly cause?: unknown }) {
    super(diagnostics.map((diagnostic) => diagnostic.message).join('\n'), options);
    this.name = 'DiagnosticError';
    this.diagnostics = diagnostics;
  }
}

/** The diagnostics in an error or anywhere in its chain of causes. */
export function diagnosticsOf(error: unknown): readonly Diagnostic[] | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current instanceof DiagnosticError) return current.diagnostics;
  }
  return undefined;
}
