import { reportExhaustion } from '../../budget/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Budget, Diagnostic, Report } from '../../model/index.ts';
import { findParameterOrigin, mergeLayers, resolveParameters, writtenParameters } from '../../parameters/index.ts';
import type { ParameterLayer } from '../../parameters/index.ts';
import type { PackageParameters, PatchPackage } from './patch-package.ts';
import { packageProblems } from './problems.ts';
import { keepVersionTexts } from './read-metadata.ts';

export interface ResolveRequest {
  readonly report: Report;
  /** How many references one may lead through. */
  readonly maxDepth?: number | undefined;
  readonly budget?: Budget | undefined;
}

/** All layers merged and resolved; `undefined` when something is wrong with them, all of which is told. */
export function resolvePackageParameters(
  { layers: own }: PatchPackage,
  given: readonly ParameterLayer[],
  { report, maxDepth, budget }: ResolveRequest,
): PackageParameters | undefined {
  const layers = [...own, ...given.map(keepVersionTexts)];
  let failed = false;
  const reportFinding = (diagnostic: Diagnostic): void => {
    failed ||= diagnostic.severity === 'error';
    report(diagnostic);
  };
  for (const layer of layers.slice(1)) reportIdentity(layer, layers[0]!, reportFinding);
  const merged = mergeLayers(layers, reportFinding);
  const locate = (path: readonly (string | number)[]) => findParameterOrigin(layers, path)?.location;
  const writtenAt = writtenParameters(merged, layers);
  const resolving = { report: reportFinding, locate, maxDepth, writtenAt, budget };
  const values = reportExhaustion(() => resolveParameters(merged, resolving), reportFinding);
  return failed || values === undefined ? undefined : { layers, merged, values, writtenAt };
}

/** What a package is does not depend on who uses it. */
function reportIdentity(layer: ParameterLayer, base: ParameterLayer, report: Report): void {
  const [kurel, original] = [layer.data['kurel'], base.data['kurel']];
  if (!isJsonObject(kurel) || !isJsonObject(original)) return;
  for (const field of ['name', 'version']) {
    if (!Object.hasOwn(kurel, field) || kurel[field] === original[field]) continue;
    const location = findParameterOrigin([layer], ['kurel', field])?.location;
    report(packageProblems.create('package-identity-changed', { field: `kurel.${field}` }, { location }));
  }
}
