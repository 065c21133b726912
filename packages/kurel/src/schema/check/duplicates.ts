import { describeValue } from '../../diagnostics/index.ts';
import { canonicalJson, isJsonObject } from '../../model/index.ts';
import type { JsonArray } from '../../model/index.ts';
import { hand, nameField } from './walk.ts';
import type { Walk } from './walk.ts';
import { identityOfItem } from '../list-keys.ts';
import type { ListKey } from '../list-keys.ts';
import type { FieldPlan } from './plan.ts';

// Lists in which the API server itself allows duplicate keys; only server-side apply, which merges by key, rejects them.
const tolerated = new Set(
  'containerPort env hostAliases imagePullSecrets secrets finalizers ownerReferences variables nonResourceURLs apiGroups namespaces verbs resources addresses volumeLifecycleModes x-kubernetes-validations'.split(
    ' ',
  ),
);

/** Finds items with the same key, or equal values in a set, and reports all but the first. */
export function checkDuplicates(walk: Walk, plan: FieldPlan, list: JsonArray): void {
  const keys = plan.isSet ? undefined : plan.listKeys;
  const seen = new Map<string, number>();
  list.forEach((item, index) => {
    const id = keys === undefined ? canonicalJson(item) : identityOfItem(item, keys);
    const first = id === undefined ? undefined : seen.get(id);
    if (first !== undefined) reportDuplicate(walk, { list, keys, first, index });
    else if (id !== undefined) seen.set(id, index);
  });
}

interface Duplicate {
  readonly list: JsonArray;
  readonly keys: readonly ListKey[] | undefined;
  readonly first: number;
  readonly index: number;
}

function reportDuplicate(walk: Walk, { list, keys, first, index }: Duplicate): void {
  const item = list[index]!;
  const present = keys?.filter((key) => isJsonObject(item) && item[key.name] !== undefined);
  const what =
    present === undefined || !isJsonObject(item)
      ? describeValue(item)
      : present.map((key) => `${key.name} ${describeValue(item[key.name]!)}`).join(' and ');
  const isTolerated =
    walk.isBuiltIn && (tolerated.has(String(walk.path.at(-1))) || tolerated.has(keys?.[0]?.name ?? ''));
  const steps = present?.slice(0, 1).map(({ name }) => name) ?? [];
  const args = { list: nameField(walk), what, ...(isTolerated ? { advice: 'server-side apply rejects it' } : {}) };
  hand(walk, {
    finding: ['list-duplicate', args],
    path: [...walk.path, index, ...steps],
    related: { message: 'the first one is here', path: [...walk.path, first, ...steps] },
    severity: isTolerated ? 'warning' : undefined,
  });
}
