import type { KubeObject, ObjectName } from '../model/index.ts';
import { nameOf, namespaceOf, objectNameOf } from './identity.ts';

/** `shop/deployment.web`, the usual way to name an object. */
export function formatObject(object: KubeObject): string {
  const namespace = namespaceOf(object);
  return `${namespace === '' ? '' : `${namespace}/`}${object.kind.toLowerCase()}.${nameOf(object)}`;
}

/** The names of objects, with the API group (`shop/deployment@apps/web`) if objects of two groups share a name. */
export function formatObjects(objects: readonly KubeObject[]): readonly string[] {
  const groups = new Map<string, string>();
  const shared = new Set<string>();
  for (const object of objects) {
    const text = formatObject(object);
    const { group } = objectNameOf(object);
    const first = groups.get(text);
    if (first === undefined) groups.set(text, group);
    else if (first !== group) shared.add(text);
  }
  return objects.map((object) => (shared.has(formatObject(object)) ? formatWithGroup(object) : formatObject(object)));
}

/** `shop/deployment@apps/web`: this spelling has only one reading. */
export function formatWithGroup(object: KubeObject): string {
  const { group, kind, namespace, name } = objectNameOf(object);
  return `${namespace === '' ? '' : `${namespace}/`}${kind.toLowerCase()}@${group === '' ? core : group}/${name}`;
}

/** The name for the group without a name. */
const core = 'core';

export function groupNamed(word: string): string {
  return word === core ? '' : word;
}

/** Matches the objects that a string names. */
export type ObjectMatcher = (name: ObjectName) => boolean;

/** One interpretation of a string that names an object. */
export interface ObjectReading {
  readonly namespace?: string | undefined;
  /** In any case, short or plural. */
  readonly kind: string;
  /** The possible groups; any group when absent. */
  readonly groups?: ReadonlySet<string> | undefined;
  readonly name: string;
}

const withGroup = /^(?:([^/@]+)\/)?([^./@]+)@([^/@]+)\/(.+)$/s;

/**
 * All interpretations of a string that names an object: in the form of patches and `kurel explain` (`deployment.web`,
 * `shop/deployment.web`, and with the group `shop/deployment@apps/web`) or in the form of kubectl (`deployment/web`,
 * `deployment.apps/web`, `shop/deployment/web`). Two parts may be kind and name, or a namespace and `kind.name`: a name may
 * contain dots, and a namespace may have the name of a kind. Empty when the kind or the name is missing.
 */
export function readObjectName(text: string): readonly ObjectReading[] {
  const grouped = withGroup.exec(text);
  if (grouped !== null) {
    const [, namespace, kind = '', group = '', name = ''] = grouped;
    return [{ namespace, kind, groups: new Set([groupNamed(group)]), name }];
  }
  return readingsOf(text.split('/')).filter(({ kind, name }) => kind !== '' && name !== '');
}

function readingsOf(parts: readonly string[]): readonly ObjectReading[] {
  const [first = '', second = '', third = ''] = parts;
  if (parts.length === 1) return splitAtDot(first);
  if (parts.length === 2) return [...splitAtDot(second, first), { ...readKind(first), name: second }];
  return parts.length === 3 ? [{ namespace: first, ...readKind(second), name: third }] : [];
}

function splitAtDot(text: string, namespace?: string): readonly ObjectReading[] {
  const dot = text.indexOf('.');
  return dot === -1 ? [] : [{ namespace, kind: text.slice(0, dot), name: text.slice(dot + 1) }];
}

/** `deployment`, `deployment.apps` or `deployment.v1.apps`. */
function readKind(text: string): Pick<ObjectReading, 'kind' | 'groups'> {
  const [kind = '', ...rest] = text.split('.');
  return { kind, groups: rest.length === 0 ? undefined : new Set([rest.join('.'), rest.slice(1).join('.')]) };
}

/** The objects that a string names in any interpretation; `undefined` when the kind or the name is missing. */
export function parseObjectName(text: string): ObjectMatcher | undefined {
  const readings = readObjectName(text);
  if (readings.length === 0) return undefined;
  const matchers = readings.map(({ namespace, kind, groups, name }): ObjectMatcher => {
    const kinds = new Set(kindsNamed(kind));
    return (object) =>
      object.name === name &&
      (namespace === undefined || object.namespace === namespace) &&
      kinds.has(object.kind.toLowerCase()) &&
      (groups === undefined || groups.has(object.group));
  });
  return (name) => matchers.some((matches) => matches(name));
}

/** The short names that kubectl accepts. */
const shortNames: ReadonlyMap<string, string> = new Map([
  ['cj', 'cronjob'],
  ['cm', 'configmap'],
  ['crd', 'customresourcedefinition'],
  ['deploy', 'deployment'],
  ['ds', 'daemonset'],
  ['hpa', 'horizontalpodautoscaler'],
  ['ing', 'ingress'],
  ['netpol', 'networkpolicy'],
  ['ns', 'namespace'],
  ['pdb', 'poddisruptionbudget'],
  ['po', 'pod'],
  ['pv', 'persistentvolume'],
  ['pvc', 'persistentvolumeclaim'],
  ['rs', 'replicaset'],
  ['sa', 'serviceaccount'],
  ['sts', 'statefulset'],
  ['svc', 'service'],
]);

/** The kinds that a word may mean, in lower case and best first: the word itself, the kind it abbreviates, the kind it is the plural of. */
export function kindsNamed(word: string): readonly string[] {
  const lower = word.toLowerCase();
  const meant = shortNames.get(lower);
  return [lower, ...(meant === undefined ? [] : [meant]), ...singulars(lower)];
}

function singulars(word: string): string[] {
  const kinds: string[] = [];
  if (word.endsWith('ies')) kinds.push(`${word.slice(0, -3)}y`);
  if (word.endsWith('es')) kinds.push(word.slice(0, -2));
  if (word.endsWith('s')) kinds.push(word.slice(0, -1));
  return kinds;
}

/** `Deployments`, `Ingresses`, `NetworkPolicies`. */
export function pluralOf(kind: string): string {
  // The only built-in kind that is already a plural.
  if (kind === 'Endpoints') return kind;
  if (/[^aeiou]y$/i.test(kind)) return `${kind.slice(0, -1)}ies`;
  return /(?:[sxz]|[cs]h)$/i.test(kind) ? `${kind}es` : `${kind}s`;
}
