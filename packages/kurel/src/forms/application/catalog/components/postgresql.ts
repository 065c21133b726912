import { nearest } from '../../../../diagnostics/index.ts';
import { checkDnsSubdomain } from '../../../../kube/index.ts';
import type { JsonObject, KubeObject, Path } from '../../../../model/index.ts';
import type { Field, ValueOf } from '../../documents/field.ts';
import { findFirstOwner } from '../../postgresql/check-bootstrap.ts';
import { clusterProperties } from '../../postgresql/cluster-properties.ts';
import { barmanStore, createBarmanStore } from '../../postgresql/create-barman-store.ts';
import { createCluster } from '../../postgresql/create-cluster.ts';
import { ofDatabase } from '../../postgresql/of-cluster.ts';
import { postgresqlProblems, postgresqlProblems as problems } from '../../postgresql/problems.ts';
import { defineComponent } from '../define.ts';
import type { Operator, ReportAt } from '../define.ts';
import { filled } from '../filled.ts';
import { given } from '../given.ts';

const ensure = { type: 'string', enum: ['present', 'absent'], default: 'present' } as const satisfies Field;

function text(key: string, description: string) {
  return ofDatabase({ type: 'string', description }, key);
}

/** Databases beside the one that a cluster begins with. */
const databases = {
  type: 'array',
  description: 'databases of the cluster',
  uniqueBy: 'name',
  items: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'what the database is called', required: true, format: 'filled' },
      owner: { type: 'string', description: 'role that it belongs to', required: true, format: 'filled' },
      ensure: { ...ensure, description: 'whether it is made or removed' },
      databaseReclaimPolicy: {
        type: 'string',
        description: 'what becomes of it when its object is deleted',
        enum: ['retain', 'delete'],
        default: 'retain',
      },
      template: text('template', 'database that it is a copy of'),
      encoding: text('encoding', 'how texts are written in it, such as UTF8'),
      locale: text('locale', 'how texts are sorted and letters told apart'),
      localeProvider: text('localeProvider', 'who knows the locale: libc, icu or builtin'),
      localeCollate: text('localeCollate', 'how texts are sorted, when it is not by "locale"'),
      localeCType: text('localeCType', 'how letters are told apart, when it is not by "locale"'),
      icuLocale: text('icuLocale', 'locale of ICU'),
      icuRules: text('icuRules', 'rules of ICU beyond its locale'),
      builtinLocale: text('builtinLocale', 'locale of PostgreSQL itself'),
      collationVersion: text('collationVersion', 'version of the rules for sorting'),
      tablespace: text('tablespace', 'tablespace that it is kept in'),
      connectionLimit: ofDatabase(
        { type: 'integer', description: 'how many connections there may be at once; -1 for any number' },
        'connectionLimit',
      ),
      allowConnections: ofDatabase({ type: 'boolean', description: 'whether anyone may connect' }, 'allowConnections'),
      isTemplate: ofDatabase({ type: 'boolean', description: 'whether others may be copies of it' }, 'isTemplate'),
      schemas: ofDatabase({ type: 'array', description: 'schemas, as Databases have them' }, 'schemas'),
      extensions: {
        type: 'array',
        description: 'extensions of PostgreSQL',
        uniqueBy: 'name',
        items: {
          type: 'object',
          properties: {
            name: { type: 'string', description: 'what it is called', required: true, format: 'filled' },
            ensure: { ...ensure, description: 'whether it is made or removed' },
            version: { type: 'string', description: 'which version of it' },
            schema: { type: 'string', description: 'schema that it is put into' },
          },
        },
      },
      fdws: ofDatabase({ type: 'array', description: 'foreign data wrappers, as Databases have them' }, 'fdws'),
      servers: ofDatabase({ type: 'array', description: 'foreign servers, as Databases have them' }, 'servers'),
    },
  },
} as const satisfies Field;

const released = 'barman-cloud.cloudnative-pg.io';
// The original program writes this name, though no release of the plugin answers to it.
const unreleased = 'barman-cloud.barmancloud.cnpg.io';

const objectStore = {
  type: 'object',
  description: 'where the Barman Cloud plugin keeps backups',
  properties: {
    ...barmanStore,
    retentionPolicy: {
      type: 'string',
      description: 'how long backups are kept, such as 30d, 4w or 6m',
      kubernetes: ['barmancloud.cnpg.io/v1', 'ObjectStore', 'spec', 'retentionPolicy'],
    },
    serverName: {
      type: 'string',
      description: 'folder of this cluster in the store; its name unless given',
      format: 'filled',
    },
    pluginName: {
      type: 'string',
      description: 'name of the plugin, if yours is installed under another one',
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
    spec: given({ configuration, retentionPolicy }),
  };
}

/** What a Cluster says of the plugin that archives it. The name of its folder belongs here: an ObjectStore refuses it. */
function createArchiver(name: string, { pluginName, serverName }: ObjectStore, report: ReportAt): JsonObject {
  if (pluginName === unreleased) {
    report(problems.create('postgresql-plugin-name', { name: unreleased, released }), ['objectStore', 'pluginName']);
  }
  const parameters = given({ barmanObjectName: name, serverName });
  return { name: pluginName, isWALArchiver: true, parameters };
}

const pooler = {
  type: 'object',
  description: 'PgBouncer in front of the cluster, which many clients share connections of',
  properties: {
    enabled: { type: 'boolean', description: 'whether there is a pooler; there is none unless given' },
    instances: {
      type: 'integer',
      description: 'number of its pods',
      minimum: 0,
      maximum: 2_147_483_647,
      default: 3,
    },
    type: {
      type: 'string',
      description: 'where it leads: rw to the primary, ro to replicas, r to all of them',
      enum: ['rw', 'ro', 'r'],
      default: 'rw',
    },
    poolMode: {
      type: 'string',
      description: 'how long a client keeps a connection',
      enum: ['session', 'transaction', 'statement'],
      default: 'session',
    },
    parameters: {
      type: 'object',
      description: 'settings of PgBouncer',
      kubernetes: ['postgresql.cnpg.io/v1', 'Pooler', 'spec', 'pgbouncer', 'parameters'],
    },
  },
} as const satisfies Field;

interface PoolerOptions {
  readonly cluster: string;
  /** Of the cluster. */
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
    spec: { cluster: { name: cluster }, instances, type, pgbouncer: given({ poolMode, parameters }) },
  };
}

/** Port 8000 is where instances report their state to the operator, and to each other. */
const operator: Operator = {
  name: 'CloudNativePG',
  namespace: 'cnpg-system',
  pods: { 'app.kubernetes.io/name': 'cloudnative-pg' },
  ports: [5432, 8000],
};

export const postgresql = defineComponent({
  type: 'postgresql',
  summary: 'A cluster of PostgreSQL that CloudNativePG runs, with its databases, roles, backups and a pooler.',
  tier: 'services',
  provides: ['pods'],
  properties: {
    provider: { type: 'string', description: 'what runs PostgreSQL', enum: ['cnpg'], default: 'cnpg' },
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
  /** All roles that there will be; `undefined` when there may be others. */
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

/** PostgreSQL allows more in a name than Kubernetes does. */
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
    spec: given({
      cluster: { name: cluster },
      name: called,
      owner,
      ensure: ensure === 'absent' ? ensure : undefined,
      databaseReclaimPolicy: databaseReclaimPolicy === 'delete' ? databaseReclaimPolicy : undefined,
      ...rest,
      extensions: filled(
        extensions?.map(({ name: extension, ensure: wanted, version, schema }) =>
          given({ name: extension, ensure: wanted, version, schema }),
        ),
      ),
    }),
  };
}
