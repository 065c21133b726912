import type { KubeObject } from '../../../model/index.ts';
import type { ReportAt } from '../catalog/define.ts';
import { given } from '../catalog/given.ts';
import type { Field, ValueOf } from '../documents/field.ts';
import { postgresqlProblems as problems } from './problems.ts';

export const pooler = {
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

export function createPooler(
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
