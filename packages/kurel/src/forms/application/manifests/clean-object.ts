import { isJsonArray, isJsonObject } from '../../../model/index.ts';
import type { Json, JsonObject, KubeObject } from '../../../model/index.ts';

// Fields that the API server sets, and that remain when an object is exported from a cluster.
const ofServer: ReadonlySet<string> = new Set(['managedFields', 'resourceVersion', 'uid', 'generation', 'selfLink']);
const ofKubectl = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * The object without fields that only a cluster can set, and without the empty status that generators emit. Unchanged
 * parts keep their identity.
 */
export function cleanObject(object: KubeObject): KubeObject {
  const { status, ...rest } = object;
  const isEmpty = Object.hasOwn(object, 'status') && isHollow(status!);
  return cleanPart(isEmpty ? rest : object, templates) as KubeObject;
}

/** Where else an object contains object metadata. */
interface Templates {
  readonly [key: string]: Templates;
}

const templates: Templates = {
  spec: { template: {}, jobTemplate: { spec: { template: {} } } },
};

function cleanPart(part: JsonObject, below: Templates): JsonObject {
  let cleaned = part;
  const put = (key: string, value: Json): void => {
    if (value !== part[key]) cleaned = { ...cleaned, [key]: value };
  };
  const { metadata } = part;
  if (isJsonObject(metadata)) put('metadata', cleanMetadata(metadata));
  for (const [key, inner] of Object.entries(below)) {
    const value = part[key];
    if (isJsonObject(value)) put(key, cleanPart(value, inner));
  }
  return cleaned;
}

function cleanMetadata(metadata: JsonObject): JsonObject {
  const { annotations } = metadata;
  const isApplied = isJsonObject(annotations) && Object.hasOwn(annotations, ofKubectl);
  const isKept = ([key, value]: [string, Json]): boolean =>
    !ofServer.has(key) &&
    !(key === 'creationTimestamp' && value === null) &&
    !(key === 'namespace' && value === '') &&
    !(key === 'annotations' && isApplied && Object.keys(annotations).length === 1);
  const entries = Object.entries(metadata);
  const kept = entries.filter(isKept);
  if (kept.length === entries.length && !isApplied) return metadata;
  const cleaned = Object.fromEntries(kept);
  if (!isApplied || !Object.hasOwn(cleaned, 'annotations')) return cleaned;
  const { [ofKubectl]: _, ...rest } = annotations;
  return { ...cleaned, annotations: rest };
}

/** Contains only zeros, empty strings and `false`, at any depth. */
function isHollow(value: Json): boolean {
  if (isJsonArray(value)) return value.every(isHollow);
  if (isJsonObject(value)) return Object.values(value).every(isHollow);
  return value === null || value === '' || value === false || value === 0;
}
