import type { JsonObject, KubeObject } from '../../../model/index.ts';
import type { PropertiesOf, ReportAt } from '../catalog/define.ts';
import { defined, pickFields } from '../catalog/present-fields.ts';
import { kubernetesFields, textField } from '../../../documents/index.ts';
import type { Field, Fields, ValueOf } from '../../../documents/index.ts';
import { postgresqlProblems as problems } from './problems.ts';

const backupSpec = ['postgresql.cnpg.io/v1', 'Cluster', 'spec', 'backup'] as const;

const retentionPolicy = {
  type: 'string',
  description: 'Retention policy of the backups, such as 30d, 4w or 6m.',
} as const satisfies Field;

const place = kubernetesFields([...backupSpec, 'barmanObjectStore'], {
  destinationPath: {
    type: 'string',
    description: 'Destination of the backups, such as s3://bucket/path.',
    required: true,
  },
  endpointURL: { type: 'string', description: 'Endpoint of the store. Defaults to that of the provider.' },
  endpointCA: { type: 'object', description: 'Secret key with the CA certificate of the store.' },
});

/** The fields for credentials, and settings. */
const settings = kubernetesFields([...backupSpec, 'barmanObjectStore'], {
  s3Credentials: { type: 'object', description: 'S3 credentials, if "secretName" is not sufficient.' },
  azureCredentials: { type: 'object', description: 'Azure credentials.' },
  googleCredentials: { type: 'object', description: 'Google Cloud credentials.' },
  wal: { type: 'object', description: 'Compression and encryption of the write-ahead log.' },
  data: { type: 'object', description: 'Compression and encryption of base backups.' },
});

/** Properties of a backup store, common to CloudNativePG and its plugin. */
const barmanStore = {
  ...place,
  secretName: textField('dns-subdomain', 'Secret with the keys ACCESS_KEY_ID and SECRET_ACCESS_KEY, for S3.'),
  ...settings,
} as const satisfies Fields;

const credentials = ['secretName', 's3Credentials', 'azureCredentials', 'googleCredentials'] as const;

const relations: Field['relations'] = [{ exclusive: credentials }];

type Store = Partial<PropertiesOf<typeof barmanStore>>;

/** The store that a property describes, in the format of Clusters and ObjectStores. */
function createBarmanStore(asked: Store, property: string, report: ReportAt): JsonObject {
  checkCredentials(asked, property, report);
  const { s3Credentials = ofSecret(asked.secretName) } = asked;
  return defined({ ...pickFields(place, asked), ...pickFields(settings, asked), s3Credentials });
}

function ofSecret(name: string | undefined): JsonObject | undefined {
  if (name === undefined) return undefined;
  return { accessKeyId: { name, key: 'ACCESS_KEY_ID' }, secretAccessKey: { name, key: 'SECRET_ACCESS_KEY' } };
}

function checkCredentials(asked: Store, property: string, report: ReportAt): void {
  if (credentials.some((key) => asked[key] !== undefined)) return;
  report(problems.create('postgresql-credentials-missing', { property }), [property], 'key');
}

export const backup = {
  type: 'object',
  description: 'Backup store of CloudNativePG itself. Mutually exclusive with objectStore.',
  relations,
  properties: {
    ...barmanStore,
    destinationPath: { ...barmanStore.destinationPath, required: false },
    ...kubernetesFields(backupSpec, { retentionPolicy }),
  },
} as const satisfies Field;

/** The `backup` field of a Cluster. */
export function createBackup(asked: ValueOf<typeof backup>, report: ReportAt): JsonObject | undefined {
  const { retentionPolicy: retention, ...store } = asked;
  const [first] = Object.keys(store);
  if (first === undefined && retention === undefined) return undefined;
  if (first === undefined) {
    report(problems.create('postgresql-backup-nowhere', {}), ['backup', 'retentionPolicy']);
    return { retentionPolicy: retention! };
  }
  if (store.destinationPath === undefined) {
    report(problems.create('postgresql-destination-missing', { property: first }), ['backup'], 'key');
  }
  return defined({ barmanObjectStore: createBarmanStore(store, 'backup', report), retentionPolicy: retention });
}

const released = 'barman-cloud.cloudnative-pg.io';
// The original program writes this name, but no release of the plugin uses it.
const unreleased = 'barman-cloud.barmancloud.cnpg.io';

export const objectStore = {
  type: 'object',
  description: 'Backup store of the Barman Cloud plugin. Mutually exclusive with backup.',
  relations,
  properties: {
    ...barmanStore,
    ...kubernetesFields(['barmancloud.cnpg.io/v1', 'ObjectStore', 'spec'], { retentionPolicy }),
    serverName: textField('filled', 'Directory of the cluster in the store. Defaults to the name of the component.'),
    pluginName: {
      ...textField('filled', 'Name of the plugin. Set it only if yours is installed under another name.'),
      default: released,
    },
  },
} as const satisfies Field;

type ObjectStore = ValueOf<typeof objectStore>;

export function createObjectStore(name: string, asked: ObjectStore, report: ReportAt): KubeObject {
  const configuration = createBarmanStore(asked, 'objectStore', report);
  return {
    apiVersion: 'barmancloud.cnpg.io/v1',
    kind: 'ObjectStore',
    metadata: { name },
    spec: defined({ configuration, retentionPolicy: asked.retentionPolicy }),
  };
}

/** The archiver plugin of a Cluster. serverName is set here because an ObjectStore rejects it. */
export function createArchiver(name: string, { pluginName, serverName }: ObjectStore, report: ReportAt): JsonObject {
  if (pluginName === unreleased) {
    report(problems.create('postgresql-plugin-name', { name: unreleased, released }), ['objectStore', 'pluginName']);
  }
  const parameters = defined({ barmanObjectName: name, serverName });
  return { name: pluginName, isWALArchiver: true, parameters };
}
