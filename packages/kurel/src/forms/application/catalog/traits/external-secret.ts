import { defineProblems, quote } from '../../../../diagnostics/index.ts';
import { formatDuration, has, mappingAt, parseDuration } from '../../../../kube/index.ts';
import { isJsonObject } from '../../../../model/index.ts';
import type { Json, JsonObject, Path } from '../../../../model/index.ts';
import type { Field } from '../../../../documents/index.ts';
import { addToPods, mountProblems, mountProperties } from '../../pods/change-pods.ts';
import { defineTrait } from '../define.ts';
import type { PropertiesOf, ReportAt, TraitInput } from '../define.ts';
import { defined, filled } from '../present-fields.ts';
import {
  choiceField,
  describeMore,
  flagField,
  kubernetesFields,
  scope,
  textField,
} from '../../../../documents/index.ts';

const problems = defineProblems(() => ({
  'external-secret-store-null': {
    summary: 'secretStoreRef of an external secret is null, which removes the store of the platform.',
    message: () => '"secretStoreRef" is null: the secret has no store',
    hint: () => 'set a value, or remove "secretStoreRef" to use the store of the platform',
    fix: 'Remove secretStoreRef to use the store of the profile, or set its name and kind.',
  },
  'external-secret-store': {
    summary: 'An external secret has both provider and secretStoreRef.',
    message: ({ provider }: { provider: string }) =>
      `"provider" ${quote(provider)} and "secretStoreRef" are mutually exclusive`,
    hint: () => 'keep one of them; "provider" is short for a ClusterSecretStore',
    fix: 'Keep provider, the name of a ClusterSecretStore, or secretStoreRef.',
  },
  'external-secret-policy': {
    summary: 'The deletion policy of an external secret conflicts with its creation policy.',
    message: ({ creation, deletion }: { creation: string; deletion: string }) =>
      `"deletionPolicy" ${deletion} conflicts with "creationPolicy" ${creation}`,
    hint: ({ creation }: { creation: string }) =>
      creation === 'None' ? 'use Retain: no Secret is created' : 'use creationPolicy Owner to delete the Secret',
    fix: 'Set deletionPolicy to Retain, or creationPolicy to Owner, which is the only one that can delete the Secret.',
  },
  'external-secret-variable': {
    severity: 'warning',
    summary: 'A key of a Secret is not a valid environment variable name before Kubernetes 1.32.',
    message: ({ key }: { key: string }) =>
      `key ${quote(key)} is not a valid environment variable name for "envFrom" before Kubernetes 1.32`,
    hint: () => 'use only letters, digits and "_", without a leading digit, or mount the Secret instead',
    fix: 'Rename secretKey to letters, digits and underscores, without a leading digit. Kubernetes before 1.32 silently skips other names. Or mount the Secret with mountPath.',
  },
  'external-secret-source': {
    summary: 'An entry of dataFrom has no source, or more than one.',
    message: ({ index, sourceNames }: Source) =>
      sourceNames.length === 0
        ? `required field "extract", "find" or "sourceRef" is missing in "dataFrom[${index}]"`
        : `${sourceNames.map(quote).join(' and ')} are mutually exclusive in "dataFrom[${index}]"`,
    hint: ({ sourceNames }: Source) =>
      sourceNames.length === 0 ? 'add one of them' : 'write a separate entry for each',
    fix: 'Set exactly one of extract, find and sourceRef.generatorRef in each entry of dataFrom.',
  },
  'external-secret-find': {
    summary: 'find of an external secret has neither name nor tags.',
    message: ({ index }: { index: number }) =>
      `required field "name" or "tags" is missing in "find" of "dataFrom[${index}]"`,
    fix: 'Add name, a regular expression for the names of store entries, or tags.',
  },
}));

interface Source {
  readonly index: number;
  /** The mutually exclusive fields that are set. */
  readonly sourceNames: readonly string[];
}

const spec = ['external-secrets.io/v1', 'ExternalSecret', 'spec'] as const;
const templateSpec = [...spec, 'target', 'template'] as const;

const secretStoreRef = {
  type: 'object',
  description: 'Store of the values.',
  properties: {
    name: { ...textField('dns-subdomain', 'Name of the store.'), required: true },
    kind: {
      ...choiceField(['SecretStore', 'ClusterSecretStore'], 'Kind of the store.'),
      default: 'ClusterSecretStore',
    },
  },
} as const satisfies Field;

const refreshInterval = textField('duration', 'Interval at which the values are refreshed. 0 disables refreshing.');

