import type { Field } from '../documents/field.ts';
import { ofDatabase } from './of-cluster.ts';

const ensure = { type: 'string', enum: ['present', 'absent'], default: 'present' } as const satisfies Field;

function text(key: string, description: string) {
  return ofDatabase({ type: 'string', description }, key);
}

/** Databases beside the one that a cluster begins with. */
export const databases = {
  type: 'array',
  description: 'databases of the cluster',
  uniqueBy: 'name',
  items: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'what the database is called', required: true, format: 'filled' },
      owner: { type: 'string', description: 'role that it belongs to', required: true, format: 'filled' },
      ensure: { ...ensure, description: 'whether it is made or removed' },
      databaseReclaimPolicy: {
        type: 'string',
        description: 'what becomes of it when its object is deleted',
        enum: ['retain', 'delete'],
        default: 'retain',
      },
      template: text('template', 'database that it is a copy of'),
      encoding: text('encoding', 'how texts are written in it, such as UTF8'),
      locale: text('locale', 'how texts are sorted and letters told apart'),
      localeProvider: text('localeProvider', 'who knows the locale: libc, icu or builtin'),
      localeCollate: text('localeCollate', 'how texts are sorted, when it is not by "locale"'),
      localeCType: text('localeCType', 'how letters are told apart, when it is not by "locale"'),
      icuLocale: text('icuLocale', 'locale of ICU'),
      icuRules: text('icuRules', 'rules of ICU beyond its locale'),
      builtinLocale: text('builtinLocale', 'locale of PostgreSQL itself'),
      collationVersion: text('collationVersion', 'version of the rules for sorting'),
      tablespace: text('tablespace', 'tablespace that it is kept in'),
      connectionLimit: ofDatabase(
        { type: 'integer', description: 'how many connections there may be at once; -1 for any number' },
        'connectionLimit',
      ),
      allowConnections: ofDatabase({ type: 'boolean', description: 'whether anyone may connect' }, 'allowConnections'),
      isTemplate: ofDatabase({ type: 'boolean', description: 'whether others may be copies of it' }, 'isTemplate'),
      schemas: ofDatabase({ type: 'array', description: 'schemas, as Databases have them' }, 'schemas'),
      extensions: {
        type: 'array',
        description: 'extensions of PostgreSQL',
        uniqueBy: 'name',
        items: {
          type: 'object',
          properties: {
            name: { type: 'string', description: 'what it is called', required: true, format: 'filled' },
            ensure: { ...ensure, description: 'whether it is made or removed' },
            version: { type: 'string', description: 'which version of it' },
            schema: { type: 'string', description: 'schema that it is put into' },
          },
        },
      },
      fdws: ofDatabase({ type: 'array', description: 'foreign data wrappers, as Databases have them' }, 'fdws'),
      servers: ofDatabase({ type: 'array', description: 'foreign servers, as Databases have them' }, 'servers'),
    },
  },
} as const satisfies Field;
