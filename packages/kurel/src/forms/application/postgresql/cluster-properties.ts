import type { Field, Fields } from '../documents/field.ts';
import { affinity } from '../pods/scheduling.ts';
import { storageClass } from '../pods/volume-property.ts';
import { bootstrap, externalClusters } from './check-bootstrap.ts';
import { barmanStore, retentionPolicy } from './create-barman-store.ts';
import { configuration, replication } from './create-configuration.ts';
import { resources } from './create-instance-resources.ts';
import { managedRoles } from './create-roles.ts';
import { ofCluster } from './of-cluster.ts';

/** Affinity of a Cluster, with explicit defaults. */
const instanceAffinity = {
  type: 'object',
  description: 'Affinity of the instances.',
  properties: {
    enablePodAntiAffinity: {
      type: 'boolean',
      description: 'Whether to add pod anti-affinity between the instances.',
      default: true,
    },
    topologyKey: affinity.properties.topologyKey,
    podAntiAffinityType: {
      type: 'string',
      description: `${affinity.properties.podAntiAffinityType.description} Defaults to preferred.`,
      enum: ['preferred', 'required'],
    },
    nodeSelector: {
      type: 'object',
      description: affinity.properties.nodeSelector.description,
      open: { type: 'string', format: 'label-value' },
      keys: 'label-key',
    },
    nodeAffinity: ofCluster({ type: 'object', description: 'Node affinity.' }, 'affinity', 'nodeAffinity'),
    tolerations: ofCluster({ type: 'array', description: 'Tolerations of the pods.' }, 'affinity', 'tolerations'),
    additionalPodAffinity: ofCluster(
      { type: 'object', description: 'Additional pod affinity.' },
      'affinity',
      'additionalPodAffinity',
    ),
    additionalPodAntiAffinity: ofCluster(
      { type: 'object', description: 'Additional pod anti-affinity.' },
      'affinity',
      'additionalPodAntiAffinity',
    ),
  },
} as const satisfies Field;

const backup = {
  type: 'object',
  description: 'Backup store of CloudNativePG itself. Mutually exclusive with objectStore.',
  properties: {
    ...barmanStore,
    destinationPath: { ...barmanStore.destinationPath, required: false },
    retentionPolicy: ofCluster(retentionPolicy, 'backup', 'retentionPolicy'),
  },
} as const satisfies Field;

const monitoring = {
  type: 'object',
  description: 'Monitoring with Prometheus.',
  properties: {
    enabled: { type: 'boolean', description: 'Whether to create a PodMonitor. Defaults to false.' },
    customQueries: ofCluster(
      { type: 'array', description: 'ConfigMap keys with custom metrics queries.' },
      'monitoring',
      'customQueriesConfigMap',
    ),
  },
} as const satisfies Field;

const inheritedMetadata = {
  type: 'object',
  description: 'Metadata of all objects that CloudNativePG creates for the cluster.',
  properties: {
    labels: {
      type: 'object',
      description: 'Labels, by key.',
      open: { type: 'string', format: 'label-value' },
      keys: 'label-key',
    },
    annotations: {
      type: 'object',
      description: 'Annotations, by key.',
      open: { type: 'string' },
      keys: 'annotation-key',
    },
  },
} as const satisfies Field;

/** Advice for fields of a Cluster that have another name here. */
export const insteadOfClusterFields = {
  instances: 'use "replicas"',
  size: 'use "storageSize"',
  parameters: 'use "postgresql.parameters"',
  managed: 'use "managedRoles"',
  plugins: 'use "objectStore"',
} as const;

/** The properties of a Cluster. */
export const clusterProperties = {
  version: {
    type: 'string',
    description: 'PostgreSQL version, a tag of the CloudNativePG image. Defaults to 16.',
    format: 'filled',
  },
  imageName: {
    type: 'string',
    description: 'PostgreSQL image. Defaults to the CloudNativePG image of the version.',
    format: 'image',
  },
  imagePullSecrets: ofCluster({ type: 'array', description: 'Secrets with registry credentials.' }, 'imagePullSecrets'),
  replicas: {
    type: 'integer',
    description: 'Number of instances, including the primary.',
    minimum: 1,
    maximum: 2_147_483_647,
    default: 1,
    policyDefault: 'replicas',
  },
  storageSize: {
    type: 'quantity',
    description: 'Storage size of each instance.',
    default: '1Gi',
    policyDefault: 'storageSize',
  },
  storageClass,
  walStorage: {
    type: 'object',
    description: 'Separate storage for the write-ahead log.',
    properties: {
      size: { type: 'quantity', description: 'Storage size of the write-ahead log of each instance.', required: true },
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
