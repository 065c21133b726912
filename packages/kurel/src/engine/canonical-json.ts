import type { Json } from '../model/index.ts';
import { isJsonArray } from '../model/index.ts';

/**
 * One text for one value: keys sorted by code unit, no blanks, integers of any size as digits. Equal data gives equal text
 * whatever order its keys were written in.
 */
export function canonicalJson(value: Json): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'number':
      // `-0` and `0` are one number; NaN and the infinities have no JSON, but must not look alike in a key.
      return Number.isFinite(value) ? JSON.stringify(value) : String(value);
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'object':
      break;
    default:
      throw new TypeError(`a ${typeof value} has no JSON`);
  }
  if (value === null) return 'null';
  if (isJsonArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const entries: string[] = [];
  for (const key of Object.keys(value).sort()) {
    const item = value[key];
    if (item !== undefined) entries.push(`${JSON.stringify(key)}:${canonicalJson(item)}`);
  }
  return `{${entries.join(',')}}`;
}
