import type { JsonObject, KubeObject } from '../../../model/index.ts';
import type { ReportAt } from '../catalog/define.ts';
import { given } from '../catalog/given.ts';
import type { Field, ValueOf } from '../documents/field.ts';
import { barmanStore, createBarmanStore } from './create-barman-store.ts';
import { postgresqlProblems as problems } from './problems.ts';

const released = 'barman-cloud.cloudnative-pg.io';
// What applications have always been given, though no release answers to it; the store has another parameter there.
const usual = 'barman-cloud.barmancloud.cnpg.io';

export const objectStore = {
  type: 'object',
  description: 'where the Barman Cloud plugin keeps backups',
  properties: {
    ...barmanStore,
    retentionPolicy: {
      type: 'string',
      description: 'how long backups are kept, such as 30d, 4w or 6m',
      kubernetes: ['barmancloud.cnpg.io/v1', 'ObjectStore', 'spec', 'retentionPolicy'],
    },
    serverName: {
      type: 'string',
      description: 'folder of this cluster in the store; its name unless given',
      format: 'filled',
    },
    pluginName: {
      type: 'string',
      description: `name of the plugin; its releases are called ${released}`,
      format: 'filled',
      default: usual,
    },
  },
} as const satisfies Field;

type ObjectStore = ValueOf<typeof objectStore>;

export function createObjectStore(name: string, asked: ObjectStore, report: ReportAt): KubeObject {
  const { retentionPolicy } = asked;
  const configuration = createBarmanStore(asked, { property: 'objectStore', report });
  return {
    apiVersion: 'barmancloud.cnpg.io/v1',
    kind: 'ObjectStore',
    metadata: { name },
    spec: given({ configuration, retentionPolicy }),
  };
}

/** What a Cluster says of the plugin that archives it. The name of its folder belongs here: an ObjectStore refuses it. */
export function createArchiver(name: string, { pluginName, serverName }: ObjectStore, report: ReportAt): JsonObject {
  const isUsual = pluginName === usual;
  if (isUsual) {
    report(problems.create('postgresql-plugin-name', { name: usual, released }), ['objectStore'], 'key');
  }
  const parameters = given({ [isUsual ? 'objectStoreName' : 'barmanObjectName']: name, serverName });
  return { name: pluginName, isWALArchiver: true, parameters };
}
