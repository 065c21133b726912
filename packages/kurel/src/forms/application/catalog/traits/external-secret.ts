import { defineProblems, quote } from '../../../../diagnostics/index.ts';
import { formatDuration, parseDuration } from '../../../../kube/index.ts';
import { isJsonObject } from '../../../../model/index.ts';
import type { JsonObject, Path } from '../../../../model/index.ts';
import type { Field } from '../../documents/field.ts';
import { addToPods, mountProblems } from '../../pods/mount-volume.ts';
import { checkSources, createSources, sourceProblems, sources } from '../../secrets/secret-sources.ts';
import { defineTrait } from '../define.ts';
import type { PropertiesOf, ReportAt } from '../define.ts';
import { given } from '../given.ts';
import { scope } from '../scope.ts';

const template = ['external-secrets.io/v1', 'ExternalSecret', 'spec', 'target', 'template'] as const;

/** The Secret that an ExternalSecret makes. */
const target = {
  type: 'object',
  description: 'how the Secret is made',
  properties: {
    creationPolicy: {
      type: 'string',
      description: 'who owns the Secret: Owner makes and removes it, Merge adds to one that is there',
      enum: ['Owner', 'Orphan', 'Merge', 'None'],
    },
    deletionPolicy: {
      type: 'string',
      description: 'what becomes of the Secret when the values are gone from the store',
      enum: ['Delete', 'Merge', 'Retain'],
    },
    immutable: { type: 'boolean', description: 'whether the Secret can never be changed' },
    template: {
      type: 'object',
      description: 'what the Secret is made to look like',
      properties: {
        type: { type: 'string', description: 'type of the Secret', format: 'filled' },
        data: {
          type: 'object',
          description:
            'texts by key, with values of the store in {{ }}; numbers and booleans become the text that was written',
          open: { type: 'scalar' },
          keys: 'data-key',
        },
        engineVersion: {
          type: 'string',
          description: 'version of the language of templates',
          kubernetes: [...template, 'engineVersion'],
        },
        mergePolicy: {
          type: 'string',
          description: 'whether the template replaces the values of the store or stands beside them',
          enum: ['Replace', 'Merge'],
        },
        metadata: {
          type: 'object',
          description: 'labels and annotations of the Secret, as External Secrets has them',
          kubernetes: [...template, 'metadata'],
        },
        templateFrom: {
          type: 'array',
          description: 'templates that are elsewhere, as External Secrets has them',
          kubernetes: [...template, 'templateFrom'],
        },
      },
    },
  },
} as const satisfies Field;

const problems = defineProblems({
  'external-secret-store-null': {
    severity: 'error',
    summary: 'The store of a Secret is null, which takes away that of the platform.',
    message: () => '"secretStoreRef" is null, so that nothing says where the values are',
    hint: () => 'give it a value, or take the line out to have the store of the platform',
  },
  'external-secret-store': {
    severity: 'error',
    summary: 'An author names two stores for one secret.',
    message: ({ provider }: { provider: string }) =>
      `the store is named twice: by "provider", which is ${quote(provider)}, and by "secretStoreRef"`,
    hint: () => '"provider" is short for a ClusterSecretStore; take one of them out',
  },
  'external-secret-policy': {
    severity: 'error',
    summary: 'What happens to a Secret at its end does not go with how it comes into being.',
    message: ({ creation, deletion }: { creation: string; deletion: string }) =>
      `"deletionPolicy" cannot be ${deletion} when "creationPolicy" is ${creation}`,
    hint: ({ creation }: { creation: string }) =>
      creation === 'None' ? 'no Secret is made, so that it can only be Retain' : 'only an Owner may delete the Secret',
  },
  'external-secret-variable': {
    severity: 'warning',
    summary:
      'The keys of a Secret are to be environment variables, and one has a name that Kubernetes before 1.32 may skip.',
    message: ({ key }: { key: string }) =>
      `"envFrom" makes an environment variable of the key ${quote(key)}, which is not a C identifier`,
    hint: () =>
      'Kubernetes before 1.32 skips names that it does not allow: use letters, digits and "_" only, with no digit first, or mount the Secret instead',
  },
});

const secretStoreRef = {
  type: 'object',
  description: 'the store that the values come from',
  properties: {
    name: { type: 'string', description: 'name of the store', required: true, format: 'dns-subdomain' },
    kind: {
      type: 'string',
      description: 'whether the store is of the namespace or of the cluster',
      enum: ['SecretStore', 'ClusterSecretStore'],
      default: 'ClusterSecretStore',
    },
  },
} as const satisfies Field;

