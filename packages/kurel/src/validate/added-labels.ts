import { mappingAt, nameOf, numberAt } from '../kube/index.ts';
import type { PodSite } from '../kube/index.ts';

type IsAdded = (pod: PodSite, value: string) => boolean;

const hasAnyValue: IsAdded = () => true;

/** Labels that the controller of a workload adds to its pods, by kind. No pod template contains them. */
const addedLabels: ReadonlyMap<string, ReadonlyMap<string, IsAdded>> = new Map([
  [
    'StatefulSet',
    new Map<string, IsAdded>([
      ['statefulset.kubernetes.io/pod-name', isNameOfReplica],
      ['apps.kubernetes.io/pod-index', isOrdinal],
      ['controller-revision-hash', hasAnyValue],
    ]),
  ],
  [
    'DaemonSet',
    new Map([
      ['controller-revision-hash', hasAnyValue],
      ['pod-template-generation', hasAnyValue],
    ]),
  ],
  ['Deployment', new Map([['pod-template-hash', hasAnyValue]])],
  [
    'Job',
    new Map<string, IsAdded>([
      ['batch.kubernetes.io/job-name', isNameOfJob],
      ['job-name', isNameOfJob],
      ['batch.kubernetes.io/controller-uid', hasAnyValue],
      ['controller-uid', hasAnyValue],
      ['batch.kubernetes.io/job-completion-index', hasAnyValue],
    ]),
  ],
]);

const allAdded: ReadonlySet<string> = new Set([...addedLabels.values()].flatMap((labels) => Array.from(labels.keys())));

/** Whether a controller of some kind adds the label, so that it is not in the index of pod templates. */
export function isAddedLabel(key: string): boolean {
  return allAdded.has(key);
}

/** Whether the pods of the workload get the label from its controller. */
export function addsLabel(pod: PodSite, key: string, value: string): boolean {
  return addedLabels.get(pod.gvk.kind)?.get(key)?.(pod, value) === true;
}

function isNameOfReplica(pod: PodSite, value: string): boolean {
  const prefix = `${nameOf(pod.object)}-`;
  return value.startsWith(prefix) && isOrdinal(pod, value.slice(prefix.length));
}

/** Without `replicas`, an autoscaler may set any number. */
function isOrdinal({ object }: PodSite, value: string): boolean {
  if (!/^(?:0|[1-9]\d*)$/.test(value)) return false;
  const spec = mappingAt(object, 'spec');
  const start = numberAt(mappingAt(spec, 'ordinals'), 'start') ?? 0;
  const replicas = numberAt(spec, 'replicas');
  const ordinal = Number(value);
  return ordinal >= start && (replicas === undefined || ordinal < start + replicas);
}

function isNameOfJob({ object }: PodSite, value: string): boolean {
  return nameOf(object) === value;
}
