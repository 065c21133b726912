import { createBudget, limitFindings } from '../budget/index.ts';
import { createUndefinedReference, traceReferences, walkValues } from '../index.ts';
import type { PackagePatch } from '../index.ts';
import type { Budget, Diagnostic } from '../model/index.ts';
import type { Examination } from './examine-package.ts';

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
      const walked = walkValues(parameters.values, parameter);
      if (told.has(key) || 'value' in walked) return [];
      told.add(key);
      // Before a name is guessed, which takes a look at all parameters.
      if (!limit.takesNext('reference-undefined', 'error')) return [];
      const missing = { ...walked, path: parameter, advice: 'give it a value in parameters.yaml' };
      return [{ ...createUndefinedReference(parameter.join('.'), missing), location }];
    });
  });
  return [...found, ...limit.omitted()];
}

interface ReferenceCheck {
  /** Patches that a build has looked at. */
  readonly applied: ReadonlySet<PackagePatch>;
  readonly budget?: Budget | undefined;
}
