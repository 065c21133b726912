import { nearest } from '../../../../diagnostics/index.ts';
import { checkDnsSubdomain } from '../../../../kube/index.ts';
import type { JsonObject, KubeObject, Path } from '../../../../model/index.ts';
import type { Field, ValueOf } from '../../documents/field.ts';
import { findFirstOwner } from '../../postgresql/check-bootstrap.ts';
import { clusterProperties, insteadOfClusterFields } from '../../postgresql/cluster-properties.ts';
import { barmanStore, createBarmanStore, retentionPolicy } from '../../postgresql/create-barman-store.ts';
import { createCluster } from '../../postgresql/create-cluster.ts';
import { ofDatabase } from '../../postgresql/of-cluster.ts';
import { postgresqlProblems, postgresqlProblems as problems } from '../../postgresql/problems.ts';
import { defineComponent } from '../define.ts';
import type { Operator, ReportAt } from '../define.ts';
import { defined, filled } from '../defined.ts';

const ensure = { type: 'string', enum: ['present', 'absent'], default: 'present' } as const satisfies Field;

function text(key: string, description: string) {
  return ofDatabase({ type: 'string', description }, key);
}

/** Databases in addition to the initial one. */
const databases = {
  type: 'array',
  description: 'Databases in addition to the initial one.',
  uniqueBy: 'name',
  items: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'Name of the database.', required: true, format: 'filled' },
      owner: { type: 'string', description: 'Role that owns the database.', required: true, format: 'filled' },
      ensure: { ...ensure, description: 'Whether the database must exist or not.' },
      databaseReclaimPolicy: {
        type: 'string',
        description: 'Whether to retain or delete the database when its object is deleted.',
        enum: ['retain', 'delete'],
        default: 'retain',
      },
      template: text('template', 'Template to create the database from.'),
      encoding: text('encoding', 'Character encoding, such as UTF8.'),
      locale: text('locale', 'Locale for collation and character classification.'),
      localeProvider: text('localeProvider', 'Locale provider: libc, icu or builtin.'),
      localeCollate: text('localeCollate', 'Collation. Defaults to "locale".'),
      localeCType: text('localeCType', 'Character classification. Defaults to "locale".'),
      icuLocale: text('icuLocale', 'ICU locale.'),
      icuRules: text('icuRules', 'Additional ICU collation rules.'),
      builtinLocale: text('builtinLocale', 'Locale of the builtin provider.'),
      collationVersion: text('collationVersion', 'Collation version.'),
      tablespace: text('tablespace', 'Default tablespace.'),
      connectionLimit: ofDatabase(
        { type: 'integer', description: 'Maximum number of concurrent connections. -1 means no limit.' },
        'connectionLimit',
      ),
      allowConnections: ofDatabase(
        { type: 'boolean', description: 'Whether connections are allowed.' },
        'allowConnections',
      ),
      isTemplate: ofDatabase({ type: 'boolean', description: 'Whether the database is a template.' }, 'isTemplate'),
      schemas: ofDatabase({ type: 'array', description: 'Schemas of the database.' }, 'schemas'),
      extensions: {
        type: 'array',
        description: 'PostgreSQL extensions.',
        uniqueBy: 'name',
        items: {
          type: 'object',
          properties: {
            name: { type: 'string', description: 'Name of the extension.', required: true, format: 'filled' },
            ensure: { ...ensure, description: 'Whether the extension must exist or not.' },
            version: { type: 'string', description: 'Version of the extension.' },
            schema: { type: 'string', description: 'Schema of the extension.' },
          },
        },
      },
      fdws: ofDatabase({ type: 'array', description: 'Foreign data wrappers.' }, 'fdws'),
      servers: ofDatabase({ type: 'array', description: 'Foreign servers.' }, 'servers'),
    },
  },
} as const satisfies Field;

const released = 'barman-cloud.cloudnative-pg.io';
// The original program writes this name, but no release of the plugin uses it.
const unreleased = 'barman-cloud.barmancloud.cnpg.io';

