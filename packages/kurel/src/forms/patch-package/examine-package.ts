import { getOrAdd, reportExhaustion } from '../../budget/index.ts';
import { watchErrors } from '../../diagnostics/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Budget, Diagnostic, Json, JsonObject, Path, Report, Values } from '../../model/index.ts';
import {
  findParameterOrigin,
  layersOfData,
  mergeLayers,
  parseReferencePath,
  referencesIn,
  resolveParameters,
  writtenParameters,
} from '../../parameters/index.ts';
import type { ParameterLayer } from '../../parameters/index.ts';
import type { PatchFile } from '../../patch/index.ts';
import type { PackageSettings } from '../form-types.ts';
import type { PackageRequest } from '../package-loading.ts';
import { loadPatchPackage } from './load-patch-package.ts';
import type { ExaminationStep, ExaminedPackage, PackageParameters, PatchPackage, PatchPlan } from './patch-package.ts';
import { planPatches } from './plan-patches.ts';
import { packageProblems } from './problems.ts';
import { keepVersionTexts } from './read-metadata.ts';

export interface ExaminationRequest
  extends PackageRequest, Pick<PackageSettings, 'force' | 'outerPatches' | 'layers' | 'maxDepth'> {
  /** In place of `layers`. Other inputs may share them, so values without effect are not reported. */
  readonly values?: Values | undefined;
}

/** Reads a package, resolves its parameters and chooses its patches, without rendering. */
export async function examinePackage(request: ExaminationRequest): Promise<ExaminedPackage> {
  const { values = {}, layers = layersOfData(values), outerPatches, maxDepth, force, budget } = request;
  const diagnostics = { load: [] as Diagnostic[], parameters: [] as Diagnostic[], plan: [] as Diagnostic[] };
  const into = (step: ExaminationStep) => (diagnostic: Diagnostic) => void diagnostics[step].push(diagnostic);
  const pkg = await loadPatchPackage(request, into('load'));
  if (pkg === undefined) return { found: diagnostics };
  await checkGivenValues(pkg, { layers: request.layers ?? [], patches: outerPatches, report: into('parameters') });
  const parameters = resolvePackageParameters(pkg, layers, { report: into('parameters'), maxDepth, budget });
  if (parameters === undefined) return { package: pkg, found: diagnostics };
  const plan = planPatches(pkg, parameters, { report: into('plan'), force });
  const rest = withoutConflicts(pkg, plan);
  // Findings about the remaining patches are reported already.
  const applicable = rest === pkg ? plan : rest && planPatches(rest, parameters, { report: () => undefined, force });
  return { package: pkg, parameters, plan, applicable, found: diagnostics };
}

/** The package without the patches that declare a conflict; `undefined` if another patch requires one of them. */
function withoutConflicts(pkg: PatchPackage, { enabled }: PatchPlan): PatchPackage | undefined {
  const excluded = new Set(enabled.flatMap(({ patch, conflict }) => (conflict === undefined ? [] : [patch])));
  if (excluded.size === 0) return pkg;
  const required = new Set(pkg.patches.flatMap(({ sidecar }) => sidecar?.requires.map(({ id }) => id) ?? []));
  if ([...excluded].some(({ id }) => required.has(id))) return undefined;
  return { ...pkg, patches: pkg.patches.filter((patch) => !excluded.has(patch)) };
}

export interface ResolveRequest {
  readonly report: Report;
  /** Maximum chain of references. */
  readonly maxDepth?: number | undefined;
  readonly budget?: Budget | undefined;
}

/** Merges and resolves all layers; `undefined` after an error. All problems are reported. */
export function resolvePackageParameters(
  pkg: PatchPackage,
  overrides: readonly ParameterLayer[],
  { report, maxDepth, budget }: ResolveRequest,
): PackageParameters | undefined {
  const layers = [...pkg.layers, ...overrides.map(keepVersionTexts)];
  const watched = watchErrors(report);
  for (const layer of layers.slice(1)) reportIdentity(layer, layers[0]!, watched.report);
  const merged = mergeLayers(layers, watched.report);
  const locate = (path: Path) => findParameterOrigin(layers, path)?.location;
  const writtenAt = writtenParameters(merged, layers);
  const resolving = { report: watched.report, locate, maxDepth, writtenAt, budget };
  const values = reportExhaustion(() => resolveParameters(merged, resolving), watched.report);
  if (watched.hasErrors() || values === undefined) return undefined;
  const names = new Set([...pkg.layers.map(({ data }) => data), values].flatMap(Object.keys));
  return { layers, merged, values, names, writtenAt };
}

/** The identity of a package must not depend on its user. */
function reportIdentity(layer: ParameterLayer, base: ParameterLayer, report: Report): void {
  const [kurel, original] = [layer.data['kurel'], base.data['kurel']];
  if (!isJsonObject(kurel) || !isJsonObject(original)) return;
  for (const field of ['name', 'version']) {
    if (!Object.hasOwn(kurel, field) || kurel[field] === original[field]) continue;
    const location = findParameterOrigin([layer], ['kurel', field])?.location;
    report(packageProblems.create('package-identity-changed', { field: `kurel.${field}` }, { location }));
  }
}

