import type { JsonObject } from '../../../model/index.ts';
import type { PropertiesOf, ReportAt } from '../catalog/define.ts';
import { given } from '../catalog/given.ts';
import type { Field, Fields } from '../documents/field.ts';
import { ofCluster } from './of-cluster.ts';
import { postgresqlProblems as problems } from './problems.ts';

function ofStore<const F extends Field>(field: F, key: string) {
  return ofCluster(field, 'backup', 'barmanObjectStore', key);
}

/** Where backups are kept and how to get there: the same for CloudNativePG itself and for its plugin. */
export const barmanStore = {
  destinationPath: ofStore(
    { type: 'string', description: 'where backups are kept, such as s3://bucket/path', required: true },
    'destinationPath',
  ),
  endpointURL: ofStore(
    { type: 'string', description: 'address of the store, when it is not that of the provider' },
    'endpointURL',
  ),
  endpointCA: ofStore(
    { type: 'object', description: 'Secret and key with the certificate of who signed that of the store' },
    'endpointCA',
  ),
  secretName: {
    type: 'string',
    description: 'Secret with the keys ACCESS_KEY_ID and SECRET_ACCESS_KEY',
    format: 'dns-subdomain',
  },
  s3Credentials: ofStore(
    { type: 'object', description: 'how to sign in to S3, when it is not by the two keys of "secretName"' },
    's3Credentials',
  ),
  azureCredentials: ofStore({ type: 'object', description: 'how to sign in to Azure' }, 'azureCredentials'),
  googleCredentials: ofStore({ type: 'object', description: 'how to sign in to Google Cloud' }, 'googleCredentials'),
  wal: ofStore({ type: 'object', description: 'how the log is kept: compression, encryption' }, 'wal'),
  data: ofStore({ type: 'object', description: 'how the data is kept: compression, encryption' }, 'data'),
} as const satisfies Fields;

const credentials = ['secretName', 's3Credentials', 'azureCredentials', 'googleCredentials'] as const;

type Store = Partial<PropertiesOf<typeof barmanStore>>;

interface StoreOptions {
  /** That describes the store. */
  readonly property: string;
  readonly report: ReportAt;
}

/** The store as Clusters and ObjectStores describe it. */
export function createBarmanStore(asked: Store, options: StoreOptions): JsonObject {
  checkCredentials(asked, options);
  const { destinationPath, endpointURL, endpointCA, azureCredentials, googleCredentials, wal, data } = asked;
  const s3Credentials = asked.s3Credentials ?? ofSecret(asked.secretName);
  return given({
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
