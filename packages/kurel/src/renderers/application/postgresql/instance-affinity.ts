import type { Field } from '../documents/field.ts';
import { ofCluster } from './of-cluster.ts';

/** Where instances may run: as Clusters have it, with the usual written out. */
export const instanceAffinity = {
  type: 'object',
  description: 'where the instances may run',
  properties: {
    enablePodAntiAffinity: {
      type: 'boolean',
      description: 'whether the instances keep away from one another',
      default: true,
    },
    topologyKey: {
      type: 'string',
      description: 'label of nodes that tells which of them count as one place',
      format: 'label-key',
      default: 'kubernetes.io/hostname',
    },
    podAntiAffinityType: {
      type: 'string',
      description: 'whether they should or must keep away; they should unless given',
      enum: ['preferred', 'required'],
    },
    nodeSelector: {
      type: 'object',
      description: 'labels that nodes must have',
      open: { type: 'string', format: 'label-value' },
      keys: 'label-key',
    },
    nodeAffinity: ofCluster(
      { type: 'object', description: 'nodes that they need or prefer, as Pods have it' },
      'affinity',
      'nodeAffinity',
    ),
    tolerations: ofCluster(
      { type: 'array', description: 'taints of nodes that they tolerate' },
      'affinity',
      'tolerations',
    ),
    additionalPodAffinity: ofCluster(
      { type: 'object', description: 'pods that they are near to, as Pods have it' },
      'affinity',
      'additionalPodAffinity',
    ),
    additionalPodAntiAffinity: ofCluster(
      { type: 'object', description: 'other pods that they keep away from, as Pods have it' },
      'affinity',
      'additionalPodAntiAffinity',
    ),
  },
} as const satisfies Field;
