import { findParameterOrigin, traceReferences } from '../index.ts';
import type { BuildResult } from '../index.ts';
import type { Diagnostic, Path } from '../model/index.ts';
import type { Examination } from './examine-package.ts';

/**
 * Findings without those about a field whose value is a parameter that was refused already: one mistake is reported once, where
 * it was made. A finding about a field notes where the parameters in it were given.
 */
export function dropConsequences(
  { diagnostics }: BuildResult,
  refused: readonly Path[],
  examination: Examination,
): readonly Diagnostic[] {
  const { parameters } = examination;
  if (parameters === undefined || refused.length === 0) return diagnostics;
  const uses = new Set(usesOf(examination, refused));
  const given = new Set(refused.map((path) => JSON.stringify(findParameterOrigin(parameters.layers, path)?.location)));
  return diagnostics.filter(({ code, location, related = [] }) => {
    if (related.some((note) => given.has(JSON.stringify(note.location)))) return false;
    return code !== 'type-mismatch' || !uses.has(JSON.stringify(location));
  });
}

/** Where patches say a refused parameter. */
function usesOf({ plan, parameters }: Examination, refused: readonly Path[]): readonly string[] {
  const names = new Set(refused.map((path) => path.join('.')));
  const files = (plan?.enabled ?? []).map(({ patch }) => patch.file);
  const variables = { scope: 'package', values: parameters?.values ?? {} } as const;
  return traceReferences(files, { objects: [], store: undefined, variables })
    .filter(({ parameter }) => names.has(parameter.join('.')))
    .map(({ location }) => JSON.stringify(location));
}
