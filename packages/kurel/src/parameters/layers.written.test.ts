import { describe, expect, it } from 'vitest';
import type { Path } from '../model/index.ts';
import { mergeLayers, readValues, writtenParameters } from './layers.ts';
import type { ParameterLayer } from './layers.ts';

function layer(kind: ParameterLayer['kind'], text: string): ParameterLayer {
  const source = { path: `${kind}.yaml`, text };
  return { kind, source, data: readValues(source, () => undefined, { words: 'core' })! };
}

const layers: readonly ParameterLayer[] = [
  layer(
    'package',
    'version: &v 1.10\nagain: *v\nmode: 0755\ntext: "1.0"\nlist: [1.0, {a: 2.0}]\nimage: {tag: 1.0, name: web}\nratio: 1.5\n' +
      'ref: ${version}\nmore: ${ref}\nall: ${image}\nround: ${other}\nother: ${round}\npart: v${version}\nflag: TRUE\n',
  ),
  layer('values', '# Only a comment.\n---\nimage: {tag: 2.00}\n'),
  { kind: 'set', source: { path: '--set[0]', text: 'ratio=2.50' }, data: { ratio: '2.50' }, path: ['ratio'] },
  { kind: 'set', source: { path: '--set[1]', text: 'count=3' }, data: { count: 3 }, path: ['count'] },
  { kind: 'values', source: { path: 'values', text: '' }, data: { given: 1.5 } },
];

describe('writtenParameters', () => {
  it.each<[Path, string | undefined]>([
    [['version'], '1.10'],
    [['again'], '1.10'],
    [['mode'], '0755'],
    [['flag'], 'TRUE'],
    [['text'], undefined],
    [['list', 0], '1.0'],
    [['list', 1, 'a'], '2.0'],
    [['list', 7], undefined],
    [['image'], undefined],
    [['image', 'tag'], '2.00'],
    [['ref'], '1.10'],
    [['more'], '1.10'],
    [['all', 'tag'], '2.00'],
    [['round'], undefined],
    [['round', 'a'], undefined],
    [['part'], undefined],
    [['ratio'], '2.50'],
    [['count'], undefined],
    [['given'], '1.5'],
    [['version', 'deeper'], undefined],
    [['nothing'], undefined],
    [[], undefined],
  ])('%j', (path, expected) => {
    const merged = mergeLayers(layers, () => undefined);
    expect(writtenParameters(merged, layers)(path)).toBe(expected);
  });
});
