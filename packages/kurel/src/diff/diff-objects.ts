import { compareApplyOrder, gvkOf, identityOf, nameOf } from '../kube/index.ts';
import { isJsonObject, isSameJson } from '../model/index.ts';
import type { KubeObject } from '../model/index.ts';
import type { SchemaNode, SchemaStore } from '../schema/index.ts';
import { createExtent, diffValues } from './diff-values.ts';
import type { ObjectDifference, ObjectsDifference } from './difference.ts';

export interface DiffOptions {
  /** Knows by which keys items of lists are found; asked for when objects differ. Without it, lists go by content and place. */
  readonly store?: (() => SchemaStore) | undefined;
}

/**
 * How one set of objects becomes another. An object is the same by group, kind, namespace and name, whatever its version; of several that
 * are called so, the first is the first.
 */
export function diffObjects(
  before: readonly KubeObject[],
  after: readonly KubeObject[],
  { store }: DiffOptions = {},
): ObjectsDifference {
  const [old, now] = [nameObjects(before), nameObjects(after)];
  const objects: ObjectDifference[] = [];
  const extent = createExtent();
  let same = 0;
  for (const [name, object] of old) {
    const other = now.get(name);
    if (other === undefined) objects.push({ operation: 'remove', before: object });
    else if (isSameJson(object, other)) same += 1;
    else {
      const changes = diffValues(object, other, { schema: findSchema([other, object], store?.()), extent });
      objects.push({ operation: 'change', before: object, after: other, changes });
    }
  }
  for (const [name, object] of now) if (!old.has(name)) objects.push({ operation: 'add', after: object });
  return { objects: objects.toSorted(compareDifferences), same };
}

function nameObjects(objects: readonly KubeObject[]): ReadonlyMap<string, KubeObject> {
  const counts = new Map<string, number>();
  const named = new Map<string, KubeObject>();
  for (const object of objects) {
    const name = JSON.stringify([identityOf(object), nameOf(object) === '' ? generatedName(object) : '']);
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    named.set(`${name}${count}`, object);
  }
  return named;
}

/** Objects that get their names in the cluster have at least a beginning of one. */
function generatedName({ metadata }: KubeObject): string {
  const value = isJsonObject(metadata) ? metadata['generateName'] : undefined;
  return typeof value === 'string' ? value : '';
}

function findSchema(objects: readonly KubeObject[], store: SchemaStore | undefined): SchemaNode | undefined {
  for (const object of objects) {
    const gvk = gvkOf(object);
    const found = gvk === undefined ? undefined : store?.find(gvk);
    if (found !== undefined) return found.schema;
  }
  return undefined;
}

function compareDifferences(a: ObjectDifference, b: ObjectDifference): number {
  return compareApplyOrder(objectOf(a), objectOf(b));
}

function objectOf(difference: ObjectDifference): KubeObject {
  return difference.operation === 'remove' ? difference.before : difference.after;
}
