import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json } from '../../model/index.ts';

/** Numbers are the same when they mean the same, whatever holds them. */
export function isSameValue(one: Json, other: Json): boolean {
  // oxlint-disable-next-line eqeqeq -- 80 and 80n are the same number
  if (isNumber(one) && isNumber(other)) return one == other;
  if (isJsonArray(one)) {
    return (
      isJsonArray(other) && one.length === other.length && one.every((item, index) => isSameValue(item, other[index]!))
    );
  }
  if (!isJsonObject(one)) return one === other;
  if (!isJsonObject(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSameValue(one[key]!, other[key]!))
  );
}

export function isNumber(value: Json | undefined): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** What can be written in more than one way, and is not a text. */
export function isScalar(value: Json | undefined): value is number | bigint | boolean {
  return isNumber(value) || typeof value === 'boolean';
}
