import { getOrAdd } from '../budget/index.ts';
import { quote } from '../diagnostics/index.ts';
import {
  eachReference,
  installPhaseOf,
  installPhases,
  isOfKind,
  labelSelectorFromObject,
  listAt,
  mappingAt,
  podLabels,
  textAt,
  textEntries,
  waitForReadyOf,
} from '../kube/index.ts';
import type { ObjectReference } from '../kube/index.ts';
import type { JsonObject, KubeObject, ObjectName, Path } from '../model/index.ts';
import type { PackageCheck, Subject } from './object-table.ts';

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
    const referred = check.table.find(target);
    if (referred === undefined) reportMissing({ object, path: reference.path(), target }, check);
    else {
      checkKeys(reference, { object, target, referred }, check);
      if (pod !== undefined) checkPhase(reference, { object, target, referred }, check);
    }
  });
}

interface Followed {
  /** The object with the reference. */
  readonly object: KubeObject;
  readonly target: ObjectName;
  /** The target, or the object from which a controller creates it. */
  readonly referred: KubeObject;
}

/** A phase that waits for pods never ends if they need something of a later phase. */
function checkPhase(
  { path }: ObjectReference,
  { object, target, referred }: Followed,
  { findings }: PackageCheck,
): void {
  const isWaitedFor = waitForReadyOf(object) === true || isOfKind(object, { group: 'batch', kind: 'Job' });
  const [phase, later] = [installPhaseOf(object), installPhaseOf(referred)];
  // An invalid phase is reported elsewhere.
  if (!isWaitedFor || phase === undefined || later === undefined) return;
  if (installPhases.indexOf(later) <= installPhases.indexOf(phase)) return;
  const related = [{ message: `the ${target.kind} is here`, object: referred, path: ['metadata', 'name'] }];
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

function targetOf(reference: ObjectReference, home: string): ObjectName | undefined {
  const { kind, name, isOptional, path, group: scaledGroup = 'apps', namespace = home } = reference;
  if (isOptional) return undefined;
  // A binding also names users and groups, which are not objects.
  const group = groups.get(kind) ?? (path().includes('scaleTargetRef') ? scaledGroup : undefined);
  if (group === undefined) return undefined;
  return { group, kind, namespace: kind === 'ClusterRole' ? '' : namespace, name };
}

/** Roles that the API server creates in kube-system; its aggregated API servers bind the first. */
const systemRoles = /^(?:extension-apiserver-authentication-reader|system:.*)$/;

const clusterRoles = /^(?:admin|cluster-admin|edit|view|system:.*)$/;

/** Objects that every cluster creates, in each namespace or in the `kube-` namespaces. */
function isAlwaysThere({ kind, namespace, name }: ObjectName): boolean {
  if (kind === 'ConfigMap') return name === 'kube-root-ca.crt';
  if (kind === 'Role') return namespace.startsWith('kube-') && systemRoles.test(name);
  if (kind === 'ClusterRole') return clusterRoles.test(name);
  return kind === 'ServiceAccount' && (name === 'default' || namespace.startsWith('kube-'));
}

const labelTexts = new WeakMap<JsonObject, Readonly<Record<string, string>>>();

function checkBudget({ object, namespace }: Subject, check: PackageCheck): void {
  const selector = mappingAt(mappingAt(object, 'spec'), 'selector');
  const read =
    selector === undefined || Object.keys(selector).length === 0 ? undefined : labelSelectorFromObject(selector);
  if (read === undefined || typeof read === 'string') return;
  const labels = Object.entries(textEntries(mappingAt(selector, 'matchLabels')));
  const pods = check.table.podsWith(namespace, labels);
  // Cached because every budget may be matched against every pod.
  const textsOf = (own: JsonObject): Readonly<Record<string, string>> =>
    getOrAdd(labelTexts, own, () => textEntries(own));
  if (pods.some((pod) => read.matches(textsOf(podLabels(pod))))) return;
  check.findings.add(object, { path: ['spec', 'selector'], at: 'key' }, [
    'selector-without-pods',
    { selector: read.toString(), near: undefined },
  ]);
}

/** Kinds that Jobs and controllers commonly create. */
const createdByPrograms: ReadonlySet<string> = new Set(['ConfigMap', 'Secret']);

type Dangling = Pick<Followed, 'object' | 'target'> & { readonly path: Path };

/** Reports a reference to an object that does not exist. */
export function reportMissing({ object, path, target }: Dangling, check: PackageCheck): undefined {
  const { table, findings } = check;
  if (target.name === '') return;
  const creator = createdByPrograms.has(target.kind) ? check.findNaming(target.name, object) : undefined;
  if (creator !== undefined) {
    findings.add(object, { path }, ['reference-created-later', { target: describeTarget(target), creator }]);
    return;
  }
  findings.add(object, { path }, [
    'reference-missing',
    { target: describeTarget(target), name: target.name, candidates: () => table.names(target) },
  ]);
}

/** `Secret "web" in namespace "prod"` */
function describeTarget({ kind, name, namespace }: ObjectName): string {
  return `${kind} ${quote(name)}${namespace === '' ? '' : ` in namespace ${quote(namespace)}`}`;
}

/** A reference to a key of a ConfigMap or Secret. */
interface KeyUse {
  readonly key: string;
  /** Path of the key, from the parent of the name. */
  readonly steps: Path;
}

/** Checks the keys of a reference: without them a pod does not start. */
function checkKeys(reference: ObjectReference, { object, target, referred }: Followed, check: PackageCheck): void {
  const uses = listUses(reference.holder);
  const keys = new Set(uses.length === 0 ? [] : listKeys(referred));
  if (keys.size === 0) return;
  for (const { key, steps } of uses) {
    if (keys.has(key)) continue;
    const related = [{ message: 'it is here', object: referred, path: ['metadata', 'name'] }];
    check.findings.add(object, { path: [...reference.path().slice(0, -1), ...steps], related }, [
      'reference-key-missing',
      { target: describeTarget(target), key, keys: [...keys] },
    ]);
  }
}

/** The key of a variable, or the keys that become files of a volume. */
function listUses(holder: JsonObject): readonly KeyUse[] {
  const key = textAt(holder, 'key');
  const own: readonly KeyUse[] = key === undefined ? [] : [{ key, steps: ['key'] }];
  const items = listAt(holder, 'items').flatMap((item, index): KeyUse[] => {
    const name = textAt(item, 'key');
    return name === undefined ? [] : [{ key: name, steps: ['items', index, 'key'] }];
  });
  return items.length === 0 ? own : own.concat(items);
}

/** Empty if the keys are not known: a controller most likely fills an object without keys. */
function listKeys(object: KubeObject): readonly string[] {
  const spec = mappingAt(object, 'spec');
  switch (object.kind) {
    case 'ConfigMap':
      return [...namesIn(object, 'data'), ...namesIn(object, 'binaryData')];
    case 'Secret':
      // The token controller of the cluster fills these.
      if (object['type'] === 'kubernetes.io/service-account-token') return [];
      return [...namesIn(object, 'data'), ...namesIn(object, 'stringData')];
    case 'SealedSecret':
      return [...namesIn(spec, 'encryptedData'), ...namesIn(mappingAt(spec, 'template'), 'data')];
    case 'ExternalSecret':
      return externalKeys(spec);
    default:
      return [];
  }
}

/** The keys that an ExternalSecret writes; empty if they depend on the provider or on an existing Secret. */
function externalKeys(spec: JsonObject | undefined): readonly string[] {
  const target = mappingAt(spec, 'target');
  const template = mappingAt(target, 'template');
  const policy = textAt(target, 'creationPolicy') ?? 'Owner';
  const isOpen = listAt(spec, 'dataFrom').length > 0 || listAt(template, 'templateFrom').length > 0;
  if (isOpen || policy === 'Merge' || policy === 'None') return [];
  const written = namesIn(template, 'data');
  const fetched = listAt(spec, 'data').flatMap((entry) => textAt(entry, 'secretKey') ?? []);
  // A template replaces the fetched keys, unless the policy merges both.
  if (written.length > 0 && textAt(template, 'mergePolicy') !== 'Merge') return written;
  return [...fetched, ...written];
}

function namesIn(holder: JsonObject | undefined, field: string): readonly string[] {
  return Object.keys(mappingAt(holder, field) ?? {});
}
