import { defineProblems, quote } from '../../../diagnostics/index.ts';
import { checkDnsLabel, listAt, textAt } from '../../../kube/index.ts';
import { isJsonObject } from '../../../model/index.ts';
import type { Json, JsonObject, KubeObject, Path } from '../../../model/index.ts';
import type { ReportAt } from '../catalog/define.ts';
import { changePods } from './check-shared.ts';
import { podProblems } from './problems.ts';

/** What keeps a Secret or ConfigMap out of the pods of a component. */
export const mountProblems = defineProblems({
  'mount-volume-name': {
    severity: 'error',
    summary: 'A volume has the name of what is mounted, which is no name for a volume.',
    message: ({ name, reason }: { name: string; reason: string }) =>
      `the volume that is mounted would be called ${quote(name)}, which ${reason}`,
    hint: () => 'give it another name, or take "mountPath" out',
  },
  'mount-volume-taken': {
    severity: 'error',
    summary: 'A pod has a volume of this name already.',
    message: ({ name }: { name: string }) => `the pods have a volume called ${quote(name)} already`,
    hint: () => 'a volume has the name of what is mounted: give one of the two another name',
  },
  'mount-without-pods': {
    severity: 'error',
    summary: 'Something is to be put into the pods of a component that has none of its own.',
    message: ({ property }: { property: string }) =>
      `${quote(property)} has no effect: the component has no pods of its own`,
    hint: () => 'take it out',
  },
});

/** What a pod gets; its main container, which is the first, is the one that sees it. */
export interface PodAddition {
  /** Of the Secret or ConfigMap, and so of the volume. */
  readonly name: string;
  /** Of the property that says the name. */
  readonly namePath: Path;
  readonly volume?: VolumeAddition | undefined;
  /** An entry of `envFrom`. */
  readonly envFrom?: JsonObject | undefined;
  readonly report: ReportAt;
}

interface VolumeAddition {
  readonly source: JsonObject;
  /** All but the name of the volume. */
  readonly mount: JsonObject;
}

/** Puts a volume, variables or both into the pods of a component. What is in the way is reported. */
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
  let container = main;
  if (envFrom !== undefined) container = append(container, { key: 'envFrom', item: envFrom, before: beforeEnvFrom });
  if (volume === undefined) return { ...spec, containers: [container, ...others] };
  checkPlace(spec, main, addition);
  const mount = { name, ...volume.mount };
  container = append(container, { key: 'volumeMounts', item: mount, before: beforeMounts });
  const volumes = [...listAt(spec, 'volumes'), { name, ...volume.source }];
  return { ...spec, containers: [container, ...others], volumes };
}

function checkPlace(spec: JsonObject, main: JsonObject, { name, namePath, volume, report }: PodAddition): void {
  const mounts = listAt(main, 'volumeMounts');
  // The claims of a StatefulSet are volumes that only their mounts tell of.
  const isTaken = [...listAt(spec, 'volumes'), ...mounts].some((one) => textAt(one, 'name') === name);
  if (isTaken) report(mountProblems.create('mount-volume-taken', { name }), namePath);
  const mountPath = textAt(volume?.mount, 'mountPath') ?? '';
  const other = mounts.find((one) => normalise(textAt(one, 'mountPath') ?? '') === normalise(mountPath));
  if (other === undefined || isTaken) return;
  const args = { volume: name, other: textAt(other, 'name') ?? '', mountPath };
  report(podProblems.create('volume-mount-taken', args), ['mountPath']);
}

/** The same place is the same however many slashes are in its path. */
function normalise(path: string): string {
  return path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}

const beforeEnvFrom = ['name', 'image', 'imagePullPolicy', 'command', 'args', 'workingDir', 'ports', 'env'];
const beforeMounts = [...beforeEnvFrom, 'envFrom', 'resources'];

interface Appended {
  readonly key: string;
  readonly item: Json;
  /** Keys that the list comes behind, so that a container reads as one that was written by hand. */
  readonly before: readonly string[];
}

function append(container: JsonObject, { key, item, before }: Appended): JsonObject {
  const list = [...listAt(container, key), item];
  const entries = Object.entries(container).filter(([name]) => name !== key);
  const end = entries.findIndex(([name]) => !before.includes(name));
  return Object.fromEntries(entries.toSpliced(end === -1 ? entries.length : end, 0, [key, list]));
}
