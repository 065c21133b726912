import { defineProblems, nearest, quote } from '../../../../diagnostics/index.ts';
import { checkEnvVarName, textAt } from '../../../../kube/index.ts';
import { addToPods, mountProblems } from '../../pods/mount-volume.ts';
import { defineTrait } from '../define.ts';
import type { PropertiesOf, ReportAt } from '../define.ts';
import { filled } from '../filled.ts';
import { given } from '../given.ts';
import { scope } from '../scope.ts';

const problems = defineProblems({
  'configmap-mount': {
    severity: 'error',
    summary: 'It is said how a ConfigMap is mounted, but not where.',
    message: ({ key }: { key: string }) =>
      `${quote(key)} says how the ConfigMap is mounted, and there is no "mountPath" that says where`,
    hint: ({ key }: { key: string }) => `add "mountPath", or take ${quote(key)} out`,
  },
  'configmap-file': {
    severity: 'error',
    summary: 'A file of a ConfigMap is mounted that is not in it.',
    message: ({ file, name }: File) => `the ConfigMap ${quote(name)} has no ${quote(file)} that could be mounted`,
    hint: ({ file, known }: File) => {
      const near = nearest(file, known);
      if (near !== undefined) return `did you mean ${near}?`;
      return known.length === 0 ? 'add it to "data"' : `it has: ${known.join(', ')}`;
    },
  },
  'configmap-variable': {
    severity: 'error',
    summary: 'The keys of a ConfigMap are to be environment variables, and one cannot be.',
    message: ({ key, reason }: { key: string; reason: string }) =>
      `"envFrom" makes an environment variable of the key ${quote(key)}, which ${reason}`,
    hint: () => 'give it another key, or mount the ConfigMap instead',
  },
});

interface File {
  readonly file: string;
  /** Of the ConfigMap. */
  readonly name: string;
  readonly known: readonly string[];
}

const properties = {
  name: { type: 'string', description: 'name of the ConfigMap', required: true, format: 'dns-subdomain' },
  data: {
    type: 'object',
    description: 'texts by key; numbers and booleans become the text that was written',
    open: { type: 'scalar' },
    keys: 'data-key',
    default: {},
  },
  binaryData: {
    type: 'object',
    description: 'bytes by key, in base64',
    kubernetes: ['v1', 'ConfigMap', 'binaryData'],
    default: {},
  },
  immutable: { type: 'boolean', description: 'whether the ConfigMap can never be changed' },
  envFrom: {
    type: 'boolean',
    description: 'whether the main container has each key of the data as an environment variable',
    default: false,
  },
  mountPath: {
    type: 'string',
    description: 'where the main container finds each key as a file; not mounted unless given',
    format: 'mount-path',
  },
  readOnly: { type: 'boolean', description: 'whether the mount says that it can only be read' },
  subPath: {
    type: 'string',
    description: 'the one file that is mounted, instead of a directory of all',
    format: 'filled',
  },
  items: {
    type: 'array',
    description: 'which keys are mounted, and as which files, as Pods have it; all unless given',
    kubernetes: ['v1', 'Pod', 'spec', 'volumes', 'configMap', 'items'],
  },
  scope,
} as const;

type Asked = PropertiesOf<typeof properties>;

export const configmap = defineTrait({
  type: 'configmap',
  summary: 'A ConfigMap, which the component may have as files or as environment variables.',
  // The platform has no say in it.
  capability: { isNeeded: () => false, rendering: {}, example: '' },
  properties,
  problems: { definitions: { ...problems.definitions, ...mountProblems.definitions } },
  render({ component, properties: asked, report }) {
    const { name, immutable, mountPath, subPath, items } = asked;
    checkMount(asked, report);
    if (asked.envFrom) checkVariables(asked.data, report);
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, labels: { app: component.name } },
      ...given({ data: filled(asked.data), binaryData: filled(asked.binaryData), immutable }),
    };
    if (mountPath === undefined && !asked.envFrom) return { objects: [object] };
    const source = { configMap: given({ name, items }) };
    const volume =
      mountPath === undefined
        ? undefined
        : { source, mount: given({ mountPath, subPath, readOnly: asked.readOnly ? true : undefined }) };
    const envFrom = asked.envFrom ? { configMapRef: { name } } : undefined;
    return {
      objects: [object],
      decorate: (objects) => addToPods(objects, { name, namePath: ['name'], volume, envFrom, report }),
    };
  },
});

function checkMount({ name, data, binaryData, mountPath, readOnly, subPath, items }: Asked, report: ReportAt): void {
  if (mountPath === undefined) {
    const vain = Object.keys(given({ readOnly, subPath, items }));
    for (const key of vain) report(problems.create('configmap-mount', { key }), [key], 'key');
  }
  const known = [...Object.keys(data), ...Object.keys(binaryData)];
  const keys = new Set(known);
  for (const [index, item] of (items ?? []).entries()) {
    const key = textAt(item, 'key');
    if (key === undefined || keys.has(key)) continue;
    report(problems.create('configmap-file', { file: key, name, known }), ['items', index, 'key']);
  }
  const files = items === undefined ? known : items.flatMap((item) => textAt(item, 'path') ?? []);
  if (subPath === undefined || files.some((file) => file === subPath || file.startsWith(`${subPath}/`))) return;
  report(problems.create('configmap-file', { file: subPath, name, known: files }), ['subPath']);
}

function checkVariables(data: Asked['data'], report: ReportAt): void {
  for (const key of Object.keys(data)) {
    const reason = checkEnvVarName(key);
    if (reason !== undefined) report(problems.create('configmap-variable', { key, reason }), ['data', key], 'key');
  }
}
