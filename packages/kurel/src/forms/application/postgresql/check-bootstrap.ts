import { nearest } from '../../../diagnostics/index.ts';
import { has, mappingAt, presentOf, textAt } from '../../../kube/index.ts';
import type { Path } from '../../../model/index.ts';
import type { ReportAt } from '../catalog/define.ts';
import type { Field, ValueOf } from '../documents/field.ts';
import { ofCluster } from './of-cluster.ts';
import { postgresqlProblems as problems } from './problems.ts';

export const bootstrap = {
  type: 'object',
  description: 'how the cluster begins; with an empty database "app" unless given',
  properties: {
    initdb: ofCluster({ type: 'object', description: 'with an empty or imported database' }, 'bootstrap', 'initdb'),
    recovery: ofCluster({ type: 'object', description: 'with what a backup holds' }, 'bootstrap', 'recovery'),
    pg_basebackup: ofCluster(
      { type: 'object', description: 'with a copy of a running cluster' },
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
  description: 'clusters elsewhere, whose data this one can begin with',
  uniqueBy: 'name',
  items: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'what it is called here', required: true, format: 'filled' },
      connectionParameters: ofExternal(
        { type: 'object', description: 'how to connect to it: host, user, dbname' },
        'connectionParameters',
      ),
      password: ofExternal({ type: 'object', description: 'Secret and key with the password' }, 'password'),
      sslCert: ofExternal({ type: 'object', description: 'Secret and key with the certificate' }, 'sslCert'),
      sslKey: ofExternal({ type: 'object', description: 'Secret and key with the key of the certificate' }, 'sslKey'),
      sslRootCert: ofExternal(
        { type: 'object', description: 'Secret and key with the certificate of who signed that of the server' },
        'sslRootCert',
      ),
      barmanObjectStore: ofExternal({ type: 'object', description: 'where its backups are kept' }, 'barmanObjectStore'),
      plugin: ofExternal({ type: 'object', description: 'the plugin that knows its backups' }, 'plugin'),
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

/** Whether a cluster can begin as asked: in one way, and with data that can be reached. */
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
  /** One of these an external cluster must have. */
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

/** The role that owns the database a cluster begins with; `undefined` when roles come from elsewhere, too. */
export function findFirstOwner({ initdb = {}, recovery, pg_basebackup: copy }: Bootstrap): string | undefined {
  const bringsRoles = Object.keys(initdb).some((key) => key === 'import' || /^post.*SQL/.test(key));
  if (recovery !== undefined || copy !== undefined || bringsRoles) return undefined;
  return textAt(initdb, 'owner') ?? textAt(initdb, 'database') ?? 'app';
}