const objectStore = {
  type: 'object',
  description: 'Backup store of the Barman Cloud plugin. Mutually exclusive with backup.',
  properties: {
    ...barmanStore,
    retentionPolicy: {
      ...retentionPolicy,
      kubernetes: ['barmancloud.cnpg.io/v1', 'ObjectStore', 'spec', 'retentionPolicy'],
    },
    serverName: {
      type: 'string',
      description: 'Directory of the cluster in the store. Defaults to the name of the component.',
      format: 'filled',
    },
    pluginName: {
      type: 'string',
      description: 'Name of the plugin. Set it only if yours is installed under another name.',
      format: 'filled',
      default: released,
    },
  },
} as const satisfies Field;

type ObjectStore = ValueOf<typeof objectStore>;

function createObjectStore(name: string, asked: ObjectStore, report: ReportAt): KubeObject {
  const { retentionPolicy } = asked;
  const configuration = createBarmanStore(asked, { property: 'objectStore', report });
  return {
    apiVersion: 'barmancloud.cnpg.io/v1',
    kind: 'ObjectStore',
    metadata: { name },
    spec: defined({ configuration, retentionPolicy }),
  };
}

/** The archiver plugin of a Cluster. serverName is set here because an ObjectStore rejects it. */
function createArchiver(name: string, { pluginName, serverName }: ObjectStore, report: ReportAt): JsonObject {
  if (pluginName === unreleased) {
    report(problems.create('postgresql-plugin-name', { name: unreleased, released }), ['objectStore', 'pluginName']);
  }
  const parameters = defined({ barmanObjectName: name, serverName });
  return { name: pluginName, isWALArchiver: true, parameters };
}

const pooler = {
  type: 'object',
  description: 'PgBouncer connection pooler.',
  properties: {
    enabled: { type: 'boolean', description: 'Whether to create a pooler. Defaults to false.' },
    instances: {
      type: 'integer',
      description: 'Number of pooler pods.',
      minimum: 0,
      maximum: 2_147_483_647,
      default: 3,
    },
    type: {
      type: 'string',
      description: 'Instances that it connects to: rw is the primary, ro the replicas, r all of them.',
      enum: ['rw', 'ro', 'r'],
      default: 'rw',
    },
    poolMode: {
      type: 'string',
      description: 'Pool mode of PgBouncer.',
      enum: ['session', 'transaction', 'statement'],
      default: 'session',
    },
    parameters: {
      type: 'object',
      description: 'Parameters of PgBouncer.',
      kubernetes: ['postgresql.cnpg.io/v1', 'Pooler', 'spec', 'pgbouncer', 'parameters'],
    },
  },
} as const satisfies Field;

interface PoolerOptions {
  readonly cluster: string;
  /** Replicas of the cluster. */
  readonly replicas: number;
  readonly report: ReportAt;
}

function createPooler(
  asked: ValueOf<typeof pooler>,
  { cluster, replicas, report }: PoolerOptions,
): KubeObject | undefined {
  const { enabled, instances, type, poolMode, parameters } = asked;
  if (enabled === undefined) {
    report(problems.create('postgresql-not-enabled', { property: 'pooler' }), ['pooler'], 'key');
  }
  if (enabled !== true) return undefined;
  if (type === 'ro' && replicas === 1) {
    report(problems.create('postgresql-pooler-without-replicas', {}), ['pooler', 'type']);
  }
  return {
    apiVersion: 'postgresql.cnpg.io/v1',
    kind: 'Pooler',
    metadata: { name: `${cluster}-pooler` },
    spec: { cluster: { name: cluster }, instances, type, pgbouncer: defined({ poolMode, parameters }) },
  };
}

/** Instances report their state to the operator and to each other on port 8000. */
const operator: Operator = {
  name: 'CloudNativePG',
  namespace: 'cnpg-system',
  pods: { 'app.kubernetes.io/name': 'cloudnative-pg' },
  ports: [5432, 8000],
};

