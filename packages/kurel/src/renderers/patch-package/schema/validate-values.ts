import { createBudget, limitFindings } from '../../../budget/index.ts';
import type { Budget, Json, JsonObject, Location, Path, Report, Values } from '../../../model/index.ts';
import { findViolations } from './find-violations.ts';
import { parameterSchemaProblems } from './problems.ts';

export interface ValueChecks {
  readonly report: Report;
  /** Where the value at a path was given; the nearest place for one that was not. */
  readonly locate: (path: Path) => Location | undefined;
  /** How many findings of a code are kept. */
  readonly budget?: Pick<Budget, 'findings'> | undefined;
}

/** Reports everything in which resolved values do not fit a schema, the first findings of a code and a count of the others; whether they do. */
export function validateValues(values: Values, schema: JsonObject, checks: ValueChecks): boolean {
  const { report, locate, budget = createBudget() } = checks;
  const violations = findViolations(values, schema);
  const limit = limitFindings(budget);
  for (const { code, path, isKey, tell } of violations) {
    // Before anything is looked up: there may be one for every value.
    if (!limit.takesNext(code, parameterSchemaProblems.definitions[code].severity)) continue;
    const location = locate(path);
    report(tell(isKey && location?.path !== undefined ? { ...location, at: 'key' } : location));
  }
  for (const omitted of limit.omitted()) report(omitted);
  return violations.length === 0;
}

export function isAccepted(value: Json, schema: Json): boolean {
  return findViolations(value, schema).length === 0;
}
