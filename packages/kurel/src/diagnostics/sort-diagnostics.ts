import type { Diagnostic } from '../model/index.ts';
import { createPlaceFinder } from './find-place.ts';
import type { PlaceOptions } from './find-place.ts';

/** By file, then place (what has none comes first), then code; findings alike in all three keep their order. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[], options: PlaceOptions): readonly Diagnostic[] {
  const findPlace = createPlaceFinder(options);
  return diagnostics
    .map((diagnostic) => {
      const place = diagnostic.location === undefined ? undefined : findPlace(diagnostic.location);
      return { diagnostic, file: place?.file ?? '', offset: place?.found?.range.start ?? -1 };
    })
    .sort(
      (a, b) => compareText(a.file, b.file) || a.offset - b.offset || compareText(a.diagnostic.code, b.diagnostic.code),
    )
    .map(({ diagnostic }) => diagnostic);
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
