import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Diagnostic, Json, JsonObject, Values } from '../model/index.ts';
import {
  createResourceSubstitution,
  createUndefinedReference,
  findParameterOrigin,
  formatReferencePath,
  mergeLayers,
  parseReferencePath,
  resolveParameters,
} from './index.ts';
import type { ParameterLayer } from './index.ts';

function resolve(values: Values, maxDepth?: number): { readonly values: Values; readonly codes: readonly string[] } {
  const found: Diagnostic[] = [];
  const resolved = resolveParameters(values, {
    report: (diagnostic) => found.push(diagnostic),
    locate: () => undefined,
    ...(maxDepth === undefined ? {} : { maxDepth }),
  });
  return { values: resolved, codes: found.map(({ code }) => code) };
}

function layer(kind: ParameterLayer['kind'], data: Values): ParameterLayer {
  return { kind, source: { path: `${kind}.yaml`, text: '' }, data };
}

const name = fc.constantFrom('a', 'b', 'c', 'd', 'x.y', 'constructor');
// Strings that cannot be read as a number or boolean.
const word = fc.string().map((end) => `s${end}`);
const scalar = fc.oneof(fc.integer(), fc.boolean(), word, fc.constant('$${a}'), fc.constant(null));
const tree: fc.Arbitrary<Json> = fc.letrec<{ tree: Json }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(name, tie('tree'), { maxKeys: 3 }),
  ),
})).tree;
const mapping = fc.dictionary(name, tree, { maxKeys: 4 });

