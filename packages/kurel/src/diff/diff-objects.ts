import { compareApplyOrder, gvkOf, nameOf, namespaceOf, textAt, withNamespace } from '../kube/index.ts';
import { isSameJson } from '../model/index.ts';
import type { KubeObject } from '../model/index.ts';
import { groupBy } from '../provenance/index.ts';
import type { SchemaNode, SchemaStore } from '../schema/index.ts';
import { createExtent, diffValues } from './diff-values.ts';
import { objectOf } from './difference.ts';
import type { ObjectDifference, ObjectsDifference } from './difference.ts';

export interface DiffOptions {
  /** Provides merge keys of lists; called only if objects differ. Without it, items are matched by content and position. */
  readonly store?: (() => SchemaStore) | undefined;
  /** Namespace of objects that name none, because helm installs their chart there. */
  readonly releaseNamespace?: string | undefined;
}

/**
 * How one set of objects becomes another. Objects are matched by group, kind, namespace and name, regardless of their version; several
 * with one identity are matched in order. What is left is matched without the namespace, if that is unambiguous.
 */
export function diffObjects(
  before: readonly KubeObject[],
  after: readonly KubeObject[],
  { store, releaseNamespace = '' }: DiffOptions = {},
): ObjectsDifference {
  const [old, now] = [nameObjects(before, releaseNamespace), nameObjects(after, releaseNamespace)];
  const objects: ObjectDifference[] = [];
  const extent = createExtent();
  let same = 0;
  const moved = pairAcrossNamespaces(old, now);
  const arrived = new Set(moved.values());
  for (const [name, previous] of old) {
    const counterpart = now.get(name) ?? moved.get(previous);
    if (counterpart === undefined) {
      objects.push({ operation: 'remove', before: previous });
      continue;
    }
    const [object, other] = [
      placeLike(previous, counterpart, releaseNamespace),
      placeLike(counterpart, previous, releaseNamespace),
    ];
    if (isSameJson(object, other)) same += 1;
    else {
      const schemas = store?.();
      const schema = findSchema(other, schemas) ?? findSchema(object, schemas);
      const changes = diffValues(object, other, { schema, extent });
      objects.push({ operation: 'change', before: object, after: other, changes });
    }
  }
  for (const [name, object] of now)
    if (!old.has(name) && !arrived.has(object)) objects.push({ operation: 'add', after: object });
  return { objects: objects.toSorted((a, b) => compareApplyOrder(objectOf(a), objectOf(b))), same };
}

/** The object in the namespace of its counterpart, if it names none and both are in that of the release. */
function placeLike(object: KubeObject, counterpart: KubeObject, releaseNamespace: string): KubeObject {
  const isImplied = namespaceOf(object) === '' && namespaceOf(counterpart) === releaseNamespace;
  return isImplied ? withNamespace(object, releaseNamespace) : object;
}

type NamedObjects = ReadonlyMap<string, KubeObject>;

/** Objects that only one side has, and that the other side has once in another namespace. */
function pairAcrossNamespaces(old: NamedObjects, now: NamedObjects): ReadonlyMap<KubeObject, KubeObject> {
  const [left, right] = [groupUnmatched(old, now), groupUnmatched(now, old)];
  const pairs = new Map<KubeObject, KubeObject>();
  for (const [name, [object, ...others]] of left) {
    const [other, ...more] = right.get(name) ?? [];
    if (object !== undefined && other !== undefined && others.length + more.length === 0) pairs.set(object, other);
  }
  return pairs;
}

function groupUnmatched(objects: NamedObjects, matched: NamedObjects): ReadonlyMap<string, readonly KubeObject[]> {
  const unmatched = [...objects].filter(([key, object]) => !matched.has(key) && nameOf(object) !== '');
  return groupBy(
    unmatched.map(([, object]) => object),
    (object) => JSON.stringify([gvkOf(object)?.group, object.kind, nameOf(object)]),
  );
}

function nameObjects(objects: readonly KubeObject[], releaseNamespace: string): NamedObjects {
  const counts = new Map<string, number>();
  const named = new Map<string, KubeObject>();
  for (const object of objects) {
    const prefix = nameOf(object) === '' ? generatedName(object) : '';
    const namespace = namespaceOf(object) || releaseNamespace;
    const group = gvkOf(object)?.group ?? object.apiVersion;
    const name = JSON.stringify([group, object.kind, namespace, nameOf(object), prefix]);
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    named.set(`${name}${count}`, object);
  }
  return named;
}

/** Objects that get their name in the cluster have a prefix of it. */
function generatedName({ metadata }: KubeObject): string {
  return textAt(metadata, 'generateName') ?? '';
}

function findSchema(object: KubeObject, store: SchemaStore | undefined): SchemaNode | undefined {
  const gvk = gvkOf(object);
  return gvk === undefined ? undefined : store?.find(gvk)?.schema;
}
