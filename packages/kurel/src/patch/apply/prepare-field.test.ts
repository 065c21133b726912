import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../model/index.ts';
import { writtenParameters } from '../../parameters/index.ts';
import { readYaml } from '../../yaml/index.ts';
import { runPatches } from '../../../test/patch/patch-cases.ts';

const base = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {template: {spec: {containers: [{name: main, image: 'nginx:1'}]}}}
`;

const values = 'num: 3\nversion: 1.10\nmode: 0755\nflag: TRUE\nday: 2024-01-01\nref: ${values.version}\nkey: k\n';

function patch(text: string, path = 'a.patch.yaml') {
  const source = { path: 'values.yaml', text: values };
  const data = readYaml(source, { words: 'core' }).documents[0]!.data as { readonly [key: string]: Json };
  const writtenAt = writtenParameters(data, [{ kind: 'values', source, data }]);
  const { result, diagnostics } = runPatches({
    manifests: [{ path: 'base.yaml', text: base }],
    patches: [{ path, text }],
    options: { variables: { scope: 'alone', values: data, writtenAt } },
  });
  return { object: result.objects[0]!, found: diagnostics.map(({ code }) => code) };
}

function labelsAfter(labels: string): Json | undefined {
  const { object, found } = patch(`- target: deployment.web\n  patch: {metadata.labels: ${labels}}\n`);
  expect(found).toEqual([]);
  return (object['metadata'] as { readonly labels?: Json }).labels;
}

describe('the value of a string field', () => {
  it.each<[string, Json]>([
    ["{a: '${values.num}'}", { a: '3' }],
    ["{a: '${values.version}', b: '${values.mode}'}", { a: '1.10', b: '0755' }],
    ["{a: '${values.ref}', b: '${values.flag}', c: '${values.day}'}", { a: '1.10', b: 'TRUE', c: '2024-01-01' }],
    ['{a: 1.10, b: 0x1F, c: +5, d: True}', { a: '1.10', b: '0x1F', c: '+5', d: 'True' }],
    ['{a: &x 3.0, b: *x}', { a: '3.0', b: '3.0' }],
    ['{a: !!int 5, b: !!float 1.50, c: &y !!int 06}', { a: '5', b: '1.50', c: '06' }],
    ['{<<: {q: 7.0}, z: 1}', { q: '7.0', z: '1' }],
    ['{a: &x # why\n    1.0}', { a: '1.0' }],
    ["{'${values.key}': 1.10}", { k: '1.10' }],
    ["{a: '1.10', b: !!str 1.10}", { a: '1.10', b: '1.10' }],
  ])('is kept as written: %s', (labels, expected) => {
    expect(labelsAfter(labels)).toEqual(expected);
  });

  it('is kept in items, documents and image parts', () => {
    const { object } = patch(`- target: deployment.web
  patch:
    containers[name=main].env[-]: {name: X, value: '\${values.version}'}
    containers[name=main].args: ['\${values.num}', 1.0]
    containers[name=main].image.tag: '\${values.version}'
- target: deployment.web
  type: strategic
  patch: {metadata: {labels: {a: '\${values.mode}'}}}
`);
    expect(object).toMatchObject({
      metadata: { labels: { a: '0755' } },
      spec: {
        template: {
          spec: {
            containers: [{ image: 'nginx:1.10', args: ['3', '1.0'], env: [{ name: 'X', value: '1.10' }] }],
          },
        },
      },
    });
  });

  it.each<[string, string]>([
    ['v${values.version}', 'v1.10'],
    ['v${values.mode}', 'v0755'],
    ['v${values.flag}-${values.ref}', 'vTRUE-1.10'],
    ['v${values.num}', 'v3'],
    ['${values.version}', '1.10'],
  ])('keeps the spelling in a longer string: %s', (value, expected) => {
    const { object, found } = patch(`[deployment.web]\nlabels.a: ${value}\n`, 'a.kpatch');
    expect(object['metadata']).toMatchObject({ labels: { a: expected } });
    expect(found).toEqual([]);
  });

  it('uses the scalar or its value, whatever the quoting style', () => {
    const number = fc.constantFrom('1.10', '0755', '0x1F', '+7', '1_000', '1e3', '.5', '12', 'True', '-0.0', '0o17');
    const front = fc.constantFrom('', '&a ', '!!int ', '&a !!float ', '&a # c\n     ');
    const around = fc.constantFrom<(scalar: string) => string>(
      (scalar) => `{k: ${scalar}}`,
      (scalar) => `{<<: {k: ${scalar}}}`,
      (scalar) => `{j: &b ${scalar.replace(/&a /, '')}, k: *b}`,
      (scalar) => `{"\${values.key}": ${scalar}}`,
    );
    fc.assert(
      fc.property(number, front, around, (scalar, before, write) => {
        const labels = write(before + scalar);
        const { documents, diagnostics } = readYaml({ path: '', text: labels }, { words: 'core' });
        fc.pre(diagnostics.length === 0);
        const value = Object.values(documents[0]!.data as { readonly [key: string]: number | boolean }).at(-1)!;
        const label = (labelsAfter(labels.replaceAll('\n', '\n    ')) as { readonly k: string }).k;
        expect([scalar, String(value)]).toContain(label);
        if (!labels.includes('<<') && !labels.includes('*b') && !before.includes('#')) expect(label).toBe(scalar);
      }),
    );
  });
});
