import type { AcceptedFinding, Diagnostic, Location, SourceFile } from '../model/index.ts';

/** Findings with the texts that they point into. */
export interface SourcedFindings {
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: readonly SourceFile[];
  readonly accepted?: readonly AcceptedFinding[] | undefined;
}

export function asErrors(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) =>
    diagnostic.severity === 'warning' ? { ...diagnostic, severity: 'error' } : diagnostic,
  );
}

/** The findings with all their locations moved, such as to paths as the user sees them. */
export function moveFindings(
  diagnostics: readonly Diagnostic[],
  move: (location: Location) => Location,
): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) => ({
    ...diagnostic,
    ...(diagnostic.location === undefined ? {} : { location: move(diagnostic.location) }),
    ...(diagnostic.related === undefined
      ? {}
      : { related: diagnostic.related.map((other) => ({ ...other, location: move(other.location) })) }),
  }));
}
