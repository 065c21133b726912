import { watchErrors } from '../../diagnostics/index.ts';
import { decodeObjects, isClusterScoped, isOfKind, mappingAt, nameOf, namespaceOf } from '../../kube/index.ts';
import { isJsonArray, isJsonObject, valueAt } from '../../model/index.ts';
import type { Budget, Diagnostic, JsonObject, KubeObject, OriginTable, Report } from '../../model/index.ts';
import { findParameterOrigin } from '../../parameters/index.ts';
import { applyPatches } from '../../patch/index.ts';
import type { Change, Patch, PatchFile, PatchOptions, PatchResult } from '../../patch/index.ts';
import type { SchemaStore } from '../../schema/index.ts';
import { readYaml } from '../../yaml/index.ts';
import type { ExaminedPackage, PackageParameters, PackagePatch, PackageRendering } from './patch-package.ts';
import { readBoolean } from './plan-patches.ts';
import { packageProblems } from './problems.ts';
import { readResources } from './read-resources.ts';

export interface PackageOptions {
  readonly report: Report;
  readonly origins: OriginTable;
  /** Types and merge keys for patches; the CRDs of the package are added. */
  readonly store?: SchemaStore | undefined;
  /** Namespace for all objects afterwards, whatever they set. */
  readonly namespace?: string | undefined;
  readonly trace?: ((line: string) => void) | undefined;
  /** Budget of the run. */
  readonly budget?: Budget | undefined;
}

export interface RenderedPackage {
  /** `undefined` after an error other than a conflict between patches. */
  readonly rendering: PackageRendering | undefined;
  /** Patches that were applied, so that all mistakes in their variables are reported. */
  readonly applied: readonly PackagePatch[];
}

/** Resources → patches → namespaces of a package that was examined. All problems are reported, except those of the examination. */
export function renderPackage(examined: ExaminedPackage, options: PackageOptions): RenderedPackage {
  const { package: pkg, parameters, applicable: plan } = examined;
  if (pkg === undefined) return { rendering: undefined, applied: [] };
  const early = Object.values(examined.found).flat();
  const isBroken = early.some((diagnostic) => diagnostic.severity === 'error' && !isConflict(diagnostic));
  const { report, hasErrors } = watchErrors(options.report);
  const { origins, budget } = options;
  const reading = { parameters, origins, report, store: options.store, budget };
  const { objects: base, references } = readResources(pkg, reading);
  if (isBroken || hasErrors() || parameters === undefined || plan === undefined) {
    return { rendering: undefined, applied: [] };
  }
  const applied = plan.enabled.map(({ patch }) => patch);
  for (const { patch, reason } of plan.enabled) {
    // A patch that is enabled by another changes the output even if its own condition is false.
    if (reason.type !== 'required') continue;
    const { by } = reason;
    options.trace?.(`patch enabled: ${patch.id} is required by ${by.id}`);
    const location = by.sidecar?.requires.find(({ id }) => id === patch.id)?.location;
    report(packageProblems.create('patch-required', { id: patch.id, by: by.id }, { location }));
  }
  const files = plan.enabled.map(({ patch }) => patch.file);
  const patching = patchingOf({ package: pkg, parameters, base }, { ...options, report });
  const earlier: Diagnostic[] = [];
  const patched = applyPatches(base, files, {
    ...patching,
    report(diagnostic) {
      // Without resources, which is reported once, no patch has a target.
      if (base.length > 0 || !isMiss(diagnostic)) earlier.push(diagnostic);
    },
  });
  const { objects, generated, excluded } = controlNamespaces(patched, { parameters, base }, { ...options, report });
  const file = pkg.layers[0]!.source.path;
  for (const object of generated) origins.set(object, { renderer: 'patch-package', source: pkg.path, file });
  const namespaces = patchNamespaces(generated, files, { ...patching, earlier });
  if (hasErrors()) return { rendering: undefined, applied };
  const late = namespaces.changes.map((change) => ({ ...change, index: base.length + change.index }));
  const rendering: PackageRendering = {
    package: pkg,
    parameters,
    plan,
    base,
    references,
    changes: late.length === 0 ? patched.changes : [...patched.changes, ...late],
    objects: [...namespaces.objects, ...objects],
    generated,
    excluded,
  };
  return { rendering, applied };
}