export const postgresql = defineComponent({
  type: 'postgresql',
  summary: 'PostgreSQL cluster managed by CloudNativePG, with databases, roles, backups and a pooler.',
  tier: 'services',
  provides: ['pods'],
  instead: insteadOfClusterFields,
  properties: {
    provider: { type: 'string', description: 'Operator that runs PostgreSQL.', enum: ['cnpg'], default: 'cnpg' },
    ...clusterProperties,
    objectStore,
    pooler,
    databases,
  },
  problems: postgresqlProblems,
  render(input) {
    const { name, properties: asked, report } = input;
    const { replicas, managedRoles = [], bootstrap = {} } = asked;
    const store = asked.objectStore;
    if (store !== undefined && Object.keys(asked.backup ?? {}).length > 0) {
      report(postgresqlProblems.create('postgresql-archive-twice', {}), ['backup'], 'key');
    }
    const cluster = createCluster(input, store === undefined ? [] : [createArchiver(name, store, report)]);
    const pool = asked.pooler && createPooler(asked.pooler, { cluster: name, replicas, report });
    const rolesThatAre = (ensure: string): readonly string[] =>
      managedRoles.flatMap((role) => (role.ensure === ensure ? [role.name] : []));
    const owner = findFirstOwner(bootstrap);
    const objects: readonly (KubeObject | undefined)[] = [
      cluster,
      pool,
      store && createObjectStore(name, store, report),
      ...createDatabases(asked.databases ?? [], {
        cluster: name,
        absent: new Set(rolesThatAre('absent')),
        roles: owner === undefined ? undefined : new Set([owner, 'postgres', ...rolesThatAre('present')]),
        report,
      }),
    ];
    return { objects: objects.filter((object) => object !== undefined), pods: { 'cnpg.io/cluster': name }, operator };
  },
});

type Database = ValueOf<typeof databases>[number];

interface DatabasesOptions {
  readonly cluster: string;
  /** Roles that will be removed. */
  readonly absent: ReadonlySet<string>;
  /** All roles; `undefined` if there may be others. */
  readonly roles: ReadonlySet<string> | undefined;
  readonly report: ReportAt;
}

function createDatabases(list: readonly Database[], options: DatabasesOptions): readonly KubeObject[] {
  const taken = new Map<string, string>();
  return list.map((database, index) => {
    const name = objectName(database.name, options.cluster);
    const path = ['databases', index];
    checkName(database.name, name);
    checkOwner(database, [...path, 'owner'], options);
    return createDatabase(database, name, options.cluster);

    function checkName(text: string, object: string): void {
      const reason = checkDnsSubdomain(object);
      const first = taken.get(object);
      if (reason !== undefined) {
        const args = { database: text, object, reason };
        options.report(problems.create('postgresql-database-name', args), [...path, 'name']);
      } else if (first === undefined) taken.set(object, text);
      else {
        const args = { first, second: text, object };
        options.report(problems.create('postgresql-database-clash', args), [...path, 'name']);
      }
    }
  });
}

/** PostgreSQL allows more characters in a name than Kubernetes. */
function objectName(database: string, cluster: string): string {
  return `${cluster}-${database.toLowerCase().replaceAll('_', '-')}`;
}

function checkOwner(
  { name: database, owner, ensure }: Database,
  path: Path,
  { absent, roles, report }: DatabasesOptions,
): void {
  if (ensure === 'absent') return;
  if (absent.has(owner)) report(problems.create('postgresql-owner-absent', { owner, database }), path);
  else if (roles !== undefined && !roles.has(owner)) {
    const near = nearest(owner, roles);
    report(problems.create('postgresql-owner-unknown', { owner, database, near }), path);
  }
}

function createDatabase(database: Database, name: string, cluster: string): KubeObject {
  const { name: called, owner, ensure, databaseReclaimPolicy, extensions, ...rest } = database;
  return {
    apiVersion: 'postgresql.cnpg.io/v1',
    kind: 'Database',
    metadata: { name },
    spec: defined({
      cluster: { name: cluster },
      name: called,
      owner,
      ensure: ensure === 'absent' ? ensure : undefined,
      databaseReclaimPolicy: databaseReclaimPolicy === 'delete' ? databaseReclaimPolicy : undefined,
      ...rest,
      extensions: filled(
        extensions?.map(({ name: extension, ensure: wanted, version, schema }) =>
          defined({ name: extension, ensure: wanted, version, schema }),
        ),
      ),
    }),
  };
}
