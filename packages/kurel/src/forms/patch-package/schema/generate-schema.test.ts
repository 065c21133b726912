import * as fc from 'fast-check';
import { parseQuantity } from '../../../kube/index.ts';
import { describe, expect, it } from 'vitest';
import { bundledSchemas } from '../../../host/index.ts';
import type { JsonObject } from '../../../model/index.ts';
import { createSchemaStore } from '../../../schema/index.ts';
import { resolvePackageParameters } from '../examine-package.ts';
import { planPatches } from '../plan-patches.ts';
import { quantityPattern } from './traced-schema.ts';
import { generate, loadFiles, store, withoutDefaults } from '../../../../test/patch-package/schema-cases.ts';

describe('the example of the design', () => {
  const files = {
    'parameters.yaml': `# parameters.yaml
replicas: 3
resources:
  memory: 1Gi
`,
    'patches/10-scale.kpatch': `# patches/10-scale.kpatch
[deployment.my-app]
spec.replicas: "\${replicas}"
spec.template.spec.containers[0].resources.limits.memory: "\${resources.memory}"
`,
  };
  const expected: unknown = JSON.parse(`{
  "replicas": {
    "type": "integer", 
    "minimum": 0,
    "description": "Number of replicas (from Deployment.spec.replicas)"
  },
  "resources": {
    "type": "object",
    "properties": {
      "memory": {
        "description": "Memory limit (from Container.resources.limits.memory)"
      }
    }
  }
}`);
  // The design restricts sizes to whole binary units; a quantity field takes everything that Kubernetes does.
  const memory = { type: ['string', 'number'], pattern: quantityPattern };

  it.each([
    ['with the descriptions of Kubernetes', createSchemaStore({ files: bundledSchemas(), descriptions: true })],
    ['without them', store],
  ])('%s', async (_, known) => {
    const { schema, properties, diagnostics } = generate(await loadFiles(files), { store: known });
    const { resources, ...others } = withoutDefaults({ properties })['properties'] as JsonObject;
    expect({ ...others, resources }).toMatchObject(expected as JsonObject);
    expect(resources).toMatchObject({ properties: { memory } });
    expect(schema).toMatchObject({ $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' });
    expect(schema).not.toHaveProperty('required');
    expect(properties).toMatchObject({
      replicas: { default: 3 },
      resources: { properties: { memory: { default: '1Gi' } } },
    });
    expect(diagnostics).toEqual([]);
  });
});

describe('what a value says about its parameter', () => {
  it.each<readonly [string, JsonObject]>([
    ['3', { type: 'integer', default: 3 }],
    ['123456789012345678901', { type: 'integer', default: 123456789012345678901n }],
    ['0.5', { type: 'number', default: 0.5 }],
    ['true', { type: 'boolean', default: true }],
    ['text', { type: 'string', default: 'text' }],
    ['10Gi', { type: 'string', pattern: '^[0-9]+[KMGT]i$', default: '10Gi' }],
    ['500m', { type: 'string', default: '500m' }],
    ['1.5Gi', { type: 'string', default: '1.5Gi' }],
    ['""', { type: 'string', default: '' }],
    ['null', {}],
    ['"${size}"', { type: 'string', default: '7Gi' }],
    ['"${count}"', { type: 'integer', default: 7 }],
    ['"n${count}"', { type: 'string', default: 'n7' }],
    ['"${nowhere}"', {}],
    ['{}', { type: 'object', default: {} }],
    ['{ a: 1 }', { type: 'object', properties: { a: { type: 'integer', default: 1 } } }],
    ['"${group}"', { type: 'object', properties: { size: { type: 'string', default: '7Gi' } } }],
    ['[]', { type: 'array', items: {}, default: [] }],
    ['[a, b]', { type: 'array', items: { type: 'string' }, default: ['a', 'b'] }],
    ['[1, 2.5]', { type: 'array', items: { type: 'number' }, default: [1, 2.5] }],
    ['[1, a]', { type: 'array', items: {}, default: [1, 'a'] }],
    ['[1Gi, 2Gi]', { type: 'array', items: { type: 'string', pattern: '^[0-9]+[KMGT]i$' }, default: ['1Gi', '2Gi'] }],
    ['[1Gi, 2]', { type: 'array', items: {}, default: ['1Gi', 2] }],
    ['[1Gi, a]', { type: 'array', items: { type: 'string' }, default: ['1Gi', 'a'] }],
    ['[null]', { type: 'array', items: {}, default: [null] }],
    [
      '[{ a: 1, b: x }, { a: 2.5, c: [1] }]',
      {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            a: { type: 'number' },
            b: { type: 'string' },
            c: { type: 'array', items: { type: 'integer' } },
          },
        },
        default: [
          { a: 1, b: 'x' },
          { a: 2.5, c: [1] },
        ],
      },
    ],
  ])('%s', async (value, expected) => {
    const parameters = `p: ${value}\nsize: 7Gi\ncount: 7\ngroup: { size: "\${size}" }\n`;
    const pkg = await loadFiles({ 'parameters.yaml': parameters });
    expect(generate(pkg).properties['p']).toEqual(expected);
  });
});

