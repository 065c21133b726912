import { isJsonArray, isJsonObject, putEntry } from '../model/index.ts';
import type { Json, JsonObject, Path } from '../model/index.ts';

/** Accepted variations: any case, numbers for strings, an empty string, a header without a value. */
export type Leniency = 'any-case' | 'as-text' | 'empty' | 'without-value';

/** The path to values in a Kubernetes field; `*` matches each item or entry. */
export type RewriteRule = readonly [steps: readonly string[], leniency: Leniency];

type WriteText = (path: Path, value: number | bigint | boolean) => string;

/** `undefined` removes the value. */
type Change = (value: Json, writeText: () => string) => Json | undefined;

const changes: Readonly<Record<Leniency, Change>> = {
  'any-case': (value) => (typeof value === 'string' ? value.toUpperCase() : value),
  'as-text': (value, writeText) => (typeof value === 'object' || typeof value === 'string' ? value : writeText()),
  empty: (value) => (value === '' ? undefined : value),
  'without-value': (value) => (isJsonObject(value) && !Object.hasOwn(value, 'value') ? { ...value, value: '' } : value),
};

/** Converts accepted input to the form of the Kubernetes schema; numbers become strings as they were written. */
export function rewrite(value: Json, rules: readonly RewriteRule[], writeText: WriteText): Json {
  return rules.reduce<Json>((now, [steps, leniency]) => {
    const change = (inner: Json, path: Path): Json | undefined =>
      changes[leniency](inner, () => writeText(path, inner as number | bigint | boolean));
    return changeAt(now, { steps, path: [], change }) ?? now;
  }, value);
}

interface ChangeAt {
  readonly steps: readonly string[];
  /** Path of the value. */
  readonly path: Path;
  readonly change: (value: Json, path: Path) => Json | undefined;
}

/** Returns the same value if nothing changes. */
function changeAt(value: Json, { steps, path, change }: ChangeAt): Json | undefined {
  const [step, ...rest] = steps;
  if (step === undefined) return change(value, path);
  const enter = (inner: Json, key: string | number): Json | undefined =>
    changeAt(inner, { steps: rest, path: [...path, key], change });
  if (isJsonArray(value)) {
    const items = step === '*' ? value.map((item, index) => enter(item, index) ?? null) : value;
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  return isJsonObject(value) ? changeEntries(value, step, enter) : value;
}

function changeEntries(
  mapping: JsonObject,
  step: string,
  enter: (inner: Json, key: string) => Json | undefined,
): JsonObject {
  const keys = step === '*' ? Object.keys(mapping) : [step].filter((key) => Object.hasOwn(mapping, key));
  const changed = new Map(keys.map((key) => [key, enter(mapping[key]!, key)]));
  if (keys.every((key) => changed.get(key) === mapping[key])) return mapping;
  const entries: Record<string, Json> = {};
  for (const key of Object.keys(mapping)) {
    const value = changed.has(key) ? changed.get(key) : mapping[key];
    if (value !== undefined) putEntry(entries, key, value);
  }
  return entries;
}
