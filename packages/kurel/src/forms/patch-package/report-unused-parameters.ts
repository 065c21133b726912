import { nearest } from '../../diagnostics/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject, Path } from '../../model/index.ts';
import { findParameterOrigin, formatReferencePath, parameterProblems, walkValues } from '../../parameters/index.ts';
import { findUnusedIn } from './check-unused-parameters.ts';
import type { UnusedCheck } from './check-unused-parameters.ts';
import type { PatchPackage } from './patch-package.ts';
import { createUses, listUsedParameters } from './used-parameters.ts';

export interface UnusedReport extends UnusedCheck {
  /** Parameters in references that are refused. */
  readonly refused: readonly Path[];
}

// Each suggestion compares all sibling names.
const mostGuesses = 100;

export function reportUnusedParameters(pkg: PatchPackage, check: UnusedReport): void {
  const own = pkg.layers[0]!;
  const used = [...listUsedParameters(pkg, check), ...check.refused];
  // A misspelled reference is reported as such, and uses the parameter once it is corrected.
  const misspelled = used.filter((path) => !('value' in walkValues(own.data, path)));
  const meant = misspelled.slice(0, mostGuesses).map((path) => findMeant(path, own.data));
  for (const { path } of findUnusedIn(own.data, createUses([...used, ...meant]))) {
    const location = findParameterOrigin([own], path)?.location;
    const args = { name: formatReferencePath(path), where: 'a resource or a patch' };
    const place = location === undefined ? {} : { location: { ...location, at: 'key' as const } };
    check.report(parameterProblems.create('parameter-unused', args, place));
  }
}

/** The path with the nearest existing names. */
function findMeant(path: Path, data: JsonObject): Path {
  const meant: (string | number)[] = [];
  let at: Json | undefined = data;
  for (const step of path) {
    const names: readonly string[] = isJsonObject(at) ? Object.keys(at) : [];
    const isThere = typeof step === 'number' || names.includes(step);
    const next = isThere ? step : (nearest(step, names) ?? step);
    meant.push(next);
    at = isJsonObject(at) && Object.hasOwn(at, next) ? at[next] : undefined;
  }
  return meant;
}
