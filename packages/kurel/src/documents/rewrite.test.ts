import { describe, expect, it } from 'vitest';
import type { Json } from '../model/index.ts';
import { rewrite } from './rewrite.ts';
import type { RewriteRule } from './rewrite.ts';

const write = (path: readonly (string | number)[], value: number | bigint | boolean): string =>
  `${value} at ${path.join('.')}`;

const cases: readonly (readonly [about: string, rule: RewriteRule, given: Json, rewritten: Json])[] = [
  ['words in any case', [['*', 'protocol'], 'any-case'], [{ protocol: 'uDp' }, {}], [{ protocol: 'UDP' }, {}]],
  ['no numbers', [['protocol'], 'any-case'], { protocol: 7 }, { protocol: 7 }],
  [
    'texts',
    [['a', '*'], 'as-text'],
    { a: { b: 1, c: true, d: 'e' } },
    { a: { b: '1 at a.b', c: 'true at a.c', d: 'e' } },
  ],
  ['no lists', [['a'], 'as-text'], { a: [1] }, { a: [1] }],
  ['an empty string', [['*', 'effect'], 'empty'], [{ key: 'a', effect: '' }], [{ key: 'a' }]],
  ['a header', [['*'], 'without-value'], [{ name: 'a' }, 'b'], [{ name: 'a', value: '' }, 'b']],
  [
    'a key that sets no prototype',
    [['*'], 'as-text'],
    JSON.parse('{"__proto__": 1}'),
    JSON.parse('{"__proto__": "1 at __proto__"}'),
  ],
];

describe('input accepted in addition to the Kubernetes schema', () => {
  it.each(cases)('%s', (_about, rule, given, rewritten) => {
    expect(rewrite(given, [rule], write)).toEqual(rewritten);
  });

  it('returns the same value if nothing changes', () => {
    const given = { ports: [{ protocol: 'TCP' }], a: null };
    expect(
      rewrite(
        given,
        [
          [['ports', '*', 'protocol'], 'any-case'],
          [['a', 'b'], 'empty'],
        ],
        write,
      ),
    ).toBe(given);
  });
});
