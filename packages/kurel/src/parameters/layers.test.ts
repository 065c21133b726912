import { describe, expect, it } from 'vitest';
import type { Path, Values } from '../model/index.ts';
import { findParameterOrigin, mergeLayers } from './index.ts';
import type { ParameterLayer } from './index.ts';

function layer(kind: ParameterLayer['kind'], data: Values, path?: Path): ParameterLayer {
  return { kind, source: { path: kind, text: '' }, data, path };
}

describe('null', () => {
  it.each<[string, readonly ParameterLayer[], Values]>([
    ['is a value of the package', [layer('package', { a: null })], { a: null }],
    ['removes a parameter', [layer('package', { a: 1 }), layer('local', { a: null })], {}],
    ['removes it once', [layer('package', { a: 1 }), layer('values', { a: null }), layer('set', { a: null })], {}],
    ['adds nothing', [layer('package', {}), layer('values', { a: null, b: { c: null } })], { b: {} }],
  ])('%s', (_, layers, merged) => {
    expect(mergeLayers(layers, () => undefined)).toEqual(merged);
  });
});

describe('the origin of a list item that --set changes', () => {
  const layers = [
    layer('package', { hosts: ['a', 'b', { c: 1, d: 2 }] }),
    layer('set', { hosts: ['a', 'b', { c: 5, d: 2 }] }, ['hosts', 2, 'c']),
  ];

  it.each<[Path, string]>([
    [['hosts'], 'set'],
    [['hosts', 0], 'package'],
    [['hosts', 2], 'set'],
    [['hosts', 2, 'c'], 'set'],
    [['hosts', 2, 'd'], 'package'],
  ])('%j', (path, kind) => {
    expect(findParameterOrigin(layers, path)?.layer.kind).toBe(kind);
  });
});

describe('a string that replaces another type', () => {
  const below = layer('package', { n: 1, f: 1.5, b: true, t: 'x', r: '${t}' });

  it.each<[Values, Values]>([
    [{ n: '4' }, { n: 4 }],
    [{ n: '2.5' }, { n: 2.5 }],
    [{ n: '9007199254740993' }, { n: 9007199254740993n }],
    [{ n: 'many' }, { n: 'many' }],
    [{ n: '007' }, { n: '007' }],
    [{ f: '2.50' }, { f: 2.5 }],
    [{ b: 'false' }, { b: false }],
    [{ b: 'no' }, { b: 'no' }],
    [{ t: '4' }, { t: '4' }],
    [{ n: '${t}' }, { n: '${t}' }],
  ])('%j', (above, changed) => {
    expect(mergeLayers([below, layer('set', above)], () => undefined)).toEqual({ ...below.data, ...changed });
  });

  it('stays a string with --set-string', () => {
    const text = { ...layer('set', { n: '1.10', b: 'true' }), isText: true };
    expect(mergeLayers([below, text], () => undefined)).toMatchObject({ n: '1.10', b: 'true' });
  });

  it('is reported if references lose their target', () => {
    const codes: string[] = [];
    mergeLayers([below, layer('set', { r: { a: 5 } })], ({ code }) => codes.push(code));
    expect(codes).toEqual(['parameter-shape-changed']);
  });
});

describe('a number that replaces a string', () => {
  const below = layer('package', { tag: '1.9', same: '${tag}', count: 1 });

  it.each<[string, Values, Values]>([
    ['tag: 1.10', { tag: 1.1 }, { tag: '1.10' }],
    ['tag: 0755', { tag: 493 }, { tag: '0755' }],
    ['tag: &a 2.0 # text', { tag: 2 }, { tag: '2.0' }],
    ['same: 1.10', { same: 1.1 }, { same: 1.1 }],
    ['count: 1.10', { count: 1.1 }, { count: 1.1 }],
    ['tag: true', { tag: true }, { tag: true }],
  ])('%s', (text, above, changed) => {
    const values = { ...layer('values', above), source: { path: 'values.yaml', text } };
    expect(mergeLayers([below, values], () => undefined)).toEqual({ ...below.data, ...changed });
  });

  it('is the text of --set', () => {
    expect(mergeLayers([below, layer('set', { tag: 2 })], () => undefined)).toMatchObject({ tag: '2' });
  });
});

describe('values inside a larger file', () => {
  const source = { path: 'kurel.fleet.yaml', text: '' };
  const at = ['spec', 'defaults', 'set'];
  const layers: readonly ParameterLayer[] = [
    layer('package', { a: { b: 1, c: 2 } }),
    { kind: 'values', source, data: { a: { b: 3 } }, at },
  ];

  it.each<[Path, string, Path]>([
    [['a', 'b'], 'kurel.fleet.yaml', [...at, 'a', 'b']],
    [['a', 'c'], 'package', ['a', 'c']],
    [['a'], 'kurel.fleet.yaml', [...at, 'a']],
  ])('%j comes from %s', (path, file, expected) => {
    expect(findParameterOrigin(layers, path)?.location).toEqual({ file, document: 0, path: expected });
  });
});
