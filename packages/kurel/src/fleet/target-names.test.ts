import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { compileNamePattern, isInShard, isPattern, parseShard } from './target-names.ts';

/** The same meaning, by trying every length of each star. */
function matches(pattern: string, name: string): boolean {
  if (pattern === '') return name === '';
  const stars = /^\*+/.exec(pattern)?.[0];
  if (stars !== undefined) {
    const rest = pattern.slice(stars.length);
    for (let length = 0; length <= name.length; length++) {
      if (stars.length === 1 && name.slice(0, length).includes('/')) return false;
      if (matches(rest, name.slice(length))) return true;
    }
    return false;
  }
  const [wanted, found] = [pattern[0], name[0]];
  const isSame = wanted === '?' ? found !== undefined && found !== '/' : wanted === found;
  return isSame && matches(pattern.slice(1), name.slice(1));
}

describe('a pattern of names', () => {
  it.each([
    ['berlin/*', 'berlin/web', true],
    ['berlin/*', 'berlin/web/api', false],
    ['berlin/**', 'berlin/web/api', true],
    ['**web', 'berlin/web', true],
    ['*web', 'berlin/web', false],
    ['web', 'web2', false],
    ['web?', 'web2', true],
    ['a?b', 'a/b', false],
    ['*', '', true],
    ['a.c', 'abc', false],
    ['[a]', 'a', false],
    ['a(b', 'a(b', true],
  ])('%s, %s: %s', (pattern, name, expected) => {
    expect(compileNamePattern(pattern)(name)).toBe(expected);
  });

  it('matches what the reference matches', () => {
    const text = (characters: readonly string[]): fc.Arbitrary<string> =>
      fc.array(fc.constantFrom(...characters), { maxLength: 8 }).map((list) => list.join(''));
    fc.assert(
      fc.property(text(['a', 'b', '/', '*', '**', '?']), text(['a', 'b', '/']), (pattern, name) => {
        expect(compileNamePattern(pattern)(name)).toBe(matches(pattern, name));
      }),
    );
  });

  it('takes no longer for hostile patterns', () => {
    const isMatch = compileNamePattern(`${'*a'.repeat(200)}b`);
    expect(isMatch('a'.repeat(2000))).toBe(false);
  });

  it('differs from a name', () => {
    expect(['berlin/web', 'a*', 'a?', 'a[b]'].map(isPattern)).toEqual([false, true, true, false]);
  });
});

describe('a shard', () => {
  it.each([
    ['1/1', { index: 1, count: 1 }],
    ['3/8', { index: 3, count: 8 }],
    ['8/8', { index: 8, count: 8 }],
    ['0/8', { index: 8, count: 8 }],
    ['10000/10000', { index: 10_000, count: 10_000 }],
    ['9/8', undefined],
    ['1/0', undefined],
    ['1/10001', undefined],
    ['1', undefined],
    ['1/', undefined],
    ['/2', undefined],
    ['-1/2', undefined],
    ['1.5/2', undefined],
    [' 1/2', undefined],
    ['1/2\n', undefined],
  ])('%j is read as %j', (text, expected) => {
    expect(parseShard(text)).toEqual(expected);
  });

  it('has each name in exactly one of them', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 50 }), (name, count) => {
        const owners = Array.from({ length: count }, (_, index) => index + 1).filter((index) =>
          isInShard(name, { index, count }),
        );
        expect(owners).toHaveLength(1);
      }),
    );
  });

  it('keeps its names in every version of kurel', () => {
    const names = ['berlin/web', 'berlin/api', 'paris/web', 'paris/api', 'staging/shop', 'production/shop'];
    expect(names.map((name) => [1, 2, 3].find((index) => isInShard(name, { index, count: 3 })))).toEqual([
      2, 2, 3, 3, 2, 3,
    ]);
  });

  it('is about as large as the others', () => {
    const names = Array.from({ length: 1000 }, (_, index) => `cluster-${index % 40}/app-${index}`);
    for (const count of [2, 4, 7]) {
      for (let index = 1; index <= count; index++) {
        const size = names.filter((name) => isInShard(name, { index, count })).length;
        expect(Math.abs(size - 1000 / count)).toBeLessThan(60);
      }
    }
  });
});
