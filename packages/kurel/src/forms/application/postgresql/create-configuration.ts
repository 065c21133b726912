import type { JsonObject } from '../../../model/index.ts';
import type { ReportAt } from '../catalog/define.ts';
import { defined, filled } from '../catalog/defined.ts';
import type { Field, ValueOf } from '../documents/field.ts';
import { ofCluster } from './of-cluster.ts';
import { postgresqlProblems as problems } from './problems.ts';

export const configuration = {
  type: 'object',
  description: 'PostgreSQL configuration.',
  properties: {
    parameters: ofCluster(
      { type: 'object', description: 'Parameters of postgresql.conf.' },
      'postgresql',
      'parameters',
    ),
    shared_preload_libraries: ofCluster(
      { type: 'array', description: 'Libraries to preload.' },
      'postgresql',
      'shared_preload_libraries',
    ),
    pg_hba: ofCluster({ type: 'array', description: 'Lines of pg_hba.conf.' }, 'postgresql', 'pg_hba'),
    pg_ident: ofCluster({ type: 'array', description: 'Lines of pg_ident.conf.' }, 'postgresql', 'pg_ident'),
    syncReplicaElectionConstraint: ofCluster(
      { type: 'object', description: 'Node labels that keep synchronous replicas apart.' },
      'postgresql',
      'syncReplicaElectionConstraint',
    ),
  },
} as const satisfies Field;

export const replication = {
  type: 'object',
  description: 'Replication settings.',
  properties: {
    synchronous: {
      type: 'object',
      description: 'Synchronous replication.',
      properties: {
        method: {
          type: 'string',
          description: 'Whether any replicas, or the first ones in the list, must confirm a commit.',
          required: true,
          enum: ['any', 'first'],
        },
        number: {
          type: 'integer',
          description: 'Number of synchronous replicas.',
          minimum: 0,
          maximum: 2_147_483_647,
          default: 1,
        },
        dataDurability: {
          type: 'string',
          description: 'Whether the primary waits if too few synchronous replicas are available.',
          enum: ['required', 'preferred'],
        },
        failoverQuorum: {
          type: 'boolean',
          description: 'Whether failover requires a quorum that confirms all commits.',
          default: false,
        },
      },
    },
  },
} as const satisfies Field;

// With the property to use instead. Parameters that only some versions of CloudNativePG manage are not listed.
const fixed: ReadonlyMap<string, string | undefined> = new Map([
  ['shared_preload_libraries', 'postgresql.shared_preload_libraries'],
  ['synchronous_standby_names', 'replication.synchronous'],
  ...[
    'archive_command',
    'archive_mode',
    'cluster_name',
    'config_file',
    'data_directory',
    'hba_file',
    'ident_file',
    'listen_addresses',
    'log_destination',
    'log_directory',
    'log_filename',
    'logging_collector',
    'port',
    'primary_conninfo',
    'primary_slot_name',
    'recovery_target_time',
    'restore_command',
    'ssl',
    'ssl_ca_file',
    'ssl_cert_file',
    'ssl_key_file',
    'unix_socket_directories',
  ].map((name): [string, undefined] => [name, undefined]),
]);

interface Asked {
  readonly postgresql?: ValueOf<typeof configuration> | undefined;
  readonly replication?: ValueOf<typeof replication> | undefined;
  readonly replicas: number;
}

/** The `postgresql` field of a Cluster. */
export function createConfiguration(asked: Asked, report: ReportAt): JsonObject {
  const { postgresql = {}, replicas } = asked;
  const { parameters = {}, shared_preload_libraries: libraries, pg_hba: hba, pg_ident: ident } = postgresql;
  for (const parameter of Object.keys(parameters)) {
    if (!fixed.has(parameter)) continue;
    const diagnostic = problems.create('postgresql-parameter-fixed', { parameter, instead: fixed.get(parameter) });
    report(diagnostic, ['postgresql', 'parameters', parameter], 'key');
  }
  return defined({
    parameters: filled(postgresql.parameters),
    shared_preload_libraries: filled(libraries),
    pg_hba: filled(hba),
    pg_ident: filled(ident),
    synchronous: createSynchronous(asked.replication?.synchronous, replicas, report),
    syncReplicaElectionConstraint: postgresql.syncReplicaElectionConstraint ?? { enabled: false },
  });
}

type Synchronous = NonNullable<ValueOf<typeof replication>['synchronous']>;

function createSynchronous(asked: Synchronous | undefined, replicas: number, report: ReportAt): JsonObject | undefined {
  if (asked === undefined) return undefined;
  const { method, number, dataDurability, failoverQuorum } = asked;
  if (number >= replicas) {
    const path = ['replication', 'synchronous', 'number'];
    report(problems.create('postgresql-synchronous-number', { number, replicas }), path);
  }
  return defined({ method, number, dataDurability, failoverQuorum: failoverQuorum ? true : undefined });
}
