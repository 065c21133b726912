import type { KubeObject } from '../../../../model/index.ts';
import { findFirstOwner } from '../../postgresql/check-bootstrap.ts';
import { clusterProperties } from '../../postgresql/cluster-properties.ts';
import { createCluster } from '../../postgresql/create-cluster.ts';
import { createDatabases } from '../../postgresql/create-databases.ts';
import { createArchiver, createObjectStore, objectStore } from '../../postgresql/create-object-store.ts';
import { createPooler, pooler } from '../../postgresql/create-pooler.ts';
import { databases } from '../../postgresql/database-properties.ts';
import { postgresqlProblems } from '../../postgresql/problems.ts';
import { defineComponent } from '../define.ts';

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
    return { objects: objects.filter((object) => object !== undefined), pods: { 'cnpg.io/cluster': name } };
  },
});
