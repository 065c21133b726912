import { isJsonArray, isJsonObject, stepInto } from '../model/index.ts';
import type { Json, JsonArray, JsonObject, KubeObject } from '../model/index.ts';
import { parseDuration } from './quantity.ts';

type Entries = Readonly<Record<string, string>>;
type MapField = 'labels' | 'annotations';

// Inserts a new key where a reader would expect it: after the last of these keys that exists.
const before: Readonly<Record<string, readonly string[]>> = {
  metadata: ['apiVersion', 'kind'],
  name: [],
  namespace: ['name', 'generateName'],
  labels: ['name', 'generateName', 'namespace'],
  annotations: ['name', 'generateName', 'namespace', 'labels'],
};

/**
 * The object with `change` applied to its metadata. An unchanged result returns the same object; an empty one removes the
 * `metadata`. A `metadata` that is not an object is left for validation to report: replacing it would hide the mistake.
 */
function withMetadata(object: KubeObject, change: (metadata: JsonObject) => JsonObject): KubeObject {
  return withMapping(object, 'metadata', change) as KubeObject;
}

/** Sets labels; existing keys keep their position, and entries that are not strings stay unless they are set. */
export function withLabels(object: KubeObject, labels: Entries): KubeObject {
  return withEntries(object, 'labels', labels);
}

/** Removes the labels with these keys, or those that the predicate selects. */
export function withoutLabels(object: KubeObject, picked: Picked): KubeObject {
  return withoutEntries(object, 'labels', picked);
}

export function withAnnotations(object: KubeObject, annotations: Entries): KubeObject {
  return withEntries(object, 'annotations', annotations);
}

export function withoutAnnotations(object: KubeObject, picked: Picked): KubeObject {
  return withoutEntries(object, 'annotations', picked);
}

/** An empty name removes the field. */
export function withName(object: KubeObject, name: string): KubeObject {
  return withMetadata(object, (metadata) => withText(metadata, 'name', name));
}

/** An empty namespace removes the field. */
export function withNamespace(object: KubeObject, namespace: string): KubeObject {
  return withMetadata(object, (metadata) => withText(metadata, 'namespace', namespace));
}

export type Picked = readonly string[] | ((key: string, value: string) => boolean);

function withEntries(object: KubeObject, field: MapField, entries: Entries): KubeObject {
  return withMetadata(object, (metadata) =>
    withMapping(metadata, field, (current) => {
      const changed = Object.entries(entries).filter(([key, value]) => stepInto(current, key) !== value);
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
  const current = stepInto(parent, field) ?? {};
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
  if (stepInto(mapping, key) === value) return mapping;
  if (Object.hasOwn(mapping, key)) return { ...mapping, [key]: value };
  const entries = Object.entries(mapping);
  const place = entries.findLastIndex(([name]) => before[key]!.includes(name)) + 1;
  return Object.fromEntries([...entries.slice(0, place), [key, value], ...entries.slice(place)]);
}

const noItems: JsonArray = [];

/**
 * Readers for checks that run after schema validation: a value of the wrong type was already reported and counts as absent.
 */
export function mappingAt(value: Json | undefined, name: string): JsonObject | undefined {
  const field = isJsonObject(value) ? value[name] : undefined;
  return isJsonObject(field) ? field : undefined;
}

export function listAt(value: Json | undefined, name: string): JsonArray {
  const field = isJsonObject(value) ? value[name] : undefined;
  return isJsonArray(field) ? field : noItems;
}

export function textAt(value: Json | undefined, name: string): string | undefined {
  const field = isJsonObject(value) ? value[name] : undefined;
  return typeof field === 'string' ? field : undefined;
}

export function numberAt(value: Json | undefined, name: string): number | undefined {
  const field = isJsonObject(value) ? value[name] : undefined;
  return typeof field === 'number' ? field : undefined;
}

/** Whether the field is set; null counts as not set. */
export function has(value: Json | undefined, name: string): boolean {
  return isJsonObject(value) && Object.hasOwn(value, name) && value[name] !== null;
}

/** The given fields that are set. */
export function presentOf(value: JsonObject, names: readonly string[]): readonly string[] {
  return names.filter((name) => has(value, name));
}

/** Phases of applying objects, in order. */
export const installPhases = ['pre-install', 'main', 'post-install'] as const;

export type InstallPhase = (typeof installPhases)[number];

export const installPhaseAnnotation = 'kurel.gokure.dev/install-phase';
export const waitForReadyAnnotation = 'kurel.gokure.dev/wait-for-ready';
export const waitForPreviousAnnotation = 'kurel.gokure.dev/wait-for-previous';
export const timeoutAnnotation = 'kurel.gokure.dev/timeout';
/** Prefix of all kurel annotations. */
export const ownAnnotationPrefix = 'kurel.gokure.dev/';

/** Defaults to `main`; `undefined` when the annotation is not a valid phase. */
export function installPhaseOf(object: KubeObject): InstallPhase | undefined {
  const parsed = annotationOf(object, installPhaseAnnotation);
  return parsed === undefined ? 'main' : installPhases.find((phase) => phase === parsed);
}

/** Whether the next phase waits for the object; `undefined` when its annotation is neither `"true"` nor `"false"`. */
export function waitForReadyOf(object: KubeObject): boolean | undefined {
  return switchOf(object, waitForReadyAnnotation);
}

/** Whether the object waits until everything in the previous phase is ready; `undefined` as above. */
export function waitForPreviousOf(object: KubeObject): boolean | undefined {
  return switchOf(object, waitForPreviousAnnotation);
}

function switchOf(object: KubeObject, annotation: string): boolean | undefined {
  const parsed = annotationOf(object, annotation);
  if (parsed === undefined || parsed === 'false') return false;
  return parsed === 'true' ? true : undefined;
}

/** The timeout of the object in nanoseconds; 0 when it has none, `undefined` when the annotation is not a valid duration. */
export function timeoutOf(object: KubeObject): bigint | undefined {
  const parsed = annotationOf(object, timeoutAnnotation);
  if (parsed === undefined) return 0n;
  const duration = typeof parsed === 'string' ? parseDuration(parsed) : undefined;
  return duration !== undefined && duration > 0n ? duration : undefined;
}

/** The raw value of an annotation: annotations must be strings, and anything else is reported as a mistake. */
export function annotationOf(object: KubeObject, key: string): Json | undefined {
  return stepInto(mappingAt(object['metadata'], 'annotations'), key);
}
