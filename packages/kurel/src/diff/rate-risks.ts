import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, KubeObject } from '../model/index.ts';
import { formatChangedField } from './changed-field.ts';
import type { FieldChange, ObjectDifference } from './difference.ts';

/** Why a reviewer should look twice at a change. */
export type Risk =
  | 'selector'
  | 'immutable'
  | 'data-loss'
  | 'crd-removed'
  | 'namespace'
  | 'wider-access'
  | 'scaled-to-zero';

export const riskWords: Readonly<Record<Risk, string>> = {
  selector: 'changes which pods are selected',
  immutable: 'cannot be changed in place: the object must be recreated',
  'data-loss': 'may delete data',
  'crd-removed': 'deletes all objects of this kind',
  namespace: 'moves or removes a whole namespace',
  'wider-access': 'grants more access',
  'scaled-to-zero': 'stops all pods',
};

/** Fields that the API server does not allow to change, by kind; a pattern matches the field and everything below it. */
const immutableFields: Readonly<Record<string, RegExp>> = {
  StatefulSet: /^spec\.(?:serviceName|podManagementPolicy|volumeClaimTemplates)\b/,
  Job: /^spec\.(?:template|completionMode|podFailurePolicy|manualSelector)\b/,
  Service: /^spec\.(?:clusterIPs?)\b/,
  PersistentVolumeClaim: /^spec\.(?!resources\b)/,
  PersistentVolume: /^spec\.(?:csi|nfs|hostPath|local|nodeAffinity|volumeMode)\b/,
  StorageClass: /^(?:provisioner|parameters|reclaimPolicy|volumeBindingMode)\b/,
  RoleBinding: /^roleRef\b/,
  ClusterRoleBinding: /^roleRef\b/,
  IngressClass: /^spec\.controller\b/,
  Secret: /^type\b/,
};

const workloads: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet']);

/** The risk of a whole object being added or removed. */
export function riskOfObject(difference: ObjectDifference): Risk | undefined {
  if (difference.operation === 'remove') {
    const { kind } = difference.before;
    if (kind === 'CustomResourceDefinition') return 'crd-removed';
    if (kind === 'Namespace') return 'namespace';
    return kind === 'PersistentVolumeClaim' || kind === 'PersistentVolume' || kind === 'StatefulSet'
      ? 'data-loss'
      : undefined;
  }
  if (difference.operation === 'add') return grantsAccess(difference.after) ? 'wider-access' : undefined;
  return undefined;
}

/** The risk of one field of an object that changes. */
export function riskOfChange({ kind }: KubeObject, change: FieldChange): Risk | undefined {
  const field = formatChangedField(change.path);
  if (field === 'metadata.namespace') return 'namespace';
  if (/^spec\.selector\b/.test(field) && workloads.has(kind)) return 'immutable';
  if (/(?:^|\.)(?:selector|podSelector|namespaceSelector|matchLabels|matchExpressions)\b/.test(field))
    return 'selector';
  if (immutableFields[kind]?.test(field) === true) return 'immutable';
  if (field === 'spec.replicas' && change.after === 0) return 'scaled-to-zero';
  return isWiderAccess(kind, field, change) ? 'wider-access' : undefined;
}

function isWiderAccess(kind: string, field: string, { operation, before, after }: FieldChange): boolean {
  if (/^(?:Cluster)?RoleBinding$/.test(kind)) return field.startsWith('subjects') && operation !== 'remove';
  if (!/^(?:Cluster)?Role$/.test(kind)) return false;
  if (operation === 'remove') return /\.resourceNames\b/.test(field);
  const isRule = field.startsWith('rules') || field.startsWith('aggregationRule');
  return isRule && operation !== 'move' && !isSubset(after, before);
}

/** Whether all items of a list were there before. */
function isSubset(after: Json | undefined, before: Json | undefined): boolean {
  if (!isJsonArray(after) || !isJsonArray(before)) return false;
  const known = new Set(before.map((item) => JSON.stringify(item)));
  return after.every((item) => known.has(JSON.stringify(item)));
}

/** A new role with wildcards or a new binding for the whole cluster. */
function grantsAccess({ kind, rules }: KubeObject & { readonly rules?: Json }): boolean {
  if (kind === 'ClusterRoleBinding') return true;
  if (!/^(?:Cluster)?Role$/.test(kind) || !isJsonArray(rules)) return false;
  return rules.some(
    (rule) =>
      isJsonObject(rule) &&
      ['verbs', 'resources', 'apiGroups'].some((key) => isJsonArray(rule[key]) && (rule[key] as Json[]).includes('*')),
  );
}
