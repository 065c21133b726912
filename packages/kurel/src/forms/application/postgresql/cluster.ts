import { checkDns1035Label, parseImageReference } from '../../../kube/index.ts';
import type { JsonObject, KubeObject } from '../../../model/index.ts';
import type { AmountRules, ComponentInput, PropertiesOf, ReportAt } from '../catalog/define.ts';
import { defined, filled } from '../catalog/present-fields.ts';
import {
  annotationMap,
  choiceField,
  countField,
  flagField,
  kubernetesFields,
  selectorMap,
  textField,
} from '../../../documents/index.ts';
import type { Field, Fields } from '../../../documents/index.ts';
import { compareAmounts, completeResources, formatAmounts } from '../pods/create-resources.ts';
import { replicas as podReplicas } from '../pods/pod-properties.ts';
import { affinity } from '../pods/scheduling.ts';
import { storageClass } from '../pods/volume-property.ts';
import { backup, createBackup } from './backup.ts';
import { bootstrap, checkBootstrap, externalClusters } from './bootstrap.ts';
import { createRoles, managedRoles } from './databases.ts';
import { postgresqlProblems as problems } from './problems.ts';

const spec = ['postgresql.cnpg.io/v1', 'Cluster', 'spec'] as const;

const amounts = {
  cpu: { type: 'quantity', description: 'CPU, such as 500m.' },
  memory: { type: 'quantity', description: 'Memory, such as 2Gi.' },
} as const satisfies Readonly<Record<string, Field>>;

/** Advice for fields of a Cluster that have another name here. */
export const insteadOfClusterFields = {
  instances: 'use "replicas"',
  size: 'use "storageSize"',
  parameters: 'use "postgresql.parameters"',
  managed: 'use "managedRoles"',
  plugins: 'use "objectStore"',
} as const;

export const clusterProperties = {
  version: textField('filled', 'PostgreSQL version, a tag of the CloudNativePG image. Defaults to 16.'),
  imageName: textField('image', 'PostgreSQL image. Defaults to the CloudNativePG image of the version.'),
  ...kubernetesFields(spec, {
    imagePullSecrets: { type: 'array', description: 'Secrets with registry credentials.' },
  }),
  replicas: { ...podReplicas, description: 'Number of instances, including the primary.', minimum: 1 },
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
  resources: {
    type: 'object',
    description: 'Resource requests and limits of each instance.',
    properties: {
      requests: { type: 'object', description: 'Resource requests.', properties: amounts },
      limits: { type: 'object', description: 'Resource limits.', properties: amounts },
    },
  },
  affinity: {
    type: 'object',
    description: 'Affinity of the instances.',
    properties: {
      enablePodAntiAffinity: { ...flagField('Whether to add pod anti-affinity between the instances.'), default: true },
      topologyKey: affinity.properties.topologyKey,
      podAntiAffinityType: choiceField(
        ['preferred', 'required'],
        `${affinity.properties.podAntiAffinityType.description} Defaults to preferred.`,
      ),
      nodeSelector: { ...selectorMap, description: affinity.properties.nodeSelector.description },
      ...kubernetesFields([...spec, 'affinity'], {
        nodeAffinity: { type: 'object', description: 'Node affinity.' },
        tolerations: { type: 'array', description: 'Tolerations of the pods.' },
        additionalPodAffinity: { type: 'object', description: 'Additional pod affinity.' },
        additionalPodAntiAffinity: { type: 'object', description: 'Additional pod anti-affinity.' },
      }),
    },
  },
  postgresql: {
    type: 'object',
    description: 'PostgreSQL configuration.',
    properties: kubernetesFields([...spec, 'postgresql'], {
      parameters: { type: 'object', description: 'Parameters of postgresql.conf.' },
      shared_preload_libraries: { type: 'array', description: 'Libraries to preload.' },
      pg_hba: { type: 'array', description: 'Lines of pg_hba.conf.' },
      pg_ident: { type: 'array', description: 'Lines of pg_ident.conf.' },
      syncReplicaElectionConstraint: {
        type: 'object',
        description: 'Node labels that keep synchronous replicas apart.',
      },
    }),
  },
  replication: {
    type: 'object',
    description: 'Replication settings.',
    properties: {
      synchronous: {
        type: 'object',
        description: 'Synchronous replication.',
        properties: {
          method: {
            ...choiceField(
              ['any', 'first'],
              'Whether any replicas, or the first ones in the list, must confirm a commit.',
            ),
            required: true,
          },
          number: { ...countField('Number of synchronous replicas.'), default: 1 },
          dataDurability: choiceField(
            ['required', 'preferred'],
            'Whether the primary waits if too few synchronous replicas are available.',
          ),
          failoverQuorum: {
            ...flagField('Whether failover requires a quorum that confirms all commits.'),
            default: false,
          },
        },
      },
    },
  },
  bootstrap,
  externalClusters,
  managedRoles,
  backup,
  monitoring: {
    type: 'object',
    description: 'Monitoring with Prometheus.',
    properties: {
      enabled: flagField('Whether to create a PodMonitor. Defaults to false.'),
      customQueries: {
        type: 'array',
        description: 'ConfigMap keys with custom metrics queries.',
        kubernetes: [...spec, 'monitoring', 'customQueriesConfigMap'],
      },
    },
  },
  inheritedMetadata: {
    type: 'object',
    description: 'Metadata of all objects that CloudNativePG creates for the cluster.',
    properties: {
      labels: { ...selectorMap, description: 'Labels, by key.' },
      annotations: { ...annotationMap, description: 'Annotations, by key.', open: { type: 'string' } },
    },
  },
} as const satisfies Fields;

