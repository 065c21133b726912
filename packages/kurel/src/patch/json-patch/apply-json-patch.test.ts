import * as fc from 'fast-check';
import { propertyRuns } from '../../../../../test/property-runs.ts';
import { describe, expect, it } from 'vitest';
import type { Diagnostic, Json, JsonObject } from '../../model/index.ts';
import { applyJsonPatch } from './apply-json-patch.ts';
import type { JsonEdit } from './apply-json-patch.ts';
import { formatPointer } from './read-operations.ts';

function apply(target: Json, operations: Json) {
  const diagnostics: Diagnostic[] = [];
  const location = { file: 'patch.yaml', document: 0, path: [2, 'patch'] };
  const result = applyJsonPatch(target, operations, { report: (one) => diagnostics.push(one), location });
  return { result, diagnostics };
}

describe('edits', () => {
  function editsOf(target: Json, operations: Json) {
    const edits: JsonEdit[] = [];
    applyJsonPatch(target, operations, { report: () => undefined, location: { file: 'patch.yaml' }, edits });
    return edits;
  }

  it('are recorded for each operation, with values as they were at that time', () => {
    const operations = [
      { op: 'add', path: '/a/x', value: 1 },
      { op: 'replace', path: '/a', value: { x: 1 } },
      { op: 'test', path: '/a/x', value: 1 },
      { op: 'add', path: '/a/y', value: 2 },
      { op: 'add', path: '/l/0', value: 'new' },
      { op: 'move', from: '/l/0', path: '/l/1' },
      { op: 'copy', from: '/a/y', path: '/b' },
      { op: 'remove', path: '/a' },
    ];
    expect(editsOf({ a: {}, l: ['old'] }, operations)).toEqual([
      { operation: 0, path: ['a', 'x'], before: undefined, after: 1 },
      { operation: 1, path: ['a'], before: { x: 1 }, after: { x: 1 } },
      { operation: 3, path: ['a', 'y'], before: undefined, after: 2 },
      { operation: 4, path: ['l', 0], before: undefined, after: 'new' },
      { operation: 5, path: ['l', 1], from: ['l', 0], before: undefined, after: 'new' },
      { operation: 6, path: ['b'], before: undefined, after: 2 },
      { operation: 7, path: ['a'], before: { x: 1, y: 2 }, after: undefined },
    ]);
  });

  it('are not recorded for a patch that cannot be applied', () => {
    const operations = [
      { op: 'add', path: '/a', value: 1 },
      { op: 'remove', path: '/b' },
    ];
    expect(editsOf({}, operations)).toEqual([]);
  });
});

describe('results that the public tests leave open', () => {
  const rows: readonly (readonly [name: string, target: Json, operations: Json, result: Json])[] = [
    ['a key that is there keeps its place', { a: 1, b: 2 }, [{ op: 'add', path: '/a', value: 3 }], { a: 3, b: 2 }],
    ['a new key comes last', { b: 1 }, [{ op: 'add', path: '/a', value: 2 }], { b: 1, a: 2 }],
    ['digits are an object key', { a: { '00': 1 } }, [{ op: 'remove', path: '/a/00' }], { a: {} }],
    ['a dash is an object key', { a: {} }, [{ op: 'add', path: '/a/-', value: 1 }], { a: { '-': 1 } }],
    ['escapes are undone once', { '~1': 1 }, [{ op: 'remove', path: '/~01' }], {}],
    [
      'a value moves over what holds it',
      { a: { b: { c: 1 } } },
      [{ op: 'move', from: '/a/b', path: '/a' }],
      { a: { c: 1 } },
    ],
    ['a key whose name begins alike', { a: 1 }, [{ op: 'move', from: '/a', path: '/ab' }], { ab: 1 }],
    ['moving counts without the item', [1, 2, 3], [{ op: 'move', from: '/0', path: '/2' }], [2, 3, 1]],
    ['moving to the end', [1, 2, 3], [{ op: 'move', from: '/0', path: '/-' }], [2, 3, 1]],
    ['copying into itself', { a: [1] }, [{ op: 'copy', from: '/a', path: '/a/-' }], { a: [1, [1]] }],
    ['copying the document', { a: 1 }, [{ op: 'copy', from: '', path: '/b' }], { a: 1, b: { a: 1 } }],
    ['moving the document to itself', { a: 1 }, [{ op: 'move', from: '', path: '' }], { a: 1 }],
    ['a scalar document', 1, [{ op: 'replace', path: '', value: 2 }], 2],
    ['null as the document', { a: 1 }, [{ op: 'replace', path: '', value: null }], null],
    ['big numbers equal themselves', { a: 2n ** 64n }, [{ op: 'test', path: '/a', value: 2 ** 64 }], { a: 2n ** 64n }],
    ['a small bigint equals the number', { a: 80n }, [{ op: 'test', path: '/a', value: 80 }], { a: 80n }],
    [
      'later operations see earlier ones',
      {},
      [
        { op: 'add', path: '/a', value: {} },
        { op: 'add', path: '/a/b', value: [] },
        { op: 'add', path: '/a/b/-', value: 1 },
        { op: 'test', path: '/a', value: { b: [1] } },
      ],
      { a: { b: [1] } },
    ],
  ];

  it.each(rows)('%s', (_name, target, operations, expected) => {
    const { result, diagnostics } = apply(target, operations);
    expect(diagnostics).toEqual([]);
    expect(result).toStrictEqual(expected);
    expect(keysOf(result)).toEqual(keysOf(expected));
  });
});

