import * as accessRules from './access-rules.ts';
import * as admissionRules from './admission-rules.ts';
import { autoscaler } from './autoscaler-rules.ts';
import { checkData } from './check-data.ts';
import { definition } from './check-definitions.ts';
import { ingress } from './check-ingresses.ts';
import { cronJob, job } from './check-jobs.ts';
import { checkPods } from './check-pods.ts';
import { service } from './check-services.ts';
import * as workloads from './check-workloads.ts';
import * as deviceRules from './device-rules.ts';
import { checkFieldRules } from './field-rules.ts';
import type { FieldRule } from './field-rules.ts';
import type { KindCheck } from './field-site.ts';
import * as flowRules from './flow-rules.ts';
import * as networkRules from './network-rules.ts';
import * as otherRules from './other-rules.ts';
import { limitRange, resourceQuota } from './quota-rules.ts';
import * as storageRules from './storage-rules.ts';
import { persistentVolume } from './volume-rules.ts';

const admission = 'admissionregistration.k8s.io';
const certificates = 'certificates.k8s.io';
const flow = 'flowcontrol.apiserver.k8s.io';
const network = 'networking.k8s.io';
const access = 'rbac.authorization.k8s.io';
const devices = 'resource.k8s.io';
const storage = 'storage.k8s.io';

/** By kind, because the kinds here are unique and a key with the group would have to be built for each object. */
export const kindRules = new Map<string, readonly [group: string, rule: FieldRule]>([
  ['ConfigMap', ['', { also: checkData }]],
  ['Endpoints', ['', networkRules.endpoints]],
  ['LimitRange', ['', limitRange]],
  ['Namespace', ['', otherRules.namespace]],
  ['PersistentVolume', ['', persistentVolume]],
  ['PersistentVolumeClaim', ['', storageRules.claim]],
  ['Pod', ['', otherRules.podRoot]],
  ['PodTemplate', ['', otherRules.podTemplateRoot]],
  ['ReplicationController', ['', workloads.replicationController]],
  ['ResourceQuota', ['', resourceQuota]],
  ['Secret', ['', { also: checkData }]],
  ['Service', ['', service]],
  ['MutatingAdmissionPolicy', [admission, admissionRules.mutatingPolicy]],
  ['MutatingAdmissionPolicyBinding', [admission, admissionRules.mutatingBinding]],
  ['MutatingWebhookConfiguration', [admission, admissionRules.webhookConfiguration]],
  ['ValidatingAdmissionPolicy', [admission, admissionRules.validatingPolicy]],
  ['ValidatingAdmissionPolicyBinding', [admission, admissionRules.validatingBinding]],
  ['ValidatingWebhookConfiguration', [admission, admissionRules.webhookConfiguration]],
  ['CustomResourceDefinition', ['apiextensions.k8s.io', definition]],
  ['APIService', ['apiregistration.k8s.io', otherRules.apiService]],
  ['ControllerRevision', ['apps', otherRules.controllerRevision]],
  ['DaemonSet', ['apps', workloads.daemonSet]],
  ['Deployment', ['apps', workloads.deployment]],
  ['ReplicaSet', ['apps', workloads.replicaSet]],
  ['StatefulSet', ['apps', workloads.statefulSet]],
  ['HorizontalPodAutoscaler', ['autoscaling', autoscaler]],
  ['CronJob', ['batch', cronJob]],
  ['Job', ['batch', job]],
  ['CertificateSigningRequest', [certificates, otherRules.signingRequest]],
  ['ClusterTrustBundle', [certificates, otherRules.trustBundle]],
  ['Lease', ['coordination.k8s.io', otherRules.lease]],
  ['EndpointSlice', ['discovery.k8s.io', networkRules.endpointSlice]],
  ['FlowSchema', [flow, flowRules.flowSchema]],
  ['PriorityLevelConfiguration', [flow, flowRules.priorityLevel]],
  ['Ingress', [network, ingress]],
  ['IngressClass', [network, networkRules.ingressClass]],
  ['IPAddress', [network, networkRules.ipAddress]],
  ['NetworkPolicy', [network, networkRules.networkPolicy]],
  ['ServiceCIDR', [network, networkRules.serviceCidr]],
  ['RuntimeClass', ['node.k8s.io', otherRules.runtimeClass]],
  ['PodDisruptionBudget', ['policy', workloads.disruptionBudget]],
  ['Cluster', ['postgresql.cnpg.io', otherRules.database]],
  ['ClusterRole', [access, accessRules.role]],
  ['ClusterRoleBinding', [access, accessRules.binding]],
  ['Role', [access, accessRules.role]],
  ['RoleBinding', [access, accessRules.binding]],
  ['DeviceClass', [devices, deviceRules.deviceClass]],
  ['ResourceClaim', [devices, deviceRules.resourceClaim]],
  ['ResourceClaimTemplate', [devices, deviceRules.resourceClaimTemplate]],
  ['PriorityClass', ['scheduling.k8s.io', otherRules.priorityClass]],
  ['CSIDriver', [storage, storageRules.csiDriver]],
  ['CSINode', [storage, storageRules.csiNode]],
  ['CSIStorageCapacity', [storage, storageRules.storageCapacity]],
  ['StorageClass', [storage, storageRules.storageClass]],
  ['VolumeAttachment', [storage, storageRules.volumeAttachment]],
  ['VolumeAttributesClass', [storage, storageRules.volumeAttributesClass]],
]);

/** Checks the rules that Kubernetes has in code for its own kinds, and settings that are most likely mistakes. */
export function checkByKind(check: KindCheck): void {
  const { gvk, object } = check;
  const [group, rule] = kindRules.get(gvk.kind) ?? [];
  if (rule !== undefined && group === gvk.group) checkFieldRules(check, object, { rule, path: [] });
  checkPods(check);
}
