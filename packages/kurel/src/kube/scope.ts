import { isJsonObject } from '../model/index.ts';
import type { GroupVersionKind, KubeObject } from '../model/index.ts';
import { isBuiltInGroup } from './built-in-groups.ts';
import { gvkOf } from './identity.ts';
import { kindsNamed } from './kind-names.ts';
import { builtInKinds, wellKnownKinds } from './scope-table.ts';
import type { KindTable } from './scope-table.ts';

export type Scope = 'Namespaced' | 'Cluster';

type Scopes = ReadonlyMap<string, Scope>;

/**
 * Whether objects of the kind live in a namespace; `undefined` for kinds that neither the table nor one of the given
 * CustomResourceDefinitions knows. Other objects among `definitions` do no harm.
 */
export function scopeOf(
  kind: Pick<GroupVersionKind, 'group' | 'kind'>,
  definitions?: readonly KubeObject[],
): Scope | undefined {
  const key = keyOf(kind);
  return (definitions === undefined ? undefined : definedScopes(definitions).get(key)) ?? knownScopes().get(key);
}

function keyOf({ group, kind }: Pick<GroupVersionKind, 'group' | 'kind'>): string {
  return `${group}/${kind}`;
}

const kindName = /\S+/g;
let known: Scopes | undefined;

/** Built when first asked for: many commands never do. */
function knownScopes(): Scopes {
  known ??= new Map([...listScopes(wellKnownKinds), ...listScopes(builtInKinds)]);
  return known;
}

let knownNames: ReadonlySet<string> | undefined;

/** Whether a word names a kind of the table, in any of the ways that people name one. */
export function isKnownKind(word: string): boolean {
  knownNames ??= new Set(Array.from(knownScopes().keys(), (key) => key.slice(key.indexOf('/') + 1).toLowerCase()));
  return kindsNamed(word).some((kind) => knownNames!.has(kind));
}

function* listScopes(table: KindTable): Generator<readonly [string, Scope]> {
  for (const [group, { cluster = '', namespaced = '' }] of Object.entries(table)) {
    for (const kind of cluster.match(kindName) ?? []) yield [keyOf({ group, kind }), 'Cluster'];
    for (const kind of namespaced.match(kindName) ?? []) yield [keyOf({ group, kind }), 'Namespaced'];
  }
}

// One list of definitions is asked about for every object of a build.
const read = new WeakMap<readonly KubeObject[], Scopes>();

function definedScopes(definitions: readonly KubeObject[]): Scopes {
  let scopes = read.get(definitions);
  if (scopes === undefined) {
    scopes = new Map(definitions.flatMap(readDefinition));
    read.set(definitions, scopes);
  }
  return scopes;
}

function readDefinition(object: KubeObject): readonly (readonly [string, Scope])[] {
  const gvk = gvkOf(object);
  if (gvk?.group !== 'apiextensions.k8s.io' || gvk.kind !== 'CustomResourceDefinition') return [];
  const { spec } = object;
  if (!isJsonObject(spec)) return [];
  const { group, names, scope } = spec;
  if (typeof group !== 'string' || !isJsonObject(names) || typeof names['kind'] !== 'string') return [];
  // No API server lets a definition change what Kubernetes itself serves.
  if (isBuiltInGroup(group)) return [];
  if (scope !== 'Namespaced' && scope !== 'Cluster') return [];
  return [[keyOf({ group, kind: names['kind'] }), scope]];
}
