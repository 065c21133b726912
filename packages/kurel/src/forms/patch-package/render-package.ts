import { decodeObjects, gvkOf, isOfKind, nameOf, namespaceOf, scopeOf } from '../../kube/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Budget, Diagnostic, Json, JsonObject, KubeObject, OriginTable, Report } from '../../model/index.ts';
import { findParameterOrigin } from '../../parameters/index.ts';
import type { ParameterLayer } from '../../parameters/index.ts';
import { applyPatches } from '../../patch/index.ts';
import type { Change, Patch, PatchFile, PatchOptions, PatchResult } from '../../patch/index.ts';
import type { SchemaStore } from '../../schema/index.ts';
import { readYaml } from '../../yaml/index.ts';
import type { EnabledPatch, PackageParameters, PackageRendering, PatchPackage } from './patch-package.ts';
import { planPatches, resolvePackageParameters } from './plan-patches.ts';
import { packageProblems } from './problems.ts';
import { readResources } from './read-resources.ts';

export interface PackageOptions {
  readonly report: Report;
  readonly origins: OriginTable;
  /** `--values` and `--set`, later ones win; they override the local extension. */
  readonly layers?: readonly ParameterLayer[] | undefined;
  /** Types and merge keys for patches; the CRDs of the package are added. */
  readonly store?: SchemaStore | undefined;
  /** Patches to enable by name. */
  readonly force?: readonly string[] | undefined;
  readonly maxDepth?: number | undefined;
  /** Namespace for all objects afterwards, whatever they set. */
  readonly namespace?: string | undefined;
  readonly trace?: ((line: string) => void) | undefined;
  /** Budget of the run. */
  readonly budget?: Budget | undefined;
}

/** Parameters → plan → resources → patches → namespaces. `undefined` after an error; all problems are reported. */
export function renderPackage(pkg: PatchPackage, options: PackageOptions): PackageRendering | undefined {
  let failed = false;
  const report = (diagnostic: Diagnostic): void => {
    failed ||= diagnostic.severity === 'error';
    options.report(diagnostic);
  };
  const { origins, layers = [], maxDepth, force, budget } = options;
  const parameters = resolvePackageParameters(pkg, layers, { report, maxDepth, budget });
  const plan = parameters === undefined ? undefined : planPatches(pkg, parameters, { report, force });
  const { objects: base, references } = readResources(pkg, {
    parameters,
    origins,
    report,
    store: options.store,
    budget,
  });
  if (failed || parameters === undefined || plan === undefined) return undefined;
  for (const enabled of plan.enabled) reportRequired(enabled, { ...options, report });
  const files = plan.enabled.map(({ patch }) => patch.file);
  const patching = patchingOf(base, { ...options, report, pkg, parameters });
  const found: Diagnostic[] = [];
  const patched = applyPatches(base, files, { ...patching, report: (diagnostic) => found.push(diagnostic) });
  const { objects, generated, excluded } = controlNamespaces(patched.objects, {
    parameters,
    decided: decisionsOf(patched, base),
    namespace: options.namespace,
    report,
  });
  const file = pkg.layers[0]!.source.path;
  for (const object of generated) origins.set(object, { renderer: 'patch-package', source: pkg.path, file });
  const made = patchNamespaces(generated, { files, options: patching, found, report: patching.report });
  if (failed) return undefined;
  const late = made.changes.map((change) => ({ ...change, index: base.length + change.index }));
  return {
    package: pkg,
    parameters,
    plan,
    base,
    references,
    changes: late.length === 0 ? patched.changes : [...patched.changes, ...late],
    objects: [...made.objects, ...objects],
    generated,
    excluded,
  };
}

/** A patch that is enabled by another changes the output even if its own condition is false. */
function reportRequired({ patch, reason }: EnabledPatch, { report, trace }: PackageOptions): void {
  if (reason.type !== 'required') return;
  const { by } = reason;
  trace?.(`patch enabled: ${patch.id} is required by ${by.id}`);
  const location = by.sidecar?.requires.find(({ id }) => id === patch.id)?.location;
  report(packageProblems.create('patch-required', { id: patch.id, by: by.id }, { location }));
}

interface Applying extends PackageOptions {
  readonly pkg: PatchPackage;
  readonly parameters: PackageParameters;
}

