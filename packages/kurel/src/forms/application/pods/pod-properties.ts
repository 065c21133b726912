import type { PropertiesOf } from '../catalog/define.ts';
import {
  choiceField,
  containerFields,
  countField,
  flagField,
  inGroup,
  lenient,
  podFields,
  textField,
} from '../../../documents/index.ts';
import type { Field, Fields, ValueOf } from '../../../documents/index.ts';
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
  ...textField('image', 'Container image, with a tag or digest.'),
  required: true,
} as const satisfies Field;

export const replicas = {
  ...countField('Number of replicas.'),
  default: 1,
  policyDefault: 'replicas',
} as const satisfies Field;

/** Properties of the main container and the pod, common to all workloads. */
export const podProperties = {
  imagePullPolicy: {
    ...choiceField(['Always', 'IfNotPresent', 'Never'], 'Image pull policy.'),
    group: 'Container',
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
    priorityClassName: textField('dns-subdomain', 'PriorityClass of the pods.'),
  }),
  terminationGracePeriodSeconds: {
    ...countField('Seconds the pods have to terminate gracefully. Defaults to the Kubernetes default of 30.'),
    group: 'Pod',
  },
  hostNetwork: {
    ...flagField('Whether the pods use the host network, with cluster DNS. A policy must allow it.'),
    group: 'Network',
  },
  ...inGroup('Pod', {
    hostPID: flagField('Whether the pods use the host PID namespace. A policy must allow it.'),
    hostIPC: flagField('Whether the pods use the host IPC namespace. A policy must allow it.'),
  }),
  ...inGroup('Container', {
    terminationMessagePath: textField(
      'absolute-path',
      'File with the termination message. Defaults to /dev/termination-log.',
    ),
    terminationMessagePolicy: choiceField(
      ['File', 'FallbackToLogsOnError'],
      'Source of the termination message. Defaults to File.',
    ),
    ...containerFields({
      resizePolicy: { type: 'array', description: 'Whether a change of resources restarts the container.' },
    }),
    stdin: flagField('Whether the container keeps standard input open.'),
    stdinOnce: flagField('Whether standard input closes after the first client disconnects.'),
    tty: flagField('Whether the container has a terminal. Requires stdin.'),
  }),
  ...inGroup('Pod', {
    automountServiceAccountToken: flagField(
      'Whether the pods get a token of their ServiceAccount. Defaults to false, and to true with the rbac trait.',
    ),
    enableServiceLinks: flagField(
      'Whether the containers get environment variables for the Services of the namespace.',
    ),
    shareProcessNamespace: flagField('Whether the containers of a pod see each other’s processes.'),
    hostUsers: flagField(
      'Whether the pods use the user namespace of the host. Set it to false for a namespace per pod.',
    ),
    ...podFields({
      readinessGates: { type: 'array', description: 'Conditions that must be true before a pod is ready.' },
      resourceClaims: {
        type: 'array',
        description: 'ResourceClaims of the pods, such as GPUs. Containers use them in "resources.claims".',
      },
    }),
  }),
  ...inGroup('Network', {
    dnsPolicy: choiceField(
      ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'],
      'DNS policy of the pods. Defaults to ClusterFirst, and with hostNetwork to ClusterFirstWithHostNet.',
    ),
    ...podFields({
      dnsConfig: { type: 'object', description: 'DNS settings of the pods.' },
      hostAliases: { type: 'array', description: 'Entries of /etc/hosts in the pods.' },
    }),
    setHostnameAsFQDN: flagField('Whether the host name of a pod is its fully qualified domain name.'),
  }),
  ...schedulingProperties,
  ...inGroup('Names and labels', nameProperties),
} as const satisfies Fields;

/** Host names of pods. A StatefulSet sets them itself. */
export const hostnameProperties = inGroup('Network', {
  hostname: textField('dns-label', 'Host name of the pods. Defaults to the name of each pod.'),
  subdomain: textField('dns-label', 'Name of a headless Service, which gives the pods DNS names.'),
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
