import { nearest, quote } from '../../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json, JsonArray, JsonObject, Path } from '../../model/index.ts';
import { countItems, describeJson, formatPointer } from './parse-pointer.ts';
import type { Pointer } from './parse-pointer.ts';

/** A location in a collection. `value` is `undefined` after the last item of a list and for a new key. */
export interface Place {
  readonly path: Path;
  readonly value: Json | undefined;
}

export interface Obstacle {
  readonly reason: string;
  readonly hint?: string | undefined;
}

const mostListed = 8;

/** Resolves a pointer; all steps but the last must exist. */
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

/** Explains why the location that an operation needs does not exist. */
export function explainMissing(root: Json, path: Path): Obstacle {
  const holderPath = path.slice(0, -1);
  const step = path.at(-1)!;
  const holder = valueAt(root, holderPath);
  if (isJsonArray(holder)) return beyond(holder, holderPath, String(step));
  const keys = Object.keys(holder as JsonObject);
  const hint = nearHint(holderPath, String(step), keys) ?? listHint(keys);
  return { reason: `${nameOf(holderPath)} has no key ${quote(String(step))}`, hint };
}

/** Name of a location in messages. */
export function nameOf(path: Path): string {
  return path.length === 0 ? 'the document' : quote(formatPointer(path));
}

function stepIn(value: Json, text: string, path: Path): string | number | Obstacle {
  if (isJsonArray(value)) return indexIn(value, text, path);
  if (isJsonObject(value)) return text;
  return { reason: `${nameOf(path)} must be an object or a list, got ${describeJson(value)}` };
}

function indexIn(list: JsonArray, text: string, path: Path): number | Obstacle {
  if (text === '-') return list.length;
  if (/^(?:0|[1-9][0-9]*)$/.test(text)) {
    const index = Number(text);
    return index <= list.length ? index : beyond(list, path, text);
  }
  const reason = `${nameOf(path)} is a list, and ${quote(text)} is not a valid index`;
  if (/^0[0-9]+$/.test(text)) return { reason, hint: `remove the leading zeros: \`${Number(text)}\`` };
  if (/^-[0-9]+$/.test(text)) {
    return {
      reason,
      hint: 'use `-` to append; JSON Patch does not count from the end',
    };
  }
  return { reason, hint: 'use an index, counting from 0, or `-` to append; JSON Patch does not select items by name' };
}

function beyond(list: JsonArray, path: Path, index: string): Obstacle {
  const has = `${nameOf(path)} has ${countItems(list.length)}`;
  if (index === String(list.length)) {
    const hint = list.length === 0 ? undefined : `use ${list.length - 1} for the last item`;
    return { reason: `${has}, and the path points after the last one`, hint };
  }
  return { reason: `${has}, so index ${index} is out of range`, hint: 'use `-` to append' };
}

function missing(root: Json, path: Path, next: string): Obstacle {
  const { reason, hint } = explainMissing(root, path);
  const holder = valueAt(root, path.slice(0, -1));
  if (isJsonArray(holder)) return { reason, hint };
  const near = nearHint(path.slice(0, -1), String(path.at(-1)), Object.keys(holder as JsonObject));
  const empty = next === '-' || next === '0' ? '[]' : '{}';
  const add = `add \`${formatPointer(path)}\` with the value ${empty} first; JSON Patch does not create parents`;
  return { reason, hint: near ?? add };
}

function nearHint(holder: Path, key: string, keys: readonly string[]): string | undefined {
  const near = nearest(key, keys);
  return near === undefined ? undefined : `did you mean \`${formatPointer([...holder, near])}\`?`;
}

function listHint(keys: readonly string[]): string | undefined {
  if (keys.length === 0) return undefined;
  if (keys.length === 1) return `use ${quote(keys[0]!)}`;
  const more = keys.length > mostListed ? ', …' : '';
  return `use one of ${keys.slice(0, mostListed).map(quote).join(', ')}${more}`;
}

function at(value: Json, step: string | number): Json | undefined {
  const holder = value as { readonly [key in string | number]: Json };
  return Object.hasOwn(holder, step) ? holder[step] : undefined;
}

function valueAt(root: Json, path: Path): Json {
  return path.reduce<Json>((value, step) => at(value, step)!, root);
}
