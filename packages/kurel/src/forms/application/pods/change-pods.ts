import { defineProblems, quote } from '../../../diagnostics/index.ts';
import { checkDnsLabel, gvkOf, listAt, podSiteOf, textAt } from '../../../kube/index.ts';
import type { PodSite } from '../../../kube/index.ts';
import { isJsonArray, isJsonObject } from '../../../model/index.ts';
import type { Json, JsonObject, KubeObject, Path } from '../../../model/index.ts';
import type { ReportAt } from '../catalog/define.ts';
import type { Fields } from '../../../documents/index.ts';
import { flagField, textField } from '../../../documents/index.ts';

export const mountProblems = defineProblems(() => ({
  'mount-volume-name': {
    summary: 'The name of a mounted Secret or ConfigMap is not a valid volume name.',
    message: ({ name, reason }: { name: string; reason: string }) =>
      `${quote(name)} is not a valid volume name: it ${reason}`,
    hint: () => 'rename it, or remove "mountPath"',
    fix: 'Rename the Secret or ConfigMap to a DNS label (lower-case letters, digits and hyphens), because its volume has the same name. Or remove mountPath.',
  },
  'mount-volume-taken': {
    summary: 'The pods already have a volume with the name of the mounted Secret or ConfigMap.',
    message: ({ name }: { name: string }) => `duplicate volume ${quote(name)} in the pods`,
    hint: () => 'rename one of them; the volume is named after the Secret or ConfigMap',
    fix: 'Rename the volume of the component, or the Secret or ConfigMap of the trait. The mounted volume has the name of the Secret or ConfigMap.',
  },
  'mount-without-pods': {
    summary: 'A Secret or ConfigMap is mounted into a component without pods of its own.',
    message: ({ property }: { property: string }) =>
      `${quote(property)} has no effect: the component has no pods of its own`,
    hint: () => 'remove it',
    fix: 'Remove mountPath or envFrom from the trait. Components such as helmchart and postgresql have no pod template that kurel can change.',
  },
}));

export function podOf(object: KubeObject): PodSite | undefined {
  const gvk = gvkOf(object);
  return gvk === undefined ? undefined : podSiteOf(object, gvk);
}

/** The objects with changed pod specs; objects without pods are unchanged. */
export function changePods(
  objects: readonly KubeObject[],
  change: (spec: JsonObject) => JsonObject,
): readonly KubeObject[] {
  return objects.map((object) => {
    const pod = podOf(object);
    return pod === undefined ? object : (putAt(object, pod.specPath, change(pod.spec)) as KubeObject);
  });
}

/** The data with another value at the path; objects on the way are created. */
export function putAt(data: Json, path: Path, value: Json): Json {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (isJsonArray(data)) return data.map((item, index) => (index === step ? putAt(item, rest, value) : item));
  const mapping = isJsonObject(data) ? data : {};
  return { ...mapping, [step]: putAt(Object.hasOwn(mapping, step) ? mapping[step]! : {}, rest, value) };
}

/** Properties of traits that make the keys of a Secret or ConfigMap available to the main container. */
export const mountProperties = {
  envFrom: { ...flagField('Whether the main container gets each key as an environment variable.'), default: false },
  mountPath: textField(
    'mount-path',
    'Path in the main container where the keys are mounted as files. Not mounted by default.',
  ),
} as const satisfies Fields;

/** An addition to a pod, visible to its main (first) container. */
export interface PodAddition {
  /** Name of the Secret or ConfigMap, and of the volume. */
  readonly name: string;
  /** Path of the property with the name. */
  readonly namePath: Path;
  /** The mount is without the volume name. */
  readonly volume?: { readonly source: JsonObject; readonly mount: JsonObject } | undefined;
  /** An entry of `envFrom`. */
  readonly envFrom?: JsonObject | undefined;
  readonly report: ReportAt;
}

/** Adds a volume, environment variables or both to the pods of a component; reports conflicts. */
export function addToPods(objects: readonly KubeObject[], addition: PodAddition): readonly KubeObject[] {
  const { name, namePath, volume, report } = addition;
  const reason = volume === undefined ? undefined : checkDnsLabel(name);
  if (reason !== undefined) report(mountProblems.create('mount-volume-name', { name, reason }), namePath);
  let isFound = false;
  const changed = changePods(objects, (spec) => {
    isFound = true;
    return addToPod(spec, addition);
  });
  if (!isFound) {
    const property = volume === undefined ? 'envFrom' : 'mountPath';
    report(mountProblems.create('mount-without-pods', { property }), [property], 'key');
  }
  return changed;
}

function addToPod(spec: JsonObject, addition: PodAddition): JsonObject {
  const { name, volume, envFrom } = addition;
  const [main, ...others] = listAt(spec, 'containers');
  if (!isJsonObject(main)) return spec;
  const container = envFrom === undefined ? main : append(main, 'envFrom', envFrom);
  if (volume === undefined) return { ...spec, containers: [container, ...others] };
  checkName(spec, main, addition);
  const mounted = append(container, 'volumeMounts', { name, ...volume.mount });
  const volumes = [...listAt(spec, 'volumes'), { name, ...volume.source }];
  return { ...spec, containers: [mounted, ...others], volumes };
}

function checkName(spec: JsonObject, main: JsonObject, { name, namePath, report }: PodAddition): void {
  const mounts = listAt(main, 'volumeMounts');
  // Volume claim templates of a StatefulSet appear only in its mounts.
  const isTaken = [...listAt(spec, 'volumes'), ...mounts].some((entry) => textAt(entry, 'name') === name);
  if (isTaken) report(mountProblems.create('mount-volume-taken', { name }), namePath);
}

/** The conventional order of container fields; other fields follow. */
export const containerFields: readonly string[] = [
  'name',
  'image',
  'imagePullPolicy',
  'restartPolicy',
  'command',
  'args',
  'workingDir',
  'ports',
  'env',
  'envFrom',
  'resources',
  'volumeMounts',
  'startupProbe',
  'livenessProbe',
  'readinessProbe',
  'lifecycle',
  'securityContext',
];

/** Adds an item to a list, which follows the fields before it. Other fields keep their order, because it may be that of a manifest. */
function append(container: JsonObject, key: 'envFrom' | 'volumeMounts', item: Json): JsonObject {
  const list = [...listAt(container, key), item];
  const before = containerFields.slice(0, containerFields.indexOf(key));
  return insertEntry(container, [key, list], (name) => !before.includes(name));
}

/** The object with an entry before the first key of those that follow it. */
export function insertEntry(
  mapping: JsonObject,
  [key, value]: readonly [string, Json],
  isAfter: (name: string) => boolean,
): JsonObject {
  const entries = Object.entries(mapping).filter(([name]) => name !== key);
  const end = entries.findIndex(([name]) => isAfter(name));
  return Object.fromEntries(entries.toSpliced(end === -1 ? entries.length : end, 0, [key, value]));
}
