import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { runProgram } from './run-program.ts';

type Data = Readonly<Record<string, unknown>>;

/** The six mistakes that one can make with a value, and the one code that each of them has. */
const codes = {
  unknown: 'field-unknown',
  'of the wrong type': 'field-type',
  missing: 'field-required',
  'not allowed': 'field-enum',
  'out of range': 'field-range',
  'not matching': 'field-format',
} as const;

type Mistake = keyof typeof codes;

interface Input {
  readonly files: Readonly<Record<string, string>>;
  readonly words: readonly string[];
}

/** A place, with data that are right there, and what is laid over them to make a mistake; `undefined` takes a key out. */
interface Place {
  readonly right: Data;
  readonly mistakes: Partial<Record<Mistake, Data>>;
  readonly make: (data: Data) => Input;
}

const apiVersion = 'launcher.gokure.dev/v1alpha1';
const metadata = { name: 'web' };
const container = { name: 'web', image: 'example.com/web:1.0' };
const labels = { app: 'web' };

const deployment = {
  replicas: 2,
  selector: { matchLabels: labels },
  strategy: { type: 'Recreate' },
  template: { metadata: { labels }, spec: { containers: [container] } },
};
const ofDeployment: Place['mistakes'] = {
  unknown: { replica: 2 },
  'of the wrong type': { replicas: 'lots' },
  missing: { selector: undefined },
  'not allowed': { strategy: { type: 'Sometimes' } },
  'out of range': { replicas: -1 },
  'not matching': {
    template: {
      metadata: { labels },
      spec: { containers: [{ ...container, resources: { limits: { memory: '10 gigabytes' } } }] },
    },
  },
};

const widgetSchema = {
  type: 'object',
  required: ['size'],
  properties: {
    size: { type: 'integer', minimum: 1 },
    mode: { type: 'string', enum: ['fast', 'slow'] },
    code: { type: 'string', pattern: '^[a-z]+$' },
  },
};
const ofWidget: Place['mistakes'] = {
  unknown: { sise: 1 },
  'of the wrong type': { size: 'x' },
  missing: { size: undefined },
  'not allowed': { mode: 'medium' },
  'out of range': { size: 0 },
  'not matching': { code: 'A1' },
};
const widget = { size: 2, mode: 'fast', code: 'a' };
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: widgetSchema } } },
      },
    ],
  },
};

const declarations = [
  { name: 'size', type: 'integer', required: true, minimum: 1 },
  { name: 'mode', type: 'string', required: true, enum: ['fast', 'slow'] },
  { name: 'code', type: 'string', required: true, pattern: '^[a-z]+$' },
];

