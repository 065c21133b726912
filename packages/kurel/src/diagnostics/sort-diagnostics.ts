import type { AcceptedFinding, Diagnostic, Severity } from '../model/index.ts';
import { createPlaceFinder } from './find-place.ts';
import type { PlaceOptions } from './find-place.ts';

/** By file, then position (none comes first), then code; findings equal in all three keep their order. */
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

const severities: readonly Severity[] = ['error', 'warning', 'note'];

function countBySeverity(diagnostics: readonly Diagnostic[]): Readonly<Record<Severity, number>> {
  const counts = { error: 0, warning: 0, note: 0 };
  for (const { severity, omitted } of diagnostics) counts[severity] += omitted?.count ?? 1;
  return counts;
}

/** `1 error, 2 warnings, 1 accepted`; empty when there is nothing to count. */
export function summarise(diagnostics: readonly Diagnostic[], accepted: readonly AcceptedFinding[] = []): string {
  const counts = countBySeverity(diagnostics);
  const parts = severities
    .filter((severity) => counts[severity] > 0)
    .map((severity) => `${counts[severity]} ${severity}${counts[severity] === 1 ? '' : 's'}`);
  const count = accepted.reduce((sum, { diagnostic }) => sum + (diagnostic.omitted?.count ?? 1), 0);
  return [...parts, ...(count === 0 ? [] : [`${count} accepted`])].join(', ');
}
