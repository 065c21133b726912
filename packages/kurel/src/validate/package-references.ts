import { listAt, mappingAt, parseApiVersion, podLabels, textAt } from '../kube/index.ts';
import type { JsonObject } from '../model/index.ts';
import { followReference } from './follow-reference.ts';
import type { PackageCheck } from './object-table.ts';
import type { Subject } from './subject.ts';
import { readSelector, textsOf } from './kinds/check-workloads.ts';

type Labels = Readonly<Record<string, string>>;
type Check = (subject: Subject, check: PackageCheck) => void;

/** By kind, as no two groups here have a kind of the same name. */
const checks = new Map<string, { readonly group: string; readonly check: Check }>([
  ['StatefulSet', { group: 'apps', check: checkServiceName }],
  ['HorizontalPodAutoscaler', { group: 'autoscaling', check: checkScaleTarget }],
  ['PodDisruptionBudget', { group: 'policy', check: checkBudget }],
  ['RoleBinding', { group: 'rbac.authorization.k8s.io', check: checkBinding }],
  ['ClusterRoleBinding', { group: 'rbac.authorization.k8s.io', check: checkBinding }],
]);

/** References of objects that are not pods. */
export function checkReferences(subject: Subject, check: PackageCheck): void {
  const own = checks.get(subject.gvk.kind);
  if (own?.group === subject.gvk.group) own.check(subject, check);
}

function checkServiceName({ object, namespace }: Subject, check: PackageCheck): void {
  const name = textAt(mappingAt(object, 'spec'), 'serviceName') ?? '';
  followReference(
    { object, path: ['spec', 'serviceName'], target: { group: '', kind: 'Service', namespace, name } },
    check,
  );
}

function checkScaleTarget({ object, namespace }: Subject, check: PackageCheck): void {
  const reference = mappingAt(mappingAt(object, 'spec'), 'scaleTargetRef');
  const [kind, name] = [textAt(reference, 'kind'), textAt(reference, 'name')];
  const group = parseApiVersion(textAt(reference, 'apiVersion') ?? 'apps/v1')?.group;
  if (kind === undefined || name === undefined || group === undefined) return;
  followReference(
    { object, path: ['spec', 'scaleTargetRef', 'name'], target: { group, kind, namespace, name } },
    check,
  );
}

const texts = new WeakMap<JsonObject, Labels>();

/** Every budget may ask every pod. */
function labelTexts(labels: JsonObject): Labels {
  const made = texts.get(labels) ?? textsOf(labels);
  texts.set(labels, made);
  return made;
}

function checkBudget({ object, namespace }: Subject, check: PackageCheck): void {
  const selector = mappingAt(mappingAt(object, 'spec'), 'selector');
  const read = selector === undefined || Object.keys(selector).length === 0 ? undefined : readSelector(selector);
  if (read === undefined || typeof read === 'string') return;
  const labels = Object.entries(textsOf(mappingAt(selector, 'matchLabels') ?? {}));
  const pods = check.table.podsWith(namespace, labels);
  if (pods.some((pod) => read.matches(labelTexts(podLabels(pod))))) return;
  check.findings.add(object, { path: ['spec', 'selector'], at: 'key' }, [
    'selector-without-pods',
    { selector: read.toString(), near: undefined },
  ]);
}

const clusterRoles = /^(?:admin|cluster-admin|edit|view|system:.*)$/;

function checkBinding({ object, namespace }: Subject, check: PackageCheck): void {
  const role = mappingAt(object, 'roleRef');
  const [kind, name] = [textAt(role, 'kind'), textAt(role, 'name')];
  // Every cluster has some roles of its own.
  const isKnown = kind === 'ClusterRole' && clusterRoles.test(name ?? '');
  if ((kind === 'Role' || kind === 'ClusterRole') && name !== undefined && !isKnown) {
    const target = { group: 'rbac.authorization.k8s.io', kind, namespace: kind === 'Role' ? namespace : '', name };
    followReference({ object, path: ['roleRef', 'name'], target }, check);
  }
  listAt(object, 'subjects').forEach((subject, index) => {
    const account = textAt(subject, 'name');
    if (textAt(subject, 'kind') !== 'ServiceAccount' || account === undefined || account === 'default') return;
    // Without one, that of the binding is meant; a binding without one has been reported.
    const home = textAt(subject, 'namespace') ?? (object.kind === 'RoleBinding' ? namespace : undefined);
    // Accounts of Kubernetes' own namespaces come with the cluster.
    if (home === undefined || home.startsWith('kube-')) return;
    const target = { group: '', kind: 'ServiceAccount', namespace: home, name: account };
    followReference({ object, path: ['subjects', index, 'name'], target }, check);
  });
}
