import { nearest } from '../../../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../../../model/index.ts';
import type { Json } from '../../../model/index.ts';

/** The value at the given keys, if they exist. */
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
  ['ClusterProfile', 'pass a profile with --profile'],
  ['Policy', 'pass a policy with --policy'],
  ['CapabilityDefinition', 'pass a definition with --capability-def, or put it in definitions/ of the package'],
  ['Package', 'name the file kurel.yaml: it declares the parameters of a package'],
  ['Acceptances', 'name the file kurel.accept.yaml and put it in the directory you build'],
  ['Fleet', 'name the file kurel.fleet.yaml and run kurel fleet list'],
  ['Application', 'name the file app.yaml and build its directory'],
  ['KurelBuild', 'name it in generators of a kustomization, which runs kurel krm'],
  ['KurelValidate', 'name it in transformers of a kustomization, which runs kurel krm'],
]);

/** The kind that a word resembles: a typo, or a missing or additional part. */
export function meantKind(word: string, kinds: readonly string[]): string | undefined {
  return nearest(word, kinds) ?? kinds.find((kind) => word !== '' && (kind.endsWith(word) || word.endsWith(kind)));
}

/** Where a document of this kind belongs; `undefined` for kinds that are not kurel's. */
export function placeOfDocument(kind: string): string | undefined {
  return places.get(kind);
}
