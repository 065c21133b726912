import { getOrAdd } from '../budget/index.ts';
import { gvkOf, listAt, nameOf, namespaceOf } from '../kube/index.ts';
import { canonicalJson, compareText, isJsonArray, isJsonObject, valueAt } from '../model/index.ts';
import type { Json, KubeObject } from '../model/index.ts';
import { formatChangedField, objectOf } from './difference.ts';
import type { FieldChange, ObjectDifference, ObjectsDifference } from './difference.ts';

/** Why a reviewer should look twice at a change. */
export type Risk =
  | 'selector'
  | 'immutable'
  | 'data-loss'
  | 'crd-removed'
  | 'namespace'
  | 'wider-access'
  | 'scaled-to-zero'
  | 'pruning';

export const riskWords: Readonly<Record<Risk, string>> = {
  selector: 'changes which pods are selected',
  immutable: 'cannot be changed in place: the object must be recreated',
  'data-loss': 'may delete data',
  'crd-removed': 'deletes all objects of this kind',
  namespace: 'moves or removes a whole namespace',
  'wider-access': 'grants more access',
  'scaled-to-zero': 'stops all pods',
  pruning: 'a controller that prunes may delete what it has applied',
};

/** Objects that make a controller apply others, with the fields that decide which ones and where. */
const deliveries: Readonly<Record<string, RegExp>> = {
  'Kustomization.kustomize.toolkit.fluxcd.io': /^spec\.(?:path|prune|sourceRef|targetNamespace|kubeConfig)\b/,
  'HelmRelease.helm.toolkit.fluxcd.io': /^spec\.(?:releaseName|targetNamespace|storageNamespace|kubeConfig)\b/,
  'Application.argoproj.io': /^spec\.(?:destination\b|sources?\b(?:\[.*?\])?(?:\.(?:repoURL|path|chart)\b|$))/,
  'ApplicationSet.argoproj.io': /^spec\.generators\b/,
};

function deliveryOf(object: KubeObject): RegExp | undefined {
  return deliveries[`${object.kind}.${gvkOf(object)?.group ?? ''}`];
}

/** Fields that the API server does not allow to change, by kind; a pattern matches the field and everything below it. */
const immutableFields: Readonly<Record<string, RegExp>> = {
  StatefulSet: /^spec\.(?:selector|serviceName|podManagementPolicy|volumeClaimTemplates)\b/,
  Deployment: /^spec\.selector\b/,
  DaemonSet: /^spec\.selector\b/,
  ReplicaSet: /^spec\.selector\b/,
  Job: /^spec\.(?:template|selector|completionMode|podFailurePolicy|manualSelector)\b/,
  Service: /^spec\.(?:clusterIPs?)\b/,
  PersistentVolumeClaim: /^spec\.(?!resources\b)/,
  PersistentVolume: /^spec\.(?:csi|nfs|hostPath|local|nodeAffinity|volumeMode)\b/,
  StorageClass: /^(?:provisioner|parameters|reclaimPolicy|volumeBindingMode)\b/,
  RoleBinding: /^roleRef\b/,
  ClusterRoleBinding: /^roleRef\b/,
  IngressClass: /^spec\.controller\b/,
  Secret: /^type\b/,
};

/** Selectors of an object itself, such as those of a NetworkPolicy; pod templates only select where pods may run. */
const selectors = /^spec\.(?!template\b|jobTemplate\b|affinity\b)(?:.*\.)?(?:selector|podSelector|namespaceSelector)\b/;

/** The risk of a whole object being added or removed. */
export function riskOfObject(difference: ObjectDifference): Risk | undefined {
  if (difference.operation === 'remove') {
    const { kind } = difference.before;
    if (kind === 'CustomResourceDefinition') return 'crd-removed';
    if (kind === 'Namespace') return 'namespace';
    if (deliveryOf(difference.before) !== undefined) return 'pruning';
    return kind === 'PersistentVolumeClaim' || kind === 'PersistentVolume' || kind === 'StatefulSet'
      ? 'data-loss'
      : undefined;
  }
  if (difference.operation === 'add') return grantsAccess(difference.after) ? 'wider-access' : undefined;
  return undefined;
}

/** The risk of one field of an object that changes. */
export function riskOfChange(
  object: KubeObject & { readonly immutable?: Json },
  change: FieldChange,
): Risk | undefined {
  const { kind } = object;
  const field = formatChangedField(change.path);
  if (field === 'metadata.namespace') return 'namespace';
  if (immutableFields[kind]?.test(field) === true && !isWithoutEffect(field, change)) return 'immutable';
  if (object.immutable === true && /^(?:data|binaryData|stringData)\b/.test(field)) return 'immutable';
  if (selectors.test(field) && kind !== 'CustomResourceDefinition') return 'selector';
  if (field === 'spec.replicas' && change.after === 0) return 'scaled-to-zero';
  if (deliveryOf(object)?.test(field) === true && change.after !== false) return 'pruning';
  return isWiderAccess(object, field, change) ? 'wider-access' : undefined;
}

/** Values that the API server sets if the field is missing. */
const defaults: Readonly<Record<string, Json>> = {
  type: 'Opaque',
  'spec.podManagementPolicy': 'OrderedReady',
  'spec.completionMode': 'NonIndexed',
  'spec.volumeMode': 'Filesystem',
};

/** Whether the API server stores the same for both: a field that is empty or has its default, and none. */
function isWithoutEffect(field: string, { operation, before, after }: FieldChange): boolean {
  if (operation === 'move') return false;
  return [before, after].every((value) => value === undefined || isEmpty(value) || value === defaults[field]);
}

