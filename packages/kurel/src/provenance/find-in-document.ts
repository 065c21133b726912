import { getOrAdd } from '../budget/index.ts';
import { isJsonArray, isJsonObject, isSameJson, stepInto, valueAt } from '../model/index.ts';
import type { Json, JsonArray, JsonObject, Path } from '../model/index.ts';
import { parseTemplate, wholeReference } from '../parameters/index.ts';
import { isBuiltIn, listRuleOf } from '../patch/index.ts';
import type { DocumentPatch, ListRule } from '../patch/index.ts';
import type { KindSchema, SchemaNode } from '../schema/index.ts';
import { textOf } from './field-trace.ts';
import { fillText, parametersIn } from './parameter-sources.ts';
import type { FindParameter } from './parameter-sources.ts';

/** How far the path of a field exists in a patch document. */
export interface InDocument {
  /** Path of the last value that the document has. */
  readonly path: Path;
  readonly parameters: readonly Path[];
  /** Whether the document sets the field, rather than using it only to match an item. */
  readonly isExplicit: boolean;
}

export interface DocumentQuestion {
  /** Path of the field in `object`. */
  readonly path: Path;
  readonly object: Json;
  /** Schema of the object, which determines how strategic merges treat lists. */
  readonly kind?: KindSchema | undefined;
  readonly find: FindParameter;
}

/** Finds the value in a patch document that a field of the patched object comes from. */
export function findInDocument({ type, document: root }: DocumentPatch, question: DocumentQuestion): InDocument {
  const { path: field, object: patched, kind, find } = question;
  if (type === 'json' && isJsonArray(root)) return findInOperations(root);
  const schema = type === 'strategic' ? kind?.schema : undefined;
  return follow(root, { path: field, object: patched, schema, keys: [] }, { path: [], parameters: [] });

  function follow(document: Json, { path, object, schema: node, keys }: Way, trail: Trail): InDocument {
    const [step, ...rest] = path;
    if (step === undefined) {
      const own = typeof document === 'string' ? parametersIn(document) : [];
      return { path: trail.path, parameters: [...trail.parameters, ...own], isExplicit: true };
    }
    const whole = typeof document === 'string' ? wholeReference(parseTemplate(document))?.path : undefined;
    if (whole !== undefined) {
      const inside = [...whole, ...path];
      const isExplicit = find(inside) !== undefined;
      return { path: trail.path, parameters: [...trail.parameters, isExplicit ? inside : whole], isExplicit };
    }
    const isItem = typeof step === 'number';
    const rule: ListRule = isItem ? listRuleOf(node, isBuiltIn(kind)) : { type: 'replace' };
    const inObject = stepInto(object, step);
    const next = isItem ? findItem(document, { step, item: inObject, rule }) : findKey(document, step);
    const value = next === undefined ? undefined : stepInto(document, next);
    if (next === undefined || value === undefined) return { ...trail, isExplicit: false };
    const inKey = typeof next === 'string' ? parametersIn(next) : [];
    const way = {
      path: rest,
      object: inObject ?? null,
      schema: isItem ? node?.items : node?.property(step),
      keys: rule.type === 'keyed' ? rule.keys.map(({ name }) => name) : [],
    };
    const parameters = [...trail.parameters, ...inKey];
    const source = follow(value, way, { path: [...trail.path, next], parameters });
    const isKey = rest.length === 0 && typeof step === 'string' && keys.includes(step);
    return isKey || rule.type === 'set' ? { ...source, isExplicit: false } : source;
  }

  /** A list item is merged from the item with the same key, which may have another index in the patch. */
  function findItem(
    list: Json,
    { step, item, rule }: { readonly step: number; readonly item: Json | undefined; readonly rule: ListRule },
  ): number | undefined {
    if (!isJsonArray(list) || item === undefined) return undefined;
    if (rule.type === 'replace') return step;
    const index = list.findIndex((candidate) => {
      if (rule.type === 'set') {
        return isSameJson(typeof candidate === 'string' ? fillText(candidate, find) : candidate, item);
      }
      return rule.keys.every(({ name, default: fallback }) => {
        const value = textOf(stepInto(candidate, name) ?? fallback);
        return (value && fillText(value, find)) === textOf(stepInto(item, name) ?? fallback);
      });
    });
    return index === -1 ? undefined : index;
  }

  function findKey(document: Json, key: string): string | undefined {
    if (!isJsonObject(document)) return undefined;
    if (Object.hasOwn(document, key)) return key;
    return Object.keys(document).find((template) => template.includes('${') && fillText(template, find) === key);
  }

  /** The last operation that affects a field. */
  function findInOperations(operations: JsonArray): InDocument {
    for (const [index, operation] of [...operations.entries()].toReversed()) {
      const pointer = isJsonObject(operation) ? pointerOf(operation) : undefined;
      if (pointer === undefined || !reaches(pointer, field)) continue;
      const value = stepInto(operation, 'value');
      if (value === undefined || pointer.length > field.length) {
        return { path: [index], parameters: [], isExplicit: false };
      }
      const [above, path] = [field.slice(0, pointer.length), field.slice(pointer.length)];
      const way = { path, object: valueAt(patched, above) ?? null, schema: undefined, keys: [] };
      return follow(value, way, { path: [index, 'value'], parameters: [] });
    }
    return { path: [], parameters: [], isExplicit: false };
  }
}

