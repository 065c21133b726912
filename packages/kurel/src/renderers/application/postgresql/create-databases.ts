import { nearest } from '../../../diagnostics/index.ts';
import { checkDnsSubdomain } from '../../../kube/index.ts';
import type { KubeObject, Path } from '../../../model/index.ts';
import type { ReportAt } from '../catalog/define.ts';
import { filled } from '../catalog/filled.ts';
import { given } from '../catalog/given.ts';
import type { ValueOf } from '../documents/field.ts';
import type { databases } from './database-properties.ts';
import { postgresqlProblems as problems } from './problems.ts';

type Database = ValueOf<typeof databases>[number];

interface DatabasesOptions {
  readonly cluster: string;
  /** Roles that will be removed. */
  readonly absent: ReadonlySet<string>;
  /** All roles that there will be; `undefined` when there may be others. */
  readonly roles: ReadonlySet<string> | undefined;
  readonly report: ReportAt;
}

export function createDatabases(list: readonly Database[], options: DatabasesOptions): readonly KubeObject[] {
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
