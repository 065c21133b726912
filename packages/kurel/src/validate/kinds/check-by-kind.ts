import type { PodSite } from '../../kube/index.ts';
import {
  mutatingBinding,
  mutatingPolicy,
  validatingBinding,
  validatingPolicy,
  webhookConfiguration,
} from './admission-rules.ts';
import { autoscaler } from './autoscaler-rules.ts';
import { signingRequest, trustBundle } from './certificate-rules.ts';
import { checkBinding, checkRole } from './check-access.ts';
import { checkDisruptionBudget } from './check-budgets.ts';
import { checkClaim, checkClaimTemplates } from './check-claims.ts';
import { checkData } from './check-data.ts';
import { checkDatabase } from './check-databases.ts';
import { checkDefinition } from './check-definitions.ts';
import { checkIngress } from './check-ingresses.ts';
import { checkCronJob, checkJob } from './check-jobs.ts';
import { checkNetworkPolicy } from './check-network-policies.ts';
import { checkPods } from './check-pods.ts';
import { checkService } from './check-services.ts';
import { checkWorkload } from './check-workloads.ts';
import { deviceClass, resourceClaim, resourceClaimTemplate } from './device-rules.ts';
import { checkFieldRules } from './field-rules.ts';
import type { FieldRule } from './field-rules.ts';
import { flowSchema, priorityLevel } from './flow-rules.ts';
import { endpoints, endpointSlice, ingressClass, ipAddress, networkPolicy, serviceCidr } from './network-rules.ts';
import {
  apiService,
  controllerRevision,
  lease,
  namespace,
  podRoot,
  podTemplateRoot,
  priorityClass,
  runtimeClass,
} from './other-rules.ts';
import { limitRange, resourceQuota } from './quota-rules.ts';
import {
  csiDriver,
  csiNode,
  storageCapacity,
  storageClass,
  volumeAttachment,
  volumeAttributesClass,
} from './storage-rules.ts';
import { persistentVolume } from './volume-rules.ts';
import type { KindCheck } from './kind-check.ts';

type Check = (check: KindCheck, pod: PodSite | undefined) => void;

interface Kind {
  readonly group: string;
  readonly rule?: FieldRule;
  readonly checks?: readonly Check[];
}

const admission = 'admissionregistration.k8s.io';
const certificates = 'certificates.k8s.io';
const flow = 'flowcontrol.apiserver.k8s.io';
const network = 'networking.k8s.io';
const access = 'rbac.authorization.k8s.io';
const devices = 'resource.k8s.io';
const storage = 'storage.k8s.io';

/** By kind, because the kinds here are unique and a key with the group would have to be built for each object. */
const kinds = new Map<string, Kind>([
  ['ConfigMap', { group: '', checks: [checkData] }],
  ['Endpoints', { group: '', rule: endpoints }],
  ['LimitRange', { group: '', rule: limitRange }],
  ['Namespace', { group: '', rule: namespace }],
  ['PersistentVolume', { group: '', rule: persistentVolume }],
  ['PersistentVolumeClaim', { group: '', checks: [checkClaim] }],
  ['Pod', { group: '', rule: podRoot }],
  ['PodTemplate', { group: '', rule: podTemplateRoot }],
  ['ReplicationController', { group: '', checks: [checkWorkload] }],
  ['ResourceQuota', { group: '', rule: resourceQuota }],
  ['Secret', { group: '', checks: [checkData] }],
  ['Service', { group: '', checks: [checkService] }],
  ['MutatingAdmissionPolicy', { group: admission, rule: mutatingPolicy }],
  ['MutatingAdmissionPolicyBinding', { group: admission, rule: mutatingBinding }],
  ['MutatingWebhookConfiguration', { group: admission, rule: webhookConfiguration }],
  ['ValidatingAdmissionPolicy', { group: admission, rule: validatingPolicy }],
  ['ValidatingAdmissionPolicyBinding', { group: admission, rule: validatingBinding }],
  ['ValidatingWebhookConfiguration', { group: admission, rule: webhookConfiguration }],
  ['CustomResourceDefinition', { group: 'apiextensions.k8s.io', checks: [checkDefinition] }],
  ['APIService', { group: 'apiregistration.k8s.io', rule: apiService }],
  ['ControllerRevision', { group: 'apps', rule: controllerRevision }],
  ['DaemonSet', { group: 'apps', checks: [checkWorkload] }],
  ['Deployment', { group: 'apps', checks: [checkWorkload] }],
  ['ReplicaSet', { group: 'apps', checks: [checkWorkload] }],
  ['StatefulSet', { group: 'apps', checks: [checkWorkload, checkClaimTemplates] }],
  ['HorizontalPodAutoscaler', { group: 'autoscaling', rule: autoscaler }],
  ['CronJob', { group: 'batch', checks: [checkCronJob, checkJob] }],
  ['Job', { group: 'batch', checks: [checkJob] }],
  ['CertificateSigningRequest', { group: certificates, rule: signingRequest }],
  ['ClusterTrustBundle', { group: certificates, rule: trustBundle }],
  ['Lease', { group: 'coordination.k8s.io', rule: lease }],
  ['EndpointSlice', { group: 'discovery.k8s.io', rule: endpointSlice }],
  ['FlowSchema', { group: flow, rule: flowSchema }],
  ['PriorityLevelConfiguration', { group: flow, rule: priorityLevel }],
  ['Ingress', { group: network, checks: [checkIngress] }],
  ['IngressClass', { group: network, rule: ingressClass }],
  ['IPAddress', { group: network, rule: ipAddress }],
  ['NetworkPolicy', { group: network, rule: networkPolicy, checks: [checkNetworkPolicy] }],
  ['ServiceCIDR', { group: network, rule: serviceCidr }],
  ['RuntimeClass', { group: 'node.k8s.io', rule: runtimeClass }],
  ['PodDisruptionBudget', { group: 'policy', checks: [checkDisruptionBudget] }],
  ['Cluster', { group: 'postgresql.cnpg.io', checks: [checkDatabase] }],
  ['ClusterRole', { group: access, checks: [checkRole] }],
  ['ClusterRoleBinding', { group: access, checks: [checkBinding] }],
  ['Role', { group: access, checks: [checkRole] }],
  ['RoleBinding', { group: access, checks: [checkBinding] }],
  ['DeviceClass', { group: devices, rule: deviceClass }],
  ['ResourceClaim', { group: devices, rule: resourceClaim }],
  ['ResourceClaimTemplate', { group: devices, rule: resourceClaimTemplate }],
  ['PriorityClass', { group: 'scheduling.k8s.io', rule: priorityClass }],
  ['CSIDriver', { group: storage, rule: csiDriver }],
  ['CSINode', { group: storage, rule: csiNode }],
  ['CSIStorageCapacity', { group: storage, rule: storageCapacity }],
  ['StorageClass', { group: storage, rule: storageClass }],
  ['VolumeAttachment', { group: storage, rule: volumeAttachment }],
  ['VolumeAttributesClass', { group: storage, rule: volumeAttributesClass }],
]);

/** Checks the rules that Kubernetes has in code for its own kinds, and settings that are most likely mistakes. */
export function checkByKind(check: KindCheck, pod: PodSite | undefined): void {
  const { gvk, object } = check;
  const own = kinds.get(gvk.kind);
  if (own?.group === gvk.group) {
    if (own.rule !== undefined) checkFieldRules(check, object, { rule: own.rule, path: [] });
    for (const one of own.checks ?? []) one(check, pod);
  }
  if (pod !== undefined) checkPods(check, pod);
}