function keysOf(value: Json): readonly string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}

describe('what is shared', () => {
  const target = { a: { b: [1] }, c: { d: 1 } };

  it.each([
    ['nothing to do', []],
    ['only tests', [{ op: 'test', path: '/c/d', value: 1 }]],
    ['the values that are there', [{ op: 'replace', path: '/c', value: { d: 1 } }]],
    ['to the same place', [{ op: 'move', from: '/c', path: '/c' }]],
  ])('the target itself comes back: %s', (_name, operations) => {
    expect(apply(target, operations).result).toBe(target);
  });

  it('keeps what no operation touched', () => {
    const { result } = apply(target, [{ op: 'add', path: '/c/e', value: 2 }]);
    expect((result as typeof target).a).toBe(target.a);
    expect((result as typeof target).c).not.toBe(target.c);
  });

  it('does not tie a copy to what it was copied from', () => {
    const operations = [
      { op: 'add', path: '/c/e', value: 2 },
      { op: 'copy', from: '/c', path: '/f' },
      { op: 'add', path: '/f/g', value: 3 },
    ];
    expect(apply(target, operations).result).toMatchObject({ c: { d: 1, e: 2 }, f: { d: 1, e: 2, g: 3 } });
  });
});

describe('findings', () => {
  it('points into the patch at the operation', () => {
    const { diagnostics } = apply({}, [
      { op: 'add', path: '/a', value: 1 },
      { op: 'remove', path: '/b' },
    ]);
    expect(diagnostics).toMatchObject([
      { location: { file: 'patch.yaml', document: 0, path: [2, 'patch', 1, 'path'] } },
    ]);
  });

  it('reports malformed operations only, all of them, when there are any', () => {
    const { diagnostics } = apply({}, [{ op: 'remove', path: '/b' }, { op: 'ad' }, { op: 'add' }]);
    expect(diagnostics.map(({ code }) => code)).toEqual(Array.from({ length: 3 }, () => 'json-patch-invalid'));
  });

  it('stops when nothing fits', () => {
    const operations = Array.from({ length: 500 }, (_, index) => ({ op: 'remove', path: `/a${index}/b` }));
    expect(apply({}, operations).diagnostics).toHaveLength(20);
  });
});

