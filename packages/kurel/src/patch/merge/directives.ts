import { nearest, quote } from '../../diagnostics/index.ts';
import { isJsonArray } from '../../model/index.ts';
import type { Json, JsonArray, JsonObject } from '../../model/index.ts';
import { describeValue } from '../apply/format-path.ts';
import { locationOf, placeOfKey } from './merging.ts';
import type { Place } from './merging.ts';
import { mergeProblems } from './problems.ts';

export const patchDirective = '$patch';
export const retainDirective = '$retainKeys';
export const orderPrefix = '$setElementOrder';
export const deletionPrefix = '$deleteFromPrimitiveList';

/** An object in a patch, with its directives separated from its fields. */
export interface PatchMapping {
  /** Keys to keep; `undefined` for all. */
  readonly retain: ReadonlySet<string> | undefined;
  /** By list name. */
  readonly orders: ReadonlyMap<string, JsonArray>;
  readonly deletions: ReadonlyMap<string, JsonArray>;
  /** Keys that the patch sets. */
  readonly fields: readonly string[];
}

const noLists: ReadonlyMap<string, JsonArray> = new Map();

export function isDirective(key: string): boolean {
  if (!key.startsWith('$')) return false;
  return key === patchDirective || key === retainDirective || prefixOf(key) !== undefined;
}

function prefixOf(key: string): string | undefined {
  return [orderPrefix, deletionPrefix].find((prefix) => key.startsWith(prefix));
}

/** Reads all directives except `$patch`; malformed ones are reported and left out. */
export function readDirectives(patch: JsonObject, place: Place): PatchMapping {
  const keys = Object.keys(patch);
  if (!keys.some((key) => key.startsWith('$'))) {
    return { retain: undefined, orders: noLists, deletions: noLists, fields: keys };
  }
  const orders = new Map<string, JsonArray>();
  const deletions = new Map<string, JsonArray>();
  const fields: string[] = [];
  for (const key of keys) {
    if (key === patchDirective || key === retainDirective) continue;
    const prefix = prefixOf(key);
    if (prefix !== undefined) {
      const list = readParallelList(patch[key]!, { key, prefix, place });
      if (list !== undefined) (prefix === orderPrefix ? orders : deletions).set(list.name, list.items);
    } else if (!isMisspelled(key, place)) {
      fields.push(key);
    }
  }
  const retain = readRetainedKeys(patch, place);
  if (retain !== undefined) checkRetained(patch, { retain, fields, place });
  return { retain, orders, deletions, fields };
}

interface ParallelKey {
  readonly key: string;
  readonly prefix: string;
  readonly place: Place;
}

function readParallelList(value: Json, { key, prefix, place }: ParallelKey) {
  const name = key.slice(prefix.length + 1);
  if (key[prefix.length] !== '/' || name === '') {
    const hint = `use ${quote(`${prefix}/`)} followed by the name of a list in the same object`;
    refuse(placeOfKey(place, key), { reason: `${quote(key)} does not name a list`, hint });
    return undefined;
  }
  if (isJsonArray(value)) return { name, items: value };
  const reason = `${quote(key)} must be a list, got ${describeValue(value)}`;
  refuse(placeOfKey(place, key), { reason, hint: `list the items of ${name}` });
  return undefined;
}

/** Otherwise an unknown directive would become a field of the object. */
function isMisspelled(key: string, place: Place): boolean {
  if (!key.startsWith('$') || place.node === undefined || place.node.property(key) !== undefined) return false;
  const slash = key.indexOf('/');
  const [word, rest] = slash === -1 ? [key, ''] : [key.slice(0, slash), key.slice(slash)];
  const meant = nearest(word, [patchDirective, retainDirective, orderPrefix, deletionPrefix]);
  if (meant === undefined) return false;
  const hint = `did you mean ${quote(`${meant}${rest}`)}?`;
  refuse(placeOfKey(place, key), { reason: `unknown directive ${quote(key)}`, hint });
  return true;
}

const retainHint = 'list all keys to keep, including those that the patch sets';

function readRetainedKeys(patch: JsonObject, place: Place): ReadonlySet<string> | undefined {
  if (!Object.hasOwn(patch, retainDirective)) return undefined;
  const value = patch[retainDirective]!;
  if (isJsonArray(value) && value.every((item) => typeof item === 'string')) return new Set(value);
  const reason = `${quote(retainDirective)} must be a list of keys, got ${describeValue(value)}`;
  refuse(placeOfKey(place, retainDirective), { reason, hint: retainHint });
  return undefined;
}

interface Retained {
  readonly retain: ReadonlySet<string>;
  readonly fields: readonly string[];
  readonly place: Place;
}

function checkRetained(patch: JsonObject, { retain, fields, place }: Retained): void {
  for (const key of fields) {
    if (patch[key] === null || retain.has(key)) continue;
    const reason = `${quote(retainDirective)} does not list ${quote(key)}, which the patch sets`;
    refuse(placeOfKey(place, key), { reason, hint: retainHint });
  }
}

/** Reads `$patch`; an unknown value is reported. */
export function readPatchDirective(patch: JsonObject, place: Place): 'replace' | 'delete' | 'invalid' | undefined {
  if (!Object.hasOwn(patch, patchDirective)) return undefined;
  const value = patch[patchDirective]!;
  if (value === 'replace' || value === 'delete') return value;
  const meant = typeof value === 'string' ? nearest(value, ['replace', 'delete']) : undefined;
  const reason = `${quote(patchDirective)} must be "replace" or "delete", got ${describeValue(value)}`;
  const hint = meant === undefined ? `remove ${quote(patchDirective)} to merge` : `did you mean ${quote(meant)}?`;
  refuse(placeOfKey(place, patchDirective), { reason, hint });
  return 'invalid';
}

export function withoutPatch(patch: JsonObject): JsonObject {
  const { [patchDirective]: _, ...rest } = patch;
  return rest;
}

/** Reports a directive at its key, or at an item of its list. */
export function refuse(place: Place, words: { readonly reason: string; readonly hint: string }): void {
  const at = typeof place.path.at(-1) === 'number' ? 'value' : 'key';
  place.merging.report(mergeProblems.create('smp-directive-invalid', words, locationOf(place, at)));
}
