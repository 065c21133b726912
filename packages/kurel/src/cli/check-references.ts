import { createBudget, limitFindings } from '../budget/index.ts';
import { nearest } from '../diagnostics/index.ts';
import { traceReferences } from '../index.ts';
import type { PackagePatch } from '../index.ts';
import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Budget, Diagnostic, Json, Path } from '../model/index.ts';
import type { Examination } from './examine-package.ts';
import { cliProblems } from './problems.ts';

/** Variables of patches that were not applied, so that nobody has looked for their parameters: those that have none. */
export function checkReferences(
  { package: pkg, parameters }: Examination,
  { applied, budget = createBudget() }: ReferenceCheck,
): readonly Diagnostic[] {
  if (pkg === undefined || parameters === undefined) return [];
  const told = new Set<string>();
  const limit = limitFindings(budget);
  const found = pkg.patches.flatMap((patch) => {
    if (applied.has(patch)) return [];
    const variables = { scope: 'package', values: parameters.values } as const;
    const uses = traceReferences([patch.file], { objects: [], store: undefined, variables });
    return uses.flatMap(({ parameter, location }) => {
      const key = JSON.stringify([parameter, location]);
      if (told.has(key) || isThere(parameters.values, parameter)) return [];
      told.add(key);
      const code = 'patch-parameter-unknown';
      // Before a name is guessed, which takes a look at all parameters.
      if (!limit.takesNext(code, cliProblems.definitions[code].severity)) return [];
      return [cliProblems.create(code, describeMissing(parameters.values, parameter), { location })];
    });
  });
  return [...found, ...limit.omitted()];
}

interface ReferenceCheck {
  /** Patches that a build has looked at. */
  readonly applied: ReadonlySet<PackagePatch>;
  readonly budget?: Budget | undefined;
}

function isThere(values: Json, path: Path): boolean {
  return path.reduce<Json | undefined>(stepInto, values) !== undefined;
}

function stepInto(holder: Json | undefined, step: string | number): Json | undefined {
  if (isJsonArray(holder)) return typeof step === 'number' ? holder[step] : undefined;
  return isJsonObject(holder) && Object.hasOwn(holder, step) ? holder[step] : undefined;
}

interface MissingParameter {
  readonly parameter: string;
  readonly near: string | undefined;
}

function describeMissing(values: Json, path: Path): MissingParameter {
  let holder: Json | undefined = values;
  let index = 0;
  for (; index < path.length - 1; index += 1) {
    const inner = stepInto(holder, path[index]!);
    if (inner === undefined) break;
    holder = inner;
  }
  const near = nearest(String(path[index]), isJsonObject(holder) ? Object.keys(holder) : []);
  const meant = near === undefined ? undefined : [...path.slice(0, index), near, ...path.slice(index + 1)];
  return { parameter: path.join('.'), near: meant?.join('.') };
}
