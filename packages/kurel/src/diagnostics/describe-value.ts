import { isJsonArray } from '../model/index.ts';
import type { Json } from '../model/index.ts';
import { quote } from './quote.ts';

/** `the string "80"`, `the number 80`, `a list`. */
export function describeValue(value: Json): string {
  switch (typeof value) {
    case 'string':
      return `the string ${quote(value)}`;
    case 'number':
    case 'bigint':
      return `the number ${value}`;
    case 'boolean':
      return `the boolean ${value}`;
    default:
      if (value === null) return 'null';
      return isJsonArray(value) ? 'a list' : 'a mapping';
  }
}
