import { getOrAdd } from '../budget/index.ts';
import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { GroupVersionKind, Json, Path } from '../model/index.ts';
import { idleKinds, workloadTable } from './workload-table.ts';

/** The fields of a kind that run something. */
export interface WorkloadFields {
  /** Fields that name an image, outside of containers. */
  readonly images: readonly string[];
  /** Fields that set a number of replicas. */
  readonly counts: readonly string[];
  /** Some fields have no schema and may contain anything. */
  readonly isOpen: boolean;
}

type FieldsByKind = ReadonlyMap<string, WorkloadFields | 'idle'>;

const fieldsByGroup = new Map<string, FieldsByKind>();
/** More than a build has; group names come from the user. */
const mostGroups = 100;

/** `idle` for a kind whose schema has no field that runs something, `undefined` for a kind without a schema. */
export function workloadFieldsOf({
  group,
  kind,
}: Pick<GroupVersionKind, 'group' | 'kind'>): WorkloadFields | 'idle' | undefined {
  if (fieldsByGroup.size > mostGroups) fieldsByGroup.clear();
  return getOrAdd(fieldsByGroup, group, () => readGroup(group)).get(kind);
}

function readGroup(group: string): FieldsByKind {
  const fields = new Map<string, WorkloadFields | 'idle'>();
  const idle = Object.hasOwn(idleKinds, group) ? split(idleKinds[group]!) : [];
  for (const kind of idle) fields.set(kind, 'idle');
  const prefix = `${group}/`;
  for (const [key, { images = '', counts = '', open }] of Object.entries(workloadTable)) {
    if (!key.startsWith(prefix)) continue;
    const ofKind = { images: split(images), counts: split(counts), isOpen: open !== undefined };
    fields.set(key.slice(prefix.length), ofKind);
  }
  return fields;
}

function split(paths: string): readonly string[] {
  return paths === '' ? [] : paths.split(' ');
}

/** The paths that match a pattern such as `spec.images[].image` in an object; `*` matches every key. */
export function placesOf(object: Json, pattern: string): readonly Path[] {
  let places: readonly { readonly path: Path; readonly value: Json }[] = [{ path: [], value: object }];
  for (const step of pattern.replaceAll('[]', '.[]').split('.')) {
    places = places.flatMap(({ path, value }) => {
      if (step === '[]')
        return isJsonArray(value) ? value.map((item, index) => ({ path: [...path, index], value: item })) : [];
      if (!isJsonObject(value)) return [];
      const keys = step === '*' ? Object.keys(value) : Object.hasOwn(value, step) ? [step] : [];
      return keys.map((key) => ({ path: [...path, key], value: value[key]! }));
    });
  }
  return places.map(({ path }) => path);
}
