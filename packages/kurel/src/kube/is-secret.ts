import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, KubeObject } from '../model/index.ts';

/** Whatever its group: to show too little of something else does no harm. */
export function isSecret({ kind }: KubeObject): boolean {
  return kind === 'Secret';
}

/** A Secret, or a list with one in it. */
export function holdsSecret(object: KubeObject): boolean {
  return isSecret(object) || hasSecretItem(object);
}

function hasSecretItem(object: Json): boolean {
  if (!isJsonObject(object)) return false;
  const { items } = object;
  if (items === undefined || !isJsonArray(items)) return false;
  return items.some((item) => isJsonObject(item) && (item['kind'] === 'Secret' || hasSecretItem(item)));
}
