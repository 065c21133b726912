import { describe, expect, it } from 'vitest';
import type { Diagnostic, Json } from '../model/index.ts';
import { applyPatches } from './apply-patches.ts';
import { findWritten } from './find-written.ts';
import { runPatches } from '../../test/patch/patch-cases.ts';
import type { PatchRun } from '../../test/patch/patch-cases.ts';

const pod = `apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  containers:
  - {name: a, args: [q, r, s]}
  - {name: b, image: 'nginx:1'}
  - {name: c}
`;

const maps = `apiVersion: v1
kind: ConfigMap
metadata: {name: a.b}
data: {k: v}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: a.b.c, namespace: x}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: a.b.c, namespace: z}
`;

const pods = `${pod}---
apiVersion: v1
kind: Pod
metadata: {name: q}
spec:
  containers:
  - {name: x, env: [{name: A, value: a}]}
  - {name: y, env: [{name: B, value: b}]}
`;

const ingress = `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: i}
spec: {defaultBackend: {service: {name: w}}}
`;

const job = `apiVersion: batch/v1
kind: Job
metadata: {generateName: run-}
spec: {}
`;

function run(manifest: string, patch: string): PatchRun {
  return runPatches({
    manifests: [{ path: 'base.yaml', text: manifest }],
    patches: [{ path: 'a.kpatch', text: patch }],
    options: { variables: { scope: 'alone', values: { star: '*', nothing: null } } },
  });
}

