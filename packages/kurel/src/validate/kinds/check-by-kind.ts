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

const checks = new Map<string, readonly Check[]>([
  ['/ConfigMap', [checkData]],
  ['/PersistentVolumeClaim', [checkClaim]],
  ['/ReplicationController', [checkWorkload]],
  ['/Secret', [checkData]],
  ['/Service', [checkService]],
  ['apiextensions.k8s.io/CustomResourceDefinition', [checkDefinition]],
  ['apps/DaemonSet', [checkWorkload]],
  ['apps/Deployment', [checkWorkload]],
  ['apps/ReplicaSet', [checkWorkload]],
  ['apps/StatefulSet', [checkWorkload, checkClaimTemplates]],
  ['autoscaling/HorizontalPodAutoscaler', [checkAutoscaler]],
  ['batch/CronJob', [checkCronJob, checkJob]],
  ['batch/Job', [checkJob]],
  ['networking.k8s.io/Ingress', [checkIngress]],
  ['networking.k8s.io/NetworkPolicy', [checkNetworkPolicy]],
  ['policy/PodDisruptionBudget', [checkDisruptionBudget]],
  ['postgresql.cnpg.io/Cluster', [checkDatabase]],
  ['rbac.authorization.k8s.io/ClusterRole', [checkRole]],
  ['rbac.authorization.k8s.io/ClusterRoleBinding', [checkBinding]],
  ['rbac.authorization.k8s.io/Role', [checkRole]],
  ['rbac.authorization.k8s.io/RoleBinding', [checkBinding]],
  ['storage.k8s.io/StorageClass', [checkStorageClass]],
]);

/** What Kubernetes asks of its own kinds in code, and what is unlikely to be meant. */
export function checkByKind(check: KindCheck, pod: PodSite | undefined): void {
  const { gvk } = check;
  for (const one of checks.get(`${gvk.group}/${gvk.kind}`) ?? []) one(check, pod);
  if (pod !== undefined) checkPods(check, pod);
}
