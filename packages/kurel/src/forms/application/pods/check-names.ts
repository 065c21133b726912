import { checkDns1035Label } from '../../../kube/index.ts';
import type { ComponentInput } from '../catalog/define.ts';
import { podProblems } from './problems.ts';

type NamedInput = Pick<ComponentInput<unknown>, 'name' | 'reportName'>;

/** The name of a Service is a name in DNS, which is stricter than that of a component. */
export function checkServiceName({ name, reportName }: NamedInput, advice = 'give the component another name'): void {
  const reason = checkDns1035Label(name);
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
