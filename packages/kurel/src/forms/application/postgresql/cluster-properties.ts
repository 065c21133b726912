import type { Field, Fields } from '../documents/field.ts';
import { storageClass } from '../pods/volume-property.ts';
import { bootstrap, externalClusters } from './check-bootstrap.ts';
import { barmanStore } from './create-barman-store.ts';
import { configuration, replication } from './create-configuration.ts';
import { resources } from './create-instance-resources.ts';
import { managedRoles } from './create-roles.ts';
import { ofCluster } from './of-cluster.ts';

/** Where instances may run: as Clusters have it, with the usual written out. */
const instanceAffinity = {
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

const backup = {
  type: 'object',
  description: 'where CloudNativePG itself keeps backups',
  properties: {
    ...barmanStore,
    destinationPath: { ...barmanStore.destinationPath, required: false },
    retentionPolicy: ofCluster(
      { type: 'string', description: 'how long backups are kept, such as 30d, 4w or 6m' },
      'backup',
      'retentionPolicy',
    ),
  },
} as const satisfies Field;

const monitoring = {
  type: 'object',
  description: 'how Prometheus learns of the instances',
  properties: {
    enabled: { type: 'boolean', description: 'whether there is a PodMonitor; there is none unless given' },
    customQueries: ofCluster(
      { type: 'array', description: 'ConfigMaps, and the keys in them, with queries that become metrics' },
      'monitoring',
      'customQueriesConfigMap',
    ),
  },
} as const satisfies Field;

const inheritedMetadata = {
  type: 'object',
  description: 'what everything that CloudNativePG makes for the cluster has',
  properties: {
    labels: {
      type: 'object',
      description: 'labels, by key',
      open: { type: 'string', format: 'label-value' },
      keys: 'label-key',
    },
    annotations: {
      type: 'object',
      description: 'annotations, by key',
      open: { type: 'string' },
      keys: 'annotation-key',
    },
  },
} as const satisfies Field;

/** The properties that a Cluster is made of. */
export const clusterProperties = {
  version: {
    type: 'string',
    description: 'version of PostgreSQL, a tag of the image of CloudNativePG; 16 unless given',
    format: 'filled',
  },
  imageName: { type: 'string', description: 'another image than that of CloudNativePG', format: 'image' },
  imagePullSecrets: ofCluster(
    { type: 'array', description: 'Secrets for the registry, as Pods have them' },
    'imagePullSecrets',
  ),
  replicas: {
    type: 'integer',
    description: 'number of instances, the primary among them',
    minimum: 1,
    maximum: 2_147_483_647,
    default: 1,
    policyDefault: 'replicas',
  },
  storageSize: {
    type: 'quantity',
    description: 'storage of each instance',
    default: '1Gi',
    policyDefault: 'storageSize',
  },
  storageClass,
  walStorage: {
    type: 'object',
    description: 'storage of its own for the log',
    properties: {
      size: { type: 'quantity', description: 'storage of each instance for the log', required: true },
      storageClass,
    },
  },
  resources,
  affinity: instanceAffinity,
  postgresql: configuration,
  replication,
  bootstrap,
  externalClusters,
  managedRoles,
  backup,
  monitoring,
  inheritedMetadata,
} as const satisfies Fields;
