import { checkDns1035Label, parseImageReference } from '../../../kube/index.ts';
import type { JsonObject, KubeObject } from '../../../model/index.ts';
import type { ComponentInput, PropertiesOf, ReportAt } from '../catalog/define.ts';
import { defined, filled } from '../catalog/defined.ts';
import { checkBootstrap } from './check-bootstrap.ts';
import type { clusterProperties } from './cluster-properties.ts';
import { createBarmanStore } from './create-barman-store.ts';
import { createConfiguration } from './create-configuration.ts';
import { createInstanceResources } from './create-instance-resources.ts';
import { createRoles } from './create-roles.ts';
import { postgresqlProblems as problems } from './problems.ts';

type ClusterProperties = PropertiesOf<typeof clusterProperties>;

// CloudNativePG appends suffixes to the name.
const longestName = 50;

export function createCluster(input: ComponentInput<ClusterProperties>, plugins: readonly JsonObject[]): KubeObject {
  const { name, properties: asked, policy, report } = input;
  const { replicas, managedRoles = [], externalClusters: external = [] } = asked;
  checkName(input);
  checkBootstrap(asked.bootstrap ?? {}, { external, report });

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
      resources: createInstanceResources(asked.resources, { policy, report }),
      affinity: asked.affinity,
      postgresql: createConfiguration(asked, report),
      bootstrap: filled(asked.bootstrap),
      externalClusters: external.length === 0 ? undefined : external,
      managed: managedRoles.length === 0 ? undefined : { roles: createRoles(managedRoles, report) },
      backup: createBackup(asked.backup, input),
      plugins: plugins.length === 0 ? undefined : plugins,
      monitoring: createMonitoring(asked.monitoring, report),
      inheritedMetadata: filled(asked.inheritedMetadata),
      primaryUpdateStrategy: 'unsupervised',
      enablePDB: replicas > 1,
    }),
  };
}

function checkName({ name, reportName }: ComponentInput<ClusterProperties>): void {
  const reason =
    checkDns1035Label(name) ??
    (name.length > longestName ? `must have at most ${longestName} characters, got ${name.length}` : undefined);
  if (reason !== undefined) reportName(problems.create('postgresql-name', { name, reason }));
}

function createBackup(
  asked: ClusterProperties['backup'] = {},
  { report }: ComponentInput<ClusterProperties>,
): JsonObject | undefined {
  const { retentionPolicy, ...store } = asked;
  const [first] = Object.keys(store);
  if (first === undefined && retentionPolicy === undefined) return undefined;
  if (first === undefined) {
    report(problems.create('postgresql-backup-nowhere', {}), ['backup', 'retentionPolicy']);
    return { retentionPolicy: retentionPolicy! };
  }
  if (store.destinationPath === undefined) {
    report(problems.create('postgresql-destination-missing', { property: first }), ['backup'], 'key');
  }
  return defined({ barmanObjectStore: createBarmanStore(store, { property: 'backup', report }), retentionPolicy });
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

interface Asked {
  readonly version?: string | undefined;
  readonly imageName?: string | undefined;
}

function imageOf({ version, imageName }: Asked, report: ReportAt): string {
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
