import { nearest, quote } from '../../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json, JsonArray, JsonObject, Path } from '../../model/index.ts';
import { countItems, describeJson, formatPointer } from './parse-pointer.ts';
import type { Pointer } from './parse-pointer.ts';

/** A place in a collection. The one behind the last item of a list, or of a new key, holds nothing: `value` is `undefined`. */
export interface Place {
  readonly path: Path;
  readonly value: Json | undefined;
}

export interface Obstacle {
  readonly reason: string;
  readonly hint?: string | undefined;
}

const mostListed = 8;

/** Follows a pointer through the data; all but its last step must be there. */
export function findPlace(root: Json, pointer: Pointer): Place | Obstacle {
  const path: (string | number)[] = [];
  let value: Json | undefined = root;
  for (const text of pointer) {
    if (value === undefined) return missing(root, path, text);
    const step = stepIn(value, text, path);
    if (typeof step === 'object') return step;
    value = at(value, step);
    path.push(step);
  }
  return { path, value };
}

/** Why there is nothing at a place that an operation needs something at. */
export function explainMissing(root: Json, path: Path): Obstacle {
  const holderPath = path.slice(0, -1);
  const step = path.at(-1)!;
  const holder = valueAt(root, holderPath);
  if (isJsonArray(holder)) return beyond(holder, holderPath, String(step));
  const keys = Object.keys(holder as JsonObject);
  const hint = nearHint(holderPath, String(step), keys) ?? listHint(keys);
  return { reason: `${nameOf(holderPath)} has no key ${quote(String(step))}`, hint };
}

/** What something in the document is called. */
export function nameOf(path: Path): string {
  return path.length === 0 ? 'the document' : quote(formatPointer(path));
}

function stepIn(value: Json, text: string, path: Path): string | number | Obstacle {
  if (isJsonArray(value)) return indexIn(value, text, path);
  if (isJsonObject(value)) return text;
  return { reason: `${nameOf(path)} is ${describeJson(value)}, not a mapping or a list` };
}

function indexIn(list: JsonArray, text: string, path: Path): number | Obstacle {
  if (text === '-') return list.length;
  if (/^(?:0|[1-9][0-9]*)$/.test(text)) {
    const index = Number(text);
    return index <= list.length ? index : beyond(list, path, text);
  }
  const reason = `${nameOf(path)} is a list, and ${quote(text)} is not an index`;
  if (/^0[0-9]+$/.test(text)) return { reason, hint: `write the index without leading zeros: \`${Number(text)}\`` };
  if (/^-[0-9]+$/.test(text)) {
    return {
      reason,
      hint: 'JSON Patch does not count from the end; `-` alone stands for the place behind the last item',
    };
  }
  return { reason, hint: 'JSON Patch finds items by position only: 0 is the first one, `-` the place behind the last' };
}

function beyond(list: JsonArray, path: Path, index: string): Obstacle {
  const has = `${nameOf(path)} has ${countItems(list.length)}`;
  if (index === String(list.length)) {
    const hint = list.length === 0 ? undefined : `the last index is ${list.length - 1}`;
    return { reason: `${has}, and nothing is behind the last one`, hint };
  }
  return { reason: `${has}, so it has no index ${index}`, hint: '`-` stands for the place behind the last item' };
}

function missing(root: Json, path: Path, next: string): Obstacle {
  const { reason, hint } = explainMissing(root, path);
  const holder = valueAt(root, path.slice(0, -1));
  if (isJsonArray(holder)) return { reason, hint };
  const near = nearHint(path.slice(0, -1), String(path.at(-1)), Object.keys(holder as JsonObject));
  const empty = next === '-' || next === '0' ? '[]' : '{}';
  const add = `JSON Patch makes nothing on the way; add \`${formatPointer(path)}\` with the value ${empty} first`;
  return { reason, hint: near ?? add };
}

function nearHint(holder: Path, key: string, keys: readonly string[]): string | undefined {
  const near = nearest(key, keys);
  return near === undefined ? undefined : `did you mean \`${formatPointer([...holder, near])}\`?`;
}

function listHint(keys: readonly string[]): string {
  if (keys.length === 0) return 'it is empty';
  const more = keys.length > mostListed ? ', …' : '';
  return `it has ${keys.slice(0, mostListed).map(quote).join(', ')}${more}`;
}

function at(value: Json, step: string | number): Json | undefined {
  const holder = value as { readonly [key in string | number]: Json };
  return Object.hasOwn(holder, step) ? holder[step] : undefined;
}

function valueAt(root: Json, path: Path): Json {
  return path.reduce<Json>((value, step) => at(value, step)!, root);
}
