import { checkDns1035Label, checkDnsLabel, gvkOf, podSiteOf } from '../../../kube/index.ts';
import { isJsonObject } from '../../../model/index.ts';
import type { JsonObject, KubeObject, Path } from '../../../model/index.ts';
import type { ComponentInput, ReportAt } from '../catalog/define.ts';
import { exclusiveMode } from './create-volumes.ts';
import { podProblems } from './problems.ts';
import type { Volume } from './volume-property.ts';

interface Sharing {
  /** Who would share a volume: `3 pods`. */
  readonly users: string;
  /** What to do instead. */
  readonly advice: string;
  readonly report: ReportAt;
}

/** A claim that one node or one pod at a time may mount is none of several pods. */
export function checkShared(volumes: readonly Volume[] = [], { users, advice, report }: Sharing): void {
  for (const [index, { name, type, accessModes }] of volumes.entries()) {
    const mode = type === 'pvc' ? exclusiveMode(accessModes) : undefined;
    if (mode === undefined) continue;
    const diagnostic = podProblems.create('volume-not-shared', { volume: name, mode, users, advice });
    report(diagnostic, ['volumes', index, 'accessModes']);
  }
}

/** The objects with the specs of their pods changed; those without pods stay as they are. */
export function changePods(
  objects: readonly KubeObject[],
  change: (spec: JsonObject) => JsonObject,
): readonly KubeObject[] {
  return objects.map((object) => {
    const gvk = gvkOf(object);
    const pod = gvk === undefined ? undefined : podSiteOf(object, gvk);
    return pod === undefined ? object : (putAt(object, pod.specPath, change(pod.spec)) as KubeObject);
  });
}

function putAt(mapping: JsonObject, path: Path, value: JsonObject): JsonObject {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  const inner = mapping[step];
  return { ...mapping, [step]: putAt(isJsonObject(inner) ? inner : {}, rest, value) };
}

type NamedInput = Pick<ComponentInput<unknown>, 'name' | 'reportName'>;

/** The name of a Service is a name in DNS, which is stricter than that of a component. */
export function checkServiceName({ name, reportName }: NamedInput, advice = 'give the component another name'): void {
  // A name that no component may have has been reported already.
  const reason = checkDnsLabel(name) === undefined ? checkDns1035Label(name) : undefined;
  if (reason !== undefined) reportName(podProblems.create('service-name', { name, reason, advice }));
}

// Both leave 11 of the 63 characters that a label may have to what is put behind the name.
const longest = 52;

const reasons = {
  CronJob: 'the names of its jobs are made of it and the time',
  // The API server takes it, and then no pod can be made, whose label is the name and a hash.
  StatefulSet: 'a label of its pods is made of it and a hash',
} as const;

/** Kubernetes puts something behind the names of some workloads, for which there must be room. */
export function checkWorkloadName(kind: keyof typeof reasons, { name, reportName }: NamedInput): void {
  if (name.length <= longest) return;
  reportName(podProblems.create('workload-name', { kind, name, longest, why: reasons[kind] }));
}