function isEmpty(value: Json): boolean {
  if (isJsonObject(value)) return Object.keys(value).length === 0;
  return value === null || isEmptyList(value);
}

function isWiderAccess(object: KubeObject, field: string, change: FieldChange): boolean {
  const { kind } = object;
  const { operation, path, before, after } = change;
  if (/^(?:Cluster)?RoleBinding$/.test(kind)) return field.startsWith('subjects') && operation !== 'remove';
  if (!/^(?:Cluster)?Role$/.test(kind)) return false;
  // A rule without resource names applies to all of them.
  const isNames = field.endsWith('.resourceNames');
  if (operation === 'remove') {
    const list = path.slice(0, -1).map((step) => (typeof step === 'string' ? step : step.after!));
    return isNames || (list.at(-1) === 'resourceNames' && isEmptyList(valueAt(object, list)));
  }
  if (isNames) return operation === 'change' && !isSubset(after, before);
  const isRule = field.startsWith('rules') || field.startsWith('aggregationRule');
  return isRule && operation !== 'move' && !isSubset(after, before);
}

function isEmptyList(value: Json | undefined): boolean {
  return isJsonArray(value) && value.length === 0;
}

/** Whether all items of a list were there before. */
function isSubset(after: Json | undefined, before: Json | undefined): boolean {
  if (!isJsonArray(after) || !isJsonArray(before)) return false;
  const earlier = new Set(before.map((item) => canonicalJson(item)));
  return after.every((item) => earlier.has(canonicalJson(item)));
}

/** A new role with wildcards or a new binding for the whole cluster. */
function grantsAccess({ kind, rules }: KubeObject & { readonly rules?: Json }): boolean {
  if (kind === 'ClusterRoleBinding') return true;
  if (!/^(?:Cluster)?Role$/.test(kind) || !isJsonArray(rules)) return false;
  return rules.some((rule) => ['verbs', 'resources', 'apiGroups'].some((key) => listAt(rule, key).includes('*')));
}

/** The same change in several builds. */
export interface GroupedChange {
  readonly operation: 'add' | 'remove' | 'change' | 'move';
  readonly kind: string;
  readonly name: string;
  /** Absent if the whole object was added or removed. */
  readonly field?: string | undefined;
  readonly before?: Json | undefined;
  readonly after?: Json | undefined;
  /** The values are hidden, because they are those of a Secret. */
  readonly hidden?: boolean | undefined;
  readonly risk?: Risk | undefined;
  /** The builds, in the given order. */
  readonly targets: readonly string[];
}

export interface ComparedTarget {
  readonly target: string;
  readonly difference: ObjectsDifference;
}

/** Identical changes once, with all builds that have them: additions and removals first, then the most frequent changes. */
export function groupChanges(compared: readonly ComparedTarget[]): readonly GroupedChange[] {
  const groups = new Map<string, GroupedChange & { readonly targets: string[] }>();
  for (const { target, difference } of compared) {
    for (const change of difference.objects.flatMap(changesOf)) {
      const { operation, kind, name, field = null, before = null, after = null, hidden = false } = change;
      const key = canonicalJson([operation, kind, name, field, before, after, hidden]);
      const { targets } = getOrAdd(groups, key, () => ({ ...change, targets: [] }));
      if (targets.at(-1) !== target) targets.push(target);
    }
  }
  return orderChanges([...groups.values()]);
}

/** Risky changes first, then additions and removals, then the most frequent changes. */
export function orderChanges<Change extends GroupedChange>(changes: readonly Change[]): readonly Change[] {
  return changes.toSorted(
    (a, b) =>
      rankOf(a) - rankOf(b) ||
      b.targets.length - a.targets.length ||
      compareText(a.kind, b.kind) ||
      compareText(a.name, b.name) ||
      compareText(a.field ?? '', b.field ?? ''),
  );
}

/** Risky changes first, then whole objects. */
function rankOf({ risk, field, operation }: GroupedChange): number {
  if (risk !== undefined) return 0;
  if (field !== undefined) return 3;
  return operation === 'remove' ? 1 : 2;
}

type Change = Omit<GroupedChange, 'targets'>;

function changesOf(difference: ObjectDifference): readonly Change[] {
  if (difference.operation !== 'change') {
    return [{ operation: difference.operation, ...namesOf(objectOf(difference)), risk: riskOfObject(difference) }];
  }
  const { before, after, changes } = difference;
  const moved = namespaceOf(before) === namespaceOf(after) ? [] : [moveOf(before, after)];
  return [
    ...moved,
    ...changes
      .filter((change) => moved.length === 0 || formatChangedField(change.path) !== 'metadata.namespace')
      .map((change) => describe(after, change)),
  ];
}

function moveOf(before: KubeObject, after: KubeObject): Change {
  const namespaces = { before: namespaceOf(before), after: namespaceOf(after) };
  const risk = deliveryOf(after) === undefined ? 'namespace' : 'pruning';
  return { operation: 'change', ...namesOf(after), field: 'metadata.namespace', ...namespaces, risk };
}

function describe(object: KubeObject, change: FieldChange): Change {
  const { operation, path, before, after, hidden } = change;
  const field = formatChangedField(path);
  return { operation, ...namesOf(object), field, before, after, hidden, risk: riskOfChange(object, change) };
}

function namesOf(object: KubeObject): Pick<Change, 'kind' | 'name'> {
  return { kind: object.kind, name: nameOf(object) };
}
