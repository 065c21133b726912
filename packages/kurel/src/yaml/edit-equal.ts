import { isJsonArray, type Json } from '../model/index.ts';

/** The same text for values that `isSameJson` holds equal. */
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
