import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json } from '../model/index.ts';

/** Whether two trees say the same; a number and a bigint of the same value do. */
export function isSameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (isJsonArray(a) && isJsonArray(b)) {
    return a.length === b.length && a.every((item, index) => isSameJson(item, b[index]));
  }
  if (isJsonObject(a) && isJsonObject(b)) {
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSameJson(a[key], b[key]))
    );
  }
  // oxlint-disable-next-line eqeqeq -- a number and a bigint are only ever loosely equal
  return isNumber(a) && isNumber(b) && a == b;
}

function isNumber(value: Json | undefined): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}
