import { gvkOf, isOfKind, nameOf, namespaceOf, scopeOf } from '../../kube/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject, KubeObject, Report } from '../../model/index.ts';
import { findParameterOrigin } from '../../parameters/index.ts';
import type { PackageParameters } from './patch-package.ts';
import { packageProblems } from './problems.ts';

export interface NamespaceControl {
  readonly parameters: PackageParameters;
  /** Values of `enabled` on Namespaces, by name; they win. */
  readonly decided: ReadonlyMap<string, boolean>;
  readonly namespace: string | undefined;
  readonly report: Report;
}

export interface ControlledNamespaces {
  /** Remaining objects. */
  readonly objects: readonly KubeObject[];
  /** Missing Namespaces of the objects. */
  readonly generated: readonly KubeObject[];
  readonly excluded: readonly string[];
}

/** Namespaces that exist in every cluster. */
const ownNamespaces: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public', 'kube-node-lease']);

/** Adds and removes Namespaces by `global.namespaces`; without it, objects are unchanged. */
export function controlNamespaces(objects: readonly KubeObject[], control: NamespaceControl): ControlledNamespaces {
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
    const location = findParameterOrigin(parameters.layers, ['global', 'namespaces', ...path])!.location;
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