const places: Readonly<Record<string, Place>> = {
  'a manifest': {
    right: deployment,
    mistakes: ofDeployment,
    make: (spec) => ({ files: { 'a.yaml': write(deploymentOf(spec)) }, words: ['validate', 'a.yaml'] }),
  },
  'a manifest of a kind with a CRD': {
    right: widget,
    mistakes: ofWidget,
    make: (spec) => ({
      files: { 'a.yaml': write(widgetOf(spec)), 'crd.yaml': write(definition) },
      words: ['validate', 'a.yaml', '--crds', 'crd.yaml'],
    }),
  },
  'the result of a patch': {
    right: {},
    mistakes: {
      unknown: { replica: 2 },
      'of the wrong type': { replicas: 'lots' },
      missing: { selector: null },
      'not allowed': { strategy: { type: 'Sometimes' } },
      'out of range': { replicas: -1 },
      'not matching': ofDeployment['not matching']!,
    },
    make: (spec) => ({
      files: {
        'a.yaml': write(deploymentOf(deployment)),
        'p.patch.yaml': write([{ target: 'deployment.web', type: 'merge', patch: { spec } }]),
      },
      words: ['validate', 'a.yaml', '--patch', 'p.patch.yaml'],
    }),
  },
  'a property of a component': {
    right: { image: 'example.com/web:1.0', port: 8080 },
    mistakes: {
      unknown: { prot: 8080 },
      'of the wrong type': { port: 'http' },
      missing: { image: undefined },
      'not allowed': { imagePullPolicy: 'Sometimes' },
      'out of range': { port: 70_000 },
      'not matching': { image: 'A B' },
    },
    make: (properties) => buildApplication({ properties }),
  },
  'a property of a component that is a field of Kubernetes': {
    right: { name: 'A', value: 'a' },
    mistakes: {
      unknown: { vlaue: 'a' },
      'of the wrong type': { value: ['a'] },
      missing: { name: undefined },
    },
    make: (env) => buildApplication({ properties: { image: 'example.com/web:1.0', port: 8080, env: [env] } }),
  },
  'a property of a trait': {
    right: { name: 'data', size: '1Gi', accessModes: ['ReadWriteOnce'] },
    mistakes: {
      unknown: { siez: '1Gi' },
      'of the wrong type': { name: 1 },
      missing: { name: undefined },
      'not allowed': { accessModes: ['Sometimes'] },
      'out of range': { accessModes: [] },
      'not matching': { size: '10 gigabytes' },
    },
    make: (properties) => buildApplication({ traits: [{ type: 'pvc', properties }] }),
  },
  'an Application': {
    right: { name: 'web', type: 'webservice' },
    mistakes: {
      unknown: { trait: [] },
      'of the wrong type': { name: 1 },
      missing: { name: undefined },
      'not allowed': { type: 'webapp' },
      'not matching': { name: 'A B' },
    },
    make: (component) => buildApplication(component),
  },
  'an Application without components': {
    right: { components: [{ name: 'web', type: 'webservice', properties: { image: 'a:1', port: 80 } }] },
    mistakes: { 'out of range': { components: [] } },
    make: (spec) => ({
      files: { 'app/app.yaml': write({ apiVersion, kind: 'Application', metadata: { name: 'web' }, spec }) },
      words: ['build', 'app', '--no-profile'],
    }),
  },
  'a Package': {
    right: { name: 'web', version: '1.0.0' },
    mistakes: {
      unknown: { nmae: 'web' },
      'of the wrong type': { description: ['a'] },
      missing: { name: undefined },
      'not matching': { version: 'one' },
    },
    make: (own) => {
      const { files, words } = buildApplication({});
      return { files: { ...files, 'app/kurel.yaml': write({ apiVersion, kind: 'Package', metadata: own }) }, words };
    },
  },
  'a declaration of a parameter': {
    right: { name: 'size', type: 'integer' },
    mistakes: {
      unknown: { requird: true },
      'of the wrong type': { description: 5 },
      missing: { type: undefined },
      'not allowed': { type: 'int' },
      'out of range': { enum: [] },
      'not matching': { name: '1st' },
    },
    make: (declaration) => buildDeclaring([declaration]),
  },
  'a part of a declaration': {
    right: { type: 'object', properties: { size: { type: 'integer' } } },
    mistakes: {
      unknown: { propertys: {} },
      'of the wrong type': { required: true },
      'not allowed': { type: 'map' },
      'out of range': { enum: [] },
    },
    make: (items) => buildDeclaring([{ name: 'sizes', type: 'array', items }]),
  },
  'the default of a declared parameter': {
    right: widget,
    mistakes: {
      'of the wrong type': { size: 'x' },
      missing: { size: undefined },
      'not allowed': { mode: 'medium' },
      'out of range': { size: 0 },
      'not matching': { code: 'A1' },
    },
    make: (value) => buildDeclaring([{ name: 'widget', ...widgetSchema, default: value }]),
  },
  'the default of a declared parameter that refers to another one': {
    right: { size: '${other}' },
    mistakes: { 'of the wrong type': { size: '${name}' }, 'out of range': { size: '${small}' } },
    make: (value) =>
      buildDeclaring([
        { name: 'other', type: 'integer', default: 2 },
        { name: 'small', type: 'integer', default: 0 },
        { name: 'widget', ...widgetSchema, default: value },
      ]),
  },
  'a value that a declaration allows': {
    right: { value: widget },
    mistakes: {
      'of the wrong type': { value: { size: 'x' } },
      missing: { value: { mode: 'fast' } },
      'not allowed': { value: { size: 1, mode: 'medium' } },
      'out of range': { value: { size: 0 } },
      'not matching': { value: { size: 1, code: 'A1' } },
    },
    make: ({ value }) => buildDeclaring([{ name: 'widget', ...widgetSchema, enum: [value] }]),
  },
  'a ClusterProfile': {
    right: { gitopsEngine: 'fluxcd' },
    mistakes: {
      unknown: { gitops: 'fluxcd' },
      'of the wrong type': { capabilities: [] },
      'not allowed': { gitopsEngine: 'helm' },
      'not matching': { fluxNamespace: 'A B' },
    },
    make: (spec) => validateDocument('ClusterProfile', { metadata, spec }),
  },
  'the name of a ClusterProfile': {
    right: metadata,
    mistakes: { missing: { name: undefined } },
    make: (own) => validateDocument('ClusterProfile', { metadata: own }),
  },
  'a Policy': {
    right: {},
    mistakes: {
      unknown: { maxCpu: '1' },
      'of the wrong type': { maxReplicas: 'x' },
      'out of range': { maxReplicas: 0 },
      'not matching': { maxCPU: '2 cores' },
    },
    make: (enforced) => validateDocument('Policy', { metadata, spec: { enforced } }),
  },
  'the name of a Policy': {
    right: metadata,
    mistakes: { missing: { name: undefined } },
    make: (own) => validateDocument('Policy', { metadata: own, spec: {} }),
  },
  'a CapabilityDefinition': {
    right: {},
    mistakes: {
      unknown: { tpye: 'string' },
      'of the wrong type': { required: 'maybe' },
      'not allowed': { type: 'text' },
    },
    make: (size) =>
      validateDocument('CapabilityDefinition', { metadata, spec: { rendering: { properties: { size } } } }),
  },
  'the name of a CapabilityDefinition': {
    right: metadata,
    mistakes: { missing: { name: undefined }, 'not matching': { name: 'A B' } },
    make: (own) => validateDocument('CapabilityDefinition', { metadata: own }),
  },
  Acceptances: {
    right: { code: 'field-unknown', reason: 'a test' },
    mistakes: {
      unknown: { resaon: 'a test' },
      'of the wrong type': { reason: 1 },
      missing: { reason: undefined },
      'not matching': { reason: ' ' },
    },
    make: (entry) => ({
      files: {
        'in/a.yaml': write(deploymentOf(deployment)),
        'in/kurel.accept.yaml': write({ apiVersion, kind: 'Acceptances', spec: { accept: [entry] } }),
      },
      words: ['build', 'in'],
    }),
  },
  'a declared parameter in a values file': {
    right: widget,
    mistakes: ofWidget,
    make: (values) => buildDeclared({ 'v.yaml': write(values) }, ['--values', 'v.yaml']),
  },
  'a declared parameter with --set': {
    right: widget,
    mistakes: ofWidget,
    make: (values) =>
      buildDeclared(
        {},
        Object.entries(values).flatMap(([name, value]) => (isPlain(value) ? ['--set', `${name}=${value}`] : [])),
      ),
  },
  'the metadata of a patch package': {
    right: { name: 'web', version: '1.0.0', appVersion: '1.0.0' },
    mistakes: {
      // Only an error because a required field is misspelled.
      unknown: { nmae: 'web', name: undefined },
      'of the wrong type': { keywords: 'a' },
      missing: { version: undefined },
      'not matching': { home: 'ftp://example.com' },
    },
    make: (kurel) => ({
      files: { ...patchPackage({}), 'web.kurel/parameters.yaml': write({ kurel }) },
      words: ['validate', 'web.kurel'],
    }),
  },
  'the metadata of a patch': {
    right: { enabled: true, description: 'a' },
    mistakes: {
      unknown: { enable: true },
      'of the wrong type': { description: [1] },
      'not matching': { requires: [''] },
    },
    make: (sidecar) => ({
      files: { ...patchPackage({ policy: 'Always', replicas: 2 }), 'web.kurel/patches/10-it.yaml': write(sidecar) },
      words: ['validate', 'web.kurel'],
    }),
  },
  'a parameter with a schema of the package': {
    right: widget,
    mistakes: ofWidget,
    make: (values) => ({
      files: {
        ...patchPackage({ mode: 'fast', code: 'a' }),
        'web.kurel/schemas/parameters.overrides.yaml': write({
          properties: { widget: { ...widgetSchema, additionalProperties: false } },
        }),
        'v.yaml': write({ widget: values }),
      },
      words: ['validate', 'web.kurel', '--values', 'v.yaml'],
    }),
  },
  'a parameter with a generated schema': {
    right: { replicas: 2 },
    mistakes: {
      'of the wrong type': { replicas: 'lots' },
      'not allowed': { policy: 'Sometimes' },
      'out of range': { replicas: -1 },
      'not matching': { size: '10GB' },
    },
    make: (values) => ({
      files: { ...patchPackage({ replicas: 2, policy: 'Always', size: '10Gi' }), 'v.yaml': write({ widget: values }) },
      words: ['validate', 'web.kurel', '--values', 'v.yaml'],
    }),
  },
};

