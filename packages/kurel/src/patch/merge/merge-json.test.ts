import { isSameJson } from '../../model/index.ts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deepFreeze } from '../../engine/copy-json.ts';
import type { Diagnostic, Json, JsonArray, JsonObject, Path } from '../../model/index.ts';
import { mergeJson, reportDirectives } from './merge-json.ts';

/** RFC 7386, appendix A: target, patch, result. */
const appendix: readonly (readonly [target: Json, patch: Json, result: Json])[] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

const more: readonly (readonly [target: Json, patch: Json, result: Json])[] = [
  [
    {
      title: 'Goodbye!',
      author: { givenName: 'John', familyName: 'Doe' },
      tags: ['example', 'sample'],
      content: 'This will be unchanged',
    },
    { title: 'Hello!', phoneNumber: '+01-123-456-7890', author: { familyName: null }, tags: ['example'] },
    {
      title: 'Hello!',
      author: { givenName: 'John' },
      tags: ['example'],
      content: 'This will be unchanged',
      phoneNumber: '+01-123-456-7890',
    },
  ],
  [{ a: [{ b: 1 }] }, { a: [{ b: null }] }, { a: [{ b: null }] }],
  [{ a: null }, { a: null }, {}],
  [{ a: 1n }, { a: 12345678901234567890n }, { a: 12345678901234567890n }],
  ['text', { a: { b: null, c: 1 } }, { a: { c: 1 } }],
];

const tree = fc.letrec<{ tree: Json; mapping: JsonObject }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<Json>(null, true, 1, 2n, 'x'),
    fc.array(tie('tree'), { maxLength: 3 }),
    tie('mapping'),
  ),
  mapping: fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor'), tie('tree'), { maxKeys: 3 }),
})).tree;

/** The algorithm of the RFC, word for word. */
function mergePatch(target: Json | undefined, patch: Json): Json {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const result = new Map(
    typeof target === 'object' && target !== null && !Array.isArray(target) ? Object.entries(target) : [],
  );
  for (const [name, value] of Object.entries(patch as JsonObject)) {
    if (value === null) result.delete(name);
    else result.set(name, mergePatch(result.get(name), value));
  }
  return Object.fromEntries(result);
}

describe('mergeJson', () => {
  it.each([...appendix, ...more])('merges into %o the patch %o', (target, patch, result) => {
    expect(mergeJson(deepFreeze(target), deepFreeze(patch))).toStrictEqual(result);
  });

  it('follows the RFC without changing its input', () => {
    fc.assert(
      fc.property(tree, tree, (target, patch) => {
        expect(isSameJson(mergeJson(deepFreeze(target), deepFreeze(patch)), mergePatch(target, patch))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('returns its input if nothing changes', () => {
    fc.assert(
      fc.property(tree, (target) => {
        if (typeof target !== 'object' || target === null || Array.isArray(target)) return;
        expect(mergeJson(target, {})).toBe(target);
        const merged = mergeJson({}, target);
        expect(mergeJson(merged, target)).toBe(merged);
      }),
    );
  });

  it('reports the lists that it replaces', () => {
    const replaced: [Path, JsonArray][] = [];
    const onListReplaced = (path: Path, before: JsonArray): void => void replaced.push([path, before]);
    mergeJson(
      { a: { b: [1] }, same: [1, { x: 2n }], gone: [1], text: 'x' },
      { a: { b: [2] }, same: [1, { x: 2 }], gone: null, text: [1], fresh: [1] },
      onListReplaced,
    );
    expect(replaced).toEqual([[['a', 'b'], [1]]]);
  });

  it('treats __proto__ as an ordinary key', () => {
    const hostile = JSON.parse(
      '{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": 1}}}',
    ) as Json;
    for (const merged of [mergeJson({}, hostile), mergeJson(hostile, {}), mergeJson(hostile, hostile)]) {
      expect(Object.keys(merged as JsonObject)).toEqual(['__proto__', 'constructor']);
      expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
    }
    expect({}).not.toHaveProperty('polluted');
    expect(mergeJson({}, JSON.parse('{"__proto__": null}') as Json)).toEqual({});
  });
  it('merges small patches into deep objects', () => {
    let deep: Json = { a: 1 };
    for (let depth = 0; depth < 20_000; depth += 1) deep = { x: deep };
    expect(mergeJson({ deep, b: 1 }, { b: 2 })).toEqual({ deep, b: 2 });
    expect((mergeJson({ deep }, { b: 2 }) as JsonObject)['deep']).toBe(deep);
  });
});

describe('reportDirectives', () => {
  function find(patch: Json): readonly string[] {
    const found: Diagnostic[] = [];
    reportDirectives(patch, {
      report: (finding) => found.push(finding),
      locate: (path, at) => ({ file: 'patch.yaml', path, at }),
    });
    expect(found.every(({ code, location }) => code === 'smp-directive-unsupported' && location?.at === 'key')).toBe(
      true,
    );
    return found.map(({ location }) => location!.path!.join('.'));
  }

  it('finds them at any depth, in patch order', () => {
    const patch = {
      z: { $retainKeys: [], y: [{ x: 1 }, { $patch: 'delete' }] },
      '$setElementOrder/a': [{ '$deleteFromPrimitiveList/b': [] }],
      b: { $schema: 'x', patch: '$patch' },
      $patch: 'replace',
    };
    expect(find(patch)).toEqual([
      'z.$retainKeys',
      'z.y.1.$patch',
      '$setElementOrder/a',
      '$setElementOrder/a.0.$deleteFromPrimitiveList/b',
      '$patch',
    ]);
  });

  it('finds nothing in other data', () => {
    expect(find({ a: [1, 'x', null] })).toEqual([]);
  });
});
