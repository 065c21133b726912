import { isJsonArray, isJsonObject } from '../../packages/kurel/src/model/index.ts';
import type { Json, JsonObject, KubeObject, Path } from '../../packages/kurel/src/model/index.ts';
import { writeJson } from '../../packages/kurel/src/yaml/index.ts';
import type { CorpusObject } from './read-corpus.ts';

interface Place {
  readonly path: Path;
  readonly value: Json;
}

/** A mistake that people make; `undefined` where it cannot be made. */
type Mistake = (value: Json, key: string) => { readonly key?: string; readonly value?: Json } | undefined;

// Nothing here looks at a schema, so many results are still valid: they must stay so.
const mistakes: Readonly<Record<string, Mistake>> = {
  misspell: (value, key) => ({ key: key.length < 3 ? `${key}s` : key.slice(0, -2) + key.at(-1)! + key.at(-2)!, value }),
  'forget-letter': (value, key) => (key.length < 3 ? undefined : { key: key.slice(0, -1), value }),
  'change-case': (value, key) => ({ key: key[0]!.toUpperCase() + key.slice(1), value }),
  remove: () => ({}),
  empty: (_, key) => ({ key, value: null }),
  'add-field': (value, key) => (isJsonObject(value) ? { key, value: { ...value, extraField: true } } : undefined),
  quote: (value, key) =>
    typeof value === 'number' || typeof value === 'boolean' ? { key, value: String(value) } : undefined,
  unquote: (value, key) => (typeof value === 'string' ? { key, value: 7 } : undefined),
  'say-yes': (value, key) => (typeof value === 'string' ? { key, value: true } : undefined),
  'forget-dash': (value, key) => (isJsonArray(value) && value.length > 0 ? { key, value: value[0]! } : undefined),
  'add-dash': (value, key) => (isJsonObject(value) ? { key, value: [value] } : undefined),
  'one-for-many': (value, key) => (isJsonArray(value) ? { key, value: 'one' } : undefined),
  'text-for-map': (value, key) => (isJsonObject(value) ? { key, value: 'text' } : undefined),
  fraction: (value, key) => (typeof value === 'number' ? { key, value: value + 0.5 } : undefined),
  negative: (value, key) => (typeof value === 'number' ? { key, value: -1 - value } : undefined),
  huge: (value, key) => (typeof value === 'number' ? { key, value: 2 ** 40 } : undefined),
  'other-word': (value, key) => (typeof value === 'string' ? { key, value: `${value} X` } : undefined),
};

/** Two wrong variants of every third object, the same in every run. */
export function mutateObjects(objects: readonly CorpusObject[]): readonly CorpusObject[] {
  return objects
    .filter(({ id }) => hash(id) % 3 === 0)
    .flatMap((found) => [1, 2].flatMap((round) => mutateObject(found, `${found.id} ${round}`)))
    .filter(({ id }, index, all) => all[index - 1]?.id !== id);
}

function mutateObject({ id, object }: CorpusObject, seed: string): CorpusObject[] {
  const places = listPlaces(object);
  const names = Object.keys(mistakes);
  for (let attempt = 0; attempt < names.length; attempt += 1) {
    const name = names[(hash(`${seed} mistake`) + attempt) % names.length]!;
    const fitting = places.flatMap(({ path, value }) => {
      const key = path.at(-1);
      const change = typeof key === 'string' && key !== '' ? mistakes[name]!(value, key) : undefined;
      return change === undefined ? [] : [{ path, change }];
    });
    if (fitting.length === 0) continue;
    const { path, change } = fitting[hash(`${seed} place`) % fitting.length]!;
    const changed = replaceAt(object, path, change) as KubeObject;
    return [{ id: `${id} ${name} ${path.join('.')}`, text: writeJson(changed), object: changed }];
  }
  return [];
}

/** Everything in an object but its own type, which decides what it is compared with. */
function listPlaces(object: KubeObject): Place[] {
  const places: Place[] = [];
  const visit = (value: Json, path: Path) => {
    if (path.length > 0) places.push({ path, value });
    if (isJsonArray(value)) for (const [index, item] of value.entries()) visit(item, [...path, index]);
    else if (isJsonObject(value)) for (const [key, item] of Object.entries(value)) visit(item, [...path, key]);
  };
  const { apiVersion: _, kind: __, ...rest } = object;
  visit(rest, []);
  return places;
}

function replaceAt(value: Json, path: Path, change: { readonly key?: string; readonly value?: Json }): Json {
  const [step, ...rest] = path;
  if (isJsonArray(value)) return value.map((item, index) => (index === step ? replaceAt(item, rest, change) : item));
  const entries = Object.entries(value as JsonObject).flatMap(([key, item]): [string, Json][] => {
    if (key !== step) return [[key, item]];
    if (rest.length > 0) return [[key, replaceAt(item, rest, change)]];
    return change.key === undefined || change.value === undefined ? [] : [[change.key, change.value]];
  });
  return Object.fromEntries(entries);
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  // The low bits of FNV of similar texts are similar.
  return (value ^ (value >>> 15)) >>> 0;
}
