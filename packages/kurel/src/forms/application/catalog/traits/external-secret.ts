import { defineProblems, quote } from '../../../../diagnostics/index.ts';
import { formatDuration, parseDuration } from '../../../../kube/index.ts';
import { isJsonObject } from '../../../../model/index.ts';
import type { JsonObject, Path } from '../../../../model/index.ts';
import type { Field } from '../../documents/field.ts';
import { addToPods, mountProblems, mountProperties } from '../../pods/change-pods.ts';
import { checkSources, createSources, sourceProblems, sources } from '../../secrets/secret-sources.ts';
import { defineTrait } from '../define.ts';
import type { PropertiesOf, ReportAt } from '../define.ts';
import { defined } from '../defined.ts';
import { scope } from '../fields.ts';

const template = ['external-secrets.io/v1', 'ExternalSecret', 'spec', 'target', 'template'] as const;

/** The Secret of an ExternalSecret. */
const target = {
  type: 'object',
  description: 'Settings of the created Secret.',
  properties: {
    creationPolicy: {
      type: 'string',
      description: 'Creation policy of the Secret. Owner creates and owns it, Merge adds to an existing one.',
      enum: ['Owner', 'Orphan', 'Merge', 'None'],
    },
    deletionPolicy: {
      type: 'string',
      description: 'What happens to the Secret when the values are deleted from the store.',
      enum: ['Delete', 'Merge', 'Retain'],
    },
    immutable: { type: 'boolean', description: 'Whether the Secret is immutable.' },
    template: {
      type: 'object',
      description: 'Template of the Secret.',
      properties: {
        type: { type: 'string', description: 'Type of the Secret.', format: 'filled' },
        data: {
          type: 'object',
          description: 'Templates by key, with store values in {{ }}. Numbers and booleans become strings as written.',
          open: { type: 'scalar' },
          keys: 'data-key',
        },
        engineVersion: {
          type: 'string',
          description: 'Version of the template engine.',
          kubernetes: [...template, 'engineVersion'],
        },
        mergePolicy: {
          type: 'string',
          description: 'Whether the template replaces the store values or is merged with them.',
          enum: ['Replace', 'Merge'],
        },
        metadata: {
          type: 'object',
          description: 'Labels and annotations of the Secret.',
          kubernetes: [...template, 'metadata'],
        },
        templateFrom: {
          type: 'array',
          description: 'Templates from ConfigMaps and Secrets.',
          kubernetes: [...template, 'templateFrom'],
        },
      },
    },
  },
} as const satisfies Field;

const problems = defineProblems({
  'external-secret-store-null': {
    severity: 'error',
    summary: 'secretStoreRef of an external secret is null, which removes the store of the platform.',
    message: () => '"secretStoreRef" is null: the secret has no store',
    hint: () => 'set a value, or remove "secretStoreRef" to use the store of the platform',
    fix: 'Remove secretStoreRef to use the store of the profile, or set its name and kind.',
  },
  'external-secret-store': {
    severity: 'error',
    summary: 'An external secret has both provider and secretStoreRef.',
    message: ({ provider }: { provider: string }) =>
      `"provider" ${quote(provider)} and "secretStoreRef" are mutually exclusive`,
    hint: () => 'keep one of them; "provider" is short for a ClusterSecretStore',
    fix: 'Keep provider, the name of a ClusterSecretStore, or secretStoreRef.',
  },
  'external-secret-policy': {
    severity: 'error',
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
});

const secretStoreRef = {
  type: 'object',
  description: 'Store of the values.',
  properties: {
    name: { type: 'string', description: 'Name of the store.', required: true, format: 'dns-subdomain' },
    kind: {
      type: 'string',
      description: 'Kind of the store.',
      enum: ['SecretStore', 'ClusterSecretStore'],
      default: 'ClusterSecretStore',
    },
  },
} as const satisfies Field;

const refreshInterval = {
  type: 'string',
  description: 'Interval at which the values are refreshed. 0 disables refreshing.',
  format: 'duration',
} as const satisfies Field;

const properties = {
  secretName: {
    type: 'string',
    description: 'Name of the ExternalSecret, and by default of the Secret.',
    required: true,
    format: 'dns-subdomain',
  },
  targetSecretName: {
    type: 'string',
    description: 'Name of the Secret. Defaults to secretName.',
    format: 'dns-subdomain',
  },
  secretStoreRef: {
    ...secretStoreRef,
    description: `${secretStoreRef.description} Defaults to the store of the platform.`,
  },
  provider: {
    type: 'string',
    description: 'Name of a ClusterSecretStore. Mutually exclusive with secretStoreRef.',
    format: 'dns-subdomain',
  },
  refreshInterval: { ...refreshInterval, default: '1h' },
  refreshPolicy: {
    type: 'string',
    description: 'When the values are refreshed.',
    enum: ['CreatedOnce', 'Periodic', 'OnChange'],
  },
  target,
  ...sources,
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
  problems: { definitions: { ...problems.definitions, ...sourceProblems.definitions, ...mountProblems.definitions } },
  render({ component, namespace, properties: asked, authored, kubernetesMinor, report }) {
    const { secretName, mountPath, provider, targetSecretName: name = secretName } = asked;
    if (provider !== undefined && isJsonObject(authored['secretStoreRef']))
      report(problems.create('external-secret-store', { provider }), ['provider']);
    // The platform always sets a store, so only a null of the author can remove it.
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
function checkPolicies(
  { target: { creationPolicy: creation = 'Owner', deletionPolicy: deletion } = {} }: Asked,
  report: ReportAt,
): void {
  const isVain =
    (deletion === 'Delete' && (creation === 'Merge' || creation === 'None')) ||
    (deletion === 'Merge' && creation === 'None');
  if (isVain) report(problems.create('external-secret-policy', { creation, deletion }), ['target', 'deletionPolicy']);
}

/** Since this minor version, every printable name without "=" is valid. */
const relaxedSince = 32;

function checkVariables(
  { data = [], target: { template } = {} }: Asked,
  kubernetesMinor: () => number,
  report: ReportAt,
): void {
  // Secret keys cannot contain "=" or unprintable characters: their format is checked when they are read.
  const check = (key: string, path: Path, at?: 'key'): void => {
    if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(key) || kubernetesMinor() >= relaxedSince) return;
    report(problems.create('external-secret-variable', { key }), path, at);
  };
  for (const [index, { secretKey }] of data.entries()) check(secretKey, ['data', index, 'secretKey']);
  for (const key of Object.keys(template?.data ?? {})) check(key, ['target', 'template', 'data', key], 'key');
}
