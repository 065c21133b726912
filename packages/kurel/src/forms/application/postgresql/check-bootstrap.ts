import { nearest } from '../../../diagnostics/index.ts';
import { has, mappingAt, presentOf, textAt } from '../../../kube/index.ts';
import type { Path } from '../../../model/index.ts';
import type { ReportAt } from '../catalog/define.ts';
import type { Field, ValueOf } from '../documents/field.ts';
import { ofCluster } from './of-cluster.ts';
import { postgresqlProblems as problems } from './problems.ts';

export const bootstrap = {
  type: 'object',
  description: 'How the cluster is bootstrapped. Defaults to an empty database named app.',
  properties: {
    initdb: ofCluster(
      { type: 'object', description: 'Bootstrap with an empty or imported database.' },
      'bootstrap',
      'initdb',
    ),
    recovery: ofCluster({ type: 'object', description: 'Bootstrap from a backup.' }, 'bootstrap', 'recovery'),
    pg_basebackup: ofCluster(
      { type: 'object', description: 'Bootstrap from a running cluster.' },
      'bootstrap',
      'pg_basebackup',
    ),
  },
} as const satisfies Field;

function ofExternal<const F extends Field>(field: F, key: string) {
  return ofCluster(field, 'externalClusters', key);
}

export const externalClusters = {
  type: 'array',
  description: 'External clusters to bootstrap from.',
  uniqueBy: 'name',
  items: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'Name of the external cluster.', required: true, format: 'filled' },
      connectionParameters: ofExternal(
        { type: 'object', description: 'Connection parameters, such as host, user and dbname.' },
        'connectionParameters',
      ),
      password: ofExternal({ type: 'object', description: 'Secret key with the password.' }, 'password'),
      sslCert: ofExternal({ type: 'object', description: 'Secret key with the client certificate.' }, 'sslCert'),
      sslKey: ofExternal(
        { type: 'object', description: 'Secret key with the private key of the client certificate.' },
        'sslKey',
      ),
      sslRootCert: ofExternal(
        { type: 'object', description: 'Secret key with the CA certificate of the server.' },
        'sslRootCert',
      ),
      barmanObjectStore: ofExternal(
        { type: 'object', description: 'Object store with its backups.' },
        'barmanObjectStore',
      ),
      plugin: ofExternal({ type: 'object', description: 'Plugin that provides its backups.' }, 'plugin'),
    },
  },
} as const satisfies Field;

type Bootstrap = ValueOf<typeof bootstrap>;
type ExternalCluster = ValueOf<typeof externalClusters>[number];

interface BootstrapOptions {
  readonly external: readonly ExternalCluster[];
  readonly report: ReportAt;
}

const methods = ['initdb', 'recovery', 'pg_basebackup'] as const;
const ofConnection = ['connectionParameters'] as const;
const ofBackups = ['barmanObjectStore', 'plugin'] as const;

/** Checks that there is at most one bootstrap method and that its source is usable. */
export function checkBootstrap(asked: Bootstrap, options: BootstrapOptions): void {
  const { external, report } = options;
  const { initdb, recovery, pg_basebackup: copy } = asked;
  const given = methods.filter((method) => asked[method] !== undefined);
  if (given.length > 1) {
    report(problems.create('postgresql-bootstrap-several', { methods: given }), ['bootstrap'], 'key');
  }
  const imported = textAt(mappingAt(mappingAt(initdb, 'import'), 'source'), 'externalCluster');
  const importPath = ['bootstrap', 'initdb', 'import', 'source', 'externalCluster'];
  checkSource(imported, { ...options, path: importPath, needed: ofConnection });
  if (recovery !== undefined && presentOf(recovery, ['source', 'backup', 'volumeSnapshots']).length === 0) {
    report(problems.create('postgresql-recovery-empty', {}), ['bootstrap', 'recovery'], 'key');
  }
  const recoveryPath = ['bootstrap', 'recovery', 'source'];
  checkSource(textAt(recovery, 'source'), { ...options, path: recoveryPath, needed: ofBackups });
  const copyPath = ['bootstrap', 'pg_basebackup', 'source'];
  checkSource(textAt(copy, 'source'), { ...options, path: copyPath, needed: ofConnection });
  for (const [index, one] of external.entries()) {
    if (isReachable(one)) continue;
    report(problems.create('postgresql-external-empty', { name: one.name }), ['externalClusters', index]);
  }
}

function isReachable(one: ExternalCluster): boolean {
  return presentOf(one, [...ofConnection, ...ofBackups]).length > 0;
}

interface SourceOptions extends BootstrapOptions {
  readonly path: Path;
  /** The external cluster must have one of these. */
  readonly needed: readonly (keyof ExternalCluster)[];
}

function checkSource(source: string | undefined, { external, report, path, needed }: SourceOptions): void {
  if (source === undefined) return;
  const found = external.find(({ name }) => name === source);
  if (found === undefined) {
    const known = external.map(({ name }) => name);
    const args = { source, near: nearest(source, known), known };
    report(problems.create('postgresql-source-unknown', args), path);
  } else if (!needed.some((key) => has(found, key)) && isReachable(found)) {
    const args = { source, method: String(path[1]), needed: needed.map((key) => `"${key}"`).join(' or ') };
    report(problems.create('postgresql-source-unfit', args), path);
  }
}

/** The owner of the initial database; `undefined` if roles may also come from elsewhere. */
export function findFirstOwner({ initdb = {}, recovery, pg_basebackup: copy }: Bootstrap): string | undefined {
  const bringsRoles = Object.keys(initdb).some((key) => key === 'import' || /^post.*SQL/.test(key));
  if (recovery !== undefined || copy !== undefined || bringsRoles) return undefined;
  return textAt(initdb, 'owner') ?? textAt(initdb, 'database') ?? 'app';
}