const refreshInterval = {
  type: 'string',
  description: 'how often the values are read again; never when it is 0',
  format: 'duration',
} as const satisfies Field;

const properties = {
  secretName: {
    type: 'string',
    description: 'name of the ExternalSecret, and of the Secret that it makes unless another is given',
    required: true,
    format: 'dns-subdomain',
  },
  targetSecretName: { type: 'string', description: 'name of the Secret that is made', format: 'dns-subdomain' },
  secretStoreRef: {
    ...secretStoreRef,
    description: `${secretStoreRef.description}; the platform says it unless given`,
  },
  provider: { type: 'string', description: 'a ClusterSecretStore, instead of secretStoreRef', format: 'dns-subdomain' },
  refreshInterval: { ...refreshInterval, default: '1h' },
  refreshPolicy: {
    type: 'string',
    description: 'when the values are read again',
    enum: ['CreatedOnce', 'Periodic', 'OnChange'],
  },
  target,
  ...sources,
  envFrom: {
    type: 'boolean',
    description: 'whether the main container has each key of the Secret as an environment variable',
    default: false,
  },
  mountPath: {
    type: 'string',
    description: 'where the main container finds each key as a file; not mounted unless given',
    format: 'mount-path',
  },
  scope,
} as const;

type Asked = PropertiesOf<typeof properties>;

export const externalSecret = defineTrait({
  type: 'external-secret',
  summary: 'A Secret that External Secrets fills from a store, which the component may have as files or as variables.',
  capability: {
    isNeeded: ({ provider, secretStoreRef: own }) => !provider && (!isJsonObject(own) || !Object.hasOwn(own, 'name')),
    rendering: { secretStoreRef: { ...secretStoreRef, required: true }, refreshInterval },
    example: 'external-secret:\n  rendering:\n    secretStoreRef:\n      name: vault',
  },
  properties,
  problems: { definitions: { ...problems.definitions, ...sourceProblems.definitions, ...mountProblems.definitions } },
  render({ component, namespace, properties: asked, authored, kubernetesMinor, report }) {
    const { secretName, mountPath, provider, targetSecretName: name = secretName } = asked;
    if (provider !== undefined && isJsonObject(authored['secretStoreRef']))
      report(problems.create('external-secret-store', { provider }), ['provider']);
    // Only an author who says null can have taken away what the platform says.
    if (provider === undefined && asked.secretStoreRef === undefined) {
      report(problems.create('external-secret-store-null', {}), ['secretStoreRef']);
    }
    checkPolicies(asked, report);
    checkSources(asked, report);
    if (asked.envFrom) checkVariables(asked, kubernetesMinor, report);
    const object = {
      apiVersion: 'external-secrets.io/v1',
      kind: 'ExternalSecret',
      metadata: { name: secretName, labels: { app: component.name } },
      spec: given({
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

/** What the author calls a provider outranks the store of the platform. */
function storeOf({ provider, secretStoreRef: store }: Asked): JsonObject | undefined {
  if (provider !== undefined) return { name: provider, kind: 'ClusterSecretStore' };
  return store === undefined ? undefined : { name: store.name, kind: store.kind };
}

/** As the webhook of External Secrets has it. */
function checkPolicies(
  { target: { creationPolicy: creation = 'Owner', deletionPolicy: deletion } = {} }: Asked,
  report: ReportAt,
): void {
  const isVain =
    (deletion === 'Delete' && (creation === 'Merge' || creation === 'None')) ||
    (deletion === 'Merge' && creation === 'None');
  if (isVain) report(problems.create('external-secret-policy', { creation, deletion }), ['target', 'deletionPolicy']);
}

/** From this version on every printable name without "=" becomes a variable. */
const relaxedSince = 32;

function checkVariables(
  { data = [], target: { template } = {} }: Asked,
  kubernetesMinor: () => number,
  report: ReportAt,
): void {
  // Keys of Secrets have no "=" and nothing unprintable: that is checked where they are read.
  const check = (key: string, path: Path, at?: 'key'): void => {
    if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(key) || kubernetesMinor() >= relaxedSince) return;
    report(problems.create('external-secret-variable', { key }), path, at);
  };
  for (const [index, { secretKey }] of data.entries()) check(secretKey, ['data', index, 'secretKey']);
  for (const key of Object.keys(template?.data ?? {})) check(key, ['target', 'template', 'data', key], 'key');
}
