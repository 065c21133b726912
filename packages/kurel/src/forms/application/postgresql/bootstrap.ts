import { has, presentOf, textAt } from '../../../kube/index.ts';
import { valueAt } from '../../../model/index.ts';
import type { ReportAt } from '../catalog/define.ts';
import { kubernetesFields, textField } from '../../../documents/index.ts';
import type { Field, ValueOf } from '../../../documents/index.ts';
import { postgresqlProblems as problems } from './problems.ts';

export const bootstrap = {
  type: 'object',
  description: 'How the cluster is bootstrapped. Defaults to an empty database named app.',
  relations: [{ exclusive: ['initdb', 'recovery', 'pg_basebackup'] }],
  properties: kubernetesFields(['postgresql.cnpg.io/v1', 'Cluster', 'spec', 'bootstrap'], {
    initdb: { type: 'object', description: 'Bootstrap with an empty or imported database.' },
    recovery: {
      type: 'object',
      description: 'Bootstrap from a backup.',
      relations: [{ anyOf: ['source', 'backup', 'volumeSnapshots'] }],
    },
    pg_basebackup: { type: 'object', description: 'Bootstrap from a running cluster.' },
  }),
} as const satisfies Field;

export const externalClusters = {
  type: 'array',
  description: 'External clusters to bootstrap from.',
  uniqueBy: 'name',
  items: {
    type: 'object',
    properties: {
      name: { ...textField('filled', 'Name of the external cluster.'), required: true },
      ...kubernetesFields(['postgresql.cnpg.io/v1', 'Cluster', 'spec', 'externalClusters'], {
        connectionParameters: {
          type: 'object',
          description: 'Connection parameters, such as host, user and dbname.',
        },
        password: { type: 'object', description: 'Secret key with the password.' },
        sslCert: { type: 'object', description: 'Secret key with the client certificate.' },
        sslKey: { type: 'object', description: 'Secret key with the private key of the client certificate.' },
        sslRootCert: { type: 'object', description: 'Secret key with the CA certificate of the server.' },
        barmanObjectStore: { type: 'object', description: 'Object store with its backups.' },
        plugin: { type: 'object', description: 'Plugin that provides its backups.' },
      }),
    },
  },
} as const satisfies Field;

type Bootstrap = ValueOf<typeof bootstrap>;
type ExternalCluster = ValueOf<typeof externalClusters>[number];

const ofConnection = ['connectionParameters'] as const;
const ofBackups = ['barmanObjectStore', 'plugin'] as const;

/** The sources of each method: their paths, and what the external cluster must have one of. */
const sources = [
  { path: ['initdb', 'import', 'source', 'externalCluster'], needed: ofConnection },
  { path: ['recovery', 'source'], needed: ofBackups },
  { path: ['pg_basebackup', 'source'], needed: ofConnection },
] as const;

/** Checks that the source of a bootstrap method is usable. */
export function checkBootstrap(asked: Bootstrap, external: readonly ExternalCluster[], report: ReportAt): void {
  for (const source of sources) checkSource(source);
  for (const [index, cluster] of external.entries()) {
    if (isReachable(cluster)) continue;
    report(problems.create('postgresql-external-empty', { name: cluster.name }), ['externalClusters', index]);
  }

  function checkSource({ path, needed }: (typeof sources)[number]): void {
    const source = valueAt(asked, path);
    if (typeof source !== 'string') return;
    const cluster = external.find(({ name }) => name === source);
    const place = ['bootstrap', ...path];
    if (cluster === undefined) {
      const names = external.map(({ name }) => name);
      report(problems.create('postgresql-source-unknown', { source, names }), place);
    } else if (!needed.some((key) => has(cluster, key)) && isReachable(cluster)) {
      const args = { source, method: path[0], needed: needed.map((key) => `"${key}"`).join(' or ') };
      report(problems.create('postgresql-source-unfit', args), place);
    }
  }
}

function isReachable(cluster: ExternalCluster): boolean {
  return presentOf(cluster, [...ofConnection, ...ofBackups]).length > 0;
}

/** The owner of the initial database; `undefined` if roles may also come from elsewhere. */
export function findFirstOwner({ initdb = {}, recovery, pg_basebackup: copy }: Bootstrap): string | undefined {
  const bringsRoles = Object.keys(initdb).some((key) => key === 'import' || /^post.*SQL/.test(key));
  if (recovery !== undefined || copy !== undefined || bringsRoles) return undefined;
  return textAt(initdb, 'owner') ?? textAt(initdb, 'database') ?? 'app';
}
