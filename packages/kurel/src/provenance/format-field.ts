import { escapeControls } from '../diagnostics/index.ts';
import { isJsonArray, stepInto } from '../model/index.ts';
import type { Json, JsonArray, Path } from '../model/index.ts';
import { identifyingKeyOf, identityBy } from './pair-items.ts';

/** A path as a person would write it: `spec.containers[name=web].image`. */
export function formatField(path: Path, object: Json): string {
  let text = '';
  let value: Json | undefined = object;
  for (const step of path) {
    text += typeof step === 'number' ? formatItem(value, step) : formatKey(step, text === '');
    value = stepInto(value, step);
  }
  return escapeControls(text);
}

function formatKey(key: string, isFirst: boolean): string {
  if (!/^[^\s.[\]"'=]+$/.test(key)) return `[${JSON.stringify(key)}]`;
  return isFirst ? key : `.${key}`;
}

// Every item of a list is named by the same key, and to find it takes a look at all of them.
const knownKeys = new WeakMap<JsonArray, { readonly key: string | undefined }>();

function keyOf(list: JsonArray): string | undefined {
  const known = knownKeys.get(list) ?? { key: identifyingKeyOf(list) };
  knownKeys.set(list, known);
  return known.key;
}

/** By what tells the item from the others, when that is short enough to be read. */
function formatItem(list: Json | undefined, index: number): string {
  const key = isJsonArray(list) ? keyOf(list) : undefined;
  const name = key === undefined ? undefined : identityBy(key, (list as readonly Json[])[index] ?? null);
  return name !== undefined && /^[\w./:@-]{1,60}$/.test(name) ? `[${key}=${name}]` : `[${index}]`;
}