describe('what the fields ask for that a parameter ends in', () => {
  const from = (words: string) => ({ description: expect.stringContaining(`(from ${words})`) as string });
  it.each<readonly [string, { readonly value: string; readonly patch: string }, object]>([
    ['a number', { value: '2', patch: 'replicas: ${p}' }, { type: 'integer', minimum: 0, default: 2 }],
    ['a text that is a number', { value: '"2"', patch: 'replicas: ${p}' }, { type: 'integer', minimum: 0, default: 2 }],
    [
      'a text that is none, as long as it is not used',
      { value: '""', patch: 'replicas: ${p}' },
      { anyOf: [{ const: '' }, { type: 'integer', minimum: 0 }], default: '', ...from('Deployment.spec.replicas') },
    ],
    ['no value', { value: 'null', patch: 'replicas: ${p}' }, { type: ['integer', 'null'], minimum: 0 }],
    [
      'no value where there is a choice',
      { value: 'null', patch: 'imagePullPolicy: ${p}' },
      { anyOf: [{ const: null }, { type: 'string', enum: ['Always', 'IfNotPresent', 'Never'] }] },
    ],
    ['a port', { value: '80', patch: 'ports[0].containerPort: ${p}' }, { type: 'integer', minimum: 1, maximum: 65535 }],
    [
      'a number or text',
      { value: '25%', patch: 'spec.strategy.rollingUpdate.maxSurge: ${p}' },
      { type: ['integer', 'string'], default: '25%' },
    ],
    [
      'a quantity',
      { value: '500m', patch: 'resources.limits.cpu: ${p}' },
      {
        type: ['string', 'number'],
        pattern: quantityPattern,
        default: '500m',
        ...from('Container.resources.limits.cpu'),
      },
    ],
    [
      'a quantity that is a number',
      { value: '2', patch: 'resources.requests.cpu: ${p}' },
      { type: ['string', 'number'], pattern: quantityPattern, default: 2 },
    ],
    ['a boolean', { value: 'false', patch: 'spec.paused: ${p}' }, { type: 'boolean', default: false }],
    [
      'a number where a text is wanted',
      { value: '8', patch: 'labels.x: ${p}' },
      { type: ['string', 'integer'], default: 8 },
    ],
    ['an object', { value: '{}', patch: 'nodeSelector: ${p}' }, { type: 'object', default: {} }],
    ['a list', { value: '[]', patch: 'args: ${p}' }, { type: 'array', items: { type: 'string' }, default: [] }],
    ['a list of objects', { value: '[]', patch: 'tolerations: ${p}' }, { items: { type: 'object' } }],
    [
      'what is in a list',
      { value: '[{ operator: Exists }]', patch: 'tolerations: ${p}' },
      { items: { properties: { operator: { type: 'string', enum: ['Equal', 'Exists', 'Gt', 'Lt'] } } } },
    ],
    [
      'a field of an object',
      { value: '{ limits: { cpu: 1 }, other: 1 }', patch: 'resources: ${p}' },
      { properties: { limits: { properties: { cpu: { pattern: quantityPattern } } }, other: { type: 'integer' } } },
    ],
    [
      'two fields at once',
      { value: '80', patch: 'ports[0].containerPort: ${p}\nspec.replicas: ${p}' },
      {
        type: 'integer',
        minimum: 1,
        maximum: 65535,
        ...from('Container.ports.containerPort, Deployment.spec.replicas'),
      },
    ],
    [
      'a number that is a text elsewhere',
      { value: '80', patch: 'ports[0].containerPort: ${p}\nenv[0].value: ${p}' },
      { type: 'integer', minimum: 1 },
    ],
    ['part of a text', { value: 'null', patch: 'image: a:${p}' }, { type: ['string', 'number', 'boolean', 'null'] }],
    ['part of a name', { value: 'null', patch: 'labels.${p}: a' }, { type: ['string', 'number', 'boolean', 'null'] }],
    ['whether there is an object', { value: '"true"', patch: 'enabled: ${p}' }, { type: 'boolean', default: true }],
    ['another parameter', { value: '"${q}"', patch: 'replicas: ${p}' }, { type: 'integer', minimum: 0, default: 4 }],
  ])('%s', async (_, { value, patch }, expected) => {
    const pkg = await loadFiles({
      'parameters.yaml': `p: ${value}\nq: 4\n`,
      'patches/a.kpatch': `[deployment.my-app]\n${patch}\n`,
    });
    const { properties, diagnostics } = generate(pkg);
    expect(properties['p']).toMatchObject(expected);
    expect(diagnostics).toEqual([]);
  });

  it('passes uses on to referenced parameters, including those in objects and cycles', async () => {
    const pkg = await loadFiles({
      'parameters.yaml':
        'a: "${b}"\nb: "${c.inner}"\nc: { inner: 1 }\nx: "${y.z}"\ny: "${x}"\nm: { cpu: "${k}" }\nk: 1\n',
      'patches/a.kpatch': '[deployment.my-app]\nreplicas: ${a}\nresources.limits: ${m}\nlabels.x: ${x.y}\n',
    });
    const { properties } = generate(pkg);
    expect(properties).toMatchObject({
      b: { minimum: 0 },
      c: { properties: { inner: { type: 'integer', minimum: 0 } } },
      k: { pattern: quantityPattern },
      x: {},
    });
  });

  it('manifests, and conditions beside patches', async () => {
    const pkg = await loadFiles({
      'parameters.yaml': 'web: { type: ClusterIP, port: 80, active: "false" }\nHOME: /root\n',
      'resources/service.yaml':
        'apiVersion: v1\nkind: Service\nmetadata: { name: "${kurel.name}" }\nspec: { type: "${web.type}", ports: [{ port: "${web.port}" }], selector: { x: "${USER}" } }\n',
      'patches/a.kpatch': '[service.app]\nspec.sessionAffinity: None\n',
      'patches/a.yaml': 'enabled: "${web.active}"\n',
    });
    const { properties, diagnostics } = generate(pkg);
    expect((properties['web'] as JsonObject)['properties']).toEqual({
      type: {
        type: 'string',
        enum: ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'],
        description: 'Type (from Service.spec.type)',
        default: 'ClusterIP',
      },
      port: {
        type: 'integer',
        minimum: 1,
        maximum: 65535,
        description: 'Port (from Service.spec.ports.port)',
        default: 80,
      },
      active: { type: 'boolean', description: 'Enables a.kpatch', default: false },
    });
    expect(diagnostics).toEqual([]);
  });

  it('ports of a backend, which have another name than other ports', async () => {
    const pkg = await loadFiles({
      'parameters.yaml': 'port: 80\n',
      'resources/ingress.yaml':
        'apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: { name: web }\nspec: { defaultBackend: { service: { name: web, port: { number: "${port}" } } } }\n',
    });
    const { properties, diagnostics } = generate(pkg);
    expect(properties['port']).toEqual({
      type: 'integer',
      minimum: 1,
      maximum: 65535,
      description: 'Number (from Ingress.spec.defaultBackend.service.port.number)',
      default: 80,
    });
    expect(diagnostics).toEqual([]);
  });

  it('kinds of the package itself', async () => {
    const pkg = await loadFiles({
      'parameters.yaml': 'size: 3\nmode: fast\n',
      'schemas/crds/widget.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { kind: Widget, plural: widgets }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                size: { type: integer, minimum: 1, exclusiveMinimum: true, description: How big it is. Not small. }
                mode: { type: string, pattern: "^[a-z]+$", maxLength: 8 }
                old: { type: string, pattern: "(?i)a" }
`,
      'patches/a.kpatch': '[widget.any]\nspec.size: ${size}\nspec.mode: ${mode}\nspec.old: ${mode}\n',
    });
    expect(generate(pkg).properties).toMatchObject({
      size: { type: 'integer', exclusiveMinimum: 1, description: 'How big it is (from Widget.spec.size)' },
      mode: { type: 'string', pattern: '^[a-z]+$', maxLength: 8 },
    });
  });
});

describe('what must be given', () => {
  const files = {
    'parameters.yaml': 'a: null\nb: null\nc: null\nflag: true\n',
    'patches/a.kpatch': '[deployment.my-app]\nreplicas: ${a}\nlabels.${c}: x\n',
    'patches/a.yaml': 'enabled: "${flag}"\n',
    'patches/b.kpatch': '[deployment.my-app]\npaused: ${b}\n',
    'patches/b.yaml': 'enabled: false\n',
  };

  it('is what enabled patches use and has no value', async () => {
    const pkg = await loadFiles(files);
    const parameters = resolvePackageParameters(pkg, [], { report: () => undefined })!;
    const plan = planPatches(pkg, parameters, { report: () => undefined });
    const { schema, properties } = generate(pkg, { plan, parameters });
    expect(schema['required']).toEqual(['a', 'c']);
    expect(properties).toMatchObject({
      a: { type: 'integer' },
      b: { type: ['boolean', 'null'] },
      c: { type: ['string', 'number', 'boolean'] },
    });
  });

  it('is nothing when it is not known what is enabled', async () => {
    expect(generate(await loadFiles(files)).schema).not.toHaveProperty('required');
  });
});

it('a local extension adds parameters, and does not change what those of the package are', async () => {
  const pkg = await loadFiles({
    'parameters.yaml': 'size: 3\ngroup: { a: 1 }\nempty: null\n',
    '../app.local.kurel/parameters.yaml': 'size: large\ngroup: { b: text }\nempty: 1\n# How it looks.\ntheme: dark\n',
  });
  expect(generate(pkg).properties).toEqual({
    size: { type: 'integer', default: 3 },
    group: {
      type: 'object',
      properties: { a: { type: 'integer', default: 1 }, b: { type: 'string', default: 'text' } },
    },
    empty: {},
    theme: { type: 'string', description: 'How it looks.', default: 'dark' },
  });
});

describe('the pattern of quantities', () => {
  it.each([
    '512M',
    '1.5Gi',
    '1Pi',
    '1Ei',
    '1e3',
    '1E3',
    '1E',
    '100m',
    '.5',
    '5.',
    '+1',
    '-1',
    '0',
    '1k',
    '1n',
    '1u',
    '2',
  ])('accepts %s', (text) => expect(new RegExp(quantityPattern).test(text)).toBe(true));

  it.each(['', '.', '10GB', '1K', '1gi', '1 Gi', '1e', 'm', '1.2.3'])('does not accept "%s"', (text) =>
    expect(new RegExp(quantityPattern).test(text)).toBe(false),
  );

  it('accepts what Kubernetes reads', () => {
    const text = fc.stringMatching(/^[+-]?[0-9]{0,3}\.?[0-9]{0,3}([KMGTPE]i?|[numk]|[eE][+-]?[0-9]{0,2})?$/);
    fc.assert(
      fc.property(text, (quantity) => {
        expect(new RegExp(quantityPattern).test(quantity)).toBe(parseQuantity(quantity) !== undefined);
      }),
    );
  });

  it.each(['1Gi', '500m'])('is that of a parameter with the default %s', async (value) => {
    const pkg = await loadFiles({
      'parameters.yaml': `p: ${value}\n`,
      'patches/a.kpatch': '[deployment.my-app]\nresources.limits.memory: ${p}\n',
    });
    expect(generate(pkg).properties['p']).toMatchObject({ pattern: quantityPattern });
  });
});
