import type { JsonObject } from '../../../model/index.ts';
import type { ReportAt } from '../catalog/define.ts';
import { given } from '../catalog/given.ts';
import type { Field, ValueOf } from '../documents/field.ts';
import { ofCluster } from './of-cluster.ts';
import { postgresqlProblems as problems } from './problems.ts';

const flag = { type: 'boolean', default: false } as const satisfies Field;

export const managedRoles = {
  type: 'array',
  description: 'roles that CloudNativePG keeps as they are described here',
  uniqueBy: 'name',
  items: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'what the role is called', required: true, format: 'filled' },
      ensure: {
        type: 'string',
        description: 'whether it is made or removed',
        enum: ['present', 'absent'],
        default: 'present',
      },
      comment: { type: 'string', description: 'what it is for' },
      login: { ...flag, description: 'whether it may sign in' },
      superuser: { ...flag, description: 'whether it may do everything' },
      createdb: { ...flag, description: 'whether it may make databases' },
      createrole: { ...flag, description: 'whether it may make roles' },
      replication: { ...flag, description: 'whether it may replicate' },
      bypassrls: { ...flag, description: 'whether row-level security does not hold for it' },
      inherit: { type: 'boolean', description: 'whether it has the rights of its roles; PostgreSQL says yes' },
      connectionLimit: {
        type: 'integer',
        description: 'how many connections it may have at once; -1 for any number',
        minimum: -1,
        maximum: 2_147_483_647,
      },
      inRoles: ofCluster({ type: 'array', description: 'roles that it is a member of' }, 'managed', 'roles', 'inRoles'),
      passwordSecret: {
        type: 'string',
        description: 'Secret with its name and password, of type kubernetes.io/basic-auth',
        format: 'dns-subdomain',
      },
      disablePassword: { ...flag, description: 'whether it has no password at all' },
      validUntil: ofCluster(
        { type: 'string', description: 'when its password ends, such as 2030-01-01T00:00:00Z' },
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
  return given({
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
