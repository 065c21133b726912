import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { compileNamePattern, isPattern } from './target-names.ts';

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
