import type { AcceptedFinding, Diagnostic, Severity } from '../model/index.ts';

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
