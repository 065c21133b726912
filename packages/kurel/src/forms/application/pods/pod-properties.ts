import type { PropertiesOf } from '../catalog/define.ts';
import { lenient } from '../catalog/lenient.ts';
import type { Field, Fields, ValueOf } from '../documents/field.ts';
import { volume } from './volume-property.ts';

// What Kubernetes knows of a container is not said again here: its own schema checks what is in these fields.

function ofContainer<const F extends Field>(field: F, ...path: string[]): F & ContainerField {
  return { ...field, kubernetes: ['v1', 'Pod', 'spec', 'containers', ...path] };
}

function ofPod<const F extends Field>(field: F, ...path: string[]): F & ContainerField {
  return { ...field, kubernetes: ['v1', 'Pod', 'spec', ...path] };
}

const probe = { type: 'object', rewrite: lenient.probe } as const satisfies Field;

const container = ofContainer({
  type: 'object',
  description: 'a container as Kubernetes has it',
  rewrite: lenient.container,
});

type ContainerField = { readonly kubernetes: NonNullable<Field['kubernetes']> };

/** The image of the main container, without which nothing runs. */
export const image = {
  type: 'string',
  description: 'image of the container, with a tag or a digest',
  required: true,
  format: 'image',
} as const satisfies Field;

export const port = {
  type: 'integer',
  description: 'port that the container listens on',
  minimum: 1,
  maximum: 65_535,
} as const satisfies Field;

export const replicas = {
  type: 'integer',
  description: 'number of pods',
  minimum: 0,
  maximum: 2_147_483_647,
  default: 1,
  policyDefault: 'replicas',
} as const satisfies Field;

/** Properties of the main container and its pod that every workload has. */
export const podProperties = {
  imagePullPolicy: {
    type: 'string',
    description: 'when the image is fetched',
    enum: ['Always', 'IfNotPresent', 'Never'],
    default: 'IfNotPresent',
  },
  imagePullSecrets: ofPod(
    { type: 'array', description: 'Secrets for the registry, as Pods have them' },
    'imagePullSecrets',
  ),
  command: { type: 'array', description: 'replaces the entry point of the image', items: { type: 'string' } },
  args: { type: 'array', description: 'arguments of the command', items: { type: 'string' } },
  workingDir: { type: 'string', description: 'directory that the command runs in' },
  env: ofContainer({ type: 'array', description: 'environment variables, as containers have them' }, 'env'),
  envFrom: ofContainer({ type: 'array', description: 'ConfigMaps and Secrets whose keys become variables' }, 'envFrom'),
  resources: ofContainer({ type: 'object', description: 'requests and limits, as containers have them' }, 'resources'),
  probes: {
    type: 'object',
    description: 'how Kubernetes finds out whether the container is well',
    properties: {
      readiness: ofContainer({ ...probe, description: 'whether it can take traffic' }, 'readinessProbe'),
      liveness: ofContainer({ ...probe, description: 'whether it must be restarted' }, 'livenessProbe'),
      startup: ofContainer({ ...probe, description: 'whether it has started' }, 'startupProbe'),
    },
  },
  lifecycle: ofContainer(
    { type: 'object', description: 'what runs after the start and before the end', rewrite: lenient.lifecycle },
    'lifecycle',
  ),
  securityContext: ofContainer(
    { type: 'object', description: 'what the container may do, as containers have it' },
    'securityContext',
  ),
  podSecurityContext: ofPod(
    { type: 'object', description: 'what all containers of the pod may do, as Pods have it' },
    'securityContext',
  ),
  volumes: {
    type: 'array',
    description: 'volumes, each mounted into the container',
    uniqueBy: 'name',
    items: volume,
  },
  initContainers: {
    type: 'array',
    description: 'containers that run to their end before the others start',
    uniqueBy: 'name',
    items: container,
  },
  tolerations: ofPod(
    { type: 'array', description: 'taints of nodes that the pods tolerate', rewrite: lenient.tolerations },
    'tolerations',
  ),
  priorityClassName: { type: 'string', description: 'PriorityClass of the pods', format: 'dns-subdomain' },
  terminationGracePeriodSeconds: {
    type: 'integer',
    description: 'time that the containers have to end',
    minimum: 0,
    maximum: 2_147_483_647,
  },
  hostNetwork: {
    type: 'boolean',
    description: 'whether the pods use the network of the node, with the DNS of the cluster; a policy must allow it',
  },
  hostPID: { type: 'boolean', description: 'whether the pods see all processes of the node; a policy must allow it' },
  hostIPC: { type: 'boolean', description: 'whether the pods share memory with the node; a policy must allow it' },
} as const satisfies Fields;