interface Way {
  readonly path: Path;
  readonly object: Json;
  /** Schema of `object`; without one, all lists are replaced. */
  readonly schema: SchemaNode | undefined;
  /** Keys that match the item on the path. */
  readonly keys: readonly string[];
}

interface Trail {
  readonly path: Path;
  /** Parameters in the keys on the path. */
  readonly parameters: readonly Path[];
}

function pointerOf({ path }: JsonObject): readonly string[] | undefined {
  if (typeof path !== 'string') return undefined;
  return path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Whether an operation changes a field, one of its parents or something inside it. */
function reaches(pointer: readonly string[], path: Path): boolean {
  return pointer.every((part, index) => {
    const step = path[index];
    return step === undefined || part === String(step) || (part === '-' && typeof step === 'number');
  });
}

// Keys that identify list items in Kubernetes, most specific first.
const identifyingKeys = [
  'name',
  'key',
  'containerPort',
  'port',
  'mountPath',
  'devicePath',
  'ip',
  'topologyKey',
  'uid',
  'id',
  'host',
  'path',
  'kind',
  'type',
] as const;

/** A key that identifies every item of a list; `undefined` if there is none. */
export function identifyingKeyOf(list: JsonArray): string | undefined {
  if (list.length === 0) return undefined;
  return identifyingKeys.find((key) => identifies(key, list));
}

function identifies(key: string, list: JsonArray): boolean {
  const identities = new Set(list.map((item) => identityBy(key, item)));
  return identities.size === list.length && !identities.has(undefined);
}

/** Comparable value of an item's key; `undefined` if the item cannot be identified by it. */
export function identityBy(key: string, item: Json): string | undefined {
  return textOf(stepInto(item, key));
}

/** For each item of the new list, the index of the matching old item, or -1 if it is new. */
export function pairItems(old: JsonArray, list: JsonArray): readonly number[] {
  const key = identifyingKeyOf(list);
  if (key !== undefined && identifies(key, old)) return pairBy(old, list, (item) => identityBy(key, item));
  const pairs = pairBy(old, list, printItem);
  // In lists of equal length, the remaining items were changed in place.
  if (old.length !== list.length) return pairs;
  const taken = new Set(pairs);
  return pairs.map((from, index) => (from === -1 && !taken.has(index) ? index : from));
}

/** Items with equal keys match in order. */
function pairBy(old: JsonArray, list: JsonArray, print: (item: Json) => string | undefined): readonly number[] {
  const waiting = new Map<string | undefined, number[]>();
  for (const [index, item] of [...old.entries()].reverse()) {
    getOrAdd(waiting, print(item), () => []).push(index);
  }
  return list.map((item) => waiting.get(print(item))?.pop() ?? -1);
}

function printItem(item: Json): string {
  return JSON.stringify(item, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
