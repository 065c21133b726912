import { compareText, isJsonArray, isJsonObject } from '../../../model/index.ts';
import type { Json, JsonObject } from '../../../model/index.ts';

// A reference to a smaller part would not save space.
const smallest = 160;

/** A schema that occurs one or more times. */
interface Part {
  readonly schema: JsonObject;
  /** Name of the property where it first occurs. */
  readonly name: string;
  readonly children: readonly Part[];
  /** Including everything inside it. */
  readonly size: number;
  /** Number of occurrences in other parts. */
  uses: number;
}

/** The same schema with one definition for each part that occurs more than once. */
export function shareParts(schema: JsonObject): JsonObject {
  const partOf = findParts(schema);
  const names = new Map<Part, string>();
  const definitions = new Map<string, JsonObject>();
  const own = isJsonObject(schema['definitions']) ? Object.keys(schema['definitions']) : [];
  const taken = new Set(own);
  const shared = mapParts(schema, refer);
  const sorted = [...definitions].toSorted(([a], [b]) => compareText(a, b));
  const kept = isJsonObject(shared['definitions']) ? shared['definitions'] : {};
  return sorted.length === 0 ? shared : { ...shared, definitions: { ...kept, ...Object.fromEntries(sorted) } };

  function refer(schema: JsonObject): JsonObject {
    const part = partOf(schema);
    if (part.uses < 2 || part.size < smallest) return mapParts(schema, refer);
    let name = names.get(part);
    if (name === undefined) {
      name = chooseName(part.name, taken);
      taken.add(name);
      names.set(part, name);
      definitions.set(name, mapParts(part.schema, refer));
    }
    return { $ref: `#/definitions/${name}` };
  }
}

function chooseName(name: string, taken: ReadonlySet<string>): string {
  // Avoids names that would have to be escaped in a reference.
  const plain = name.replaceAll(/[^A-Za-z0-9_.-]/g, '-');
  let chosen = plain;
  for (let number = 2; taken.has(chosen); number += 1) chosen = `${plain}-${number}`;
  return chosen;
}

function findParts(root: JsonObject): (schema: JsonObject) => Part {
  const bySchema = new Map<JsonObject, Part>();
  const byText = new Map<string, Part>();
  const numbers = new Map<Part, number>();
  visit(root, 'document');
  for (const { children } of numbers.keys()) for (const child of children) child.uses += 1;
  return (schema) => bySchema.get(schema)!;

  function visit(schema: JsonObject, name: string): Part {
    const seen = bySchema.get(schema);
    if (seen !== undefined) return seen;
    const children: Part[] = [];
    const outside = mapParts(schema, (inner, key) => {
      const child = visit(inner, key ?? name);
      children.push(child);
      return { $part: numbers.get(child)! };
    });
    const text = JSON.stringify(outside, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
    const size = children.reduce((sum, child) => sum + child.size, text.length);
    const part = byText.get(text) ?? { schema, name, children, size, uses: 0 };
    if (!numbers.has(part)) numbers.set(part, numbers.size);
    byText.set(text, part);
    bySchema.set(schema, part);
    return part;
  }
}

const maps: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'definitions', 'dependencies']);
const lists: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf']);
const single: ReadonlySet<string> = new Set([
  'items',
  'additionalProperties',
  'propertyNames',
  'if',
  'then',
  'else',
  'not',
]);

type ChangePart = (schema: JsonObject, key: string | undefined) => JsonObject;

/** Replaces the subschemas of a schema. */
function mapParts(schema: JsonObject, change: ChangePart): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).map(([word, value]): [string, Json] => {
      if (single.has(word)) return [word, isJsonObject(value) ? change(value, undefined) : value];
      if (lists.has(word) && isJsonArray(value)) {
        return [word, value.map((item) => (isJsonObject(item) ? change(item, undefined) : item))];
      }
      if (!maps.has(word) || !isJsonObject(value)) return [word, value];
      const inner = Object.entries(value).map(([key, item]): [string, Json] => [
        key,
        isJsonObject(item) ? change(item, key) : item,
      ]);
      return [word, Object.fromEntries(inner)];
    }),
  );
}
