import { describeObject, mappingAt } from '../kube/index.ts';
import type { PackageCheck } from './object-table.ts';
import type { Subject } from './subject.ts';

/** What a cluster takes as it is, and what the author of a package most likely did not mean. */
export function checkAdvice(subject: Subject, check: PackageCheck): void {
  if (subject.gvk.group !== '') return;
  const { kind } = subject.gvk;
  if (kind === 'ConfigMap') checkData(subject, check, ['data', 'binaryData']);
  else if (kind === 'Secret') checkSecret(subject, check);
  else if (kind === 'Service') checkSelector(subject, check);
}

function checkSecret(subject: Subject, check: PackageCheck): void {
  const { object } = subject;
  // A controller of the cluster fills these.
  if (object['type'] === 'kubernetes.io/service-account-token') return;
  checkData(subject, check, ['data', 'stringData']);
  if (!isFilled(subject, 'stringData')) return;
  check.findings.add(object, { path: ['stringData'], at: 'key' }, [
    'secret-in-clear',
    { object: describeObject(object) },
  ]);
}

function checkData(subject: Subject, { findings }: PackageCheck, fields: readonly string[]): void {
  const { object } = subject;
  if (fields.some((field) => isFilled(subject, field))) return;
  findings.add(object, { path: ['metadata', 'name'] }, ['data-missing', { object: describeObject(object), fields }]);
}

function isFilled({ object }: Subject, field: string): boolean {
  return Object.keys(mappingAt(object, field) ?? {}).length > 0;
}

function checkSelector({ object }: Subject, { findings }: PackageCheck): void {
  const spec = mappingAt(object, 'spec');
  if (spec === undefined || spec['type'] === 'ExternalName') return;
  if (Object.keys(mappingAt(spec, 'selector') ?? {}).length > 0) return;
  findings.add(object, { path: ['spec'], at: 'key' }, ['service-without-selector', { object: describeObject(object) }]);
}
