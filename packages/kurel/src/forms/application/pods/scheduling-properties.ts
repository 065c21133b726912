import { inGroup } from '../documents/field.ts';
import type { Field, ValueOf } from '../documents/field.ts';
import { ofPod } from './kubernetes-field.ts';

const nodeLabels = {
  type: 'object',
  description: 'Labels that nodes must have.',
  open: { type: 'string', format: 'label-value' },
  keys: 'label-key',
} as const satisfies Field;

/** Where pods run. */
export const schedulingProperties = inGroup('Scheduling', {
  nodeSelector: nodeLabels,
  topologySpreadConstraints: ofPod(
    {
      type: 'array',
      description: 'How to spread the pods. A constraint without labelSelector selects the pods of the component.',
    },
    'topologySpreadConstraints',
  ),
  schedulerName: {
    type: 'string',
    description: 'Scheduler of the pods. Defaults to that of the cluster.',
    format: 'dns-subdomain',
  },
  runtimeClassName: { type: 'string', description: 'RuntimeClass of the pods.', format: 'dns-subdomain' },
});

/** The terms of Kubernetes. */
const affinityTerms = {
  nodeAffinity: ofPod(
    { type: 'object', description: 'Nodes that the pods need or prefer.' },
    'affinity',
    'nodeAffinity',
  ),
  podAffinity: ofPod(
    {
      type: 'object',
      description:
        'Pods that should be near. A term without labelSelector and namespaces selects the pods of the component.',
    },
    'affinity',
    'podAffinity',
  ),
  podAntiAffinity: ofPod(
    {
      type: 'object',
      description:
        'Pods that should not be near. A term without labelSelector and namespaces selects the pods of the component.',
    },
    'affinity',
    'podAntiAffinity',
  ),
} as const;

export const affinity = {
  type: 'object',
  group: 'Scheduling',
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
    nodeSelector: { ...nodeLabels, default: {} },
    ...affinityTerms,
  },
} as const satisfies Field;

/** The affinity of workloads without replicas. */
export const plainAffinity = {
  type: 'object',
  group: 'Scheduling',
  description: 'Affinity of the pods.',
  instead: { nodeSelector: 'use "nodeSelector" of the component' },
  properties: affinityTerms,
} as const satisfies Field;

export const topologySpread = {
  type: 'boolean',
  group: 'Scheduling',
  description:
    'Whether to spread two or more replicas across nodes, and three or more also across zones, unless topologySpreadConstraints is set.',
  default: true,
} as const satisfies Field;

export type Affinity = Partial<ValueOf<typeof affinity>>;
