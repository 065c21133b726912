import { describeValue } from '../../diagnostics/index.ts';
import { canonicalJson, isJsonObject, isSameJson } from '../../model/index.ts';
import type { Json, JsonArray } from '../../model/index.ts';
import { complain, nameField } from './walk.ts';
import type { Walk } from './walk.ts';
import type { FieldPlan, ListKey } from './plan.ts';

// Lists in which the API server itself allows duplicate keys; only server-side apply, which merges by key, rejects them.
const tolerated = new Set(
  'containerPort env hostAliases imagePullSecrets secrets finalizers ownerReferences variables nonResourceURLs apiGroups namespaces verbs resources addresses volumeLifecycleModes x-kubernetes-validations'.split(
    ' ',
  ),
);
const shortList = 16;

/** Finds items with the same key, or equal values in a set, and reports all but the first. */
export function checkDuplicates(walk: Walk, plan: FieldPlan, list: JsonArray): void {
  const keys = plan.isSet ? undefined : plan.listKeys;
  if (list.length <= shortList) {
    for (let index = 1; index < list.length; index += 1) {
      for (let first = 0; first < index; first += 1) {
        if (isSame(list[first]!, list[index]!, keys)) {
          reportDuplicate(walk, { list, keys, first, index });
          break;
        }
      }
    }
    return;
  }
  const seen = new Map<string, number>();
  list.forEach((item, index) => {
    const text = keyText(item, keys);
    const first = text === undefined ? undefined : seen.get(text);
    if (first !== undefined) reportDuplicate(walk, { list, keys, first, index });
    else if (text !== undefined) seen.set(text, index);
  });
}

type Keys = readonly ListKey[] | undefined;

function isSame(a: Json, b: Json, keys: Keys): boolean {
  if (keys === undefined) return isSameJson(a, b);
  if (!isJsonObject(a) || !isJsonObject(b) || keys.length === 0) return false;
  for (const { name, default: fallback } of keys) {
    const value = a[name] ?? fallback;
    if (value === undefined || value !== (b[name] ?? fallback)) return false;
  }
  return true;
}

function keyText(item: Json, keys: Keys): string | undefined {
  if (keys === undefined) return canonicalJson(item);
  if (!isJsonObject(item) || keys.length === 0) return undefined;
  const parts = keys.map(({ name, default: fallback }) => item[name] ?? fallback);
  return parts.includes(undefined) ? undefined : canonicalJson(parts as JsonArray);
}

interface Duplicate {
  readonly list: JsonArray;
  readonly keys: Keys;
  readonly first: number;
  readonly index: number;
}

function reportDuplicate(walk: Walk, { list, keys, first, index }: Duplicate): void {
  const name = nameField(walk);
  const item = list[index]!;
  const present = keys?.filter((key) => isJsonObject(item) && item[key.name] !== undefined);
  const what =
    present === undefined || !isJsonObject(item)
      ? describeValue(item)
      : present.map((key) => `${key.name} ${describeValue(item[key.name]!)}`).join(' and ');
  const isTolerated =
    walk.isBuiltIn && (tolerated.has(String(walk.path.at(-1))) || tolerated.has(keys?.[0]?.name ?? ''));
  const related = {
    message: 'the first one is here',
    path: [...walk.path, first, ...(present?.[0] ? [present[0].name] : [])],
  };
  const place = { related, ...(isTolerated ? { severity: 'warning' as const } : {}) };
  const steps = [index, ...(present?.[0] === undefined ? [] : [present[0].name])];
  for (const step of steps) walk.path.push(step);
  complain(
    walk,
    ['list-duplicate', { list: name, what, ...(isTolerated ? { advice: 'server-side apply rejects it' } : {}) }],
    place,
  );
  walk.path.length -= steps.length;
}
