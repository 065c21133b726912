import type { PropertiesOf } from '../catalog/define.ts';
import { lenient } from '../catalog/lenient.ts';
import type { Field, Fields, ValueOf } from '../documents/field.ts';
import { volume } from './volume-property.ts';

// Kubernetes fields are not described again: their content is checked against the Kubernetes schema.

function ofContainer<const F extends Field>(field: F, ...path: string[]): F & ContainerField {
  return { ...field, kubernetes: ['v1', 'Pod', 'spec', 'containers', ...path] };
}

function ofPod<const F extends Field>(field: F, ...path: string[]): F & ContainerField {
  return { ...field, kubernetes: ['v1', 'Pod', 'spec', ...path] };
}

const probe = { type: 'object', rewrite: lenient.probe } as const satisfies Field;

const container = ofContainer({
  type: 'object',
  description: 'A container.',
  rewrite: lenient.container,
});

type ContainerField = { readonly kubernetes: NonNullable<Field['kubernetes']> };

export const image = {
  type: 'string',
  description: 'Container image, with a tag or digest.',
  required: true,
  format: 'image',
} as const satisfies Field;

export const port = {
  type: 'integer',
  description: 'Port that the container listens on.',
  minimum: 1,
  maximum: 65_535,
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
    type: 'string',
    description: 'Image pull policy.',
    enum: ['Always', 'IfNotPresent', 'Never'],
    default: 'IfNotPresent',
  },
  imagePullSecrets: ofPod({ type: 'array', description: 'Secrets with registry credentials.' }, 'imagePullSecrets'),
  command: { type: 'array', description: 'Entry point. Defaults to that of the image.', items: { type: 'string' } },
  args: { type: 'array', description: 'Arguments to the entry point.', items: { type: 'string' } },
  workingDir: { type: 'string', description: 'Working directory. Defaults to that of the image.' },
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
  lifecycle: ofContainer({ type: 'object', description: 'Lifecycle hooks.', rewrite: lenient.lifecycle }, 'lifecycle'),
  securityContext: ofContainer(
    { type: 'object', description: 'Security context of the container.' },
    'securityContext',
  ),
  podSecurityContext: ofPod({ type: 'object', description: 'Security context of the pod.' }, 'securityContext'),
  volumes: {
    type: 'array',
    description: 'Volumes, each mounted into the container.',
    uniqueBy: 'name',
    items: volume,
  },
  initContainers: {
    type: 'array',
    description: 'Init containers.',
    uniqueBy: 'name',
    items: container,
  },
  tolerations: ofPod(
    { type: 'array', description: 'Tolerations of the pods.', rewrite: lenient.tolerations },
    'tolerations',
  ),
  priorityClassName: { type: 'string', description: 'PriorityClass of the pods.', format: 'dns-subdomain' },
  terminationGracePeriodSeconds: {
    type: 'integer',
    description: 'Seconds the pods have to terminate gracefully. Defaults to the Kubernetes default of 30.',
    minimum: 0,
    maximum: 2_147_483_647,
  },
  hostNetwork: {
    type: 'boolean',
    description: 'Whether the pods use the host network, with cluster DNS. A policy must allow it.',
  },
  hostPID: { type: 'boolean', description: 'Whether the pods use the host PID namespace. A policy must allow it.' },
  hostIPC: { type: 'boolean', description: 'Whether the pods use the host IPC namespace. A policy must allow it.' },
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
  serviceAccountName: 'remove it; the component has its own ServiceAccount, and the "rbac" trait grants it permissions',
  serviceAccount: 'remove it; the component has its own ServiceAccount, and the "rbac" trait grants it permissions',
} as const;

/** The same for components with a Service. */
export const insteadOfServerFields = {
  ...insteadOfPodFields,
  containerPort: 'use "port"',
  ports: 'use "port"',
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
  description: 'Sidecar containers.',
  uniqueBy: 'name',
  items: container,
} as const satisfies Field;

export const affinity = {
  type: 'object',
  description: 'Affinity of the pods.',
  properties: {
    enablePodAntiAffinity: {
      type: 'boolean',
      description: 'Whether to add pod anti-affinity between the pods of the component.',
      default: false,
    },
    topologyKey: {
      type: 'string',
      description: 'Node label that defines the topology domains of the anti-affinity.',
      format: 'label-key',
      default: 'kubernetes.io/hostname',
    },
    podAntiAffinityType: {
      type: 'string',
      description: 'Whether the anti-affinity is preferred or required.',
      enum: ['preferred', 'required'],
      default: 'preferred',
    },
    nodeSelector: {
      type: 'object',
      description: 'Labels that nodes must have.',
      open: { type: 'string', format: 'label-value' },
      keys: 'label-key',
      default: {},
    },
  },
} as const satisfies Field;

export const topologySpread = {
  type: 'boolean',
  description: 'Whether to spread two or more replicas across nodes, and three or more also across zones.',
  default: true,
} as const satisfies Field;

export type Affinity = ValueOf<typeof affinity>;

/** The properties of a pod; some exist only in some components. */
export type PodProperties = PropertiesOf<typeof podProperties & { readonly image: typeof image }> & {
  readonly sidecars?: ValueOf<typeof sidecars> | undefined;
  readonly affinity?: Affinity | undefined;
};
