import { isJsonArray, isJsonObject, putEntry } from '../../../model/index.ts';
import type { Json, JsonArray, JsonObject } from '../../../model/index.ts';

/** Values that say as much as no value, by the field they are in and what holds that: the types of Kubernetes leave them out. */
const idle: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
  env: { value: '' },
  envFrom: { prefix: '' },
  ports: { name: '', hostIP: '', hostPort: 0 },
  volumeMounts: { readOnly: false, subPath: '', subPathExpr: '' },
  httpGet: { path: '', host: '' },
  tcpSocket: { host: '' },
  livenessProbe: { initialDelaySeconds: 0 },
  readinessProbe: { initialDelaySeconds: 0 },
  startupProbe: { initialDelaySeconds: 0 },
  tolerations: { key: '', operator: '', value: '', effect: '' },
};

/** Mappings that ask for nothing when they are empty; of all others that they are there says something. */
const hollow: ReadonlySet<string> = new Set(['capabilities', 'securityContext', 'lifecycle']);

/**
 * The spec of a pod without what says nothing, and so as Kubernetes gives it back: empty lists, and the values above. What
 * needs no change stays the same value.
 */
export function cleanPod(spec: JsonObject): JsonObject {
  return cleanMapping(spec, '');
}

function cleanMapping(mapping: JsonObject, key: string): JsonObject {
  const without = Object.hasOwn(idle, key) ? idle[key] : undefined;
  const names = Object.keys(mapping);
  let cleaned: Record<string, Json> | undefined;
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index]!;
    const value = mapping[name]!;
    const isIdle = without !== undefined && Object.hasOwn(without, name) && without[name] === value;
    const left = isIdle ? undefined : cleanValue(value, name, key);
    if (left === value && cleaned === undefined) continue;
    cleaned ??= Object.fromEntries(names.slice(0, index).map((before) => [before, mapping[before]!]));
    if (left !== undefined) putEntry(cleaned, name, left);
  }
  return cleaned ?? mapping;
}

function cleanValue(value: Json, key: string, holder: string): Json | undefined {
  if (isJsonArray(value)) return cleanList(value, key, holder);
  if (!isJsonObject(value)) return value;
  const cleaned = cleanMapping(value, key);
  return hollow.has(key) && Object.keys(cleaned).length === 0 ? undefined : cleaned;
}

function cleanList(list: JsonArray, key: string, holder: string): JsonArray | undefined {
  const named = holder === 'capabilities' ? list.filter((item) => item !== '') : list;
  if (named.length === 0) return undefined;
  const clean = (item: Json): Json => (isJsonObject(item) ? cleanMapping(item, key) : item);
  if (named.every((item) => clean(item) === item)) return named.length === list.length ? list : named;
  return named.map(clean);
}
