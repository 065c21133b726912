import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../model/index.ts';
import { readYaml } from './read-yaml.ts';
import { writeJson } from './write-yaml.ts';
import { hasEscapedKey } from '../../test/has-escaped-key.ts';

const cases: readonly (readonly [title: string, data: Json, indented: string, compact: string])[] = [
  ['scalars', ['a"\n', 1.5, true, null], '[\n  "a\\"\\n",\n  1.5,\n  true,\n  null\n]', '["a\\"\\n",1.5,true,null]'],
  ['empty collections', { a: {}, b: [] }, '{\n  "a": {},\n  "b": []\n}', '{"a":{},"b":[]}'],
  ['nesting', { b: [{ a: 1 }] }, '{\n  "b": [\n    {\n      "a": 1\n    }\n  ]\n}', '{"b":[{"a":1}]}'],
  ['exact integers', [9007199254740993n, -1n], '[\n  9007199254740993,\n  -1\n]', '[9007199254740993,-1]'],
  ['other numbers', [-0, 1e21, 1e20, 1e-7], '[\n  -0.0,\n  1e+21,\n  1e+20,\n  1e-7\n]', '[-0.0,1e+21,1e+20,1e-7]'],
  [
    'characters with an effect in YAML 1.1 or on a terminal',
    '\u0085\u2028\u009b',
    '"\\u0085\\u2028\\u009b"',
    '"\\u0085\\u2028\\u009b"',
  ],
];

describe('writeJson', () => {
  it.each(cases)('%s', (_, data, indented, compact) => {
    expect(writeJson(data)).toBe(indented);
    expect(writeJson(data, 0)).toBe(compact);
  });

  it('is JSON that is read as the same data, with any indentation', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1, 2, 4), (data, indent) => {
        fc.pre(!hasEscapedKey(data));
        expect(JSON.parse(writeJson(data as Json, indent))).toEqual(data);
      }),
    );
  });

  it('is YAML too', () => {
    const data = { a: ['x\ty', 9007199254740993n, { b: null, c: '\u0085 é' }], d: {} };
    for (const indent of [0, 2])
      expect(readYaml({ path: 'a', text: writeJson(data, indent) }).documents[0]?.data).toEqual(data);
  });

  it('names the path of data that cannot be written', () => {
    const data = { a: [1, { b: Number.NaN }] };
    expect(() => writeJson(data)).toThrow(
      'The value at a[1].b cannot be written: it is NaN, which Kubernetes cannot read.',
    );
  });
});
