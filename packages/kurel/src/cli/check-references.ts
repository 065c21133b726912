import { nearest } from '../diagnostics/index.ts';
import { traceReferences } from '../index.ts';
import type { PackagePatch } from '../index.ts';
import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Diagnostic, Json, Path } from '../model/index.ts';
import type { Examination } from './examine-package.ts';
import { cliProblems } from './problems.ts';

/** Variables of patches that were not applied, so that nobody has looked for their parameters: those that have none. */
export function checkReferences(
  { package: pkg, parameters }: Examination,
  applied: ReadonlySet<PackagePatch>,
): readonly Diagnostic[] {
  if (pkg === undefined || parameters === undefined) return [];
  const told = new Set<string>();
  return pkg.patches.flatMap((patch) => {
    if (applied.has(patch)) return [];
    const variables = { scope: 'package', values: parameters.values } as const;
    const uses = traceReferences([patch.file], { objects: [], store: undefined, variables });
    return uses.flatMap(({ parameter, location }) => {
      const missing = findMissing(parameters.values, parameter);
      const finding = missing && cliProblems.create('patch-parameter-unknown', missing, { location });
      const key = JSON.stringify(finding);
      if (finding === undefined || told.has(key)) return [];
      told.add(key);
      return [finding];
    });
  });
}

interface MissingParameter {
  readonly parameter: string;
  readonly near: string | undefined;
}

function findMissing(values: Json, path: Path): MissingParameter | undefined {
  let value: Json | undefined = values;
  for (const [index, step] of path.entries()) {
    const holder: Json | undefined = value;
    if (isJsonArray(holder)) value = typeof step === 'number' ? holder[step] : undefined;
    else value = isJsonObject(holder) && Object.hasOwn(holder, step) ? holder[step] : undefined;
    if (value !== undefined) continue;
    const near = nearest(String(step), isJsonObject(holder) ? Object.keys(holder) : []);
    const meant = near === undefined ? undefined : [...path.slice(0, index), near, ...path.slice(index + 1)];
    return { parameter: path.join('.'), near: meant?.join('.') };
  }
  return undefined;
}