function patchingOf(base: readonly KubeObject[], applying: Applying): PatchOptions {
  const { pkg, parameters, store, origins, report, trace, budget } = applying;
  const definitions = decodeDefinitions(pkg, base, { report, budget });
  const local = new Set(pkg.patches.filter(({ owner }) => owner === 'local').map(({ file }) => file.source.path));
  return {
    report(diagnostic) {
      // Disabled objects are a normal feature of packages, and not worth a note on every build.
      if (diagnostic.code !== 'object-left-out') report(diagnostic);
    },
    origins,
    store: store?.with([...definitions.keys()], (definition) => definitions.get(definition) ?? pkg.path),
    variables: { scope: 'package', values: parameters.values, writtenAt: parameters.writtenAt },
    trace,
    // A local extension is meant to override the package.
    mayOverride: (earlier, later) => !local.has(earlier) && local.has(later),
    // A patch that sets an unchanged value still determines the field.
    unchanged: true,
    budget,
  };
}

/** Values of `enabled` on Namespaces, by name. */
function decisionsOf({ enabled }: PatchResult, base: readonly KubeObject[]): ReadonlyMap<string, boolean> {
  return new Map(
    [...enabled].flatMap(([index, value]): [string, boolean][] => {
      const object = base[index]!;
      return object.kind === 'Namespace' ? [[nameOf(object), value]] : [];
    }),
  );
}

interface GeneratedPatching {
  readonly files: readonly PatchFile[];
  readonly options: PatchOptions;
  /** Findings of applying the same files to the objects of the package. */
  readonly found: readonly Diagnostic[];
  readonly report: Report;
}

/**
 * Missing Namespaces are known only after the patches, so generated ones are patched separately: by patches for all objects and
 * those that name a Namespace. Reports findings that remain after both.
 */
function patchNamespaces(
  generated: readonly KubeObject[],
  { files, options, found, report }: GeneratedPatching,
): { readonly objects: readonly KubeObject[]; readonly changes: readonly Change[] } {
  const named = generated.length === 0 ? [] : files.map(onlyForNamespaces).filter(({ patches }) => patches.length > 0);
  const late: Diagnostic[] = [];
  const patched = applyPatches(generated, named, { ...options, report: (diagnostic) => late.push(diagnostic) });
  const targets = new Set(named.flatMap(({ patches }) => patches.map(({ target }) => targetOf(target))));
  const missedAgain = new Set(late.filter(isMiss).map(({ location }) => JSON.stringify(location)));
  // A target that exists in either of the two is not missing.
  const isHit = (diagnostic: Diagnostic): boolean => {
    const target = JSON.stringify(diagnostic.location);
    return isMiss(diagnostic) && targets.has(target) && !missedAgain.has(target);
  };
  const left = found.filter((diagnostic) => !isHit(diagnostic));
  const reported = new Set(left.map((diagnostic) => JSON.stringify(diagnostic)));
  for (const diagnostic of left) report(diagnostic);
  for (const diagnostic of late) {
    if (!isMiss(diagnostic) && !reported.has(JSON.stringify(diagnostic))) report(diagnostic);
  }
  return patched;
}

function onlyForNamespaces(file: PatchFile): PatchFile {
  return { ...file, patches: file.patches.filter(isForNamespaces) };
}

function isForNamespaces({ target }: Patch): boolean {
  if (target.type === 'all') return true;
  if (target.type === 'header') return /^(?:\*|namespaces?|ns)$/i.test(target.kind.text);
  return target.type === 'text' && /^(?:namespaces?|ns)\./i.test(target.text.text);
}

function targetOf(target: Patch['target']): string | undefined {
  return 'location' in target ? JSON.stringify(target.location) : undefined;
}

function isMiss({ code }: Diagnostic): boolean {
  return code === 'patch-target-not-found' || code === 'patch-no-match';
}

interface NamespaceControl {
  readonly parameters: PackageParameters;
  /** Values of `enabled` on Namespaces, by name; they win. */
  readonly decided: ReadonlyMap<string, boolean>;
  readonly namespace: string | undefined;
  readonly report: Report;
}

interface ControlledNamespaces {
  /** Remaining objects. */
  readonly objects: readonly KubeObject[];
  /** Missing Namespaces of the objects. */
  readonly generated: readonly KubeObject[];
  readonly excluded: readonly string[];
}

/** Namespaces that exist in every cluster. */
const ownNamespaces: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public', 'kube-node-lease']);

