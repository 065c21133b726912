import { isJsonArray, type Json } from '../model/index.ts';

/** Whether two values say the same: mappings in any order, a big integer equal to the same number. */
export function isSame(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (typeof a === 'bigint' || typeof b === 'bigint') {
    // oxlint-disable-next-line eqeqeq -- the only comparison of a bigint with a number that is exact
    return (typeof a === 'number' || typeof b === 'number' || typeof a === typeof b) && a == b;
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (isJsonArray(a) || isJsonArray(b)) {
    if (!isJsonArray(a) || !isJsonArray(b) || a.length !== b.length) return false;
    for (let index = 0; index < a.length; index++) if (!isSame(a[index]!, b[index]!)) return false;
    return true;
  }
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  for (const key of keys) {
    const other = b[key];
    if (other === undefined || !isSame(a[key]!, other)) return false;
  }
  return true;
}

/** The same text for values that `isSame` holds equal. */
export function fingerprint(value: Json): string {
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' ? JSON.stringify(value) : String(value);
  if (isJsonArray(value)) return `[${value.map((item) => fingerprint(item)).join(',')}]`;
  const entries = Object.entries(value);
  return `{${entries
    .map(([key, item]) => `${JSON.stringify(key)}:${fingerprint(item)}`)
    .toSorted()
    .join(',')}}`;
}
