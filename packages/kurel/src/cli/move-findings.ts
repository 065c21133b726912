import type { Diagnostic, Location } from '../model/index.ts';

/** The findings with all their locations moved, such as to paths as the user sees them. */
export function moveFindings(
  diagnostics: readonly Diagnostic[],
  move: (location: Location) => Location,
): readonly Diagnostic[] {
  return diagnostics.map((one) => ({
    ...one,
    ...(one.location === undefined ? {} : { location: move(one.location) }),
    ...(one.related === undefined
      ? {}
      : { related: one.related.map((other) => ({ ...other, location: move(other.location) })) }),
  }));
}