/** Adds and removes Namespaces by `global.namespaces`; without it, objects are unchanged. */
function controlNamespaces(objects: readonly KubeObject[], control: NamespaceControl): ControlledNamespaces {
  const { parameters, decided, namespace } = control;
  const settings = readSettings(control);
  if (settings === undefined) return { objects, generated: [], excluded: [] };
  const { create, exclude } = settings;
  const kept = objects.filter((object) => {
    if (!isNamespace(object)) return true;
    const name = nameOf(object);
    return decided.get(name) ?? (create !== false && !exclude.has(name));
  });
  const excluded = [...exclude];
  if (create !== true) return { objects: kept, generated: [], excluded };
  const there = new Set(kept.filter(isNamespace).map(nameOf));
  const used = new Set(kept.filter(isNamespaced).map((object) => namespace ?? namespaceOf(object)));
  const missing = [...used].filter(
    (name) =>
      name !== '' && !there.has(name) && !exclude.has(name) && !ownNamespaces.has(name) && decided.get(name) !== false,
  );
  return { objects: kept, generated: missing.map((name) => makeNamespace(name, parameters)), excluded };
}

function isNamespace(object: KubeObject): boolean {
  return isOfKind(object, { group: '', kind: 'Namespace' });
}

/** An object of an unknown kind counts as namespaced if it sets a namespace. */
function isNamespaced(object: KubeObject): boolean {
  const gvk = gvkOf(object);
  return gvk === undefined || scopeOf(gvk) !== 'Cluster';
}

interface Settings {
  readonly create: boolean | undefined;
  readonly exclude: ReadonlySet<string>;
}

function readSettings({ parameters, report }: NamespaceControl): Settings | undefined {
  const { global } = parameters.values;
  const settings = isJsonObject(global) ? global['namespaces'] : undefined;
  if (settings === undefined || settings === null) return undefined;
  const refuse = (path: readonly string[], wanted: string): void => {
    const field = ['global', 'namespaces', ...path].join('.');
    const location = findParameterOrigin(parameters.layers, ['global', 'namespaces', ...path])?.location;
    report(packageProblems.create('namespaces-invalid', { field, wanted }, { location }));
  };
  if (!isJsonObject(settings)) {
    refuse([], 'an object with create and exclude');
    return undefined;
  }
  const create = readBoolean(settings['create'] ?? undefined);
  if (create === 'wrong') refuse(['create'], 'true or false');
  const exclude = settings['exclude'] ?? [];
  const isList = isJsonArray(exclude) && exclude.every((name) => typeof name === 'string');
  if (!isList) refuse(['exclude'], 'a list of names');
  return {
    create: create === 'wrong' ? undefined : create,
    exclude: new Set(isList ? exclude : []),
  };
}

function readBoolean(value: Json | undefined): boolean | 'wrong' | undefined {
  if (value === undefined || typeof value === 'boolean') return value;
  if (typeof value === 'string' && /^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  return 'wrong';
}

function makeNamespace(name: string, { values: { global }, writtenAt }: PackageParameters): KubeObject {
  const settings = isJsonObject(global) ? global : {};
  const textsOf = (field: string): JsonObject => textsIn(settings[field], (key) => writtenAt(['global', field, key]));
  const labels = textsOf('labels');
  const annotations = { ...textsOf('annotations'), 'kurel.gokure.dev/install-phase': 'pre-install' };
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, ...(Object.keys(labels).length === 0 ? {} : { labels }), annotations },
  };
}

/** Labels and annotations must be strings, whatever the type of a parameter. */
function textsIn(value: Json | undefined, writtenAs: (key: string) => string | undefined): JsonObject {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]): [string, string][] =>
      one === null || typeof one === 'object' ? [] : [[key, writtenAs(key) ?? String(one)]],
    ),
  );
}

/** CustomResourceDefinitions from `schemas/crds/` and from the resources of a package, each with its file. */
export function decodeDefinitions(
  { definitions, path }: PatchPackage,
  base: readonly KubeObject[],
  { report, budget }: { readonly report: Report; readonly budget?: Budget | undefined },
): ReadonlyMap<KubeObject, string> {
  const found = new Map<KubeObject, string>();
  for (const source of definitions) {
    const { documents, diagnostics } = readYaml(source, { budget });
    for (const diagnostic of diagnostics) report(diagnostic);
    for (const { object } of decodeObjects(documents, { file: source.path, report })) found.set(object, source.path);
  }
  for (const object of base) if (object.kind === 'CustomResourceDefinition') found.set(object, path);
  return found;
}
