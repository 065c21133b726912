import {
  checkDnsLabel,
  checkDnsSubdomain,
  checkPathSegment,
  describeObject,
  gvkOf,
  nameOf,
  namespaceOf,
} from '../../../kube/index.ts';
import { isJsonArray, isJsonObject, valueAt } from '../../../model/index.ts';
import type { Json, JsonObject, KubeObject, Location, Path, Report } from '../../../model/index.ts';
import type { LocateInText } from '../catalog/define.ts';
import type { Field } from '../../../documents/index.ts';
import { readField, textField } from '../../../documents/index.ts';
import { putAt } from '../pods/change-pods.ts';
import { manifestProblems } from './problems.ts';

const open = { type: 'any' } as const satisfies Field;

/** The fields that are read from objects of any kind; the rest is validated later. */
const manifest = {
  type: 'object',
  open,
  properties: {
    metadata: {
      type: 'object',
      description: 'Object with the name of the manifest.',
      required: true,
      open,
      properties: {
        name: { ...textField('filled', 'Name of the object.'), required: true },
        namespace: { type: 'string' },
        labels: { type: 'object', open: { type: 'string' } },
        annotations: { type: 'object', open: { type: 'string' } },
      },
    },
  },
} as const satisfies Field;

export interface Manifest {
  readonly object: KubeObject;
  readonly locate: LocateInText;
}

/** Reports mistakes that no later stage would report, or would misinterpret. */
export function checkManifest({ object, locate }: Manifest, report: Report): void {
  if (readField(manifest, object, { locate, report }) !== undefined) checkNames({ object, locate }, report);
  if (isJsonArray(object['items'])) {
    const args = { object: describeObject(object) };
    report(manifestProblems.create('manifest-items', args, { location: locate(['items']) }));
  }
}

function checkNames({ object, locate }: Manifest, report: Report): void {
  const namespace = namespaceOf(object);
  const reasons = [
    ['name', nameRule(object)(nameOf(object))],
    ['namespace', namespace === '' ? undefined : checkDnsLabel(namespace)],
  ] as const;
  for (const [what, reason] of reasons) {
    if (reason === undefined) continue;
    const args = { what, object: describeObject(object), reason };
    report(manifestProblems.create('manifest-name', args, { location: locate(['metadata', what]) }));
  }
}

const freeGroups: ReadonlySet<string> = new Set(['rbac.authorization.k8s.io', 'apiregistration.k8s.io']);
const freeKinds: ReadonlySet<string> = new Set(['ClusterTrustBundle', 'IPAddress']);

/** Names of roles, addresses and similar objects may contain colons. */
function nameRule(object: KubeObject): (name: string) => string | undefined {
  const isFree = freeGroups.has(gvkOf(object)?.group ?? '') || freeKinds.has(object.kind);
  return isFree ? checkPathSegment : checkDnsSubdomain;
}

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
  return placesOfMetadata.reduce<Json>(
    (cleaned, path) => {
      const metadata = valueAt(object, path);
      const left = isJsonObject(metadata) ? cleanMetadata(metadata) : metadata;
      return left === undefined || left === metadata ? cleaned : putAt(cleaned, path, left);
    },
    isEmpty ? rest : object,
  ) as KubeObject;
}

/** Where objects contain object metadata. */
const placesOfMetadata: readonly Path[] = [
  ['metadata'],
  ['spec', 'template', 'metadata'],
  ['spec', 'jobTemplate', 'metadata'],
  ['spec', 'jobTemplate', 'spec', 'template', 'metadata'],
];

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

/** Points at the key of a non-empty object or list, because its first line shows another field. */
export function aimAt(object: Json, path: Path, at?: Location['at']): Pick<Location, 'at'> {
  if (at === 'key') return { at };
  const value = valueAt(object, path);
  const isFilled = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  return isFilled && typeof path.at(-1) === 'string' ? { at: 'key' } : {};
}