const properties = {
  secretName: {
    ...textField('dns-subdomain', 'Name of the ExternalSecret, and by default of the Secret.'),
    required: true,
  },
  targetSecretName: textField('dns-subdomain', 'Name of the Secret. Defaults to secretName.'),
  secretStoreRef: describeMore(secretStoreRef, 'Defaults to the store of the platform.'),
  provider: textField('dns-subdomain', 'Name of a ClusterSecretStore. Mutually exclusive with secretStoreRef.'),
  refreshInterval: { ...refreshInterval, default: '1h' },
  refreshPolicy: choiceField(['CreatedOnce', 'Periodic', 'OnChange'], 'When the values are refreshed.'),
  target: {
    type: 'object',
    description: 'Settings of the created Secret.',
    properties: {
      creationPolicy: choiceField(
        ['Owner', 'Orphan', 'Merge', 'None'],
        'Creation policy of the Secret. Owner creates and owns it, Merge adds to an existing one.',
      ),
      deletionPolicy: choiceField(
        ['Delete', 'Merge', 'Retain'],
        'What happens to the Secret when the values are deleted from the store.',
      ),
      immutable: flagField('Whether the Secret is immutable.'),
      template: {
        type: 'object',
        description: 'Template of the Secret.',
        properties: {
          type: textField('filled', 'Type of the Secret.'),
          data: {
            type: 'object',
            description:
              'Templates by key, with store values in {{ }}. Numbers and booleans become strings as written.',
            open: { type: 'scalar' },
            keys: 'data-key',
          },
          ...kubernetesFields(templateSpec, {
            engineVersion: { type: 'string', description: 'Version of the template engine.' },
          }),
          mergePolicy: choiceField(
            ['Replace', 'Merge'],
            'Whether the template replaces the store values or is merged with them.',
          ),
          ...kubernetesFields(templateSpec, {
            metadata: { type: 'object', description: 'Labels and annotations of the Secret.' },
            templateFrom: { type: 'array', description: 'Templates from ConfigMaps and Secrets.' },
          }),
        },
      },
    },
  },
  data: {
    type: 'array',
    description: 'Keys of the Secret and the store values they are read from.',
    uniqueBy: 'secretKey',
    items: {
      type: 'object',
      properties: {
        secretKey: { ...textField('data-key', 'Key in the Secret.'), required: true },
        remoteRef: {
          type: 'object',
          description: 'Value in the store.',
          properties: {
            key: textField('filled', 'Name of the store entry. Defaults to NAMESPACE/SECRETNAME.'),
            property: {
              type: 'string',
              description: 'Property of the store entry. Defaults to secretKey; "" selects the whole entry.',
            },
            version: textField('filled', 'Version of the store entry.'),
            ...kubernetesFields([...spec, 'data', 'remoteRef'], {
              decodingStrategy: { type: 'string', description: 'Decoding strategy.' },
              conversionStrategy: { type: 'string', description: 'Conversion strategy for key names.' },
              metadataPolicy: {
                type: 'string',
                description: 'Whether to read the metadata of the store entry instead of its value.',
              },
            }),
          },
          default: {},
        },
        ...kubernetesFields([...spec, 'data'], {
          sourceRef: { type: 'object', description: 'Store to use for this key instead of the one of the secret.' },
        }),
      },
    },
  },
  ...kubernetesFields(spec, {
    dataFrom: { type: 'array', description: 'Store entries to import all values from.' },
  }),
  remoteRef: {
    type: 'object',
    description:
      'Short form for a Secret with a single value, whose key is secretName. Mutually exclusive with data and dataFrom.',
    kubernetes: [...spec, 'data', 'remoteRef'],
  },
  ...mountProperties,
  scope,
} as const;

type Asked = PropertiesOf<typeof properties>;

