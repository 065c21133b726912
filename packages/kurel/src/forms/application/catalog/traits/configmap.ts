import { defineProblems, quote, suggestName } from '../../../../diagnostics/index.ts';
import { checkEnvVarName, textAt } from '../../../../kube/index.ts';
import { addToPods, mountProblems, mountProperties } from '../../pods/change-pods.ts';
import { defineTrait } from '../define.ts';
import type { PropertiesOf, ReportAt } from '../define.ts';
import { defined, filled } from '../present-fields.ts';
import { flagField, scope, textField } from '../../../../documents/index.ts';

const problems = defineProblems(() => ({
  'configmap-file': {
    summary: 'A configmap trait mounts a key that does not exist.',
    message: ({ file, name }: File) => `key ${quote(file)} does not exist in ConfigMap ${quote(name)}`,
    hint: ({ file, keys }: File) => (keys.length === 0 ? 'add it to "data"' : suggestName(file, keys)),
    fix: 'Add the key to data or binaryData, or correct subPath or items.',
  },
  'configmap-variable': {
    summary: 'A key of a ConfigMap is not a valid environment variable name.',
    message: ({ key, reason }: { key: string; reason: string }) =>
      `key ${quote(key)} is not a valid environment variable name for "envFrom": it ${reason}`,
    hint: () => 'rename the key, or mount the ConfigMap instead',
    fix: 'Rename the key, or remove envFrom and set mountPath to mount the ConfigMap as files.',
  },
}));

interface File {
  readonly file: string;
  /** Name of the ConfigMap. */
  readonly name: string;
  readonly keys: readonly string[];
}

const properties = {
  name: { ...textField('dns-subdomain', 'Name of the ConfigMap.'), required: true },
  data: {
    type: 'object',
    description: 'Data of the ConfigMap. Numbers and booleans become strings as written.',
    open: { type: 'scalar' },
    keys: 'data-key',
    default: {},
  },
  binaryData: {
    type: 'object',
    description: 'Binary data of the ConfigMap, in base64.',
    kubernetes: ['v1', 'ConfigMap', 'binaryData'],
    default: {},
  },
  immutable: flagField('Whether the ConfigMap is immutable.'),
  ...mountProperties,
  readOnly: flagField('Whether the volume is mounted read-only.'),
  subPath: textField('filled', 'Key to mount as a single file, instead of a directory with all keys.'),
  items: {
    type: 'array',
    description: 'Keys to mount and their file names. Defaults to all.',
    kubernetes: ['v1', 'Pod', 'spec', 'volumes', 'configMap', 'items'],
  },
  scope,
} as const;

type Asked = PropertiesOf<typeof properties>;

export const configmap = defineTrait({
  type: 'configmap',
  summary: 'ConfigMap, optionally mounted as files or used as environment variables.',
  // The profile cannot set anything.
  capability: { isNeeded: () => false, rendering: {}, example: '' },
  properties,
  relations: [{ fields: ['readOnly', 'subPath', 'items'], require: 'mountPath' }],
  problems: { definitions: { ...problems.definitions, ...mountProblems.definitions } },
  render({ component, properties: asked, report }) {
    const { name, immutable, mountPath, subPath, items } = asked;
    checkMount(asked, report);
    if (asked.envFrom) checkVariables(asked.data, report);
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, labels: { app: component.name } },
      ...defined({ data: filled(asked.data), binaryData: filled(asked.binaryData), immutable }),
    };
    if (mountPath === undefined && !asked.envFrom) return { objects: [object] };
    const source = { configMap: defined({ name, items }) };
    const volume =
      mountPath === undefined
        ? undefined
        : { source, mount: defined({ mountPath, subPath, readOnly: asked.readOnly ? true : undefined }) };
    const envFrom = asked.envFrom ? { configMapRef: { name } } : undefined;
    return {
      objects: [object],
      decorate: (objects) => addToPods(objects, { name, namePath: ['name'], volume, envFrom, report }),
    };
  },
});

function checkMount({ name, data, binaryData, subPath, items }: Asked, report: ReportAt): void {
  const keys = [...Object.keys(data), ...Object.keys(binaryData)];
  const present = new Set(keys);
  for (const [index, item] of (items ?? []).entries()) {
    const key = textAt(item, 'key');
    if (key === undefined || present.has(key)) continue;
    report(problems.create('configmap-file', { file: key, name, keys }), ['items', index, 'key']);
  }
  const files = items === undefined ? keys : items.flatMap((item) => textAt(item, 'path') ?? []);
  if (subPath === undefined || files.some((file) => file === subPath || file.startsWith(`${subPath}/`))) return;
  report(problems.create('configmap-file', { file: subPath, name, keys: files }), ['subPath']);
}

function checkVariables(data: Asked['data'], report: ReportAt): void {
  for (const key of Object.keys(data)) {
    const reason = checkEnvVarName(key);
    if (reason !== undefined) report(problems.create('configmap-variable', { key, reason }), ['data', key], 'key');
  }
}
