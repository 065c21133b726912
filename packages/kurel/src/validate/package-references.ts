import { eachReference, mappingAt, podLabels } from '../kube/index.ts';
import type { ObjectReference } from '../kube/index.ts';
import type { JsonObject } from '../model/index.ts';
import { followReference } from './follow-reference.ts';
import type { PackageCheck, Target } from './object-table.ts';
import { checkOperatorReferences } from './operator-references.ts';
import { checkKeys } from './reference-keys.ts';
import type { Subject } from './subject.ts';
import { readSelector, textsOf } from './kinds/check-workloads.ts';

type Labels = Readonly<Record<string, string>>;

/** Kinds without pods whose references are followed. By kind, as no two groups here have a kind of the same name. */
const followed: ReadonlyMap<string, string> = new Map([
  ['HorizontalPodAutoscaler', 'autoscaling'],
  ['RoleBinding', 'rbac.authorization.k8s.io'],
  ['ClusterRoleBinding', 'rbac.authorization.k8s.io'],
]);

/** What pods need in order to start, what is scaled, and what bindings are about. */
export function checkReferences(subject: Subject, check: PackageCheck): void {
  const { object, gvk, namespace, pod } = subject;
  if (gvk.kind === 'PodDisruptionBudget' && gvk.group === 'policy') checkBudget(subject, check);
  checkOperatorReferences(subject, check);
  if (pod === undefined && followed.get(gvk.kind) !== gvk.group) return;
  eachReference(object, (reference) => {
    // A binding without a namespace has to name that of an account, which is another finding.
    const isHomeless = gvk.kind === 'ClusterRoleBinding' && reference.namespace === undefined;
    if (isHomeless && reference.kind === 'ServiceAccount') return;
    const target = targetOf(reference, namespace);
    // The path is only needed when something is missing, which is rare.
    if (target === undefined || isAlwaysThere(target)) return;
    const found = check.table.find(target);
    if (found === undefined) followReference({ object, path: reference.path(), target }, check);
    else checkKeys(reference, { object, target, found }, check);
  });
}

/** Groups of kinds that a package has itself. Other kinds, such as PriorityClass, are most likely in the cluster. */
const groups: ReadonlyMap<string, string> = new Map([
  ['ConfigMap', ''],
  ['PersistentVolumeClaim', ''],
  ['Secret', ''],
  ['Service', ''],
  ['ServiceAccount', ''],
  ['Role', 'rbac.authorization.k8s.io'],
  ['ClusterRole', 'rbac.authorization.k8s.io'],
]);

function targetOf(reference: ObjectReference, home: string): Target | undefined {
  const { kind, name, isOptional, namespace = home } = reference;
  // A binding names users and groups, too, which are no objects.
  const isScaled = reference.path().includes('scaleTargetRef');
  const group = groups.get(kind) ?? (isScaled ? (reference.group ?? 'apps') : undefined);
  if (isOptional || group === undefined) return undefined;
  return { group, kind, namespace: kind === 'ClusterRole' ? '' : namespace, name };
}

const clusterRoles = /^(?:admin|cluster-admin|edit|view|system:.*)$/;

/** Made by every cluster: some for each namespace, and the accounts of Kubernetes' own namespaces. */
function isAlwaysThere({ kind, namespace, name }: Target): boolean {
  if (kind === 'ConfigMap') return name === 'kube-root-ca.crt';
  if (kind === 'ClusterRole') return clusterRoles.test(name);
  return kind === 'ServiceAccount' && (name === 'default' || namespace.startsWith('kube-'));
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