/** Whether two enabled patches exclude one another: the rest of the package can still be checked. */
export function isConflict({ code }: Diagnostic): boolean {
  return code === 'patches-exclude';
}

function patchingOf(
  { package: pkg, parameters, base }: Pick<PackageRendering, 'package' | 'parameters' | 'base'>,
  { store, origins, report, trace, budget }: PackageOptions,
): PatchOptions {
  const local = new Set(pkg.patches.filter(({ owner }) => owner === 'local').map(({ file }) => file.source.path));
  return {
    report(diagnostic) {
      // Disabled objects are a normal feature of packages, and not worth a note on every build.
      if (diagnostic.code !== 'object-left-out') report(diagnostic);
    },
    origins,
    store: addDefinitions(store, { package: pkg, base }, { report, budget }),
    variables: { scope: 'package', values: parameters.values, writtenAt: parameters.writtenAt },
    trace,
    // A local extension is meant to override the package.
    mayOverride: (earlier, later) => !local.has(earlier) && local.has(later),
    budget,
  };
}

/**
 * Missing Namespaces are known only after the patches, so generated ones are patched separately: by patches for all objects and
 * those that name a Namespace. Reports findings that remain after both; `earlier` are those of the objects of the package.
 */
function patchNamespaces(
  generated: readonly KubeObject[],
  files: readonly PatchFile[],
  { earlier, ...options }: PatchOptions & { readonly earlier: readonly Diagnostic[] },
): { readonly objects: readonly KubeObject[]; readonly changes: readonly Change[] } {
  const named =
    generated.length === 0
      ? []
      : files
          .map((file) => ({ ...file, patches: file.patches.filter(isForNamespaces) }))
          .filter(({ patches }) => patches.length > 0);
  const late: Diagnostic[] = [];
  const patched = applyPatches(generated, named, { ...options, report: (diagnostic) => late.push(diagnostic) });
  const patches = named.flatMap((file) => file.patches);
  const targets = new Set(patches.map(({ target }) => 'location' in target && JSON.stringify(target.location)));
  const missedAgain = new Set(late.filter(isMiss).map(({ location }) => JSON.stringify(location)));
  // A target that exists in either of the two is not missing.
  const isHit = (diagnostic: Diagnostic): boolean => {
    const target = JSON.stringify(diagnostic.location);
    return isMiss(diagnostic) && targets.has(target) && !missedAgain.has(target);
  };
  const left = earlier.filter((diagnostic) => !isHit(diagnostic));
  const reported = new Set(left.map((diagnostic) => JSON.stringify(diagnostic)));
  for (const diagnostic of left) options.report(diagnostic);
  for (const diagnostic of late) {
    if (!isMiss(diagnostic) && !reported.has(JSON.stringify(diagnostic))) options.report(diagnostic);
  }
  return patched;
}

function isForNamespaces({ target }: Patch): boolean {
  if (target.type === 'all') return true;
  if (target.type === 'header') return /^(?:\*|namespaces?|ns)$/i.test(target.kind.text);
  return target.type === 'text' && /^(?:namespaces?|ns)\./i.test(target.text.text);
}

function isMiss({ code }: Diagnostic): boolean {
  return code === 'patch-target-not-found' || code === 'patch-no-match';
}

/** The store with the CustomResourceDefinitions in `schemas/crds/` and in the resources of a package. */
export function addDefinitions(
  store: SchemaStore | undefined,
  { package: { definitions, path }, base }: Pick<PackageRendering, 'package' | 'base'>,
  { report, budget }: { readonly report: Report; readonly budget?: Budget | undefined },
): SchemaStore | undefined {
  const fileOf = new Map<KubeObject, string>();
  for (const source of definitions) {
    const { documents, diagnostics } = readYaml(source, { budget });
    for (const diagnostic of diagnostics) report(diagnostic);
    for (const { object } of decodeObjects(documents, { file: source.path, report })) fileOf.set(object, source.path);
  }
  for (const object of base) if (object.kind === 'CustomResourceDefinition') fileOf.set(object, path);
  return store?.with([...fileOf.keys()], (definition) => fileOf.get(definition) ?? path);
}

