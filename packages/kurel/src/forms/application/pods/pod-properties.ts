import type { PropertiesOf } from '../catalog/define.ts';
import { containerFields, count, dnsLabel, lenient, objectName, podFields } from '../catalog/fields.ts';
import { inGroup } from '../documents/field.ts';
import type { Field, Fields, ValueOf } from '../documents/field.ts';
import { schedulingProperties } from './scheduling.ts';
import type { Affinity } from './scheduling.ts';
import { nameProperties } from './names.ts';
import { volume } from './volume-property.ts';

const container = {
  type: 'object',
  description: 'A container.',
  rewrite: lenient.container,
  kubernetes: ['v1', 'Pod', 'spec', 'containers'],
} as const satisfies Field;

const probes = containerFields({
  readinessProbe: { type: 'object', rewrite: lenient.probe, description: 'Readiness probe.' },
  livenessProbe: { type: 'object', rewrite: lenient.probe, description: 'Liveness probe.' },
  startupProbe: { type: 'object', rewrite: lenient.probe, description: 'Startup probe.' },
});

export const image = {
  type: 'string',
  description: 'Container image, with a tag or digest.',
  required: true,
  format: 'image',
} as const satisfies Field;

export const replicas = {
  ...count,
  description: 'Number of replicas.',
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
  ...podFields({
    imagePullSecrets: { group: 'Pod', type: 'array', description: 'Secrets with registry credentials.' },
  }),
  command: { type: 'array', description: 'Entry point. Defaults to that of the image.', items: { type: 'string' } },
  args: { type: 'array', description: 'Arguments to the entry point.', items: { type: 'string' } },
  workingDir: { group: 'Container', type: 'string', description: 'Working directory. Defaults to that of the image.' },
  ...containerFields({
    env: { type: 'array', description: 'Environment variables.' },
    envFrom: { type: 'array', description: 'ConfigMaps and Secrets to populate environment variables from.' },
    resources: { type: 'object', description: 'Resource requests and limits.' },
  }),
  probes: {
    type: 'object',
    description: 'Probes of the container.',
    properties: { readiness: probes.readinessProbe, liveness: probes.livenessProbe, startup: probes.startupProbe },
  },
  ...inGroup(
    'Container',
    containerFields({
      lifecycle: { type: 'object', description: 'Lifecycle hooks.', rewrite: lenient.lifecycle },
      securityContext: { type: 'object', description: 'Security context of the container.' },
    }),
  ),
  podSecurityContext: {
    group: 'Pod',
    type: 'object',
    description: 'Security context of the pod.',
    kubernetes: ['v1', 'Pod', 'spec', 'securityContext'],
  },
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
  ...inGroup('Scheduling', {
    ...podFields({
      tolerations: { type: 'array', description: 'Tolerations of the pods.', rewrite: lenient.tolerations },
    }),
    priorityClassName: { ...objectName, description: 'PriorityClass of the pods.' },
  }),
  terminationGracePeriodSeconds: {
    ...count,
    group: 'Pod',
    description: 'Seconds the pods have to terminate gracefully. Defaults to the Kubernetes default of 30.',
  },
  hostNetwork: {
    group: 'Network',
    type: 'boolean',
    description: 'Whether the pods use the host network, with cluster DNS. A policy must allow it.',
  },
  ...inGroup('Pod', {
    hostPID: { type: 'boolean', description: 'Whether the pods use the host PID namespace. A policy must allow it.' },
    hostIPC: { type: 'boolean', description: 'Whether the pods use the host IPC namespace. A policy must allow it.' },
  }),
  ...inGroup('Container', {
    terminationMessagePath: {
      type: 'string',
      description: 'File with the termination message. Defaults to /dev/termination-log.',
      format: 'absolute-path',
    },
    terminationMessagePolicy: {
      type: 'string',
      description: 'Source of the termination message. Defaults to File.',
      enum: ['File', 'FallbackToLogsOnError'],
    },
    ...containerFields({
      resizePolicy: { type: 'array', description: 'Whether a change of resources restarts the container.' },
    }),
    stdin: { type: 'boolean', description: 'Whether the container keeps standard input open.' },
    stdinOnce: { type: 'boolean', description: 'Whether standard input closes after the first client disconnects.' },
    tty: { type: 'boolean', description: 'Whether the container has a terminal. Requires stdin.' },
  }),
  ...inGroup('Pod', {
    automountServiceAccountToken: {
      type: 'boolean',
      description:
        'Whether the pods get a token of their ServiceAccount. Defaults to false, and to true with the rbac trait.',
    },
    enableServiceLinks: {
      type: 'boolean',
      description: 'Whether the containers get environment variables for the Services of the namespace.',
    },
    shareProcessNamespace: {
      type: 'boolean',
      description: 'Whether the containers of a pod see each other’s processes.',
    },
    hostUsers: {
      type: 'boolean',
      description: 'Whether the pods use the user namespace of the host. Set it to false for a namespace per pod.',
    },
    ...podFields({
      readinessGates: { type: 'array', description: 'Conditions that must be true before a pod is ready.' },
      resourceClaims: {
        type: 'array',
        description: 'ResourceClaims of the pods, such as GPUs. Containers use them in "resources.claims".',
      },
    }),
  }),
  ...inGroup('Network', {
    dnsPolicy: {
      type: 'string',
      description: 'DNS policy of the pods. Defaults to ClusterFirst, and with hostNetwork to ClusterFirstWithHostNet.',
      enum: ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'],
    },
    ...podFields({
      dnsConfig: { type: 'object', description: 'DNS settings of the pods.' },
      hostAliases: { type: 'array', description: 'Entries of /etc/hosts in the pods.' },
    }),
    setHostnameAsFQDN: {
      type: 'boolean',
      description: 'Whether the host name of a pod is its fully qualified domain name.',
    },
  }),
  ...schedulingProperties,
  ...inGroup('Names and labels', nameProperties),
} as const satisfies Fields;

/** Host names of pods. A StatefulSet sets them itself. */
export const hostnameProperties = inGroup('Network', {
  hostname: { ...dnsLabel, description: 'Host name of the pods. Defaults to the name of each pod.' },
  subdomain: { ...dnsLabel, description: 'Name of a headless Service, which gives the pods DNS names.' },
});

export const sidecars = {
  type: 'array',
  group: 'Pod',
  description: 'Sidecar containers.',
  uniqueBy: 'name',
  items: container,
} as const satisfies Field;

/** The properties of a pod; some exist only in some components. */
export type PodProperties = PropertiesOf<typeof podProperties & { readonly image: typeof image }> &
  Partial<PropertiesOf<typeof hostnameProperties>> & {
    readonly sidecars?: ValueOf<typeof sidecars> | undefined;
    readonly affinity?: Affinity | undefined;
  };