export interface GivenCheck {
  /** `--values` and `--set`. */
  readonly layers: readonly ParameterLayer[];
  /** Patches applied after the package, which may use its parameters as well. */
  readonly patches?: readonly PatchFile[] | undefined;
  readonly report: Report;
}

/** A value for a parameter that the package does not have. */
export interface UndeclaredValue extends ValueAt {
  readonly layer: ParameterLayer;
}

/** Every layer, including the local extension, may add parameters; a value that is not used is most likely mistyped, and reported. */
export async function checkGivenValues(pkg: PatchPackage, check: GivenCheck): Promise<void> {
  const [own, ...local] = pkg.layers;
  const undeclared = [...findUndeclared([own!], local), ...findUndeclared(pkg.layers, check.layers)];
  if (undeclared.length === 0) return;
  // Loaded on demand: most builds set only declared parameters.
  const { reportIdleValues } = await import('./report-parameters.ts');
  reportIdleValues(pkg, undeclared, check);
}

/** For an undeclared object, returns only the object itself. */
function findUndeclared(own: readonly ParameterLayer[], layers: readonly ParameterLayer[]): readonly UndeclaredValue[] {
  return layers.flatMap((layer) => listIn(layer.data, [], layer));

  function listIn(data: JsonObject, parent: Path, layer: ParameterLayer): readonly UndeclaredValue[] {
    return Object.entries(data).flatMap(([key, value]) => {
      const path = [...parent, key];
      if (findParameterOrigin(own, path) === undefined) return [{ layer, path, value }];
      return isJsonObject(value) ? listIn(value, path, layer) : [];
    });
  }
}

export type UnusedCheck = GivenCheck;

/** Reports parameters of the package that nothing refers to: setting them has no effect. */
export async function checkUnusedParameters(pkg: PatchPackage, check: UnusedCheck): Promise<void> {
  // An empty package is reported as such.
  if (pkg.resources.length === 0 && pkg.patches.length === 0) return;
  const refused = listRefused(pkg, check);
  const mentioned = createUses([...listMentioned(pkg, check), ...refused]);
  if (findUnusedIn(pkg.layers[0]!.data, mentioned).length === 0) return;
  // Loaded on demand: finding all references parses every file again, and most packages have no unused parameters.
  const { reportUnusedParameters } = await import('./report-parameters.ts');
  reportUnusedParameters(pkg, refused, check);
}

// A comment is not a reference. A false match only costs time.
const comment = /(?:^|\s)#.*$/gm;

/** Parameters in the texts of a package, as far as they can be found without parsing YAML. */
function listMentioned(pkg: PatchPackage, { layers, patches }: UnusedCheck): readonly Path[] {
  const texts = [...pkg.resources.map(({ text }) => text), ...textsOfPatches(pkg, patches)];
  const references = referencesIn([
    ...texts.filter((text) => text.includes('${')).map((text) => text.replaceAll(comment, '')),
    ...[...pkg.layers, ...layers].map(({ data }) => data),
  ]);
  return references.flatMap(({ path }) => (path === undefined ? [] : [path]));
}

/** Parameters in invalid expressions. They count as used, because the corrected expression uses them. */
function listRefused(pkg: PatchPackage, { patches }: UnusedCheck): readonly Path[] {
  const expressions = referencesIn([...textsOfPatches(pkg, patches)]).filter(({ path }) => path === undefined);
  const words = expressions.flatMap(({ text }) => text.match(/[A-Za-z_][\w.-]*/g) ?? []);
  return words.map((word) => parseReferencePath(word)).filter((path) => path !== undefined);
}

function textsOfPatches(pkg: PatchPackage, outerPatches: UnusedCheck['patches'] = []): readonly string[] {
  const conditions = pkg.patches
    .map(({ sidecar }) => sidecar?.enabled)
    .filter((enabled) => typeof enabled === 'string');
  return [...[...pkg.patches.map(({ file }) => file), ...outerPatches].map(({ source }) => source.text), ...conditions];
}

/** A used parameter, as a whole or in part. */
export interface Use {
  isWhole: boolean;
  readonly inside: Map<string, Use>;
}

export function createUses(used: Iterable<Path>): Use {
  const createUse = (): Use => ({ isWhole: false, inside: new Map() });
  const root = createUse();
  for (const path of used) {
    let use = root;
    for (const step of path) {
      // A use of an item is a use of the list.
      if (typeof step === 'number') break;
      use = getOrAdd(use.inside, step, createUse);
    }
    use.isWhole = true;
  }
  return root;
}

export interface ValueAt {
  readonly path: Path;
  readonly value: Json;
}

/** Unused values; of an object that is not used at all, only the object itself. */
export function findUnused({ path, value }: ValueAt, uses: Use): readonly ValueAt[] {
  let use: Use | undefined = uses;
  for (const step of path) {
    use = use.inside.get(String(step));
    if (use === undefined) return [{ path, value }];
    if (use.isWhole) return [];
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => findUnused({ path: [...path, key], value: inner }, uses));
}

/** Unused parameters. `kurel` and `global` are exempt: kurel reads them, or all packages of a team share them. */
export function findUnusedIn(data: JsonObject, uses: Use): readonly ValueAt[] {
  return Object.entries(data).flatMap(([key, value]) =>
    key === 'kurel' || key === 'global' ? [] : findUnused({ path: [key], value }, uses),
  );
}
