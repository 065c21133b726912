import { nearest } from '../../../diagnostics/index.ts';
import { checkDnsSubdomain } from '../../../kube/index.ts';
import type { JsonObject, KubeObject, Path } from '../../../model/index.ts';
import type { ReportAt } from '../catalog/define.ts';
import { defined, filled, pickFields } from '../catalog/present-fields.ts';
import { choiceField, flagField, kubernetesFields, textField } from '../../../documents/index.ts';
import type { Field, ValueOf } from '../../../documents/index.ts';
import { postgresqlProblems as problems } from './problems.ts';

const ensure = { type: 'string', enum: ['present', 'absent'], default: 'present' } as const satisfies Field;
const flag = { type: 'boolean', default: false } as const satisfies Field;

/** Fields that CloudNativePG need not know about if they are false. */
const flags = {
  login: { ...flag, description: 'Whether the role can log in.' },
  superuser: { ...flag, description: 'Whether the role is a superuser.' },
  createdb: { ...flag, description: 'Whether the role can create databases.' },
  createrole: { ...flag, description: 'Whether the role can create roles.' },
  replication: { ...flag, description: 'Whether the role can initiate replication.' },
  bypassrls: { ...flag, description: 'Whether the role bypasses row-level security.' },
} as const;

const roleSpec = ['postgresql.cnpg.io/v1', 'Cluster', 'spec', 'managed', 'roles'] as const;

export const managedRoles = {
  type: 'array',
  description: 'Roles that CloudNativePG manages.',
  uniqueBy: 'name',
  items: {
    type: 'object',
    relations: [{ exclusive: ['passwordSecret', 'disablePassword'] }],
    properties: {
      name: { ...textField('filled', 'Name of the role.'), required: true },
      ensure: { ...ensure, description: 'Whether the role must exist or not.' },
      comment: { type: 'string', description: 'Comment of the role.' },
      ...flags,
      inherit: flagField('Whether the role inherits the privileges of its roles. Defaults to true.'),
      connectionLimit: {
        type: 'integer',
        description: 'Maximum number of concurrent connections. -1 means no limit.',
        minimum: -1,
        maximum: 2_147_483_647,
      },
      ...kubernetesFields(roleSpec, {
        inRoles: { type: 'array', description: 'Roles that the role is a member of.' },
      }),
      passwordSecret: textField(
        'dns-subdomain',
        'Secret of type kubernetes.io/basic-auth with the name and password of the role.',
      ),
      disablePassword: { ...flag, description: 'Whether to set no password.' },
      ...kubernetesFields(roleSpec, {
        validUntil: { type: 'string', description: 'Expiry of the password, such as 2030-01-01T00:00:00Z.' },
      }),
    },
  },
} as const satisfies Field;

type Role = ValueOf<typeof managedRoles>[number];

const reserved: ReadonlySet<string> = new Set(['postgres', 'streaming_replica']);
const reservedStart = /^(?:pg|cnpg)_/;

export function createRoles(list: readonly Role[], report: ReportAt): readonly JsonObject[] {
  return list.map((role, index) => {
    const { name } = role;
    if (reserved.has(name) || reservedStart.test(name)) {
      report(problems.create('postgresql-role-reserved', { name }), ['managedRoles', index, 'name']);
    }
    const written = Object.entries(pickFields(flags, role)).map(([flag, isSet]) => [flag, isSet || undefined]);
    return defined({
      ...pickFields(managedRoles.items.properties, role),
      ...Object.fromEntries(written),
      ensure: role.ensure === 'absent' ? role.ensure : undefined,
      passwordSecret: role.passwordSecret === undefined ? undefined : { name: role.passwordSecret },
      disablePassword: role.disablePassword || undefined,
    });
  });
}

