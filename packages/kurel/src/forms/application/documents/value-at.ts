import { nearest } from '../../../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../../../model/index.ts';
import type { Json } from '../../../model/index.ts';

/** What a document holds below these keys, whatever else is wrong with it. */
export function valueAt(document: Json, keys: readonly string[]): Json | undefined {
  let value: Json | undefined = document;
  for (const key of keys) value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value;
}

export function listAt(document: Json, keys: readonly string[]): readonly Json[] | undefined {
  const value = valueAt(document, keys);
  return isJsonArray(value) ? value : undefined;
}

export function keysAt(document: Json, keys: readonly string[]): readonly string[] {
  const value = valueAt(document, keys);
  return isJsonObject(value) ? Object.keys(value) : [];
}

const places: ReadonlyMap<string, string> = new Map([
  ['ClusterProfile', 'a profile is given with --profile'],
  ['Policy', 'a policy is given with --policy'],
  ['CapabilityDefinition', 'definitions are given with --capability-def, or lie in definitions/ of the package'],
  ['Package', 'it declares the parameters of a package, and is its kurel.yaml'],
  ['Acceptances', 'name the file kurel.accept.yaml and put it into the directory that is built'],
  ['Application', 'it is the app.yaml of a package, which is named by its directory'],
]);

/** The kind that a word may be meant for: a slip in it, or a part of it too much or too few. */
export function meantKind(word: string, kinds: readonly string[]): string | undefined {
  return nearest(word, kinds) ?? kinds.find((kind) => word !== '' && (kind.endsWith(word) || word.endsWith(kind)));
}

/** Where a document belongs that was given in the place of another; `undefined` for kinds that are not kurel's. */
export function placeOfDocument(kind: string): string | undefined {
  return places.get(kind);
}
