import type { PropertiesOf } from '../catalog/define.ts';
import { lenient } from '../catalog/lenient.ts';
import { inGroup } from '../documents/field.ts';
import type { Field, Fields, ValueOf } from '../documents/field.ts';
import { ofContainer, ofPod } from './kubernetes-field.ts';
import { moreContainerProperties, morePodProperties } from './more-pod-properties.ts';
import { schedulingProperties } from './scheduling-properties.ts';
import type { Affinity } from './scheduling-properties.ts';
import { nameProperties } from './names.ts';
import { volume } from './volume-property.ts';

const probe = { type: 'object', rewrite: lenient.probe } as const satisfies Field;

const container = ofContainer({
  type: 'object',
  description: 'A container.',
  rewrite: lenient.container,
});

export const image = {
  type: 'string',
  description: 'Container image, with a tag or digest.',
  required: true,
  format: 'image',
} as const satisfies Field;

export const replicas = {
  type: 'integer',
  description: 'Number of replicas.',
  minimum: 0,
  maximum: 2_147_483_647,
  default: 1,
  policyDefault: 'replicas',
} as const satisfies Field;

/** Properties of the main container and the pod, common to all workloads. */
export const podProperties = {
  imagePullPolicy: {
    group: 'Container',
    type: 'string',
    description: 'Image pull policy.',
    enum: ['Always', 'IfNotPresent', 'Never'],
    default: 'IfNotPresent',
  },
  imagePullSecrets: ofPod(
    { group: 'Pod', type: 'array', description: 'Secrets with registry credentials.' },
    'imagePullSecrets',
  ),
  command: { type: 'array', description: 'Entry point. Defaults to that of the image.', items: { type: 'string' } },
  args: { type: 'array', description: 'Arguments to the entry point.', items: { type: 'string' } },
  workingDir: { group: 'Container', type: 'string', description: 'Working directory. Defaults to that of the image.' },
  env: ofContainer({ type: 'array', description: 'Environment variables.' }, 'env'),
  envFrom: ofContainer(
    { type: 'array', description: 'ConfigMaps and Secrets to populate environment variables from.' },
    'envFrom',
  ),
  resources: ofContainer({ type: 'object', description: 'Resource requests and limits.' }, 'resources'),
  probes: {
    type: 'object',
    description: 'Probes of the container.',
    properties: {
      readiness: ofContainer({ ...probe, description: 'Readiness probe.' }, 'readinessProbe'),
      liveness: ofContainer({ ...probe, description: 'Liveness probe.' }, 'livenessProbe'),
      startup: ofContainer({ ...probe, description: 'Startup probe.' }, 'startupProbe'),
    },
  },
  lifecycle: ofContainer(
    { group: 'Container', type: 'object', description: 'Lifecycle hooks.', rewrite: lenient.lifecycle },
    'lifecycle',
  ),
  securityContext: ofContainer(
    { group: 'Container', type: 'object', description: 'Security context of the container.' },
    'securityContext',
  ),
  podSecurityContext: ofPod(
    { group: 'Pod', type: 'object', description: 'Security context of the pod.' },
    'securityContext',
  ),
  volumes: {
    group: 'Storage',
    type: 'array',
    description: 'Volumes, each mounted into the container.',
    uniqueBy: 'name',
    items: volume,
  },
  initContainers: {
    group: 'Pod',
    type: 'array',
    description: 'Init containers.',
    uniqueBy: 'name',
    items: container,
  },
  tolerations: ofPod(
    { group: 'Scheduling', type: 'array', description: 'Tolerations of the pods.', rewrite: lenient.tolerations },
    'tolerations',
  ),
  priorityClassName: {
    group: 'Scheduling',
    type: 'string',
    description: 'PriorityClass of the pods.',
    format: 'dns-subdomain',
  },
  terminationGracePeriodSeconds: {
    group: 'Pod',
    type: 'integer',
    description: 'Seconds the pods have to terminate gracefully. Defaults to the Kubernetes default of 30.',
    minimum: 0,
    maximum: 2_147_483_647,
  },
  hostNetwork: {
    group: 'Network',
    type: 'boolean',
    description: 'Whether the pods use the host network, with cluster DNS. A policy must allow it.',
  },
  hostPID: {
    group: 'Pod',
    type: 'boolean',
    description: 'Whether the pods use the host PID namespace. A policy must allow it.',
  },
  hostIPC: {
    group: 'Pod',
    type: 'boolean',
    description: 'Whether the pods use the host IPC namespace. A policy must allow it.',
  },
  ...moreContainerProperties,
  ...morePodProperties,
  ...schedulingProperties,
  ...inGroup('Names and labels', nameProperties),
} as const satisfies Fields;

const ofVolume = (type: string, property?: string): string =>
  `add a volume with type: ${type}${property === undefined ? '' : ` and "${property}"`} to "volumes"`;

/** Advice for Kubernetes fields that have another name here. */
export const insteadOfPodFields = {
  livenessProbe: 'use "probes.liveness"',
  readinessProbe: 'use "probes.readiness"',
  startupProbe: 'use "probes.startup"',
  volumeMounts: 'use "volumes", where each volume has a "mountPath"',
  storage: ofVolume('pvc', 'size'),
  persistentVolumeClaim: ofVolume('pvc', 'size'),
  hostPath: ofVolume('hostPath', 'path'),
  emptyDir: ofVolume('emptyDir'),
  configMap: ofVolume('configMap', 'configMapName'),
  secret: ofVolume('secret', 'secretName'),
  containers: 'use "sidecars" or "initContainers"; the component itself is the main container',
  fullnameOverride: 'use "nameOverride"',
  matchLabels: 'use "selectorLabels"',
  selector: 'use "selectorLabels"',
  labels: 'use "podLabels" for the pods; "labels" next to "properties" are for all objects of the component',
  annotations:
    'use "podAnnotations" for the pods; "annotations" next to "properties" are for all objects of the component',
} as const;

/** The same for components with a Service. */
export const insteadOfServerFields = {
  ...insteadOfPodFields,
  containerPort: 'use "port", or "ports" for several',
  targetPort: 'use "ports", where each port has a "port" and a "servicePort"',
  servicePort: 'use "ports", where each port has a "port" and a "servicePort"',
  hostPort: 'use "hostPort" in "ports"',
  nodePort: 'use "nodePort" in "ports"',
  serviceType: 'use "service.type"',
  ingress: 'use the "expose" trait',
} as const;

/** The same for components with a claim per pod. */
export const insteadOfStatefulFields = {
  ...insteadOfServerFields,
  storage: 'add a claim with "size" and "mountPath" to "volumeClaimTemplates"',
  persistentVolumeClaim: 'add a claim with "size" and "mountPath" to "volumeClaimTemplates"',
} as const;

export const sidecars = {
  type: 'array',
  group: 'Pod',
  description: 'Sidecar containers.',
  uniqueBy: 'name',
  items: container,
} as const satisfies Field;

/** The properties of a pod; some exist only in some components. */
export type PodProperties = PropertiesOf<typeof podProperties & { readonly image: typeof image }> & {
  readonly sidecars?: ValueOf<typeof sidecars> | undefined;
  readonly affinity?: Affinity | undefined;
  readonly hostname?: string | undefined;
  readonly subdomain?: string | undefined;
};
