import { isJsonObject, isSameJson } from '../../../model/index.ts';
import type { Json, JsonObject } from '../../../model/index.ts';
import { typeOf } from './schema-types.ts';

/** Form of sizes in the specification of packages. */
export const sizePattern = '^[0-9]+[KMGT]i$';

/** Type of a scalar parameter from its value. The value of a reference does not determine its form. */
export function inferScalar(value: Json, isReference: boolean): JsonObject {
  if (value === null) return {};
  const type = typeOf(value);
  return typeof value === 'string' && !isReference && /^[0-9]+[KMGT]i$/.test(value)
    ? { type, pattern: sizePattern }
    : { type };
}

/** Common schema of all list items; `{}` if their types differ. */
export function commonSchema(schemas: readonly JsonObject[]): JsonObject {
  const [first, ...rest] = schemas;
  let common = first ?? {};
  for (const schema of rest) {
    common = intersect(common, schema);
    if (Object.keys(common).length === 0) break;
  }
  return common;
}

function intersect(one: JsonObject, other: JsonObject): JsonObject {
  const type = commonType(one['type'], other['type']);
  if (type === undefined) return {};
  const found: Record<string, Json> = { type };
  for (const [word, value] of Object.entries(one)) {
    const same = other[word];
    if (word === 'properties' && isJsonObject(value) && isJsonObject(same)) found[word] = joinProperties(value, same);
    else if (word === 'items' && isJsonObject(value) && isJsonObject(same)) found[word] = intersect(value, same);
    else if (word !== 'type' && same !== undefined && isSameJson(value, same)) found[word] = value;
  }
  return found;
}

function commonType(one: Json | undefined, other: Json | undefined): Json | undefined {
  if (one === undefined || other === undefined) return undefined;
  if (isSameJson(one, other)) return one;
  const numbers: readonly Json[] = ['integer', 'number'];
  return numbers.includes(one) && numbers.includes(other) ? 'number' : undefined;
}

/** List items may have different keys. */
function joinProperties(one: JsonObject, other: JsonObject): JsonObject {
  const joined = new Map(Object.entries(one));
  for (const [name, schema] of Object.entries(other)) {
    const known = joined.get(name);
    joined.set(name, isJsonObject(known) && isJsonObject(schema) ? intersect(known, schema) : schema);
  }
  return Object.fromEntries(joined);
}