describe('resolveParameters', () => {
  it('goes no deeper than files do, whatever the references', () => {
    const nest = (inner: Json, depth: number): Json => (depth === 0 ? inner : { a: nest(inner, depth - 1) });
    const chain = Array.from({ length: 9 }, (_, index) => [`v${index}`, nest(`\${v${index + 1}}`, 250)] as const);
    const downwards = Object.fromEntries([...chain, ['v9', 1]]);
    const upwards = Object.fromEntries([['v9', 1], ...chain.toReversed()]);
    for (const values of [downwards, upwards]) {
      expect(new Set(resolve(values).codes)).toEqual(new Set(['parameter-too-deep']));
    }
    expect(resolve({ a: nest('${b}', 100), b: nest(1, 100) }).codes).toEqual([]);
  });

  it.each<[string, Values, Values]>([
    ['types', { a: 3, b: '${a}', c: 'x${a}' }, { a: 3, b: 3, c: 'x3' }],
    [
      'objects',
      { a: { b: [1, '${c}'] }, c: '${d}', d: { e: true }, f: '${a.b[1].e}' },
      { a: { b: [1, { e: true }] }, c: { e: true }, d: { e: true }, f: true },
    ],
    [
      'a step through a reference',
      { a: '${b}', b: { c: '${d}' }, d: { e: 5 }, f: '${a.c.e}' },
      { a: { c: { e: 5 } }, b: { c: { e: 5 } }, d: { e: 5 }, f: 5 },
    ],
    ['keys with dots', { 'a.b': 1, c: '${d["x.y"]}', d: { 'x.y': 2 } }, { 'a.b': 1, c: 2, d: { 'x.y': 2 } }],
    ['escapes', { a: '$${b}', b: '${a}' }, { a: '${b}', b: '${b}' }],
    ['big integers', { a: 9007199254740993n, b: 'v${a}' }, { a: 9007199254740993n, b: 'v9007199254740993' }],
  ])('%s', (_, values, expected) => {
    expect(resolve(values)).toEqual({ values: expected, codes: [] });
  });

  it.each([
    ['${v.a[0]}', 'did you mean ${v["a.0"]}?'],
    ['${v.a[0].c}', 'did you mean ${v["a.0"].c}?'],
    ['${v.x.y[1]}', 'did you mean ${v["x.y"][1]}?'],
  ])('suggests a name with dots for %s', (reference, hint) => {
    const holder = { 'a.0': { c: 1 }, 'x.y': [1, 2] };
    const missing = createUndefinedReference(reference, {
      path: parseReferencePath(reference.slice(2, -1))!,
      depth: 1,
      holder,
    });
    expect(missing.hint).toContain(hint);
  });
  it.each([
    [10, 10, []],
    [11, 10, ['reference-too-deep']],
    [3, 3, []],
    [4, 3, ['reference-too-deep']],
  ])('%i hops with a limit of %i', (hops, limit, codes) => {
    const chain = Object.fromEntries(
      Array.from({ length: hops + 1 }, (_, index) => [`a${index}`, index === 0 ? 'end' : `\${a${index - 1}}`]),
    );
    expect(resolve(chain, limit).codes).toEqual(codes);
    const reversed = Object.fromEntries(Object.entries(chain).toReversed());
    expect(resolve(reversed, limit).codes, 'in any order').toEqual(codes);
  });

  it('ends when a long reference leads into a cycle', () => {
    const values = { a: '${b}', b: '${c}', c: '${a}', d: '${a}', e: '${d}' };
    expect(new Set(resolve(values, 1).codes)).toEqual(new Set(['reference-cycle', 'reference-too-deep']));
  });

  it.each([
    ['a chain within the limit', 9990, 'end', []],
    ['a chain that is too long', 9_999 + 2, 'end', ['reference-too-deep']],
    ['a cycle', 9_999 + 2, '${a0}', ['reference-cycle', 'reference-too-deep']],
  ])('follows %s without the stack', (_, length, end, codes) => follow({ length, end, codes }));

  it.each([
    ['a chain', 'end', ['reference-too-deep']],
    ['a cycle', '${a0}', ['reference-cycle', 'reference-too-deep']],
  ])('follows %s of many times the limit without the stack', { tags: 'slow' }, (_, end, codes) =>
    follow({ length: 50_000, end, codes }),
  );

  function follow({ length, end, codes }: { length: number; end: string; codes: readonly string[] }): void {
    const chain = Array.from({ length }, (_, index) => [`a${index}`, `\${a${index + 1}}`] as const);
    const resolved = resolve({ ...Object.fromEntries(chain), [`a${length}`]: end }, 9999);
    expect([...new Set(resolved.codes)]).toEqual(codes);
  }

  it('rejects endless growth quickly', () => {
    const doubling = (wrap: (reference: string) => Json) =>
      Object.fromEntries(
        Array.from({ length: 41 }, (_, index) => [`a${index}`, index === 0 ? 'xx' : wrap(`\${a${index - 1}}`)]),
      );
    const limit = 'exceeds its limit of 1000000 values';
    expect(() =>
      resolve(
        doubling((one) => one + one),
        99,
      ),
    ).toThrow(limit);
    expect(() =>
      resolve(
        doubling((one) => [one, one]),
        99,
      ),
    ).toThrow(limit);
  });

  it('resolves in one pass: values without references are unchanged', () => {
    fc.assert(
      fc.property(mapping, (values) => {
        const once = resolve(values);
        fc.pre(once.codes.length === 0 && !JSON.stringify(once.values).includes('${'));
        expect(resolve(once.values)).toEqual(once);
      }),
    );
  });

  it('never throws, for any references', () => {
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map(formatReferencePath);
    const reference = path.map((text) => `\${${text}}`);
    const texts = fc
      .array(fc.oneof(reference, fc.string({ maxLength: 3 })), { maxLength: 3 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.dictionary(name, fc.oneof(texts, fc.dictionary(name, texts), fc.array(texts))), (values) => {
        expect(Object.keys(resolve(values).values)).toEqual(Object.keys(values));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('mergeLayers', () => {
  it('knows the origin of every value', () => {
    fc.assert(
      fc.property(mapping, mapping, mapping, (below, middle, above) => {
        const layers = [layer('package', below), layer('local', middle), layer('values', above)];
        const merged = mergeLayers(layers, () => undefined);
        for (const [path, value] of leavesOf(merged)) {
          const origin = findParameterOrigin(layers, path);
          expect(valueAt(origin!.layer.data, path)).toEqual(value);
        }
      }),
    );
  });

  it('is the value of the last layer that sets it', () => {
    fc.assert(
      fc.property(mapping, mapping, (below, above) => {
        const merged = mergeLayers([layer('package', below), layer('local', above)], () => undefined);
        for (const [path, value] of leavesOf(above)) if (value !== null) expect(valueAt(merged, path)).toEqual(value);
      }),
    );
  });
});

describe('createResourceSubstitution', () => {
  it('does not change documents without references', () => {
    fc.assert(
      fc.property(mapping, mapping, (document, values) => {
        fc.pre(!JSON.stringify(document).includes('${'));
        const substitution = createResourceSubstitution({ values }, { report: () => expect.unreachable() });
        expect(substitution.fillTree(document, { locate: () => ({ file: '' }) }).data).toBe(document);
      }),
    );
  });
});

function* leavesOf(
  value: Json,
  path: readonly (string | number)[] = [],
): Iterable<[readonly (string | number)[], Json]> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) yield [path, value];
  else for (const [key, inner] of Object.entries(value)) yield* leavesOf(inner, [...path, key]);
}

function valueAt(root: Json, path: readonly (string | number)[]): Json | undefined {
  let value: Json | undefined = root;
  for (const step of path) value = (value as JsonObject | undefined)?.[step];
  return value;
}

it.each([
  ['databse.host', 0, { database: { host: 'db' } }, 'database.host'],
  ['database.hots', 1, { host: 'db' }, 'database.host'],
  ['databse.pool.size', 0, { database: { pool: { size: 1 } } }, 'database.pool.size'],
])('the hint for %s names the whole path', (reference, depth, holder, meant) => {
  const { hint } = createUndefinedReference(reference, { path: reference.split('.'), depth, holder });
  expect(hint).toContain(meant);
});
