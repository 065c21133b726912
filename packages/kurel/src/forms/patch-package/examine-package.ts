import type { Diagnostic, Values } from '../../model/index.ts';
import { layersOfData } from '../../parameters/index.ts';
import type { ParameterLayer } from '../../parameters/index.ts';
import type { PatchFile } from '../../patch/index.ts';
import type { PackageRequest } from '../package-loading.ts';
import { checkGivenValues } from './check-given-values.ts';
import { loadPatchPackage } from './load-patch-package.ts';
import type { ExaminationStep, ExaminedPackage, PatchPackage, PatchPlan } from './patch-package.ts';
import { planPatches, resolvePackageParameters } from './plan-patches.ts';

export interface ExaminationRequest extends PackageRequest {
  /** `--values` and `--set`, later ones win; they override the local extension. */
  readonly layers?: readonly ParameterLayer[] | undefined;
  /** In place of `layers`. Other inputs may share them, so values without effect are not reported. */
  readonly values?: Values | undefined;
  /** Patches to enable by name. */
  readonly force?: readonly string[] | undefined;
  /** Maximum chain of references. Defaults to 10. */
  readonly maxDepth?: number | undefined;
  /** Patches applied after the package, which may use its parameters as well. */
  readonly laidOver?: readonly PatchFile[] | undefined;
}

/** Reads a package, resolves its parameters and chooses its patches, without rendering. */
export async function examinePackage(request: ExaminationRequest): Promise<ExaminedPackage> {
  const { values = {}, layers = layersOfData(values), laidOver, maxDepth, force, budget } = request;
  const found = { load: [] as Diagnostic[], parameters: [] as Diagnostic[], plan: [] as Diagnostic[] };
  const into = (step: ExaminationStep) => (diagnostic: Diagnostic) => void found[step].push(diagnostic);
  const pkg = await loadPatchPackage(request, into('load'));
  if (pkg === undefined) return { found };
  await checkGivenValues(pkg, { layers: request.layers ?? [], patches: laidOver, report: into('parameters') });
  const parameters = resolvePackageParameters(pkg, layers, { report: into('parameters'), maxDepth, budget });
  if (parameters === undefined) return { package: pkg, found };
  const plan = planPatches(pkg, parameters, { report: into('plan'), force });
  const rest = withoutConflicts(pkg, plan);
  // Findings about the remaining patches are reported already.
  const applicable = rest === pkg ? plan : rest && planPatches(rest, parameters, { report: () => undefined, force });
  return { package: pkg, parameters, plan, applicable, found };
}

/** The package without the patches that declare a conflict; `undefined` if another patch requires one of them. */
function withoutConflicts(pkg: PatchPackage, { enabled }: PatchPlan): PatchPackage | undefined {
  const excluded = new Set(enabled.flatMap(({ patch, conflict }) => (conflict === undefined ? [] : [patch])));
  if (excluded.size === 0) return pkg;
  const required = new Set(pkg.patches.flatMap(({ sidecar }) => sidecar?.requires.map(({ id }) => id) ?? []));
  if ([...excluded].some(({ id }) => required.has(id))) return undefined;
  return { ...pkg, patches: pkg.patches.filter((patch) => !excluded.has(patch)) };
}
