import { formatObject, nameOf, namespaceOf } from '../../index.ts';
import type { ObjectDifference, ObjectsDifference } from '../../index.ts';
import { isJsonObject } from '../../model/index.ts';
import { objectOf } from './change-lines.ts';

/** `2 changed, 1 added`; empty when nothing differs. */
export function countDifferences({ objects }: ObjectsDifference): string {
  const words = { change: 'changed', add: 'added', remove: 'removed' } as const;
  return (['change', 'add', 'remove'] as const)
    .map((operation) => ({ operation, count: objects.filter((one) => one.operation === operation).length }))
    .filter(({ count }) => count > 0)
    .map(({ operation, count }) => `${count} ${words[operation]}`)
    .join(', ');
}

export function markOf({ operation }: ObjectDifference): '+' | '-' | '~' {
  return operation === 'add' ? '+' : operation === 'remove' ? '-' : '~';
}

/** `shop/deployment.web`, as `explain` accepts it; for an object with `generateName`, the prefix. */
export function nameDifference(difference: ObjectDifference): string {
  const object = objectOf(difference);
  const { metadata } = object;
  const prefix = isJsonObject(metadata) ? metadata['generateName'] : undefined;
  const isGenerated = nameOf(object) === '' && typeof prefix === 'string';
  return isGenerated ? `${formatObject(object)}${prefix}*` : formatObject(object);
}

/** The namespace of an object in A, if it was matched across namespaces. */
export function oldNamespaceOf(difference: ObjectDifference): string | undefined {
  if (difference.operation !== 'change') return undefined;
  const [from, to] = [namespaceOf(difference.before), namespaceOf(difference.after)];
  return from === to ? undefined : from;
}

/** `shop/deployment.web (from namespace staging)` */
export function nameWithMove(difference: ObjectDifference): string {
  const from = oldNamespaceOf(difference);
  const name = nameDifference(difference);
  return from === undefined ? name : `${name} (from namespace ${from})`;
}
