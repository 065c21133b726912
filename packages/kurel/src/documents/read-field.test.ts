import * as fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Diagnostic, Json, JsonObject, Path } from '../model/index.ts';
import type { Field, ValueOf } from './field.ts';
import { readField } from './read-field.ts';

function read(field: Field, data: Json, path: Path = []): { readonly value: unknown; readonly found: string[] } {
  const diagnostics: Diagnostic[] = [];
  const value = readField(field, data, {
    path,
    locate: (inner) => ({ file: 'x.yaml', path: inner }),
    report: (diagnostic) => void diagnostics.push(diagnostic),
  });
  return { value, found: diagnostics.map(({ code, location }) => `${code} ${location?.path?.join('.')}`) };
}

const web = {
  type: 'object',
  properties: {
    image: { type: 'string', required: true },
    port: { type: 'integer', minimum: 1, maximum: 65535, default: 80 },
    ratio: { type: 'number' },
    size: { type: 'quantity' },
    mode: { type: 'string', enum: ['fast', 'safe'] },
    args: { type: 'array', items: { type: 'string' } },
    probe: { type: 'object', default: {}, properties: { period: { type: 'integer', default: 10 } } },
    extra: { type: 'any' },
    env: { type: 'object', open: { type: 'string' } },
  },
} as const satisfies Field;

describe('a field', () => {
  it('gives the data a type', () => {
    expectTypeOf<ValueOf<typeof web>['image']>().toEqualTypeOf<string>();
    expectTypeOf<ValueOf<typeof web>['port']>().toEqualTypeOf<number>();
    expectTypeOf<ValueOf<typeof web>['mode']>().toEqualTypeOf<'fast' | 'safe' | undefined>();
    expectTypeOf<ValueOf<typeof web>['args']>().toEqualTypeOf<readonly string[] | undefined>();
    expectTypeOf<ValueOf<typeof web>['probe']['period']>().toEqualTypeOf<number>();
    expectTypeOf<ValueOf<typeof web>['extra']>().toEqualTypeOf<Json | undefined>();
    expectTypeOf<NonNullable<ValueOf<typeof web>['env']>>().toEqualTypeOf<Readonly<Record<string, string>>>();
  });

  it.each<[data: JsonObject, expected: JsonObject]>([
    [{ image: 'a' }, { image: 'a', port: 80, probe: { period: 10 } }],
    [
      { image: 'a', port: 8080, probe: null },
      { image: 'a', port: 8080, probe: { period: 10 } },
    ],
    [
      { image: 'a', port: 81n, probe: { period: 3 } },
      { image: 'a', port: 81, probe: { period: 3 } },
    ],
    [
      { image: 'a', size: 2, ratio: 0.5 },
      { image: 'a', size: '2', ratio: 0.5, port: 80, probe: { period: 10 } },
    ],
    [
      { image: 'a', extra: [null, 2n ** 70n] },
      { image: 'a', extra: [null, 2n ** 70n], port: 80, probe: { period: 10 } },
    ],
    [
      { image: 'a', mode: null, args: [] },
      { image: 'a', args: [], port: 80, probe: { period: 10 } },
    ],
  ])('reads %o', (data, expected) => {
    expect(read(web, data)).toEqual({ value: expected, found: [] });
  });

  it.each<[data: Json, found: readonly string[]]>([
    [[], ['field-type ']],
    [{}, ['field-required ']],
    [{ image: null }, ['field-required ']],
    [{ image: 1, port: '80' }, ['field-type image', 'field-type port']],
    [{ image: 'a', port: 0 }, ['field-range port']],
    [{ image: 'a', port: 2n ** 70n }, ['field-range port']],
    [{ image: 'a', port: 1.5 }, ['field-type port']],
    [{ image: 'a', ratio: Number.NaN }, ['field-type ratio']],
    [{ image: 'a', ratio: 2n ** 70n }, ['field-range ratio']],
    [{ image: 'a', size: '-1' }, ['field-format size']],
    [{ image: 'a', size: true }, ['field-type size']],
    [{ image: 'a', mode: 'fats' }, ['field-enum mode']],
    [{ args: ['a', null, 3], image: 'a' }, ['list-item-null args.1', 'field-type args.2']],
    [{ image: 'a', env: { A: null, B: 'b' } }, ['field-type env.A']],
    [{ image: 'a', constructor: 1, toString: 2 }, ['field-unknown constructor', 'field-unknown toString']],
    [JSON.parse('{"image": "a", "__proto__": {"port": 1}}') as Json, ['field-unknown __proto__']],
    [{ prot: 1, args: 'x' }, ['field-required ', 'field-unknown prot', 'field-type args']],
  ])('refuses %o', (data, found) => {
    expect(read(web, data)).toEqual({ value: undefined, found });
  });

  it('keeps a __proto__ key of an open object as a key', () => {
    const data = JSON.parse('{"__proto__": "a"}') as JsonObject;
    const { value } = read({ type: 'object', open: { type: 'string' } }, data);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.entries(value as JsonObject)).toEqual([['__proto__', 'a']]);
  });

  it('passes an open object on unchanged', () => {
    const data = { a: { b: [null] } };
    expect(read({ type: 'object', open: { type: 'any' } }, data).value).toBe(data);
  });

  it('locates a field that is part of a document', () => {
    expect(read(web, { b: 1, a: 2, image: 'x' }, ['spec', 0]).found).toEqual([
      'field-unknown spec.0.b',
      'field-unknown spec.0.a',
    ]);
  });

  it('names the parameter that a wrong value came from', () => {
    const hints: (string | undefined)[] = [];
    const locate = (path: Path): { file: string; path: Path } => ({ file: 'x', path });
    const report = ({ hint }: Diagnostic): void => void hints.push(hint);
    readField(
      web,
      { image: 'a', port: '3' },
      { locate, report, referencesAt: ([key]) => (key === 'port' ? ['port'] : []) },
    );
    expect(hints).toEqual(['the value comes from parameter "port": declare it with type: integer']);
  });

  it('returns a value if and only if there are no findings, and the same one if it is complete', () => {
    const key = fc.constantFrom('image', 'port', 'mode', 'args', 'probe', 'env', 'x');
    fc.assert(
      fc.property(fc.dictionary(key, fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>), (data) => {
        const { value, found } = read(web, data);
        expect(value === undefined).toBe(found.length > 0);
        if (value !== undefined) expect(read(web, value as Json)).toEqual({ value, found: [] });
      }),
    );
  });
});
