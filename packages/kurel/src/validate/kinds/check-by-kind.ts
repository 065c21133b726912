import {
  mutatingBinding,
  mutatingPolicy,
  validatingBinding,
  validatingPolicy,
  webhookConfiguration,
} from './admission-rules.ts';
import { autoscaler } from './autoscaler-rules.ts';
import { binding, role } from './access-rules.ts';
import { checkData } from './check-data.ts';
import { checkDefinition } from './check-definitions.ts';
import { checkIngress } from './check-ingresses.ts';
import { cronJob, job } from './check-jobs.ts';
import { checkPods } from './check-pods.ts';
import { service } from './check-services.ts';
import {
  daemonSet,
  deployment,
  disruptionBudget,
  replicaSet,
  replicationController,
  statefulSet,
} from './check-workloads.ts';
import { deviceClass, resourceClaim, resourceClaimTemplate } from './device-rules.ts';
import { checkFieldRules } from './field-rules.ts';
import type { FieldRule } from './field-rules.ts';
import { flowSchema, priorityLevel } from './flow-rules.ts';
import { endpoints, endpointSlice, ingressClass, ipAddress, networkPolicy, serviceCidr } from './network-rules.ts';
import {
  apiService,
  controllerRevision,
  database,
  lease,
  namespace,
  podRoot,
  podTemplateRoot,
  priorityClass,
  runtimeClass,
  signingRequest,
  trustBundle,
} from './other-rules.ts';
import { limitRange, resourceQuota } from './quota-rules.ts';
import {
  claim,
  csiDriver,
  csiNode,
  storageCapacity,
  storageClass,
  volumeAttachment,
  volumeAttributesClass,
} from './storage-rules.ts';
import { persistentVolume } from './volume-rules.ts';
import type { KindCheck } from './field-site.ts';

interface Kind {
  readonly group: string;
  readonly rule?: FieldRule;
  readonly check?: (check: KindCheck) => void;
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
  ['ConfigMap', { group: '', rule: { also: checkData } }],
  ['Endpoints', { group: '', rule: endpoints }],
  ['LimitRange', { group: '', rule: limitRange }],
  ['Namespace', { group: '', rule: namespace }],
  ['PersistentVolume', { group: '', rule: persistentVolume }],
  ['PersistentVolumeClaim', { group: '', rule: claim }],
  ['Pod', { group: '', rule: podRoot }],
  ['PodTemplate', { group: '', rule: podTemplateRoot }],
  ['ReplicationController', { group: '', rule: replicationController }],
  ['ResourceQuota', { group: '', rule: resourceQuota }],
  ['Secret', { group: '', rule: { also: checkData } }],
  ['Service', { group: '', rule: service }],
  ['MutatingAdmissionPolicy', { group: admission, rule: mutatingPolicy }],
  ['MutatingAdmissionPolicyBinding', { group: admission, rule: mutatingBinding }],
  ['MutatingWebhookConfiguration', { group: admission, rule: webhookConfiguration }],
  ['ValidatingAdmissionPolicy', { group: admission, rule: validatingPolicy }],
  ['ValidatingAdmissionPolicyBinding', { group: admission, rule: validatingBinding }],
  ['ValidatingWebhookConfiguration', { group: admission, rule: webhookConfiguration }],
  ['CustomResourceDefinition', { group: 'apiextensions.k8s.io', check: checkDefinition }],
  ['APIService', { group: 'apiregistration.k8s.io', rule: apiService }],
  ['ControllerRevision', { group: 'apps', rule: controllerRevision }],
  ['DaemonSet', { group: 'apps', rule: daemonSet }],
  ['Deployment', { group: 'apps', rule: deployment }],
  ['ReplicaSet', { group: 'apps', rule: replicaSet }],
  ['StatefulSet', { group: 'apps', rule: statefulSet }],
  ['HorizontalPodAutoscaler', { group: 'autoscaling', rule: autoscaler }],
  ['CronJob', { group: 'batch', rule: cronJob }],
  ['Job', { group: 'batch', rule: job }],
  ['CertificateSigningRequest', { group: certificates, rule: signingRequest }],
  ['ClusterTrustBundle', { group: certificates, rule: trustBundle }],
  ['Lease', { group: 'coordination.k8s.io', rule: lease }],
  ['EndpointSlice', { group: 'discovery.k8s.io', rule: endpointSlice }],
  ['FlowSchema', { group: flow, rule: flowSchema }],
  ['PriorityLevelConfiguration', { group: flow, rule: priorityLevel }],
  ['Ingress', { group: network, check: checkIngress }],
  ['IngressClass', { group: network, rule: ingressClass }],
  ['IPAddress', { group: network, rule: ipAddress }],
  ['NetworkPolicy', { group: network, rule: networkPolicy }],
  ['ServiceCIDR', { group: network, rule: serviceCidr }],
  ['RuntimeClass', { group: 'node.k8s.io', rule: runtimeClass }],
  ['PodDisruptionBudget', { group: 'policy', rule: disruptionBudget }],
  ['Cluster', { group: 'postgresql.cnpg.io', rule: database }],
  ['ClusterRole', { group: access, rule: role }],
  ['ClusterRoleBinding', { group: access, rule: binding }],
  ['Role', { group: access, rule: role }],
  ['RoleBinding', { group: access, rule: binding }],
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
export function checkByKind(check: KindCheck): void {
  const { gvk, object } = check;
  const kind = kinds.get(gvk.kind);
  if (kind?.group === gvk.group) {
    if (kind.rule !== undefined) checkFieldRules(check, object, { rule: kind.rule, path: [] });
    kind.check?.(check);
  }
  checkPods(check);
}
