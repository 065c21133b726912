import { describe, expect, it } from 'vitest';
import { bundledSchemas } from '../host/index.ts';
import { decodeObjects } from '../kube/index.ts';
import type { Diagnostic, KubeObject, SourceFile, Values } from '../model/index.ts';
import { formatReferencePath } from '../parameters/index.ts';
import { createSchemaStore } from '../schema/index.ts';
import { readYaml } from '../yaml/index.ts';
import { nameOfField, readPatchFile, traceObject, traceReferences } from './index.ts';
import type { TracedReference } from './index.ts';

const store = createSchemaStore({ files: bundledSchemas() });

const base = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  template:
    spec:
      containers: [{ name: main, image: web:1 }, { name: helper, image: helper:1 }]
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: one }
spec: { template: { spec: { containers: [{ name: only }] } } }
---
apiVersion: v1
kind: Service
metadata: { name: web.example, labels: { a: b } }
spec: { ports: [{ port: 80 }] }
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: front }
spec: {}
---
apiVersion: example.com/v1
kind: Widget
metadata: { name: odd }
spec: { size: 1 }
`;

const values: Values = { name: 'web', replicas: 3 };

function objectsOf(text: string): readonly KubeObject[] {
  const source: SourceFile = { path: 'base.yaml', text };
  return decodeObjects(readYaml(source).documents, { file: source.path, report: fail }).map(({ object }) => object);
}

function fail(diagnostic: Diagnostic): never {
  throw new Error(diagnostic.message);
}

/** `replicas whole Deployment.spec.replicas integer` */
function show({ parameter, role, field }: TracedReference): string {
  const words = [formatReferencePath(parameter), role];
  if (field !== undefined) words.push(nameOfField(field), field.node?.type ?? '?');
  return words.join(' ');
}

function trace(path: string, text: string): readonly string[] {
  const file = readPatchFile({ path, text }, fail);
  const variables = { scope: 'package', values } as const;
  return traceReferences([file], { objects: objectsOf(base), store, variables }).map(show);
}

describe('fields that references in a .kpatch file end in', () => {
  const replicas = 'replicas whole Deployment.spec.replicas integer';
  it.each<readonly [string, string, readonly string[]]>([
    ['a whole value', '[deployment.web]\nspec.replicas: "${replicas}"', [replicas]],
    ['a short path', '[deployment.web]\nreplicas: ${replicas}', [replicas]],
    ['a short name of the kind', '[deploy.web]\nreplicas: ${replicas}', [replicas]],
    ['a namespace', '[shop/deployment.web]\nreplicas: ${replicas}', [replicas]],
    ['the values. prefix of standalone patches', '[deployment.web]\nreplicas: ${values.replicas}', [replicas]],
    ['a missing target', '[deployment.missing]\nreplicas: ${replicas}', [replicas]],
    ['a plural kind', '[deployments.missing]\nreplicas: ${replicas}', [replicas]],
    ['all of a kind', '[deployment.*]\nreplicas: ${replicas}', [replicas]],
    ['all objects of a missing kind', '[statefulset.*]\nreplicas: ${a}', ['a whole StatefulSet.spec.replicas integer']],
    [
      'part of a string',
      '[deployment.web.containers.name=main]\nimage: ${a}/${b}:1',
      ['a part Container.image string', 'b part Container.image string'],
    ],
    ['part of an image', '[deployment.web.containers.0]\nimage.tag: ${tag}', ['tag part Container.image string']],
    [
      'an object',
      '[deployment.*.spec.template.spec.containers.*]\nresources: "${global.resources}"',
      ['global.resources whole Container.resources object'],
    ],
    [
      'an item that an earlier patch adds',
      '[deployment.web.containers.name=sidecar]\nresources.limits.memory: ${memory}',
      ['memory whole Container.resources.limits.memory quantity'],
    ],
    ['the field of one of many containers', '[deployment.web]\nimage: ${a}', ['a whole Container.image string']],
    ['an init container', '[deployment.web]\ninitContainers[0].image: ${a}', ['a whole Container.image string']],
    [
      'a list of containers',
      '[deployment.web]\nspec.template.spec.containers: ${a}',
      ['a whole Deployment.spec.template.spec.containers list'],
    ],
    [
      'a label with dots',
      '[deployment.web]\nlabels.a.b/c: ${a}',
      ['a whole Deployment.metadata.labels["a.b/c"] string'],
    ],
    ['a name with dots', '[service.web.example.spec]\ntype: ${a}', ['a whole Service.spec.type string']],
    [
      'a field of all items',
      '[service."web.example"]\nspec.ports.port: ${a}',
      ['a whole Service.spec.ports.port integer'],
    ],
    [
      'paths without http',
      '[ingress.front]\nspec.rules[0].paths[0].path: ${a}',
      ['a whole Ingress.spec.rules.http.paths.path string'],
    ],
    [
      'the entries of a new item',
      '[deployment.web.containers[-]]\nname: ${n}\nports[0].containerPort: ${p}\nenv: ${e}',
      ['n whole Container.name string', 'p whole Container.ports.containerPort integer', 'e whole Container.env list'],
    ],
    ['a new scalar item', '[deployment.web.containers.0]\nargs[-]: ${a}', ['a whole Container.args string']],
    ['variables in a header', '[deployment.${name}]\nreplicas: ${replicas}', ['name name', replicas]],
    [
      'an undefined reference in a header',
      '[deployment.${other}]\nreplicas: ${replicas}\npaused: ${p}',
      ['other name', replicas, 'p whole Deployment.spec.paused boolean'],
    ],
    [
      'variables in names and selectors',
      '[deployment.web]\nlabels.${k}: x\ncontainers[name=${c}].image: ${i}',
      ['k name', 'c name', 'i whole Container.image string'],
    ],
    ['a deletion', '[deployment.web]\ncontainers[delete=name=${c}]: ""', ['c name']],
    ['enabled on an object', '[deployment.web]\nenabled: ${on}', ['on enabled']],
    ['a field named enabled', '[widget.odd]\nspec.enabled: ${on}', ['on whole Widget.spec.enabled ?']],
    ['an unknown field', '[deployment.web]\nspec.replica: ${a}', ['a whole Deployment.spec.replica ?']],
    ['an unknown kind', '[gadget.x]\nspec.a: ${a}', ['a whole']],
    ['metadata of an unknown kind', '[widget.odd]\nlabels.x: ${a}', ['a whole Widget.metadata.labels.x string']],
    [
      'all objects',
      'metadata.labels: "${l}"',
      ['Deployment', 'Service', 'Ingress', 'Widget'].map((kind) => `l whole ${kind}.metadata.labels object`),
    ],
    [
      'all objects that can have the field',
      'spec.template.spec.nodeSelector: ${n}',
      ['n whole Deployment.spec.template.spec.nodeSelector object'],
    ],
    ['an escaped reference', '[deployment.web]\nlabels.x: $${HOME}', []],
  ])('%s', (_, text, expected) => {
    expect(trace('test.kpatch', text)).toEqual(expected);
  });
});

describe('fields that references in a YAML patch end in', () => {
  it.each<readonly [string, string, readonly string[]]>([
    [
      'a path',
      '- target: deployment.web\n  patch: { spec.replicas: "${r}" }',
      ['r whole Deployment.spec.replicas integer'],
    ],
    [
      'a target with a name only',
      '- target: one\n  patch: { replicas: "${r}" }',
      ['r whole Deployment.spec.replicas integer'],
    ],
    ['without a target', 'deployment.web.spec.replicas: ${r}', ['r whole Deployment.spec.replicas integer']],
    ['without a target, by its path', 'spec.size: ${r}', ['r whole Widget.spec.size ?']],
    [
      'inside a value',
      '- target: deployment.web\n  patch: { spec.strategy: { rollingUpdate: { maxSurge: "${s}" } } }',
      ['s whole Deployment.spec.strategy.rollingUpdate.maxSurge int-or-string'],
    ],
    ['part of an image', '- target: deployment.one\n  patch: { image.tag: "${t}" }', ['t part Container.image string']],
    ['enabled on an object', '- target: deployment.web\n  patch: { enabled: "${on}" }', ['on enabled']],
    [
      'a strategic merge',
      '- target: deployment.${name}\n  type: strategic\n  patch: { spec: { template: { spec: { containers: [{ name: "${n}", image: "a:${i}", "${k}": 1 }] } } } }',
      ['name name', 'n whole Container.name string', 'i part Container.image string', 'k name'],
    ],
    [
      'a merge into a missing object',
      '- target: deployment.none\n  type: merge\n  patch: { spec: { replicas: "${r}" } }',
      ['r whole Deployment.spec.replicas integer'],
    ],
    [
      'a JSON Patch',
      `- target: deployment.web
  type: json
  patch:
    - { op: add, path: /spec/template/spec/containers/-, value: { image: "\${i}" } }
    - { op: replace, path: /spec/replicas, value: "\${r}" }
    - { op: add, path: "/metadata/labels/\${l}", value: x }`,
      ['i whole Container.image string', 'r whole Deployment.spec.replicas integer', 'l name'],
    ],
    ['a target of unknown kind', '- target: none\n  type: merge\n  patch: { a: "${r}" }', ['r whole']],
  ])('%s', (_, text, expected) => {
    expect(trace('test.patch.yaml', text)).toEqual(expected);
  });
});

it('traces references in manifests, with their locations', () => {
  const [object] = objectsOf('apiVersion: v1\nkind: Service\nmetadata: { name: "${n}-x" }\nspec: { type: "${t}" }\n');
  const location = { file: 'resources/service.yaml', document: 2 };
  const found = traceObject(object!, { store, location });
  expect(found.map(show)).toEqual(['n part Service.metadata.name string', 't whole Service.spec.type string']);
  expect(found.map((one) => one.location)).toEqual([
    { ...location, path: ['metadata', 'name'] },
    { ...location, path: ['spec', 'type'] },
  ]);
});

it('lists uses without their fields without a schema store', () => {
  const file = readPatchFile({ path: 'a.kpatch', text: '[deployment.x]\nspec.replicas: ${a}' }, fail);
  expect(traceReferences([file], { objects: [], store: undefined }).map(show)).toEqual(['a whole']);
});