type ClusterProperties = PropertiesOf<typeof clusterProperties>;

// CloudNativePG appends suffixes to the name.
const longestName = 50;

export function createCluster(input: ComponentInput<ClusterProperties>, plugins: readonly JsonObject[]): KubeObject {
  const { name, properties: asked, policy, report } = input;
  const { replicas, managedRoles: roles = [], externalClusters: external = [] } = asked;
  const reason =
    checkDns1035Label(name) ??
    (name.length > longestName ? `must have at most ${longestName} characters, got ${name.length}` : undefined);
  if (reason !== undefined) input.reportName(problems.create('postgresql-name', { name, reason }));
  checkBootstrap(asked.bootstrap ?? {}, external, report);
  return {
    apiVersion: 'postgresql.cnpg.io/v1',
    kind: 'Cluster',
    metadata: { name },
    spec: defined({
      imageName: imageOf(asked, report),
      imagePullSecrets: filled(asked.imagePullSecrets),
      instances: replicas,
      storage: defined({ size: asked.storageSize, storageClass: asked.storageClass }),
      walStorage: asked.walStorage,
      resources: createInstanceResources(asked.resources, policy.defaults, report),
      affinity: asked.affinity,
      postgresql: createConfiguration(asked, report),
      bootstrap: filled(asked.bootstrap),
      externalClusters: filled(external),
      managed: roles.length === 0 ? undefined : { roles: createRoles(roles, report) },
      backup: createBackup(asked.backup ?? {}, report),
      plugins: filled(plugins),
      monitoring: createMonitoring(asked.monitoring, report),
      inheritedMetadata: filled(asked.inheritedMetadata),
      primaryUpdateStrategy: 'unsupervised',
      enablePDB: replicas > 1,
    }),
  };
}

function createMonitoring(asked: ClusterProperties['monitoring'], report: ReportAt): JsonObject | undefined {
  if (asked !== undefined && asked.enabled === undefined) {
    report(problems.create('postgresql-not-enabled', { property: 'monitoring' }), ['monitoring'], 'key');
  }
  if (asked?.enabled !== true) return undefined;
  return defined({ enablePodMonitor: true, customQueriesConfigMap: asked.customQueries });
}

const repository = 'ghcr.io/cloudnative-pg/postgresql';
const usualVersion = '16';

