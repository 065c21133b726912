import {
  eachReference,
  installPhaseOf,
  installPhases,
  isOfKind,
  mappingAt,
  podLabels,
  waitForReadyOf,
} from '../kube/index.ts';
import type { ObjectReference } from '../kube/index.ts';
import type { JsonObject, KubeObject, Path } from '../model/index.ts';
import { describeTarget, followReference } from './follow-reference.ts';
import type { PackageCheck, Target } from './object-table.ts';
import { checkKeys } from './reference-keys.ts';
import type { Subject } from './subject.ts';
import { readSelector, textsOf } from './kinds/check-workloads.ts';

type Labels = Readonly<Record<string, string>>;

/** Kinds without pods whose references are checked, with their group. */
const followed: ReadonlyMap<string, string> = new Map([
  ['HorizontalPodAutoscaler', 'autoscaling'],
  ['RoleBinding', 'rbac.authorization.k8s.io'],
  ['ClusterRoleBinding', 'rbac.authorization.k8s.io'],
  ['Cluster', 'postgresql.cnpg.io'],
  ['ObjectStore', 'barmancloud.cnpg.io'],
  ['Pooler', 'postgresql.cnpg.io'],
  ['ReplicationSource', 'volsync.backube'],
  ['ReplicationDestination', 'volsync.backube'],
]);

/** Checks references of pods, databases, backups, scale targets, and roles and subjects of bindings. */
export function checkReferences(subject: Subject, check: PackageCheck): void {
  const { object, gvk, namespace, pod } = subject;
  if (gvk.kind === 'PodDisruptionBudget' && gvk.group === 'policy') checkBudget(subject, check);
  if (pod === undefined && followed.get(gvk.kind) !== gvk.group) return;
  eachReference(object, (reference) => {
    // `field-required` reports the missing namespace of a ServiceAccount in a ClusterRoleBinding.
    const isHomeless = gvk.kind === 'ClusterRoleBinding' && reference.namespace === undefined;
    if (isHomeless && reference.kind === 'ServiceAccount') return;
    const target = targetOf(reference, namespace);
    // The path is built only when something is missing, which is rare.
    if (target === undefined || isAlwaysThere(target)) return;
    const found = check.table.find(target);
    if (found === undefined) followReference({ object, path: reference.path(), target }, check);
    else {
      checkKeys(reference, { object, target, found }, check);
      if (pod !== undefined) checkPhase({ object, found, target, path: reference.path }, check);
    }
  });
}

interface PhasedReference {
  readonly object: KubeObject;
  readonly found: KubeObject;
  readonly target: Target;
  readonly path: () => Path;
}

/** A phase that waits for pods never ends if they need something of a later phase. */
function checkPhase({ object, found, target, path }: PhasedReference, { findings }: PackageCheck): void {
  const isWaitedFor = waitForReadyOf(object) === true || isOfKind(object, { group: 'batch', kind: 'Job' });
  const [phase, later] = [installPhaseOf(object), installPhaseOf(found)];
  // An invalid phase is reported elsewhere.
  if (!isWaitedFor || phase === undefined || later === undefined) return;
  if (installPhases.indexOf(later) <= installPhases.indexOf(phase)) return;
  const related = [{ message: `the ${target.kind} is here`, object: found, path: ['metadata', 'name'] }];
  const args = { target: describeTarget(target), kind: object.kind, phase, later };
  findings.add(object, { path: path(), related }, ['reference-later-phase', args]);
}

/** Kinds that packages usually contain, with their group. Other kinds, such as PriorityClass, are most likely in the cluster. */
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
  if (isOptional) return undefined;
  // A binding also names users and groups, which are not objects.
  const group = groups.get(kind) ?? scaledGroup(reference);
  if (group === undefined) return undefined;
  return { group, kind, namespace: kind === 'ClusterRole' ? '' : namespace, name };
}

function scaledGroup({ path, group = 'apps' }: ObjectReference): string | undefined {
  return path().includes('scaleTargetRef') ? group : undefined;
}

/** Roles that the API server creates in kube-system; its aggregated API servers bind the first. */
const systemRoles = /^(?:extension-apiserver-authentication-reader|system:.*)$/;

const clusterRoles = /^(?:admin|cluster-admin|edit|view|system:.*)$/;

/** Objects that every cluster creates, in each namespace or in the `kube-` namespaces. */
function isAlwaysThere({ kind, namespace, name }: Target): boolean {
  if (kind === 'ConfigMap') return name === 'kube-root-ca.crt';
  if (kind === 'Role') return namespace.startsWith('kube-') && systemRoles.test(name);
  if (kind === 'ClusterRole') return clusterRoles.test(name);
  return kind === 'ServiceAccount' && (name === 'default' || namespace.startsWith('kube-'));
}

const texts = new WeakMap<JsonObject, Labels>();

/** Cached because every budget may be matched against every pod. */
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
