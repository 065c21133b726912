import { defineProblems, quote } from '../../../diagnostics/index.ts';
import { has, mappingAt } from '../../../kube/index.ts';
import type { Json, JsonObject } from '../../../model/index.ts';
import type { PropertiesOf, ReportAt } from '../catalog/define.ts';
import { defined } from '../catalog/defined.ts';

/** Findings about the sources of an external secret. */
export const sourceProblems = defineProblems({
  'external-secret-empty': {
    severity: 'error',
    summary: 'An external secret has no data.',
    message: ({ name }: { name: string }) => `required field "data" or "dataFrom" is missing for secret ${quote(name)}`,
    hint: () => 'add "data" with the keys of the Secret, or "dataFrom" to import all values of a store entry',
    fix: 'List the keys of the Secret in data, or import all values of a store entry with dataFrom. For a Secret with a single value, use remoteRef.',
  },
  'external-secret-short-form': {
    severity: 'error',
    summary: 'An external secret combines remoteRef with data, dataFrom or envFrom.',
    message: ({ other }: { other: string }) => `"remoteRef" and ${quote(other)} are mutually exclusive`,
    hint: () => 'move "remoteRef" into an entry of "data"',
    fix: 'Move remoteRef into an entry of data with a secretKey. The short form is only for a Secret with a single value.',
  },
  'external-secret-source': {
    severity: 'error',
    summary: 'An entry of dataFrom has no source, or more than one.',
    message: ({ index, given: found }: Source) =>
      found.length === 0
        ? `required field "extract", "find" or "sourceRef" is missing in "dataFrom[${index}]"`
        : `${found.map(quote).join(' and ')} are mutually exclusive in "dataFrom[${index}]"`,
    hint: ({ given: found }: Source) => (found.length === 0 ? 'add one of them' : 'write a separate entry for each'),
    fix: 'Set exactly one of extract, find and sourceRef.generatorRef in each entry of dataFrom.',
  },
  'external-secret-find': {
    severity: 'error',
    summary: 'find of an external secret has neither name nor tags.',
    message: ({ index }: { index: number }) =>
      `required field "name" or "tags" is missing in "find" of "dataFrom[${index}]"`,
    fix: 'Add name, a regular expression for the names of store entries, or tags.',
  },
});

interface Source {
  readonly index: number;
  /** The mutually exclusive fields that are set. */
  readonly given: readonly string[];
}

const spec = ['external-secrets.io/v1', 'ExternalSecret', 'spec'] as const;
const remote = [...spec, 'data', 'remoteRef'] as const;

/** Properties for the sources of a secret. */
export const sources = {
  data: {
    type: 'array',
    description: 'Keys of the Secret and the store values they are read from.',
    uniqueBy: 'secretKey',
    items: {
      type: 'object',
      properties: {
        secretKey: { type: 'string', description: 'Key in the Secret.', required: true, format: 'data-key' },
        remoteRef: {
          type: 'object',
          description: 'Value in the store.',
          properties: {
            key: {
              type: 'string',
              description: 'Name of the store entry. Defaults to NAMESPACE/SECRETNAME.',
              format: 'filled',
            },
            property: {
              type: 'string',
              description: 'Property of the store entry. Defaults to secretKey; "" selects the whole entry.',
            },
            version: { type: 'string', description: 'Version of the store entry.', format: 'filled' },
            decodingStrategy: {
              type: 'string',
              description: 'Decoding strategy.',
              kubernetes: [...remote, 'decodingStrategy'],
            },
            conversionStrategy: {
              type: 'string',
              description: 'Conversion strategy for key names.',
              kubernetes: [...remote, 'conversionStrategy'],
            },
            metadataPolicy: {
              type: 'string',
              description: 'Whether to read the metadata of the store entry instead of its value.',
              kubernetes: [...remote, 'metadataPolicy'],
            },
          },
          default: {},
        },
        sourceRef: {
          type: 'object',
          description: 'Store to use for this key instead of the one of the secret.',
          kubernetes: [...spec, 'data', 'sourceRef'],
        },
      },
    },
  },
  dataFrom: {
    type: 'array',
    description: 'Store entries to import all values from.',
    kubernetes: [...spec, 'dataFrom'],
  },
  remoteRef: {
    type: 'object',
    description:
      'Short form for a Secret with a single value, whose key is secretName. Mutually exclusive with data and dataFrom.',
    kubernetes: remote,
  },
} as const;

type Asked = PropertiesOf<typeof sources> & { readonly secretName: string; readonly envFrom: boolean };

/** `data` and `dataFrom` of an ExternalSecret. */
export function createSources(
  { data = [], dataFrom = [], remoteRef, secretName }: Asked,
  namespace: string,
): JsonObject {
  if (remoteRef !== undefined) return { data: [{ secretKey: secretName, remoteRef }] };
  const entries = data.map(({ secretKey, remoteRef: { key, property = secretKey, ...rest }, sourceRef }) => {
    const ref = { key: key ?? `${namespace}/${secretName}`, property: property === '' ? undefined : property, ...rest };
    return defined({ secretKey, remoteRef: defined(ref), sourceRef });
  });
  return defined({ data: filled(entries), dataFrom: filled(dataFrom) });
}

function filled(list: readonly Json[]): readonly Json[] | undefined {
  return list.length === 0 ? undefined : list;
}

export function checkSources(asked: Asked, report: ReportAt): void {
  const { secretName, data = [], dataFrom = [], remoteRef, envFrom } = asked;
  if (remoteRef !== undefined) {
    const others = Object.keys(
      defined({ data: filled(data), dataFrom: filled(dataFrom), envFrom: envFrom || undefined }),
    );
    for (const other of others) report(sourceProblems.create('external-secret-short-form', { other }), [other], 'key');
  } else if (data.length === 0 && dataFrom.length === 0) {
    report(sourceProblems.create('external-secret-empty', { name: secretName }), ['secretName']);
  }
  for (const [index, entry] of dataFrom.entries()) checkEntry(entry, index, report);
}

/** The same rules as the webhook of External Secrets. */
function checkEntry(entry: Json, index: number, report: ReportAt): void {
  const path = ['dataFrom', index];
  const found = ['extract', 'find'].filter((key) => has(entry, key));
  if (has(mappingAt(entry, 'sourceRef'), 'generatorRef')) found.push('sourceRef.generatorRef');
  const isEmpty = found.length === 0 && !has(entry, 'sourceRef');
  if (isEmpty || found.length > 1)
    report(sourceProblems.create('external-secret-source', { index, given: found }), path);
  const find = mappingAt(entry, 'find');
  if (find === undefined || has(find, 'name') || has(find, 'tags')) return;
  report(sourceProblems.create('external-secret-find', { index }), [...path, 'find'], 'key');
}
