import type { PodSite } from '../../kube/index.ts';
import { checkBinding, checkRole } from './check-access.ts';
import { checkAutoscaler, checkDisruptionBudget } from './check-autoscaling.ts';
import { checkClaim, checkClaimTemplates } from './check-claims.ts';
import { checkData } from './check-data.ts';
import { checkDatabase } from './check-databases.ts';
import { checkDefinition } from './check-definitions.ts';
import { checkIngress } from './check-ingresses.ts';
import { checkCronJob, checkJob } from './check-jobs.ts';
import { checkNetworkPolicy } from './check-network-policies.ts';
import { checkPods } from './check-pods.ts';
import { checkService } from './check-services.ts';
import { checkStorageClass } from './check-storage-class.ts';
import { checkWorkload } from './check-workloads.ts';
import type { KindCheck } from './kind-check.ts';

type Check = (check: KindCheck, pod: PodSite | undefined) => void;

/** By kind: no two groups here have a kind of the same name, and asking for it makes no text for each object. */
const checks = new Map<string, { readonly group: string; readonly checks: readonly Check[] }>([
  ['ConfigMap', { group: '', checks: [checkData] }],
  ['PersistentVolumeClaim', { group: '', checks: [checkClaim] }],
  ['ReplicationController', { group: '', checks: [checkWorkload] }],
  ['Secret', { group: '', checks: [checkData] }],
  ['Service', { group: '', checks: [checkService] }],
  ['CustomResourceDefinition', { group: 'apiextensions.k8s.io', checks: [checkDefinition] }],
  ['DaemonSet', { group: 'apps', checks: [checkWorkload] }],
  ['Deployment', { group: 'apps', checks: [checkWorkload] }],
  ['ReplicaSet', { group: 'apps', checks: [checkWorkload] }],
  ['StatefulSet', { group: 'apps', checks: [checkWorkload, checkClaimTemplates] }],
  ['HorizontalPodAutoscaler', { group: 'autoscaling', checks: [checkAutoscaler] }],
  ['CronJob', { group: 'batch', checks: [checkCronJob, checkJob] }],
  ['Job', { group: 'batch', checks: [checkJob] }],
  ['Ingress', { group: 'networking.k8s.io', checks: [checkIngress] }],
  ['NetworkPolicy', { group: 'networking.k8s.io', checks: [checkNetworkPolicy] }],
  ['PodDisruptionBudget', { group: 'policy', checks: [checkDisruptionBudget] }],
  ['Cluster', { group: 'postgresql.cnpg.io', checks: [checkDatabase] }],
  ['ClusterRole', { group: 'rbac.authorization.k8s.io', checks: [checkRole] }],
  ['ClusterRoleBinding', { group: 'rbac.authorization.k8s.io', checks: [checkBinding] }],
  ['Role', { group: 'rbac.authorization.k8s.io', checks: [checkRole] }],
  ['RoleBinding', { group: 'rbac.authorization.k8s.io', checks: [checkBinding] }],
  ['StorageClass', { group: 'storage.k8s.io', checks: [checkStorageClass] }],
]);

/** What Kubernetes asks of its own kinds in code, and what is unlikely to be meant. */
export function checkByKind(check: KindCheck, pod: PodSite | undefined): void {
  const { gvk } = check;
  const own = checks.get(gvk.kind);
  if (own?.group === gvk.group) for (const one of own.checks) one(check, pod);
  if (pod !== undefined) checkPods(check, pod);
}