let workingDirectory: string;

beforeEach(() => {
  workingDirectory = mkdtempSync(join(tmpdir(), 'kurel-mistake-'));
});

afterEach(() => rmSync(workingDirectory, { recursive: true }));

describe.each(Object.entries(places))('%s', (_place, { right, mistakes, make }) => {
  it('is fine as it is', async () => {
    expect(await errorsOf(make(right))).toEqual([]);
  });

  it.each(Object.entries(mistakes))('that is %s has the code of all such mistakes', async (mistake, change) => {
    expect(await errorsOf(make({ ...right, ...change }))).toEqual([codes[mistake as Mistake]]);
  });
});

it('has each mistake in several places', () => {
  const counts = Object.keys(codes).map(
    (mistake) => Object.values(places).filter(({ mistakes }) => Object.hasOwn(mistakes, mistake)).length,
  );
  expect(Math.min(...counts)).toBeGreaterThan(8);
});

/** The codes of all errors, each once: what follows from a mistake may be wrong as well. */
async function errorsOf({ files, words: [command = '', ...words] }: Input): Promise<readonly string[]> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(workingDirectory, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const format = command === 'validate' ? '--format' : '--message-format';
  const { stdout, stderr } = await runProgram([command, ...words, format, 'json'], { workingDirectory });
  const data = JSON.parse(command === 'validate' ? stdout : stderr === '' ? '[]' : stderr);
  const findings: readonly { severity: string; code: string }[] = Array.isArray(data) ? data : data.errors;
  return findings.filter(({ severity }) => severity === 'error').map(({ code }) => code);
}

