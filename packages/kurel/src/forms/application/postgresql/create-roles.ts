import type { JsonObject } from '../../../model/index.ts';
import type { ReportAt } from '../catalog/define.ts';
import { defined } from '../catalog/defined.ts';
import type { Field, ValueOf } from '../documents/field.ts';
import { ofCluster } from './of-cluster.ts';
import { postgresqlProblems as problems } from './problems.ts';

const flag = { type: 'boolean', default: false } as const satisfies Field;

export const managedRoles = {
  type: 'array',
  description: 'Roles that CloudNativePG manages.',
  uniqueBy: 'name',
  items: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'Name of the role.', required: true, format: 'filled' },
      ensure: {
        type: 'string',
        description: 'Whether the role must exist or not.',
        enum: ['present', 'absent'],
        default: 'present',
      },
      comment: { type: 'string', description: 'Comment of the role.' },
      login: { ...flag, description: 'Whether the role can log in.' },
      superuser: { ...flag, description: 'Whether the role is a superuser.' },
      createdb: { ...flag, description: 'Whether the role can create databases.' },
      createrole: { ...flag, description: 'Whether the role can create roles.' },
      replication: { ...flag, description: 'Whether the role can initiate replication.' },
      bypassrls: { ...flag, description: 'Whether the role bypasses row-level security.' },
      inherit: {
        type: 'boolean',
        description: 'Whether the role inherits the privileges of its roles. Defaults to true.',
      },
      connectionLimit: {
        type: 'integer',
        description: 'Maximum number of concurrent connections. -1 means no limit.',
        minimum: -1,
        maximum: 2_147_483_647,
      },
      inRoles: ofCluster(
        { type: 'array', description: 'Roles that the role is a member of.' },
        'managed',
        'roles',
        'inRoles',
      ),
      passwordSecret: {
        type: 'string',
        description: 'Secret of type kubernetes.io/basic-auth with the name and password of the role.',
        format: 'dns-subdomain',
      },
      disablePassword: { ...flag, description: 'Whether to set no password.' },
      validUntil: ofCluster(
        { type: 'string', description: 'Expiry of the password, such as 2030-01-01T00:00:00Z.' },
        'managed',
        'roles',
        'validUntil',
      ),
    },
  },
} as const satisfies Field;

type Role = ValueOf<typeof managedRoles>[number];

const reserved: ReadonlySet<string> = new Set(['postgres', 'streaming_replica']);
const reservedStart = /^(?:pg|cnpg)_/;

export function createRoles(list: readonly Role[], report: ReportAt): readonly JsonObject[] {
  return list.map((role, index) => {
    const path = ['managedRoles', index];
    const { name } = role;
    if (reserved.has(name) || reservedStart.test(name)) {
      report(problems.create('postgresql-role-reserved', { name }), [...path, 'name']);
    }
    if (role.disablePassword && role.passwordSecret !== undefined) {
      report(problems.create('postgresql-role-password', { name }), [...path, 'disablePassword'], 'key');
    }
    return createRole(role);
  });
}

function createRole(role: Role): JsonObject {
  return defined({
    name: role.name,
    ensure: role.ensure === 'absent' ? role.ensure : undefined,
    comment: role.comment,
    login: onlyTrue(role.login),
    superuser: onlyTrue(role.superuser),
    createdb: onlyTrue(role.createdb),
    createrole: onlyTrue(role.createrole),
    replication: onlyTrue(role.replication),
    bypassrls: onlyTrue(role.bypassrls),
    inherit: role.inherit,
    connectionLimit: role.connectionLimit,
    inRoles: role.inRoles,
    passwordSecret: role.passwordSecret === undefined ? undefined : { name: role.passwordSecret },
    disablePassword: onlyTrue(role.disablePassword),
    validUntil: role.validUntil,
  });
}

function onlyTrue(value: boolean): true | undefined {
  return value ? true : undefined;
}