export const databases = {
  type: 'array',
  description: 'Databases in addition to the initial one.',
  uniqueBy: 'name',
  items: {
    type: 'object',
    properties: {
      name: { ...textField('filled', 'Name of the database.'), required: true },
      owner: { ...textField('filled', 'Role that owns the database.'), required: true },
      ensure: { ...ensure, description: 'Whether the database must exist or not.' },
      databaseReclaimPolicy: {
        ...choiceField(['retain', 'delete'], 'Whether to retain or delete the database when its object is deleted.'),
        default: 'retain',
      },
      ...kubernetesFields(['postgresql.cnpg.io/v1', 'Database', 'spec'], {
        template: { type: 'string', description: 'Template to create the database from.' },
        encoding: { type: 'string', description: 'Character encoding, such as UTF8.' },
        locale: { type: 'string', description: 'Locale for collation and character classification.' },
        localeProvider: { type: 'string', description: 'Locale provider: libc, icu or builtin.' },
        localeCollate: { type: 'string', description: 'Collation. Defaults to "locale".' },
        localeCType: { type: 'string', description: 'Character classification. Defaults to "locale".' },
        icuLocale: { type: 'string', description: 'ICU locale.' },
        icuRules: { type: 'string', description: 'Additional ICU collation rules.' },
        builtinLocale: { type: 'string', description: 'Locale of the builtin provider.' },
        collationVersion: { type: 'string', description: 'Collation version.' },
        tablespace: { type: 'string', description: 'Default tablespace.' },
        connectionLimit: {
          type: 'integer',
          description: 'Maximum number of concurrent connections. -1 means no limit.',
        },
        allowConnections: flagField('Whether connections are allowed.'),
        isTemplate: flagField('Whether the database is a template.'),
        schemas: { type: 'array', description: 'Schemas of the database.' },
      }),
      extensions: {
        type: 'array',
        description: 'PostgreSQL extensions.',
        uniqueBy: 'name',
        items: {
          type: 'object',
          properties: {
            name: { ...textField('filled', 'Name of the extension.'), required: true },
            ensure: { ...ensure, description: 'Whether the extension must exist or not.' },
            version: { type: 'string', description: 'Version of the extension.' },
            schema: { type: 'string', description: 'Schema of the extension.' },
          },
        },
      },
      ...kubernetesFields(['postgresql.cnpg.io/v1', 'Database', 'spec'], {
        fdws: { type: 'array', description: 'Foreign data wrappers.' },
        servers: { type: 'array', description: 'Foreign servers.' },
      }),
    },
  },
} as const satisfies Field;

type Database = ValueOf<typeof databases>[number];

interface DatabasesOptions {
  readonly cluster: string;
  readonly managedRoles: readonly Role[];
  /** The owner of the initial database; `undefined` if there may be roles that are not listed. */
  readonly firstOwner: string | undefined;
  readonly report: ReportAt;
}

export function createDatabases(
  list: readonly Database[],
  { cluster, managedRoles: roles, firstOwner, report }: DatabasesOptions,
): readonly KubeObject[] {
  const databaseOf = new Map<string, string>();
  return list.map((database, index) => {
    const { name: second } = database;
    // PostgreSQL allows more characters in a name than Kubernetes.
    const object = `${cluster}-${second.toLowerCase().replaceAll('_', '-')}`;
    const path = ['databases', index];
    const reason = checkDnsSubdomain(object);
    const first = databaseOf.get(object);
    if (reason !== undefined) {
      report(problems.create('postgresql-database-name', { database: second, object, reason }), [...path, 'name']);
    } else if (first === undefined) databaseOf.set(object, second);
    else report(problems.create('postgresql-database-clash', { first, second, object }), [...path, 'name']);
    checkOwner(database, [...path, 'owner']);
    return createDatabase(database, object, cluster);
  });

  function checkOwner({ name: database, owner, ensure: wanted }: Database, path: Path): void {
    if (wanted === 'absent') return;
    const managed = roles.find(({ name }) => name === owner);
    if (managed?.ensure === 'absent') report(problems.create('postgresql-owner-absent', { owner, database }), path);
    if (managed !== undefined || firstOwner === undefined) return;
    const existing = roles.flatMap((role) => (role.ensure === 'present' ? [role.name] : []));
    const owners = new Set([firstOwner, 'postgres', ...existing]);
    if (owners.has(owner)) return;
    report(problems.create('postgresql-owner-unknown', { owner, database, near: nearest(owner, owners) }), path);
  }
}

function createDatabase(database: Database, name: string, cluster: string): KubeObject {
  const { name: called, owner, ensure: wanted, databaseReclaimPolicy, extensions, ...rest } = database;
  return {
    apiVersion: 'postgresql.cnpg.io/v1',
    kind: 'Database',
    metadata: { name },
    spec: defined({
      cluster: { name: cluster },
      name: called,
      owner,
      ensure: wanted === 'absent' ? wanted : undefined,
      databaseReclaimPolicy: databaseReclaimPolicy === 'delete' ? databaseReclaimPolicy : undefined,
      ...rest,
      extensions: filled(
        extensions?.map((extension) =>
          defined(pickFields(databases.items.properties.extensions.items.properties, extension)),
        ),
      ),
    }),
  };
}
