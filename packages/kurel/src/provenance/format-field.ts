import { getOrAdd } from '../budget/index.ts';
import { escapeControls } from '../diagnostics/index.ts';
import { isJsonArray, stepInto } from '../model/index.ts';
import type { Json, JsonArray, Path } from '../model/index.ts';
import { identifyingKeyOf, identityBy } from './pair-items.ts';

/** A path in patch syntax: `spec.containers[name=web].image`. */
export function formatField(path: Path, object: Json): string {
  let text = '';
  let value: Json | undefined = object;
  for (const step of path) {
    text += typeof step === 'number' ? formatItem(value, step) : formatKey(step, text === '');
    value = stepInto(value, step);
  }
  return escapeControls(text);
}

/** A key in a path in patch syntax. */
export function formatKey(key: string, isFirst: boolean): string {
  // `-` and `-1` insert an item.
  const isUnquoted = /^(?!-[0-9]*$)(?:[\p{L}\p{M}\p{N}_/$@~%-]|:(?!$))+$/u.test(key);
  if (!isUnquoted) return `[${JSON.stringify(key)}]`;
  return isFirst ? key : `.${key}`;
}

// All items of a list share one key, and finding it requires looking at all of them.
const knownKeys = new WeakMap<JsonArray, { readonly key: string | undefined }>();

function keyOf(list: JsonArray): string | undefined {
  return getOrAdd(knownKeys, list, () => ({ key: identifyingKeyOf(list) })).key;
}

/** Names an item by its key if that is short enough to read. */
function formatItem(list: Json | undefined, index: number): string {
  const key = isJsonArray(list) ? keyOf(list) : undefined;
  const name = key === undefined ? undefined : identityBy(key, (list as readonly Json[])[index] ?? null);
  return name !== undefined && /^[\w./:@-]{1,60}$/.test(name) ? `[${key}=${name}]` : `[${index}]`;
}