function write(data: unknown): string {
  return JSON.stringify(data);
}

function isPlain(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function deploymentOf(spec: Data): Data {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec };
}

function widgetOf(spec: Data): Data {
  return { apiVersion: 'example.com/v1', kind: 'Widget', metadata, spec };
}

function validateDocument(kind: string, data: Data): Input {
  return { files: { 'd.yaml': write({ apiVersion, kind, ...data }) }, words: ['validate', 'd.yaml'] };
}

const rightComponent = { name: 'web', type: 'webservice', properties: { image: 'example.com/web:1.0', port: 8080 } };

function buildApplication(component: Data): Input {
  const spec = { components: [{ ...rightComponent, ...component }] };
  const app = { apiVersion, kind: 'Application', metadata: { name: 'web', namespace: 'web' }, spec };
  return { files: { 'app/app.yaml': write(app) }, words: ['build', 'app', '--no-profile'] };
}

function buildDeclared(more: Input['files'], flags: readonly string[]): Input {
  const annotations = { size: '${size}', mode: '${mode}', code: '${code}' };
  const { files, words } = buildDeclaring(declarations, { annotations });
  return { files: { ...files, ...more }, words: [...words, ...flags] };
}

function buildDeclaring(parameters: readonly Data[], component: Data = {}): Input {
  const { files, words } = buildApplication(component);
  const own = { apiVersion, kind: 'Package', metadata: { name: 'web', version: '1.0.0' }, spec: { parameters } };
  return { files: { ...files, 'app/kurel.yaml': write(own) }, words };
}

function patchPackage(parameters: Data): Record<string, string> {
  const kurel = { name: 'web', version: '1.0.0', appVersion: '1.0.0' };
  const patch =
    '[deployment.web]\nspec.replicas: ${widget.replicas}\nspec.template.spec.containers[0].imagePullPolicy: ${widget.policy}\n';
  return {
    'web.kurel/parameters.yaml': write({ kurel, widget: parameters }),
    'web.kurel/resources/deployment.yaml': write(deploymentOf(deployment)),
    ...(Object.hasOwn(parameters, 'policy') ? { 'web.kurel/patches/10-it.kpatch': patch } : {}),
  };
}
