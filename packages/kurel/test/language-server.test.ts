import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtIn } from '../src/forms/application/catalog/catalog.ts';
import { applicationCases } from './application-case.ts';
import { startLanguageServer } from './language-server.ts';
import type { LanguageServer } from './language-server.ts';
import { runProgram } from './run-program.ts';

// The schemas as the program prints them, in the language server for YAML that editors have.

const documents = { 'app.yaml': 'app', 'cluster.yaml': 'profile', 'policy.yaml': 'policy', 'kurel.yaml': 'package' };
const directory = mkdtempSync(join(tmpdir(), 'kurel-editor-'));
let server: LanguageServer;

beforeAll(async () => {
  const schemas: Record<string, string> = {};
  for (const [file, name] of Object.entries(documents)) {
    schemas[file] = join(directory, `${name}.schema.json`);
    const { exitCode, stderr } = await runProgram(['schema', name, '--output', schemas[file]]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  }
  server = await startLanguageServer(schemas);
});

afterAll(() => {
  server.stop();
  rmSync(directory, { recursive: true, force: true });
});

const head = `apiVersion: launcher.gokure.dev/v1alpha1
kind: Application
metadata:
  name: shop
spec:
  components:
  - name: web
`;
const web = `${head}    type: webservice
    properties:
      image: ghcr.io/example/web:1.4.0
`;
const profile = `apiVersion: launcher.gokure.dev/v1alpha1
kind: ClusterProfile
metadata:
  name: cluster
spec:
`;

function namesOf(handlers: readonly { readonly type: string }[]): readonly string[] {
  return handlers.map(({ type }) => type).toSorted();
}

describe.concurrent('an editor completes', () => {
  it.each([
    ['types of components', `${head}    type: |\n`, namesOf(builtIn.components)],
    ['types of traits', `${web}    traits:\n    - type: |\n`, namesOf(builtIn.traits)],
    ['words of a property', `${web}      imagePullPolicy: |\n`, ['Always', 'IfNotPresent', 'Never', 'null']],
    ['fields of Kubernetes', `${web}      resources:\n        |\n`, ['claims', 'limits', 'requests']],
    ['keys of a component', `${web}    |\n`, ['annotations', 'enabled', 'labels', 'traits']],
  ])('%s', async (_, text, expected) => {
    expect((await server.complete('app.yaml', text)).toSorted()).toEqual(expected);
  });

  it.each(builtIn.components.map(({ type, properties }) => ({ type, keys: Object.keys(properties) })))(
    'the properties of the component $type',
    async ({ type, keys }) => {
      const proposed = await server.complete('app.yaml', `${head}    type: ${type}\n    properties:\n      |\n`);
      expect(keys.filter((key) => !proposed.includes(key))).toEqual([]);
      // All that is required, at once, goes by the name of the type.
      expect(proposed.filter((key) => !keys.includes(key) && key !== type)).toEqual([]);
    },
  );

  it.each(builtIn.traits.map(({ type, properties }) => ({ type, properties })))(
    'the properties of the trait $type',
    async ({ type, properties }) => {
      const keys = Object.entries(properties).flatMap(([key, { reserved }]) => (reserved === true ? [] : [key]));
      const text = `${web}    traits:\n    - type: ${type}\n      properties:\n        |\n`;
      const proposed = await server.complete('app.yaml', text);
      expect(keys.filter((key) => !proposed.includes(key))).toEqual([]);
      expect(proposed.filter((key) => !keys.includes(key) && key !== type)).toEqual([]);
    },
  );

  it('traits and what a platform may say of them', async () => {
    const text = `${profile}  capabilities:\n    certificate:\n      rendering:\n        |\n`;
    expect(await server.complete('cluster.yaml', text)).toContain('issuerRef');
    expect(await server.complete('cluster.yaml', `${profile}  capabilities:\n    |\n`)).toEqual(
      expect.arrayContaining([...namesOf(builtIn.traits)]),
    );
  });
});

describe.concurrent('an editor says what is wrong', () => {
  it.each([
    ['a component that is none', `${head}    type: webservise\n`, [[8, /^Value is not accepted.*"webservice"/]]],
    ['a property that is none', `${web}      replcas: 3\n`, [[11, /^Property replcas is not allowed/]]],
    ['a number that is none', `${web}      replicas: three\n`, [[11, /^must be an integer or a parameter/]]],
    ['a list for a number', `${web}      replicas: [3]\n`, [[11, /^Incorrect type/]]],
    ['a number out of range', `${web}      port: 99999\n`, [[11, /^Value is above the maximum of 65535/]]],
    ['a text of another form', `${head}    type: worker\n    properties: {image: A B}\n`, [[9, /^must be an image/]]],
    ['a property that is missing', `${head}    type: worker\n    properties: {}\n`, [[9, /^Missing property "image"/]]],
    ['no properties at all', `${head}    type: worker\n`, [[7, /^Missing property "properties"/]]],
    [
      'a field that Kubernetes does not have',
      `${web}      env:\n      - name: A\n        vlaue: x\n`,
      [[13, /^Property vlaue is not allowed/]],
    ],
    [
      'a trait that is none, and a property of one',
      `${web}    traits:\n    - type: exposed\n    - type: certificate\n      properties: {secretname: a}\n`,
      [
        [12, /^Value is not accepted.*"expose"/],
        [14, /^Missing property/],
        [14, /^Property secretname is not allowed/],
      ],
    ],
  ] satisfies [string, string, [number, RegExp][]][])('%s', async (_, text, expected) => {
    const found = await server.check('app.yaml', text);
    const matches = expected.map(([line, message]) =>
      found.some((one) => one.line === line && message.test(one.message)),
    );
    expect(matches.every(Boolean), JSON.stringify(found)).toBe(true);
  });

  it.each([
    ['cluster.yaml', `${profile}  gitopsEngine: flux\n`, 'Value is not accepted. Valid values: "fluxcd", "argocd".'],
    [
      'cluster.yaml',
      `${profile}  capabilities: {certificate: {rendering: {isuer: x}}}\n`,
      'Property isuer is not allowed.',
    ],
    [
      'cluster.yaml',
      `${profile}  capabilities: {certificate.eu: {rendering: {isuer: x}}}\n`,
      'Property isuer is not allowed.',
    ],
    [
      'policy.yaml',
      `${profile.replace('ClusterProfile', 'Policy')}  enforced: {maxCPU: much}\n`,
      'must be a quantity such as 500m or 1Gi',
    ],
    // As kurel reads it, this is a text.
    [
      'policy.yaml',
      `${profile.replace('ClusterProfile', 'Policy')}  security: {allowPrivileged: yes}\n`,
      'Incorrect type. Expected one of boolean, null.',
    ],
    [
      'kurel.yaml',
      `${profile.replace('ClusterProfile', 'Package')}  parameters: [{name: a, type: integer, pattern: x}]\n`,
      'Value is not accepted. Valid values: "string".',
    ],
  ])('%s: %#', async (name, text, expected) => {
    expect((await server.check(name, text)).map(({ message }) => message)).toContain(expected);
  });
});

describe.concurrent('an editor says nothing wrong', () => {
  it('of references to parameters', async () => {
    const text = `${head}    type: \${type}
    properties: \${properties}
    enabled: \${on}
  - name: "\${name}-worker"
    type: worker
    properties:
      image: "\${registry}/worker:\${tag}"
      replicas: \${replicas}
      imagePullPolicy: \${policy}
      env: \${env}
      hostNetwork: \${host}
      resources:
        limits: {cpu: "\${cpu}", memory: 1Gi}
`;
    expect(await server.check('app.yaml', text)).toEqual([]);
  });

  const cases = Object.keys(documents).flatMap((name) =>
    applicationCases
      .filter(({ files, isBuilt }) => isBuilt && files.has(name))
      .map((one) => ({ name, path: one.name, text: one.files.read(name) })),
  );

  it('of any document that builds', async () => {
    expect(cases.length).toBeGreaterThan(20);
    const checked = await Promise.all(
      cases.map(async ({ name, path, text }) => ({ path, found: await server.check(name, text) })),
    );
    expect(checked.filter(({ found }) => found.length > 0)).toEqual([]);
  });
});

it('an editor explains a property', async () => {
  const text = `${web}      |topologySpread: true\n`;
  expect(await server.hover('app.yaml', text)).toContain('across nodes');
});
