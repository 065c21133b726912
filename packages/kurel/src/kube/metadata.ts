import { isJsonObject } from '../model/index.ts';
import type { Json, JsonObject, KubeObject } from '../model/index.ts';

type Entries = Readonly<Record<string, string>>;
type MapField = 'labels' | 'annotations';

// Where a person would look for a key that is not there yet: after the last of these that is.
const before: Readonly<Record<string, readonly string[]>> = {
  metadata: ['apiVersion', 'kind'],
  name: [],
  namespace: ['name', 'generateName'],
  labels: ['name', 'generateName', 'namespace'],
  annotations: ['name', 'generateName', 'namespace', 'labels'],
};

/**
 * The object with `change` applied to its metadata. An unchanged result gives the same object; an empty one takes the
 * `metadata` away. A `metadata` that is no mapping is left for validation to report: to replace it would hide the mistake.
 */
function withMetadata(object: KubeObject, change: (metadata: JsonObject) => JsonObject): KubeObject {
  return withMapping(object, 'metadata', change) as KubeObject;
}

/** Sets labels; keys that are there keep their place, entries that are no strings stay unless they are set. */
export function withLabels(object: KubeObject, labels: Entries): KubeObject {
  return withEntries(object, 'labels', labels);
}

/** Takes away the labels with these keys, or those that the predicate picks. */
export function withoutLabels(object: KubeObject, picked: Picked): KubeObject {
  return withoutEntries(object, 'labels', picked);
}

export function withAnnotations(object: KubeObject, annotations: Entries): KubeObject {
  return withEntries(object, 'annotations', annotations);
}

export function withoutAnnotations(object: KubeObject, picked: Picked): KubeObject {
  return withoutEntries(object, 'annotations', picked);
}

/** An empty name takes the field away. */
export function withName(object: KubeObject, name: string): KubeObject {
  return withMetadata(object, (metadata) => withText(metadata, 'name', name));
}

/** An empty namespace takes the field away. */
export function withNamespace(object: KubeObject, namespace: string): KubeObject {
  return withMetadata(object, (metadata) => withText(metadata, 'namespace', namespace));
}

export type Picked = readonly string[] | ((key: string, value: string) => boolean);

function withEntries(object: KubeObject, field: MapField, entries: Entries): KubeObject {
  return withMetadata(object, (metadata) =>
    withMapping(metadata, field, (current) => {
      const changed = Object.entries(entries).filter(([key, value]) => ownValue(current, key) !== value);
      return changed.length === 0 ? current : { ...current, ...Object.fromEntries(changed) };
    }),
  );
}

function withoutEntries(object: KubeObject, field: MapField, picked: Picked): KubeObject {
  const isPicked =
    typeof picked === 'function'
      ? (key: string, value: Json) => typeof value === 'string' && picked(key, value)
      : (key: string) => picked.includes(key);
  return withMetadata(object, (metadata) =>
    withMapping(metadata, field, (current) => {
      const entries = Object.entries(current);
      const kept = entries.filter(([key, value]) => !isPicked(key, value));
      return kept.length === entries.length ? current : Object.fromEntries(kept);
    }),
  );
}

function withText(metadata: JsonObject, field: 'name' | 'namespace', text: string): JsonObject {
  return text === '' ? withoutKey(metadata, field) : withKey(metadata, field, text);
}

function withMapping(parent: JsonObject, field: string, change: (mapping: JsonObject) => JsonObject): JsonObject {
  const current = ownValue(parent, field) ?? {};
  if (!isJsonObject(current)) return parent;
  const changed = change(current);
  if (changed === current) return parent;
  return Object.keys(changed).length === 0 ? withoutKey(parent, field) : withKey(parent, field, changed);
}

function withoutKey(mapping: JsonObject, key: string): JsonObject {
  if (!Object.hasOwn(mapping, key)) return mapping;
  return Object.fromEntries(Object.entries(mapping).filter(([name]) => name !== key));
}

function withKey(mapping: JsonObject, key: string, value: Json): JsonObject {
  if (ownValue(mapping, key) === value) return mapping;
  if (Object.hasOwn(mapping, key)) return { ...mapping, [key]: value };
  const entries = Object.entries(mapping);
  const place = entries.findLastIndex(([name]) => before[key]!.includes(name)) + 1;
  return Object.fromEntries([...entries.slice(0, place), [key, value], ...entries.slice(place)]);
}

function ownValue(mapping: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(mapping, key) ? mapping[key] : undefined;
}
