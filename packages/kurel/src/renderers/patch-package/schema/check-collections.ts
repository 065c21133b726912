import { nearest } from '../../../diagnostics/index.ts';
import { canonicalJson } from '../../../engine/index.ts';
import { isJsonArray, isJsonObject } from '../../../model/index.ts';
import type { Json, JsonArray, JsonObject } from '../../../model/index.ts';
import { formatReferencePath } from '../../../parameters/index.ts';
import { matches } from './check-scalars.ts';
import { countSteps, fail } from './checking.ts';
import type { Checking, Violation } from './checking.ts';

export function checkArray(value: JsonArray, schema: JsonObject, checking: Checking): void {
  const { items, additionalItems, uniqueItems, contains } = schema;
  checkCount(value.length, { schema, words: ['minItems', 'maxItems'], noun: 'item', checking });
  for (const [index, item] of value.entries()) {
    const isListed = isJsonArray(items) && index < items.length;
    const itemSchema = isListed ? items[index] : isJsonArray(items) ? additionalItems : items;
    if (itemSchema !== undefined) checking.check(item, itemSchema, enter(checking, index));
  }
  if (uniqueItems === true && new Set(value.map(canonicalJson)).size < value.length) {
    fail(checking, 'parameter-length', { demand: 'has an item twice' });
  }
  if (contains !== undefined && !value.some((item) => isAccepted(item, contains, checking))) {
    fail(checking, 'parameter-alternatives', { demand: 'has no item of the kind it must have', reasons: [] });
  }
}

export function checkObject(value: JsonObject, schema: JsonObject, checking: Checking): void {
  const { propertyNames } = schema;
  const keys = Object.keys(value);
  checkCount(keys.length, { schema, words: ['minProperties', 'maxProperties'], noun: 'key', checking });
  const missing = new Set(findMissing(value, schema, checking));
  for (const name of missing) fail(enter(checking, name), 'parameter-missing', {});
  checkDependencies(value, schema, checking);
  const patterns = isJsonObject(schema['patternProperties']) ? Object.entries(schema['patternProperties']) : [];
  for (const key of keys) {
    if (checking.budget.steps <= 0) return;
    const inside = enter(checking, key);
    if (propertyNames !== undefined) checking.check(key, propertyNames, inside);
    if (!missing.has(key)) checkProperty(key, { value: value[key]!, schema, patterns, checking: inside });
  }
}

/** What is required and not there; a null is as good as nothing where the schema takes none. */
function findMissing(value: JsonObject, { required, properties }: JsonObject, checking: Checking): readonly string[] {
  const names = isJsonArray(required) ? required.filter((name) => typeof name === 'string') : [];
  countSteps(checking, names.length);
  return names.filter((name) => {
    if (!Object.hasOwn(value, name)) return true;
    const isNamed = isJsonObject(properties) && Object.hasOwn(properties, name);
    return value[name] === null && isNamed && !isAccepted(null, properties[name]!, checking);
  });
}

/** What must be there, or must hold, because something else is there. */
function checkDependencies(value: JsonObject, { dependencies }: JsonObject, checking: Checking): void {
  if (!isJsonObject(dependencies)) return;
  const demands = Object.entries(dependencies);
  countSteps(checking, demands.length);
  for (const [key, demand] of demands) {
    if (!Object.hasOwn(value, key)) continue;
    checking.check(value, isJsonArray(demand) ? { required: demand } : demand, checking);
  }
}

function isAccepted(value: Json, schema: Json, checking: Checking): boolean {
  const found: Violation[] = [];
  checking.check(value, schema, { ...checking, found });
  return found.length === 0;
}

// To try a pattern takes much longer than to look for a name.
const wordsOfPattern = 16;

interface Property {
  readonly value: Json;
  readonly schema: JsonObject;
  /** Of the schema. */
  readonly patterns: readonly (readonly [pattern: string, schema: Json])[];
  readonly checking: Checking;
}

function checkProperty(key: string, { value, schema, patterns, checking }: Property): void {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  countSteps(checking, patterns.length * wordsOfPattern);
  if (checking.budget.steps <= 0) return;
  const described = patterns.filter(([pattern]) => matches(key, pattern, checking)).map(([, inner]) => inner);
  if (Object.hasOwn(properties, key)) described.unshift(properties[key]!);
  for (const inner of described) checking.check(value, inner, checking);
  if (described.length > 0) return;
  const { additionalProperties } = schema;
  if (additionalProperties !== false) return checking.check(value, additionalProperties, checking);
  fail(checking, 'parameter-not-allowed', () => {
    const name = nearest(key, Object.keys(properties));
    return { near: name === undefined ? undefined : formatReferencePath([...checking.path.slice(0, -1), name]) };
  });
}

interface Counting {
  readonly schema: JsonObject;
  readonly words: readonly [least: string, most: string];
  readonly noun: string;
  readonly checking: Checking;
}

function checkCount(count: number, { schema, words, noun, checking }: Counting): void {
  const [least, most] = words.map((word) => schema[word]);
  const has = `has ${count} ${count === 1 ? noun : `${noun}s`}`;
  if (typeof least === 'number' && count < least) {
    fail(checking, 'parameter-length', { demand: `${has}, fewer than ${least}` });
  }
  if (typeof most === 'number' && count > most) {
    fail(checking, 'parameter-length', { demand: `${has}, more than ${most}` });
  }
}

function enter(checking: Checking, step: string | number): Checking {
  return { ...checking, path: [...checking.path, step] };
}