describe('applyPatches', () => {
  it.each<[string, string, string, string, string]>([
    ['null for every item of a list', pod, '[pod.p.containers.0]\nargs.*: null', 'args: [q, r, s]', 'args: []'],
    [
      'null for every object in a list',
      pod,
      '[pod.p]\nspec.containers[*]: ~',
      pod.slice(pod.indexOf('\n  -')),
      ' []\n',
    ],
    ['a part of an image that is deleted', pod, '[pod.p.containers.1]\nimage.tag[delete]:', 'nginx:1', 'nginx'],
    ['a part of an image that is null', pod, '[pod.p.containers.1]\nimage.tag: null', 'nginx:1', 'nginx'],
    ['a name with dots', maps, '[configmap.a.b]\ndata.k: w', '{k: v}', '{k: w}'],
    ['a name with dots and a section', maps, '[configmap.a.b.data]\nk: w', '{k: v}', '{k: w}'],
    ['a field that only one of several objects has', maps, 'data.k[delete]:\n', 'data: {k: v}', 'data: {}'],
    ['an item that some of several objects have', pods, '[pod.*.containers.name=b]\nimage: b', 'nginx:1', 'b'],
    ['an index that only some objects have', pods, '[pod.*.containers.2]\nname: z', 'name: c', 'name: z'],
    ['a list that only some objects have', pods, '[pod.*.containers.0]\nargs[1]: R', '[q, r, s]', '[q, R, s]'],
    [
      'a nested item that only some items have',
      pods,
      '[pod.q.containers.env.name=B]\nvalue: c',
      'value: b',
      'value: c',
    ],
    [
      'an insertion point that only some objects have',
      pods,
      '[pod.*.containers[+name=b]]\nname: new',
      "  - {name: b, image: 'nginx:1'}\n",
      "  - {name: b, image: 'nginx:1'}\n  - name: new\n",
    ],
    [
      'list items inside a new item',
      pod,
      '[pod.p.containers[-]]\nname: new\nports[-].containerPort: 80\nports[-].name: http\nargs[-]: x\nargs[-]: y\n' +
        'ports[-].containerPort: 90',
      '  - {name: c}\n',
      '  - {name: c}\n  - name: new\n    ports:\n    - containerPort: 80\n      name: http\n    - containerPort: 90\n' +
        '    args:\n    - x\n    - "y"\n',
    ],
    [
      'new items with another key between them',
      pod,
      '[pod.p.containers.2]\nenv[-].name: X\ntty: true\nenv[-].name: Y',
      '{name: c}',
      '{name: c, env: [{name: X}, {name: "Y"}], tty: true}',
    ],
    ['the backend of an Ingress', ingress, '[ingress.i]\nbackend.service.name: x', '{name: w}', '{name: x}'],
    ['an object without a name', job, '[job.*]\nbackoffLimit: 2', 'spec: {}', 'spec:\n  backoffLimit: 2'],
  ])('%s', (_, manifest, patch, before, after) => {
    const { texts, diagnostics } = run(manifest, patch);
    expect(diagnostics.filter(({ severity }) => severity !== 'note')).toEqual([]);
    expect(texts[0]!.text).toBe(manifest.replace(before, after));
  });

  it.each<[string, string, string, string]>([
    ['a key does not continue a name', maps, '[configmap.a]\nb.k: w', 'patch-target-not-found'],
    ['a single key does not continue a name', maps, '[configmap.a]\nb: w', 'patch-target-not-found'],
    ['the longest name with dots is ambiguous', maps, '[configmap.a.b.c]\nk: w', 'target-ambiguous'],
    ['a star from a variable is not a wildcard', maps, '[*.${values.star}]\nlabels.k: w', 'patch-no-match'],
    ['a part that the image does not have', pod, '[pod.p.containers.1]\nimage.digest[delete]:', 'delete-nothing'],
    ['the repository of an image', pod, '[pod.p.containers.1]\nimage.repository: null', 'type-mismatch'],
    ['a list in place of a part', pod, '[pod.p.containers.2]\nimage.tag[-]: x', 'path-type-mismatch'],
    ['a name below a quoted key', maps, '[configmap."a.b"]\ndata["x.y"].z: 1', 'path-type-mismatch'],
    ['an item that none of several objects has', pods, '[pod.*.containers.name=zz]\nimage: b', 'patch-no-match'],
    ['an item that none of several items has', pods, '[pod.q.containers.env.name=C]\nvalue: c', 'patch-no-match'],
    ['a place that none of several objects has', pods, '[pod.*.containers[+name=zz]]\nname: n', 'patch-no-match'],
    ['an item that the only object does not have', pods, '[pod.q.containers.name=zz]\nimage: b', 'selector-no-match'],
    ['a field that no object has', maps, 'metadata.labels.k[delete]:\n', 'patch-no-match'],
    ['null as an item', pod, '[pod.p.containers.0]\nargs[-]: null', 'type-mismatch'],
    ['an object among strings', pod, '[pod.p.containers.0.args[-]]\nx: 1', 'type-mismatch'],
    ['null inside a string', maps, '[configmap."a.b"]\nk: x${values.nothing}', 'reference-not-scalar'],
    ['a header with an unknown variable', pod, '[pod.${values.no}]\nspec.a: 1\nspec.b: 2', 'reference-undefined'],
    ['a step with an unknown variable', pod, '[pod.p.containers.name=${values.no}]\na: 1\nb: 2', 'reference-undefined'],
  ])('%s', (_, manifest, patch, code) => {
    const { texts, diagnostics } = run(manifest, patch);
    const found = diagnostics.filter(({ severity }) => severity !== 'note');
    expect(found.map((diagnostic) => diagnostic.code)).toEqual([code]);
    expect(texts[0]!.text).toBe(manifest);
  });

  it.each<[string, readonly string[], readonly string[]]>([
    ['parts of one image', ['[pod.p.containers.1]\nimage.tag: 2', '[pod.p.containers.1]\nimage.repository: web'], []],
    [
      'one part of an image',
      ['[pod.p.containers.1]\nimage.tag: 2', '[pod.p.containers.name=b]\nimage.tag: 3'],
      ['"spec.containers[name=b].image.tag" of pod.p is set to "2", then set to "3"'],
    ],
    [
      'another item at the same index',
      ['[pod.p.containers.0]\ntty: true', '[pod.p.containers[-0]]\nname: z\n[pod.p.containers.0]\ntty: false'],
      [],
    ],
    [
      'the same item at another index',
      ['[pod.p.containers.0]\ntty: true', '[pod.p.containers[-0]]\nname: z\n[pod.p.containers.1]\ntty: false'],
      ['"spec.containers[name=a].tty" of pod.p is set to true, then set to false'],
    ],
  ])('compares files that set %s', (_, patches, expected) => {
    const { diagnostics } = runPatches({
      manifests: [{ path: 'base.yaml', text: pod }],
      patches: patches.map((text, index) => ({ path: `${index}.kpatch`, text })),
      options: { conflicts: true },
    });
    expect(diagnostics.map(({ message }) => message)).toEqual(expected);
  });

  it('leaves out keys without a value', () => {
    const { result } = runPatches({
      manifests: [{ path: 'base.yaml', text: maps }],
      patches: [{ path: 'a.yaml', text: '- target: configmap.a.b\n  patch: {metadata.labels: {c: null, d: e}}\n' }],
    });
    expect(result.objects[0]!['metadata']).toEqual({ name: 'a.b', labels: { d: 'e' } });
  });

  it('converts a reference that is a whole string in a document to the type of its field', () => {
    const { result } = runPatches({
      manifests: [{ path: 'base.yaml', text: pod }],
      patches: [
        {
          path: 'a.yaml',
          text:
            '- target: pod.p\n  type: strategic\n  patch:\n    spec:\n      priority: "${values.text}"\n' +
            '      containers: [{name: a, env: [{name: P, value: "${values.port}"}]}]\n',
        },
      ],
      options: { variables: { scope: 'alone', values: { port: 8080, text: '7' } } },
    });
    expect(result.objects[0]!['spec']).toMatchObject({
      priority: 7,
      containers: [{ name: 'a', env: [{ name: 'P', value: '8080' }] }, { name: 'b' }, { name: 'c' }],
    });
  });

  it('takes a field at the top that no schema knows for itself', () => {
    const { result } = runPatches({
      manifests: [{ path: 'base.yaml', text: `${pod}extra: 1\n` }],
      patches: [{ path: 'a.kpatch', text: '[pod.p]\nextra: 2\n' }],
    });
    expect(result.objects[0]!['extra']).toBe(2);
  });

  it('leaves whole variables as they are in fields that no schema knows', () => {
    const { result } = runPatches({
      manifests: [{ path: 'base.yaml', text: pod }],
      patches: [
        {
          path: 'a.yaml',
          text: '- target: pod.p\n  type: strategic\n  patch: {spec: {unknown: ["${values.port}"]}}\n',
        },
      ],
      options: { variables: { scope: 'alone', values: { port: 8080 } } },
    });
    expect(result.objects[0]!['spec']).toMatchObject({ unknown: [8080] });
  });

  it('records the variables that took part', () => {
    const { result } = runPatches({
      manifests: [{ path: 'base.yaml', text: maps }],
      patches: [
        {
          path: 'a.yaml',
          text:
            '- target: configmap.${values.name}\n  type: strategic\n' +
            '  patch: {data: {k: "${values.k}", l: x}, metadata: {labels: {a: "1${values.m}"}}}\n',
        },
        { path: 'b.kpatch', text: '[configmap."${values.name}"]\ndata.n: ${values.m}\n' },
      ],
      options: { variables: { scope: 'alone', values: { name: 'a.b', k: 'w', m: '2' } } },
    });
    const parametersOf = (index: number, ...field: string[]): readonly string[] =>
      findWritten(result.changes[index]!, field, 'any').parameters.map((path) => path.join('.'));
    expect(result.changes.map(({ path }) => path.join('.'))).toEqual(['', 'data.n']);
    expect(parametersOf(0, 'metadata', 'labels', 'a')).toEqual(['values.m']);
    expect(parametersOf(0, 'data', 'k')).toEqual(['values.k']);
    expect(parametersOf(0, 'data', 'l')).toEqual([]);
    expect(parametersOf(1, 'data', 'n')).toEqual(['values.m']);
  });

  it.each(['strategic', 'merge'] as const)('rejects a %s patch that is too deep', (type) => {
    let document: Json = {};
    for (let depth = 0; depth < 20_000; depth += 1) document = { x: document };
    const source = { path: 'a.yaml', text: '' };
    const location = { file: source.path };
    const target = { type: 'text', text: { text: 'pod.p', parts: ['pod.p'] }, location } as const;
    const patch = { type, target, document, location };
    const objects = [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } }];
    const reported: Diagnostic[] = [];
    const variables = { scope: 'alone', values: {} } as const;
    const report = (diagnostic: Diagnostic): void => void reported.push(diagnostic);
    const result = applyPatches(objects, [{ source, format: 'yaml', patches: [patch, patch] }], { report, variables });
    expect(reported.map(({ code }) => code)).toEqual(['smp-too-deep', 'smp-too-deep']);
    expect(result.objects).toEqual(objects);
  });

  it('takes a text of any length', { tags: 'slow' }, () => {
    const long = 'x'.repeat(3 << 20);
    const { result, diagnostics } = run(maps, `[configmap."a.b"]\ndata.k: ${long}`);
    expect(diagnostics).toEqual([]);
    expect(result.objects[0]!['data']).toEqual({ k: long });
  });

  it('records values as they were, even if they change later', () => {
    const patch =
      '[configmap."a.b"]\ndata.k: 1\ndata.l: 2\ndata.k: 3\ndata.l[delete]:\nmetadata.labels.x: 1\nmetadata.labels[delete]:\n';
    const { result } = run(maps, patch);
    expect(result.changes.map(({ path, before, after }) => [path.join('.'), before, after])).toEqual([
      ['data.k', 'v', '1'],
      ['data.l', undefined, '2'],
      ['data.k', '1', '3'],
      ['data.l', '2', undefined],
      ['metadata.labels.x', undefined, '1'],
      ['metadata.labels', { x: '1' }, undefined],
    ]);
    expect(result.objects[0]).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a.b' },
      data: { k: '3' },
    });
  });
});
