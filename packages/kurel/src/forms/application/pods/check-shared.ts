import { checkDns1035Label, checkDnsLabel, gvkOf, podSiteOf } from '../../../kube/index.ts';
import { isJsonObject } from '../../../model/index.ts';
import type { JsonObject, KubeObject, Path } from '../../../model/index.ts';
import type { ComponentInput } from '../catalog/define.ts';
import { exclusiveModeOf } from './create-volumes.ts';
import { namesOf, reportObjectName } from './names.ts';
import type { NameProperties } from './names.ts';
import { podProblems } from './problems.ts';
import type { Volume } from './volume-property.ts';

interface Sharing {
  /** The pods that would share the volume: `3 pods`. */
  readonly users: string;
  readonly advice: string;
  readonly input: Pick<ComponentInput<unknown>, 'report' | 'traitsOf'>;
}

/** Several pods cannot share a claim that only one node or pod can mount. */
export function checkShared(volumes: readonly Volume[] = [], { users, advice, input }: Sharing): void {
  for (const [index, volume] of volumes.entries()) {
    const mode = exclusiveModeOf(volume, input.traitsOf);
    if (mode === undefined) continue;
    const diagnostic = podProblems.create('volume-not-shared', { volume: volume.name, mode, users, advice });
    input.report(diagnostic, ['volumes', index, volume.claimName === undefined ? 'accessModes' : 'claimName']);
  }
}

/** The objects with changed pod specs; objects without pods are unchanged. */
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

/** The object with another value at the path. */
export function putAt(mapping: JsonObject, path: Path, value: JsonObject): JsonObject {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  const inner = mapping[step];
  return { ...mapping, [step]: putAt(isJsonObject(inner) ? inner : {}, rest, value) };
}

type NamedInput = Pick<ComponentInput<NameProperties>, 'name' | 'properties' | 'report' | 'reportName'>;

/** A Service name must be a DNS-1035 label, which is stricter than a component name. */
export function checkServiceName(input: NamedInput, advice = 'rename the component'): void {
  const { object: name } = namesOf(input);
  // A name that is not even a DNS label was already reported.
  const reason = checkDnsLabel(name) === undefined ? checkDns1035Label(name) : undefined;
  if (reason === undefined) return;
  const isOverridden = input.properties.nameOverride !== undefined;
  const args = { name, reason, advice: isOverridden ? 'change "nameOverride"' : advice };
  reportObjectName(input, podProblems.create('service-name', args));
}

// Kubernetes appends up to 11 characters, and labels are limited to 63.
const longest = 52;

const reasons = {
  CronJob: 'shorten it: Kubernetes appends a timestamp to the names of its Jobs',
  // The API server accepts a longer name, but then rejects the pods because of their label.
  StatefulSet: 'shorten it: Kubernetes appends a hash to it in a label of its pods',
} as const;

/** Kubernetes appends something to the names of some workloads, which must leave room for it. */
export function checkWorkloadName(kind: keyof typeof reasons, input: NamedInput): void {
  const { object: name } = namesOf(input);
  if (name.length <= longest) return;
  reportObjectName(input, podProblems.create('workload-name', { kind, name, longest, why: reasons[kind] }));
}
