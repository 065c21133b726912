import type { JsonObject } from '../../../model/index.ts';
import type { PropertiesOf, ReportAt } from '../catalog/define.ts';
import { defined } from '../catalog/defined.ts';
import type { Field, Fields } from '../documents/field.ts';
import { ofCluster } from './of-cluster.ts';
import { postgresqlProblems as problems } from './problems.ts';

function ofStore<const F extends Field>(field: F, key: string) {
  return ofCluster(field, 'backup', 'barmanObjectStore', key);
}

export const retentionPolicy = {
  type: 'string',
  description: 'Retention policy of the backups, such as 30d, 4w or 6m.',
} as const satisfies Field;

/** Properties of a backup store, common to CloudNativePG and its plugin. */
export const barmanStore = {
  destinationPath: ofStore(
    { type: 'string', description: 'Destination of the backups, such as s3://bucket/path.', required: true },
    'destinationPath',
  ),
  endpointURL: ofStore(
    { type: 'string', description: 'Endpoint of the store. Defaults to that of the provider.' },
    'endpointURL',
  ),
  endpointCA: ofStore(
    { type: 'object', description: 'Secret key with the CA certificate of the store.' },
    'endpointCA',
  ),
  secretName: {
    type: 'string',
    description: 'Secret with the keys ACCESS_KEY_ID and SECRET_ACCESS_KEY, for S3.',
    format: 'dns-subdomain',
  },
  s3Credentials: ofStore(
    { type: 'object', description: 'S3 credentials, if "secretName" is not sufficient.' },
    's3Credentials',
  ),
  azureCredentials: ofStore({ type: 'object', description: 'Azure credentials.' }, 'azureCredentials'),
  googleCredentials: ofStore({ type: 'object', description: 'Google Cloud credentials.' }, 'googleCredentials'),
  wal: ofStore({ type: 'object', description: 'Compression and encryption of the write-ahead log.' }, 'wal'),
  data: ofStore({ type: 'object', description: 'Compression and encryption of base backups.' }, 'data'),
} as const satisfies Fields;

const credentials = ['secretName', 's3Credentials', 'azureCredentials', 'googleCredentials'] as const;

type Store = Partial<PropertiesOf<typeof barmanStore>>;

interface StoreOptions {
  /** The property with the store. */
  readonly property: string;
  readonly report: ReportAt;
}

/** The store in the format of Clusters and ObjectStores. */
export function createBarmanStore(asked: Store, options: StoreOptions): JsonObject {
  checkCredentials(asked, options);
  const { destinationPath, endpointURL, endpointCA, azureCredentials, googleCredentials, wal, data } = asked;
  const s3Credentials = asked.s3Credentials ?? ofSecret(asked.secretName);
  return defined({
    destinationPath,
    endpointURL,
    endpointCA,
    s3Credentials,
    azureCredentials,
    googleCredentials,
    wal,
    data,
  });
}

function ofSecret(name: string | undefined): JsonObject | undefined {
  if (name === undefined) return undefined;
  return { accessKeyId: { name, key: 'ACCESS_KEY_ID' }, secretAccessKey: { name, key: 'SECRET_ACCESS_KEY' } };
}

function checkCredentials(asked: Store, { property, report }: StoreOptions): void {
  const [first, ...others] = credentials.filter((key) => asked[key] !== undefined);
  if (first === undefined) {
    report(problems.create('postgresql-credentials-missing', { property }), [property], 'key');
  }
  for (const second of others) {
    const diagnostic = problems.create('postgresql-credentials-several', { first: first!, second });
    report(diagnostic, [property, second], 'key');
  }
}
