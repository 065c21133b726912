import { isJsonArray, isJsonObject, isSameJson } from '../../../model/index.ts';
import type { Json, JsonArray, JsonObject } from '../../../model/index.ts';
import { typesOf } from './schema-types.ts';
import type { TypeName } from './schema-types.ts';

/** Constraints that one value can meet, put together; each group is one of several ways when no value meets all. */
export function combineConstraints(constraints: readonly JsonObject[]): readonly JsonObject[] {
  const groups: JsonObject[] = [];
  for (const constraint of constraints) {
    let isPlaced = false;
    for (const [index, group] of groups.entries()) {
      const both = combine(group, constraint);
      if (both === undefined) continue;
      groups[index] = both;
      isPlaced = true;
      break;
    }
    if (!isPlaced) groups.push(constraint);
  }
  return groups;
}

const scalars: readonly TypeName[] = ['boolean', 'integer', 'number', 'string'];

/** `undefined` when nothing can be both. */
function combine(one: JsonObject, other: JsonObject): JsonObject | undefined {
  const types = commonTypes(typesOf(one), typesOf(other));
  if (types?.length === 0) {
    // Any number or boolean becomes a text where a field wants one.
    if (isPlainText(one) && isScalar(other)) return other;
    return isPlainText(other) && isScalar(one) ? one : undefined;
  }
  const both: Record<string, Json> = { ...one, ...other };
  if (types !== undefined) both['type'] = types.length === 1 ? types[0]! : types;
  for (const [word, choose] of chosen) {
    const [first, second] = [one[word], other[word]];
    if (typeof first === 'number' && typeof second === 'number') both[word] = choose(first, second);
  }
  if (isJsonArray(one['enum']) && isJsonArray(other['enum'])) {
    const choices = commonItems(one['enum'], other['enum']);
    if (choices.length === 0) return undefined;
    both['enum'] = choices;
  }
  if (isJsonObject(one['items']) && isJsonObject(other['items'])) {
    const items = combine(one['items'], other['items']);
    if (items === undefined) return undefined;
    both['items'] = items;
  }
  return isPossible(both) ? bothPatterns(one, other, both) : undefined;
}

const chosen: readonly (readonly [word: string, choose: (a: number, b: number) => number])[] = [
  ['minimum', Math.max],
  ['exclusiveMinimum', Math.max],
  ['minLength', Math.max],
  ['minItems', Math.max],
  ['maximum', Math.min],
  ['exclusiveMaximum', Math.min],
  ['maxLength', Math.min],
  ['maxItems', Math.min],
];

function commonTypes(
  one: readonly TypeName[] | undefined,
  other: readonly TypeName[] | undefined,
): readonly TypeName[] | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const isWithin = (type: TypeName, types: readonly TypeName[]): boolean =>
    types.includes(type) || (type === 'integer' && types.includes('number'));
  const common = [...one.filter((type) => isWithin(type, other)), ...other.filter((type) => isWithin(type, one))];
  return [...new Set(common)];
}

function commonItems(one: JsonArray, other: JsonArray): JsonArray {
  return one.filter((item) => other.some((same) => isSameJson(item, same)));
}

function isPlainText({ type, ...limits }: JsonObject): boolean {
  return type === 'string' && Object.keys(limits).length === 0;
}

function isScalar(constraint: JsonObject): boolean {
  return typesOf(constraint)?.every((type) => scalars.includes(type)) ?? false;
}

function isPossible({ minimum, maximum, minLength, maxLength }: Readonly<Record<string, Json>>): boolean {
  const isAbove = (least: Json | undefined, most: Json | undefined): boolean =>
    typeof least === 'number' && typeof most === 'number' && least > most;
  return !isAbove(minimum, maximum) && !isAbove(minLength, maxLength);
}

/** A schema has one pattern, so a second one stands beside it. */
function bothPatterns(one: JsonObject, other: JsonObject, both: Readonly<Record<string, Json>>): JsonObject {
  const [first, second] = [one['pattern'], other['pattern']];
  if (first === undefined || second === undefined || first === second) return both;
  const more = [one['allOf'], other['allOf']].flatMap((list) => (isJsonArray(list) ? list : []));
  return { ...both, pattern: first, allOf: [...more, { pattern: second }] };
}