export const externalSecret = defineTrait({
  type: 'external-secret',
  summary:
    'Secret filled by External Secrets from a store, optionally mounted as files or used as environment variables.',
  capability: {
    isNeeded: ({ provider, secretStoreRef: own }) => !provider && (!isJsonObject(own) || !Object.hasOwn(own, 'name')),
    rendering: { secretStoreRef: { ...secretStoreRef, required: true }, refreshInterval },
    example: 'external-secret:\n  rendering:\n    secretStoreRef:\n      name: vault',
  },
  properties,
  relations: [
    {
      anyOf: ['data', 'dataFrom', 'remoteRef'],
      ignoresEmpty: true,
      hint: 'add "data" with the keys of the Secret, or "dataFrom" to import all values of a store entry',
    },
    ...['data', 'dataFrom', 'envFrom'].map((other) => ({
      exclusive: ['remoteRef', other],
      ignoresEmpty: true as const,
      hint: 'move "remoteRef" into an entry of "data"',
    })),
  ],
  problems: { definitions: { ...problems.definitions, ...mountProblems.definitions } },
  render(input) {
    const { component, namespace, properties: asked, authored, report } = input;
    const { secretName, mountPath, provider, targetSecretName: name = secretName } = asked;
    if (provider !== undefined && isJsonObject(authored['secretStoreRef']))
      report(problems.create('external-secret-store', { provider }), ['provider']);
    // The platform always sets a store, so only a null of the author can remove it.
    if (provider === undefined && asked.secretStoreRef === undefined) {
      report(problems.create('external-secret-store-null', {}), ['secretStoreRef']);
    }
    checkPolicies(asked, report);
    for (const [index, entry] of (asked.dataFrom ?? []).entries()) checkEntry(entry, index, report);
    if (asked.envFrom) checkVariables(input);
    const object = {
      apiVersion: 'external-secrets.io/v1',
      kind: 'ExternalSecret',
      metadata: { name: secretName, labels: { app: component.name } },
      spec: defined({
        refreshInterval: formatDuration(parseDuration(asked.refreshInterval) ?? 0n),
        refreshPolicy: asked.refreshPolicy,
        secretStoreRef: storeOf(asked),
        target: { name, ...asked.target },
        ...createSources(asked, namespace),
      }),
    };
    if (mountPath === undefined && !asked.envFrom) return { objects: [object] };
    const volume =
      mountPath === undefined ? undefined : { source: { secret: { secretName: name } }, mount: { mountPath } };
    const envFrom = asked.envFrom ? { secretRef: { name } } : undefined;
    const namePath: Path = [asked.targetSecretName === undefined ? 'secretName' : 'targetSecretName'];
    return {
      objects: [object],
      decorate: (objects) => addToPods(objects, { name, namePath, volume, envFrom, report }),
    };
  },
});

/** The provider of the author takes precedence over the store of the platform. */
function storeOf({ provider, secretStoreRef: store }: Asked): JsonObject | undefined {
  if (provider !== undefined) return { name: provider, kind: 'ClusterSecretStore' };
  return store === undefined ? undefined : { name: store.name, kind: store.kind };
}

/** The same rules as the webhook of External Secrets. */
function checkPolicies({ target = {} }: Asked, report: ReportAt): void {
  const { creationPolicy: creation = 'Owner', deletionPolicy: deletion } = target;
  const isVain =
    (deletion === 'Delete' && (creation === 'Merge' || creation === 'None')) ||
    (deletion === 'Merge' && creation === 'None');
  if (isVain) report(problems.create('external-secret-policy', { creation, deletion }), ['target', 'deletionPolicy']);
}

/** Since this minor version, every printable name without "=" is valid. */
const relaxedSince = 32;

function checkVariables({ properties: asked, kubernetesMinor, report }: TraitInput<Asked>): void {
  const { data = [], target = {} } = asked;
  // Secret keys cannot contain "=" or unprintable characters: their format is checked when they are read.
  const check = (key: string, path: Path, at?: 'key'): void => {
    if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(key) || kubernetesMinor() >= relaxedSince) return;
    report(problems.create('external-secret-variable', { key }), path, at);
  };
  for (const [index, { secretKey }] of data.entries()) check(secretKey, ['data', index, 'secretKey']);
  for (const key of Object.keys(target.template?.data ?? {})) check(key, ['target', 'template', 'data', key], 'key');
}

/** `data` and `dataFrom` of an ExternalSecret. */
function createSources({ data = [], dataFrom = [], remoteRef, secretName }: Asked, namespace: string): JsonObject {
  if (remoteRef !== undefined) return { data: [{ secretKey: secretName, remoteRef }] };
  const entries = data.map(({ secretKey, remoteRef: { key, property = secretKey, ...rest }, sourceRef }) => {
    const ref = { key: key ?? `${namespace}/${secretName}`, property: property === '' ? undefined : property, ...rest };
    return defined({ secretKey, remoteRef: defined(ref), sourceRef });
  });
  return defined({ data: filled(entries), dataFrom: filled(dataFrom) });
}

/** The same rules as the webhook of External Secrets. */
function checkEntry(entry: Json, index: number, report: ReportAt): void {
  const path = ['dataFrom', index];
  const sourceNames = ['extract', 'find'].filter((key) => has(entry, key));
  if (has(mappingAt(entry, 'sourceRef'), 'generatorRef')) sourceNames.push('sourceRef.generatorRef');
  const isEmpty = sourceNames.length === 0 && !has(entry, 'sourceRef');
  if (isEmpty || sourceNames.length > 1)
    report(problems.create('external-secret-source', { index, sourceNames }), path);
  const find = mappingAt(entry, 'find');
  if (find === undefined || has(find, 'name') || has(find, 'tags')) return;
  report(problems.create('external-secret-find', { index }), [...path, 'find'], 'key');
}
