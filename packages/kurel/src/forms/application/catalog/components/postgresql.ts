import type { KubeObject } from '../../../../model/index.ts';
import type { Field, ValueOf } from '../../../../documents/index.ts';
import { createArchiver, createObjectStore, objectStore } from '../../postgresql/backup.ts';
import { findFirstOwner } from '../../postgresql/bootstrap.ts';
import { clusterProperties, createCluster, insteadOfClusterFields } from '../../postgresql/cluster.ts';
import { createDatabases, databases } from '../../postgresql/databases.ts';
import { postgresqlProblems as problems } from '../../postgresql/problems.ts';
import { defineComponent } from '../define.ts';
import type { ComponentInput, Operator } from '../define.ts';
import { defined } from '../present-fields.ts';
import { choiceField, countField, flagField, kubernetesFields } from '../../../../documents/index.ts';

const pooler = {
  type: 'object',
  description: 'PgBouncer connection pooler.',
  properties: {
    enabled: flagField('Whether to create a pooler. Defaults to false.'),
    instances: { ...countField('Number of pooler pods.'), default: 3 },
    type: {
      ...choiceField(
        ['rw', 'ro', 'r'],
        'Instances that it connects to: rw is the primary, ro the replicas, r all of them.',
      ),
      default: 'rw',
    },
    poolMode: {
      ...choiceField(['session', 'transaction', 'statement'], 'Pool mode of PgBouncer.'),
      default: 'session',
    },
    ...kubernetesFields(['postgresql.cnpg.io/v1', 'Pooler', 'spec', 'pgbouncer'], {
      parameters: { type: 'object', description: 'Parameters of PgBouncer.' },
    }),
  },
} as const satisfies Field;

function createPooler(
  asked: ValueOf<typeof pooler>,
  { name: cluster, properties: { replicas }, report }: ComponentInput<{ readonly replicas: number }>,
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
  relations: [
    {
      exclusive: ['backup', 'objectStore'],
      ignoresEmpty: true,
      hint: 'keep one of them; "objectStore" is the newer way and requires the Barman Cloud plugin',
    },
  ],
  properties: {
    provider: { ...choiceField(['cnpg'], 'Operator that runs PostgreSQL.'), default: 'cnpg' },
    ...clusterProperties,
    objectStore,
    pooler,
    databases,
  },
  problems,
  render(input) {
    const { name, properties: asked, report } = input;
    const { managedRoles = [], bootstrap = {}, objectStore: store } = asked;
    const objects: readonly (KubeObject | undefined)[] = [
      createCluster(input, store === undefined ? [] : [createArchiver(name, store, report)]),
      asked.pooler && createPooler(asked.pooler, input),
      store && createObjectStore(name, store, report),
      ...createDatabases(asked.databases ?? [], {
        cluster: name,
        managedRoles,
        firstOwner: findFirstOwner(bootstrap),
        report,
      }),
    ];
    return { objects: objects.filter((object) => object !== undefined), pods: { 'cnpg.io/cluster': name }, operator };
  },
});
