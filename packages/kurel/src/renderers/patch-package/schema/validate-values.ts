import type { Json, JsonObject, Location, Path, Report, Values } from '../../../model/index.ts';
import { findViolations } from './find-violations.ts';

export interface ValueChecks {
  readonly report: Report;
  /** Where the value at a path was given; the nearest place for one that was not. */
  readonly locate: (path: Path) => Location | undefined;
}

/** Reports everything in which resolved values do not fit a schema; whether they do. */
export function validateValues(values: Values, schema: JsonObject, { report, locate }: ValueChecks): boolean {
  const violations = findViolations(values, schema);
  for (const { path, isKey, tell } of violations) {
    const location = locate(path);
    report(tell(isKey && location?.path !== undefined ? { ...location, at: 'key' } : location));
  }
  return violations.length === 0;
}

export function isAccepted(value: Json, schema: Json): boolean {
  return findViolations(value, schema).length === 0;
}
