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
  let now = value;
  for (const [steps, leniency] of rules) {
    now = changeAt(now, { steps, path: [], change: changes[leniency], writeText }, 0) ?? now;
  }
  return now;
}

interface Rewriting {
  readonly steps: readonly string[];
  /** Path of the current value: one list that grows and shrinks, because most values stay as they are. */
  readonly path: (string | number)[];
  readonly change: Change;
  readonly writeText: WriteText;
}

/** Returns the same value if nothing changes. */
function changeAt(value: Json, rewriting: Rewriting, depth: number): Json | undefined {
  const { steps, path, change, writeText } = rewriting;
  const step = steps[depth];
  if (step === undefined) return change(value, () => writeText(path, value as number | bigint | boolean));
  if (isJsonObject(value)) return changeEntries(value, rewriting, depth);
  if (!isJsonArray(value) || step !== '*') return value;
  let items: Json[] | undefined;
  for (let index = 0; index < value.length; index += 1) {
    path.push(index);
    const item = changeAt(value[index]!, rewriting, depth + 1) ?? null;
    path.pop();
    if (item !== value[index]) (items ??= [...value])[index] = item;
  }
  return items ?? value;
}

function changeEntries(mapping: JsonObject, rewriting: Rewriting, depth: number): JsonObject {
  const step = rewriting.steps[depth]!;
  let changed: Map<string, Json | undefined> | undefined;
  for (const key of step === '*' ? Object.keys(mapping) : [step]) {
    if (!Object.hasOwn(mapping, key)) continue;
    rewriting.path.push(key);
    const inner = changeAt(mapping[key]!, rewriting, depth + 1);
    rewriting.path.pop();
    if (inner !== mapping[key]) (changed ??= new Map()).set(key, inner);
  }
  if (changed === undefined) return mapping;
  const entries: Record<string, Json> = {};
  for (const key of Object.keys(mapping)) {
    const value = changed.has(key) ? changed.get(key) : mapping[key];
    if (value !== undefined) putEntry(entries, key, value);
  }
  return entries;
}
