import { inGroup } from '../documents/field.ts';
import { ofContainer, ofPod } from './kubernetes-field.ts';

/** Properties of the main container that few workloads need. */
export const moreContainerProperties = inGroup('Container', {
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
  resizePolicy: ofContainer(
    { type: 'array', description: 'Whether a change of resources restarts the container.' },
    'resizePolicy',
  ),
  stdin: { type: 'boolean', description: 'Whether the container keeps standard input open.' },
  stdinOnce: { type: 'boolean', description: 'Whether standard input closes after the first client disconnects.' },
  tty: { type: 'boolean', description: 'Whether the container has a terminal. Requires stdin.' },
});

/** Properties of the pod that few workloads need. */
export const morePodProperties = {
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
    readinessGates: ofPod(
      { type: 'array', description: 'Conditions that must be true before a pod is ready.' },
      'readinessGates',
    ),
    resourceClaims: ofPod(
      {
        type: 'array',
        description: 'ResourceClaims of the pods, such as GPUs. Containers use them in "resources.claims".',
      },
      'resourceClaims',
    ),
  }),
  ...inGroup('Network', {
    dnsPolicy: {
      type: 'string',
      description: 'DNS policy of the pods. Defaults to ClusterFirst, and with hostNetwork to ClusterFirstWithHostNet.',
      enum: ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'],
    },
    dnsConfig: ofPod({ type: 'object', description: 'DNS settings of the pods.' }, 'dnsConfig'),
    hostAliases: ofPod({ type: 'array', description: 'Entries of /etc/hosts in the pods.' }, 'hostAliases'),
    setHostnameAsFQDN: {
      type: 'boolean',
      description: 'Whether the host name of a pod is its fully qualified domain name.',
    },
  }),
} as const;

/** Host names of pods. A StatefulSet sets them itself. */
export const hostnameProperties = inGroup('Network', {
  hostname: {
    type: 'string',
    description: 'Host name of the pods. Defaults to the name of each pod.',
    format: 'dns-label',
  },
  subdomain: {
    type: 'string',
    description: 'Name of a headless Service, which gives the pods DNS names.',
    format: 'dns-label',
  },
});