/** Namespaces that exist in every cluster. */
const ownNamespaces: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public', 'kube-node-lease']);

/**
 * Removes Namespaces by `global.namespaces`, and generates those that the remaining objects need. Without it, objects are
 * unchanged.
 */
function controlNamespaces(
  { objects, enabled }: PatchResult,
  { parameters, base }: Pick<PackageRendering, 'parameters' | 'base'>,
  { namespace, report }: PackageOptions,
): Pick<PackageRendering, 'objects' | 'generated' | 'excluded'> {
  const settings = readSettings(parameters, report);
  if (settings === undefined) return { objects, generated: [], excluded: [] };
  const { create, exclude } = settings;
  // Values of `enabled` on Namespaces, which win.
  const decided = new Map(
    Array.from(enabled, ([index, value]) => [base[index]!, value] as const)
      .filter(([object]) => object.kind === 'Namespace')
      .map(([object, value]) => [nameOf(object), value]),
  );
  const kept = objects.filter((object) => {
    if (!isNamespace(object)) return true;
    const name = nameOf(object);
    return decided.get(name) ?? (create !== false && !exclude.has(name));
  });
  const excluded = [...exclude];
  if (create !== true) return { objects: kept, generated: [], excluded };
  const there = new Set(kept.filter(isNamespace).map(nameOf));
  // An object of an unknown kind counts as namespaced if it sets a namespace.
  const namespaced = kept.filter((object) => !isClusterScoped(object));
  const used = new Set(namespaced.map((object) => namespace ?? namespaceOf(object)));
  const missing = [...used].filter(
    (name) =>
      name !== '' && !there.has(name) && !exclude.has(name) && !ownNamespaces.has(name) && decided.get(name) !== false,
  );
  return { objects: kept, generated: missing.map((name) => makeNamespace(name, parameters)), excluded };
}

function isNamespace(object: KubeObject): boolean {
  return isOfKind(object, { group: '', kind: 'Namespace' });
}

function readSettings({ values, layers }: PackageParameters, report: Report) {
  const settings = valueAt(values, ['global', 'namespaces']);
  if (settings === undefined || settings === null) return undefined;
  const refuse = (path: readonly string[], wanted: string): void => {
    const field = ['global', 'namespaces', ...path];
    const { location } = findParameterOrigin(layers, field)!;
    report(packageProblems.create('namespaces-invalid', { field: field.join('.'), wanted }, { location }));
  };
  if (!isJsonObject(settings)) {
    refuse([], 'an object with create and exclude');
    return undefined;
  }
  const create = readBoolean(settings['create'] ?? null);
  if (create === undefined && (settings['create'] ?? null) !== null) refuse(['create'], 'true or false');
  const exclude = settings['exclude'] ?? [];
  const isList = isJsonArray(exclude) && exclude.every((name) => typeof name === 'string');
  if (!isList) refuse(['exclude'], 'a list of names');
  return { create, exclude: new Set<string>(isList ? exclude : []) };
}

function makeNamespace(name: string, { values, writtenAt }: PackageParameters): KubeObject {
  /** Labels and annotations must be strings, whatever the type of a parameter. */
  const textsOf = (field: string): JsonObject =>
    Object.fromEntries(
      Object.entries(mappingAt(values['global'], field) ?? {}).flatMap(([key, scalar]): [string, string][] =>
        scalar === null || typeof scalar === 'object'
          ? []
          : [[key, writtenAt(['global', field, key]) ?? String(scalar)]],
      ),
    );
  const labels = textsOf('labels');
  const annotations = { ...textsOf('annotations'), 'kurel.gokure.dev/install-phase': 'pre-install' };
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, ...(Object.keys(labels).length === 0 ? {} : { labels }), annotations },
  };
}
