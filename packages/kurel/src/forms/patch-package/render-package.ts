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
  /** `--values` and `--set`, later ones win; they outrank the local extension. */
  readonly layers?: readonly ParameterLayer[] | undefined;
  /** Types and merge keys for patches; the CRDs of the package are added. */
  readonly store?: SchemaStore | undefined;
  /** Patches to enable by name. */
  readonly force?: readonly string[] | undefined;
  readonly maxDepth?: number | undefined;
  /** Where all objects go afterwards, whatever namespace they name. */
  readonly namespace?: string | undefined;
  readonly trace?: ((line: string) => void) | undefined;
  /** Of the run that the package is rendered for. */
  readonly budget?: Budget | undefined;
}

/** Parameters → plan → resources → patches → namespaces. `undefined` after an error; everything that is wrong is reported. */
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

/** A patch whose own condition is not met changes the output all the same. */
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
      // Parts that are off are the point of a package, and nothing to be told on every build.
      if (diagnostic.code !== 'object-left-out') report(diagnostic);
    },
    origins,
    store: store?.with([...definitions.keys()], (definition) => definitions.get(definition) ?? pkg.path),
    variables: { scope: 'package', values: parameters.values, writtenAt: parameters.writtenAt },
    trace,
    // A local extension is there to change what the package says.
    mayOverride: (earlier, later) => !local.has(earlier) && local.has(later),
    // A patch decides a field also where the value was the same before.
    unchanged: true,
    budget,
  };
}

/** What patches say about Namespaces by `enabled`, by the name of the Namespace. */
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
  /** What was found when the same files were applied to the objects of the package. */
  readonly found: readonly Diagnostic[];
  readonly report: Report;
}

/**
 * Which Namespaces are missing is known only behind the patches, so those that are made are patched on their own: by the
 * patches for all objects and those that name a Namespace. Tells what is left to tell of both.
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
  // What one of the two has is there.
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
  /** What `enabled` patches said about the Namespace of a name; they win. */
  readonly decided: ReadonlyMap<string, boolean>;
  readonly namespace: string | undefined;
  readonly report: Report;
}

interface ControlledNamespaces {
  /** What is left of the objects. */
  readonly objects: readonly KubeObject[];
  /** Namespaces that they are in and do not have. */
  readonly generated: readonly KubeObject[];
  readonly excluded: readonly string[];
}

/** Every cluster has these. */
const ownNamespaces: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public', 'kube-node-lease']);

/** Makes and drops Namespaces as `global.namespaces` says; without it, objects stay as they are. */
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

/** Of a kind that is not known, one that names a namespace lives in it. */
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
    refuse([], 'a mapping with create and exclude');
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

/** Labels and annotations are texts, whatever a parameter is. */
function textsIn(value: Json | undefined, writtenAs: (key: string) => string | undefined): JsonObject {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]): [string, string][] =>
      one === null || typeof one === 'object' ? [] : [[key, writtenAs(key) ?? String(one)]],
    ),
  );
}

/** The CustomResourceDefinitions of a package, from `schemas/crds/` and from its resources, each with the file it is in. */
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