function imageOf({ version, imageName }: ClusterProperties, report: ReportAt): string {
  const image = imageName ?? `${repository}:${version ?? usualVersion}`;
  if (imageName !== undefined && version !== undefined) {
    report(problems.create('postgresql-version-unused', { version, image }), ['version']);
  }
  const property = imageName === undefined ? 'version' : 'imageName';
  const reference = parseImageReference(image);
  if (reference === undefined) {
    report(problems.create('postgresql-version', { version: version ?? '' }), [property]);
  } else if (!/^[0-9]/.test(reference.tag ?? '')) {
    report(problems.create('postgresql-image-tag', { image, tag: reference.tag }), [property]);
  }
  return image;
}

/** Values of the author take precedence over defaults of the policy. */
function createInstanceResources(
  { requests = {}, limits = {} }: NonNullable<ClusterProperties['resources']> = {},
  defaults: AmountRules['defaults'],
  report: ReportAt,
): JsonObject | undefined {
  for (const name of ['cpu', 'memory'] as const) {
    const [request, limit] = [requests[name], limits[name]];
    if (request === undefined || limit === undefined || compareAmounts(request, limit) <= 0) continue;
    const diagnostic = problems.create('postgresql-request-above-limit', { name, request, limit });
    report(diagnostic, ['resources', 'requests', name]);
  }
  const complete = completeResources({ requests, limits }, defaults);
  return filled(
    defined({
      requests: filled(formatAmounts(complete.requests)),
      limits: filled(formatAmounts(complete.limits)),
    }),
  );
}

// With the property to use instead. Parameters that only some versions of CloudNativePG manage are not listed.
const fixed: ReadonlyMap<string, string | undefined> = new Map([
  ['shared_preload_libraries', 'postgresql.shared_preload_libraries'],
  ['synchronous_standby_names', 'replication.synchronous'],
  ...[
    'archive_command',
    'archive_mode',
    'cluster_name',
    'config_file',
    'data_directory',
    'hba_file',
    'ident_file',
    'listen_addresses',
    'log_destination',
    'log_directory',
    'log_filename',
    'logging_collector',
    'port',
    'primary_conninfo',
    'primary_slot_name',
    'recovery_target_time',
    'restore_command',
    'ssl',
    'ssl_ca_file',
    'ssl_cert_file',
    'ssl_key_file',
    'unix_socket_directories',
  ].map((name): [string, undefined] => [name, undefined]),
]);

/** The `postgresql` field of a Cluster. */
function createConfiguration(asked: ClusterProperties, report: ReportAt): JsonObject {
  const { postgresql = {}, replicas } = asked;
  for (const parameter of Object.keys(postgresql.parameters ?? {})) {
    if (!fixed.has(parameter)) continue;
    const diagnostic = problems.create('postgresql-parameter-fixed', { parameter, instead: fixed.get(parameter) });
    report(diagnostic, ['postgresql', 'parameters', parameter], 'key');
  }
  return defined({
    parameters: filled(postgresql.parameters),
    shared_preload_libraries: filled(postgresql.shared_preload_libraries),
    pg_hba: filled(postgresql.pg_hba),
    pg_ident: filled(postgresql.pg_ident),
    synchronous: createSynchronous(asked.replication?.synchronous, replicas, report),
    syncReplicaElectionConstraint: postgresql.syncReplicaElectionConstraint ?? { enabled: false },
  });
}

type Synchronous = NonNullable<NonNullable<ClusterProperties['replication']>['synchronous']>;

function createSynchronous(asked: Synchronous | undefined, replicas: number, report: ReportAt): JsonObject | undefined {
  if (asked === undefined) return undefined;
  const { method, number, dataDurability, failoverQuorum } = asked;
  if (number >= replicas) {
    const path = ['replication', 'synchronous', 'number'];
    report(problems.create('postgresql-synchronous-number', { number, replicas }), path);
  }
  return defined({ method, number, dataDurability, failoverQuorum: failoverQuorum ? true : undefined });
}