const ofVolume = (type: string, property?: string): string =>
  `add a volume with type: ${type}${property === undefined ? '' : ` and "${property}"`} to "volumes"`;

/** Fields of Kubernetes, and the properties that do here what they do there. */
export const insteadOfPodFields = {
  livenessProbe: 'use "probes.liveness"',
  readinessProbe: 'use "probes.readiness"',
  startupProbe: 'use "probes.startup"',
  volumeMounts: 'use "volumes": each volume has its "mountPath"',
  storage: ofVolume('pvc', 'size'),
  persistentVolumeClaim: ofVolume('pvc', 'size'),
  hostPath: ofVolume('hostPath', 'path'),
  emptyDir: ofVolume('emptyDir'),
  configMap: ofVolume('configMap', 'configMapName'),
  secret: ofVolume('secret', 'secretName'),
  containers: 'the component is the main container; put others into "sidecars" or "initContainers"',
  serviceAccountName: 'the component has a ServiceAccount of its own; the trait "rbac" gives it rights',
  serviceAccount: 'the component has a ServiceAccount of its own; the trait "rbac" gives it rights',
} as const;

/** The same for pods that take traffic. */
export const insteadOfServerFields = {
  ...insteadOfPodFields,
  containerPort: 'use "port"',
  ports: 'use "port"',
  ingress: 'use the trait "expose"',
} as const;

/** The same for pods that have claims of their own. */
export const insteadOfStatefulFields = {
  ...insteadOfServerFields,
  storage: 'add a claim with "size" and "mountPath" to "volumeClaimTemplates"',
  persistentVolumeClaim: 'add a claim with "size" and "mountPath" to "volumeClaimTemplates"',
} as const;

/** Containers beside the main one. */
export const sidecars = {
  type: 'array',
  description: 'containers that run beside the main one',
  uniqueBy: 'name',
  items: container,
} as const satisfies Field;

export const affinity = {
  type: 'object',
  description: 'where the pods may run',
  properties: {
    enablePodAntiAffinity: {
      type: 'boolean',
      description: 'whether the pods keep away from one another',
      default: false,
    },
    topologyKey: {
      type: 'string',
      description: 'label of nodes that tells which of them count as one place',
      format: 'label-key',
      default: 'kubernetes.io/hostname',
    },
    podAntiAffinityType: {
      type: 'string',
      description: 'whether they should or must keep away',
      enum: ['preferred', 'required'],
      default: 'preferred',
    },
    nodeSelector: {
      type: 'object',
      description: 'labels that nodes must have',
      open: { type: 'string', format: 'label-value' },
      keys: 'label-key',
      default: {},
    },
  },
} as const satisfies Field;

export const topologySpread = {
  type: 'boolean',
  description: 'whether two and more pods are spread over nodes, and three and more over zones',
  default: true,
} as const satisfies Field;

export type Affinity = ValueOf<typeof affinity>;

/** The properties that make a pod; of those that only some components have, what there is. */
export type PodProperties = PropertiesOf<typeof podProperties & { readonly image: typeof image }> & {
  readonly sidecars?: ValueOf<typeof sidecars> | undefined;
  readonly affinity?: Affinity | undefined;
};
