import type { Json, JsonObject } from '../../model/index.ts';
import type { MergeKey } from './field-rule.ts';
import { ownValue } from './own-value.ts';

/** The same text for scalars that are equal: 80 and 80n are, 80 and "80" are not. `undefined` for what is no scalar. */
export function identityOfScalar(value: Json | undefined): string | undefined {
  switch (typeof value) {
    case 'string':
      return `"${value}`;
    case 'number':
      return Number.isInteger(value) ? BigInt(value).toString() : String(value);
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      return undefined;
  }
}

/** The same text for items that are merged into one another; `undefined` for an item that has none of the keys. */
export function identityOfItem(item: JsonObject, keys: readonly MergeKey[]): string | undefined {
  const [only] = keys;
  if (keys.length === 1) return identityOfKey(item, only!);
  const parts = keys.map((key) => identityOfKey(item, key) ?? null);
  return parts.every((part) => part === null) ? undefined : JSON.stringify(parts);
}

function identityOfKey(item: JsonObject, key: MergeKey): string | undefined {
  return identityOfScalar(ownValue(item, key.name) ?? key.default);
}

/** `name=main`, as paths and messages name an item. */
export function describeItem(item: JsonObject, keys: readonly MergeKey[]): string {
  const parts = keys.flatMap((key) => {
    const value = ownValue(item, key.name) ?? key.default;
    return typeof value === 'object' || value === undefined ? [] : [`${key.name}=${value}`];
  });
  return parts.join(',');
}
