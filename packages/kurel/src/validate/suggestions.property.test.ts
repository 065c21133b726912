import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bundledSchemas } from '../host/disk-file-system.ts';
import { parseQuantity } from '../kube/index.ts';
import type { Diagnostic, Json, JsonObject, KubeObject } from '../model/index.ts';
import { createSchemaStore } from '../schema/index.ts';
import { readYaml } from '../yaml/index.ts';
import { validateObjects } from './index.ts';

const store = createSchemaStore({ files: bundledSchemas() });

function validate(objects: readonly KubeObject[]): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  validateObjects(objects, { store, report: (one) => void found.push(one) });
  return found;
}

function pod(spec: JsonObject, container: JsonObject = {}): KubeObject {
  const containers = [{ name: 'web', image: 'web:1', ...container }];
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec: { containers, ...spec } };
}

function typed(type: string, fields: JsonObject): KubeObject {
  const [apiVersion, kind] = type.split(' ') as [string, string];
  return { apiVersion, kind, metadata: { name: 'web' }, ...fields };
}

function rule(fields: JsonObject): KubeObject {
  return typed('networking.k8s.io/v1 Ingress', { spec: { rules: [fields] } });
}

/** Creates an object with the text in one field. */
type Place = (text: string) => KubeObject;

const names: Readonly<Record<string, Place>> = {
  object: (name) => typed('v1 ConfigMap', { metadata: { name } }),
  'long-lived object': (name) => typed('batch/v1 CronJob', { metadata: { name } }),
  role: (name) => typed('rbac.authorization.k8s.io/v1 Role', { metadata: { name } }),
  service: (name) => typed('v1 Service', { metadata: { name } }),
  'beginning of a name': (generateName) => typed('v1 ConfigMap', { metadata: { generateName } }),
  namespace: (namespace) => typed('v1 ConfigMap', { metadata: { name: 'web', namespace } }),
  container: (name) => pod({}, { name }),
  'port of a container': (name) => pod({}, { ports: [{ containerPort: 80, name }] }),
  'port of a probe': (port) => pod({}, { livenessProbe: { tcpSocket: { port } } }),
  variable: (name) => pod({}, { env: [{ name }] }),
  'Secret of a variable': (name) => pod({}, { envFrom: [{ secretRef: { name } }] }),
  resource: (name) => pod({}, { resources: { limits: { [name]: '1Mi' } } }),
  volume: (name) => pod({ volumes: [{ name, emptyDir: {} }] }),
  'host of a pod': (hostname) => pod({ hostname }),
  host: (host) => rule({ host }),
  'port of a Service': (name) => typed('v1 Service', { spec: { ports: [{ name, port: 80 }] } }),
  'outside name': (externalName) => typed('v1 Service', { spec: { type: 'ExternalName', externalName } }),
  provisioner: (provisioner) => typed('storage.k8s.io/v1 StorageClass', { provisioner }),
  'storage class': (storageClassName) => typed('v1 PersistentVolumeClaim', { spec: { storageClassName } }),
  'key of data': (key) => typed('v1 ConfigMap', { data: { [key]: 'x' } }),
};

/** Strings that are almost valid names, and others. */
const texts = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9_. -]{1,20}$/),
  fc.stringMatching(/^[A-Z_-]{1,4}[a-z0-9._-]{40,260}$/),
  fc.constantFrom('{{ .Release.Name }}', 'My App', 'WEB', 'Web_', '*.Example.com', 'CPU', '${name}', '__proto__'),
  fc.string({ minLength: 1, maxLength: 12 }),
);

function badNames(object: KubeObject): readonly Diagnostic[] {
  return validate([object]).filter(({ code }) => code === 'name-invalid');
}

describe('proposed names', () => {
  it.each(Object.entries(names))('are valid: %s', (_, place) => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const { hint } of badNames(place(text))) {
          if (hint === undefined) continue;
          const proposed = /^did you mean "(.*)"\?$/.exec(hint)?.[1];
          expect(badNames(place(proposed!))).toEqual([]);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('replace upper case, spaces and underscores', () => {
    const hints = (['object', 'namespace', 'host'] as const).map(
      (place) => badNames(names[place]!('My_App X'))[0]?.hint,
    );
    expect(new Set(hints)).toEqual(new Set(['did you mean "my-app-x"?']));
  });
});

function advice(object: KubeObject): readonly string[] {
  return validate([object]).flatMap(({ code, hint }) =>
    /^field-|-tiny$/.test(code) && hint !== undefined ? [hint] : [],
  );
}

describe('proposed amounts and numbers', () => {
  const claim = (storage: Json): KubeObject =>
    typed('v1 PersistentVolumeClaim', {
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
    });
  const asked = (memory: Json): KubeObject => pod({}, { resources: { limits: { memory }, requests: { memory } } });
  const amounts = fc.oneof(
    fc.stringMatching(/^\+?\d{0,4}(\.\d{0,12}){0,2} ?([KMGTkmgtn]?[iI]?[bB]?)$/),
    fc.integer({ min: 1, max: 2000 }),
    fc.double({ min: 1e-12, max: 2000, noNaN: true }),
  );

  it.each([
    ['storage', claim],
    ['memory', asked],
  ] as const)('are valid amounts: %s', (_, place) => {
    fc.assert(
      fc.property(amounts, (amount) => {
        for (const hint of advice(place(amount))) {
          const proposed = /^(?:write|use|did you mean) ([^ ]+?)\??$/.exec(hint)?.[1];
          if (proposed === undefined) expect(hint).toBe('add a unit such as Mi or Gi');
          else if (hint.startsWith('did')) expect(advice(place(proposed))).toEqual([]);
          else expect(parseQuantity(proposed)).toBeDefined();
        }
      }),
      { numRuns: 300 },
    );
  });

  const scale = (replicas: Json): KubeObject =>
    typed('apps/v1 Deployment', {
      spec: {
        replicas,
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
      },
    });

  it('are valid numbers without quotes', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[+-]?\d{1,12}(\.\d)?$/), (text) => {
        for (const hint of advice(scale(text))) {
          const written = /^(?:write|use) (.+) without quotes$/.exec(hint)![1]!;
          const [document] = readYaml({ path: 'a.yaml', text: written }).documents;
          const again = validate([scale(document!.data!)]);
          expect(again.filter(({ code }) => code === 'field-type' || code === 'field-format')).toEqual([]);
        }
      }),
      { numRuns: 300 },
    );
    expect(advice(scale('3'))).toEqual(['write 3 without quotes']);
    expect(advice(scale('007'))).toEqual([]);
    expect(advice(scale('9999999999'))).toEqual([]);
  });
});
