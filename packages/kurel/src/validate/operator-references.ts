import { textAt } from '../kube/index.ts';
import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, Path } from '../model/index.ts';
import { followReference } from './follow-reference.ts';
import type { PackageCheck } from './object-table.ts';
import { checkKeys } from './reference-keys.ts';
import type { Subject } from './subject.ts';

/** Fields with credentials in the description of a CloudNativePG object store. */
const ofObjectStore = [
  's3Credentials.accessKeyId',
  's3Credentials.secretAccessKey',
  's3Credentials.region',
  's3Credentials.sessionToken',
  'azureCredentials.connectionString',
  'azureCredentials.storageAccount',
  'azureCredentials.storageKey',
  'azureCredentials.storageSasToken',
  'googleCredentials.applicationCredentials',
  'endpointCA',
];

function below(holder: string, fields: readonly string[]): readonly string[] {
  return fields.map((field) => `${holder}.${field}`);
}

const ofMover = [
  'restic.repository',
  'restic.customCA.secretName',
  'rclone.rcloneConfig',
  'rclone.customCA.secretName',
  'rsyncTLS.keySecret',
];

/** Fields that contain the name of a Secret, or an object with its `name` and optionally a `key`; `*` is every item of a list. */
const secrets = new Map<string, { readonly group: string; readonly fields: readonly Path[] }>(
  (
    [
      [
        'Cluster',
        'postgresql.cnpg.io',
        [
          ...['initdb', 'recovery', 'pg_basebackup'].map((way) => `bootstrap.${way}.secret`),
          'superuserSecret',
          'imagePullSecrets.*',
          'managed.roles.*.passwordSecret',
          ...below('certificates', ['serverCASecret', 'serverTLSSecret', 'clientCASecret', 'replicationTLSSecret']),
          ...below('externalClusters.*', ['password', 'sslCert', 'sslKey', 'sslRootCert']),
          ...below('externalClusters.*.barmanObjectStore', ofObjectStore),
          ...below('backup.barmanObjectStore', ofObjectStore),
        ],
      ],
      ['ObjectStore', 'barmancloud.cnpg.io', below('configuration', ofObjectStore)],
      ['Pooler', 'postgresql.cnpg.io', ['pgbouncer.authQuerySecret']],
      ['ReplicationSource', 'volsync.backube', ofMover],
      ['ReplicationDestination', 'volsync.backube', ofMover],
    ] as const
  ).map(([kind, group, fields]) => [kind, { group, fields: fields.map((field) => ['spec', ...field.split('.')]) }]),
);

/** Checks the Secrets that operators read: without them, a database or a backup does not start. */
export function checkOperatorReferences({ object, gvk, namespace }: Subject, check: PackageCheck): void {
  const own = secrets.get(gvk.kind);
  if (own?.group !== gvk.group) return;
  for (const field of own.fields) {
    for (const { value, path } of valuesAt(object, field)) {
      const name = typeof value === 'string' ? value : textAt(value, 'name');
      if (name === undefined || name === '') continue;
      const target = { group: '', kind: 'Secret', namespace, name };
      const place = typeof value === 'string' ? path : [...path, 'name'];
      const found = followReference({ object, path: place, target }, check);
      if (found === undefined || !isJsonObject(value)) continue;
      checkKeys({ holder: value, path: () => place }, { object, target, found }, check);
    }
  }
}

interface Placed {
  readonly value: Json;
  readonly path: Path;
}

function valuesAt(root: Json, field: Path): readonly Placed[] {
  let reached: readonly Placed[] = [{ value: root, path: [] }];
  for (const step of field) reached = reached.flatMap((one) => stepDown(one, step));
  return reached;
}

function stepDown({ value, path }: Placed, step: string | number): readonly Placed[] {
  if (step === '*') {
    return isJsonArray(value) ? value.map((item, index) => ({ value: item, path: [...path, index] })) : [];
  }
  const isThere = isJsonObject(value) && Object.hasOwn(value, step);
  return isThere ? [{ value: value[step]!, path: [...path, step] }] : [];
}
