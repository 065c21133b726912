import { defineProblems, quote } from '../../../diagnostics/index.ts';
import { has, mappingAt } from '../../../kube/index.ts';
import type { Json, JsonObject } from '../../../model/index.ts';
import type { PropertiesOf, ReportAt } from '../catalog/define.ts';
import { given } from '../catalog/given.ts';

/** What can be wrong with where the values of a secret come from. */
export const sourceProblems = defineProblems({
  'external-secret-empty': {
    severity: 'error',
    summary: 'An external secret does not say which values it has.',
    message: ({ name }: { name: string }) => `nothing says what is in the secret ${quote(name)}`,
    hint: () => 'list its keys in "data", or take all values of an entry of the store with "dataFrom"',
  },
  'external-secret-short-form': {
    severity: 'error',
    summary: 'The short form of an external secret stands beside what it cannot stand beside.',
    message: ({ other }: { other: string }) =>
      `"remoteRef" is short for a secret of one value, and cannot stand beside ${quote(other)}`,
    hint: () => 'write the value as an entry of "data" instead',
  },
  'external-secret-source': {
    severity: 'error',
    summary: 'An entry of dataFrom does not say what it takes from the store, or says it in two ways.',
    message: ({ index, given: found }: Source) =>
      found.length === 0
        ? `"dataFrom[${index}]" does not say what it takes from the store`
        : `"dataFrom[${index}]" has ${found.map(quote).join(' and ')}, of which there can be one`,
    hint: ({ given: found }: Source) =>
      found.length === 0 ? 'give it "extract", "find" or "sourceRef"' : 'make an entry of its own of each',
  },
  'external-secret-find': {
    severity: 'error',
    summary: 'Values are to be found by nothing.',
    message: ({ index }: { index: number }) =>
      `"find" of "dataFrom[${index}]" needs a "name" or "tags" to find values by`,
  },
});

interface Source {
  readonly index: number;
  /** What it has of those that exclude one another. */
  readonly given: readonly string[];
}

const spec = ['external-secrets.io/v1', 'ExternalSecret', 'spec'] as const;
const remote = [...spec, 'data', 'remoteRef'] as const;

/** Properties that say where the values of a secret come from. */
export const sources = {
  data: {
    type: 'array',
    description: 'the keys of the Secret, and which value each has',
    uniqueBy: 'secretKey',
    items: {
      type: 'object',
      properties: {
        secretKey: { type: 'string', description: 'key in the Secret', required: true, format: 'data-key' },
        remoteRef: {
          type: 'object',
          description: 'the value in the store',
          properties: {
            key: {
              type: 'string',
              description:
                'entry of the store; called after the namespace and the secret, as in shop/web, unless given',
              format: 'filled',
            },
            property: {
              type: 'string',
              description:
                'what of the entry; that which is called like secretKey unless given, all of it when it is ""',
            },
            version: { type: 'string', description: 'version of the entry', format: 'filled' },
            decodingStrategy: {
              type: 'string',
              description: 'how the value is decoded',
              kubernetes: [...remote, 'decodingStrategy'],
            },
            conversionStrategy: {
              type: 'string',
              description: 'how names become keys',
              kubernetes: [...remote, 'conversionStrategy'],
            },
            metadataPolicy: {
              type: 'string',
              description: 'whether the tags of the entry are read instead',
              kubernetes: [...remote, 'metadataPolicy'],
            },
          },
          default: {},
        },
        sourceRef: {
          type: 'object',
          description: 'a store of its own, as External Secrets has it',
          kubernetes: [...spec, 'data', 'sourceRef'],
        },
      },
    },
  },
  dataFrom: {
    type: 'array',
    description: 'entries of the store of which all values are taken, as External Secrets has them',
    kubernetes: [...spec, 'dataFrom'],
  },
  remoteRef: {
    type: 'object',
    description: 'the one value of the Secret, which is then called like secretName; instead of data and dataFrom',
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
    return given({ secretKey, remoteRef: given(ref), sourceRef });
  });
  return given({ data: filled(entries), dataFrom: filled(dataFrom) });
}

function filled(list: readonly Json[]): readonly Json[] | undefined {
  return list.length === 0 ? undefined : list;
}

export function checkSources(asked: Asked, report: ReportAt): void {
  const { secretName, data = [], dataFrom = [], remoteRef, envFrom } = asked;
  if (remoteRef !== undefined) {
    const others = Object.keys(
      given({ data: filled(data), dataFrom: filled(dataFrom), envFrom: envFrom || undefined }),
    );
    for (const other of others) report(sourceProblems.create('external-secret-short-form', { other }), [other], 'key');
  } else if (data.length === 0 && dataFrom.length === 0) {
    report(sourceProblems.create('external-secret-empty', { name: secretName }), ['secretName']);
  }
  for (const [index, entry] of dataFrom.entries()) checkEntry(entry, index, report);
}

/** As the webhook of External Secrets has it. */
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