describe('hostile patches', () => {
  it('reaches no prototype', () => {
    const target = JSON.parse('{"__proto__": {"x": 1}, "a": {}}') as Json;
    const value = JSON.parse('{"__proto__": {"polluted": true}}') as Json;
    const { result, diagnostics } = apply(target, [{ op: 'add', path: '/a/b', value }]);
    expect(diagnostics).toEqual([]);
    expect(Object.keys(result as JsonObject)).toEqual(['__proto__', 'a']);
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    for (const path of ['/__proto__', '/__proto__/polluted', '/a/__proto__/polluted']) {
      expect(apply(target, [{ op: 'add', path, value: 1 }]).diagnostics).toMatchObject([
        { code: 'json-patch-invalid' },
      ]);
    }
    for (const path of ['/a/constructor/prototype/polluted', '/a/toString']) {
      expect(apply(target, [{ op: 'replace', path, value: 1 }]).diagnostics).toMatchObject([
        { code: 'json-patch-path' },
      ]);
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('counts what copies of copies make', () => {
    const operations = Array.from({ length: 64 }, () => ({ op: 'copy', from: '/a', path: '/a/-' }));
    expect(() => apply({ a: [1] }, operations)).toThrow('limit of 1000000 values copied');
  });

  it.each([
    ['copy', Array.from({ length: 300 }, () => ({ op: 'copy', from: '', path: '/a' }))],
    ['add', [{ op: 'add', path: '/b', value: nest(300) }]],
    ['replace', [{ op: 'replace', path: '/a', value: nest(10_000) }]],
    ['an item', [{ op: 'add', path: '/l/-', value: nest(255) }]],
    [
      'step by step',
      Array.from({ length: 300 }, (_, depth) => ({ op: 'add', path: '/a'.repeat(depth + 1), value: {} })),
    ],
  ])('refuses to nest too deeply: %s', (_name, operations) => {
    expect(apply({ a: 0, l: [] }, operations).diagnostics[0]).toMatchObject({ code: 'json-patch-too-large' });
  });

  it('walks data of any depth', () => {
    const deep = nest(20_000);
    const whole = apply(deep, [{ op: 'test', path: '', value: nest(20_000) }]);
    expect(whole.diagnostics).toMatchObject([
      { code: 'json-patch-too-large', message: expect.stringContaining('the value has more than 256 levels') },
    ]);
    const { result } = apply({ deep, x: 1 }, [{ op: 'remove', path: '/x' }]);
    expect((result as { readonly deep: Json }).deep).toBe(deep);
    const far = apply(deep, [{ op: 'test', path: '/a'.repeat(19_999), value: 1 }]);
    expect(far.diagnostics).toMatchObject([{ code: 'json-patch-test-failed' }]);
  });

  it('appends to a list many times', { tags: 'slow' }, () => {
    const operations = Array.from({ length: 20_000 }, (_, value) => ({ op: 'add', path: '/list/-', value }));
    const { result } = apply({ list: [] }, operations);
    expect((result as { readonly list: Json[] }).list).toEqual(operations.map(({ value }) => value));
  });
});

function nest(depth: number): Json {
  let value: Json = {};
  for (let level = 1; level < depth; level += 1) value = { a: value };
  return value;
}

describe('any patch', () => {
  const word = fc.constantFrom('a', 'b', '', '0', '1', '-', '~', 'a/b', '__proto__');
  const key = word.filter((text) => text !== '__proto__');
  const value: fc.Arbitrary<Json> = fc.letrec<{ readonly node: Json }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom<Json>(null, 0, 1, 1n, 'x', true),
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(key, tie('node'), { maxKeys: 3, noNullPrototype: true }),
    ),
  })).node;
  const pointer = fc.array(word, { maxLength: 4 }).map(formatPointer);
  const operation = fc.record(
    {
      op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test'),
      path: pointer,
      from: pointer,
      value,
    },
    { requiredKeys: ['op', 'path'], noNullPrototype: true },
  );
  const patch = fc.array(operation, { maxLength: 6 }) as fc.Arbitrary<Json>;

  /** Operations for the data as it is when their turn comes, so that most of them can be done. */
  const fitting = fc
    .tuple(value, fc.array(fc.tuple(operation, fc.nat(), fc.nat(), fc.nat(3)), { maxLength: 6 }))
    .map(([target, plans]) => {
      const operations: Json[] = [];
      for (const [plan, first, second, way] of plans) {
        const places = placesIn(apply(target, operations).result);
        const from = places[first % places.length]!;
        const near = places[second % places.length]!;
        const path = way === 0 ? `${near}/-` : way === 1 ? `${near}/new` : near;
        const next = { value: 0, ...plan, from, path };
        const canBeDone = apply(target, [...operations, next]).diagnostics.length === 0;
        if (canBeDone || first % 16 === 0) operations.push(next);
      }
      return { target, operations };
    });

  it('is done as a whole or not at all, and changes nothing it was given', () => {
    let applied = 0;
    const run = (target: Json, operations: Json): void => {
      const before = structuredClone([target, operations]);
      const { result, diagnostics } = apply(freeze(target), freeze(operations));
      expect([target, operations]).toEqual(before);
      if (diagnostics.length > 0) expect(result).toBe(target);
      if (result !== target) applied += 1;
    };
    fc.assert(fc.property(value, patch, run));
    fc.assert(
      fc.property(fitting, ({ target, operations }) => run(target, operations)),
      { numRuns: 2000 },
    );
    expect(applied).toBeGreaterThan(propertyRuns(2000) / 4);
  });

  it('gives the same as its operations one by one, so that none changes what an earlier one copied or moved', () => {
    let several = 0;
    const run = ({ target, operations }: { readonly target: Json; readonly operations: readonly Json[] }): void => {
      const { result, diagnostics } = apply(target, operations);
      if (diagnostics.length > 0) return;
      if (operations.length > 1) several += 1;
      const one = operations.reduce<Json>((data, operation) => apply(data, [operation]).result, target);
      expect(result).toEqual(one);
    };
    fc.assert(fc.property(fitting, run), { numRuns: 2000 });
    expect(several).toBeGreaterThan(propertyRuns(2000) * 0.15);
  });

  it('rejects an invalid patch without throwing', () => {
    fc.assert(
      fc.property(value, value, (target, operations) => {
        const { result, diagnostics } = apply(target, operations);
        expect(diagnostics.length > 0 ? result : target).toBe(target);
      }),
    );
  });
});

function placesIn(value: Json, holder = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return [holder];
  const inner = Object.entries(value).flatMap(([key, item]: [string, Json]) =>
    placesIn(item, `${holder}${formatPointer([key])}`),
  );
  return [holder, ...inner];
}

function freeze(value: Json): Json {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value);
    for (const item of Object.values(value)) freeze(item);
  }
  return value;
}
