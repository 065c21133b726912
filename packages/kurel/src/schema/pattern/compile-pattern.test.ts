import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePattern } from './compile-pattern.ts';

describe('patterns say what the language itself says of them', () => {
  const texts = [
    '',
    'a',
    'b',
    'ab',
    'aab',
    'abab',
    '10Gi',
    '10GB',
    '1.5',
    '-1',
    'a-b',
    'a.b',
    'é',
    '😀',
    'a\nb',
    'A_9 ',
    ' ',
  ];
  it.each([
    '^[0-9]+[KMGT]i$',
    '^[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?\\d+)?$',
    '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
    'a',
    '^$',
    '',
    'a|b|',
    '(?:ab)+?$',
    '(?<name>a)b',
    '^.$',
    '^[^a]$',
    '[\\]\\-x-z]',
    '[-.]',
    '\\bb',
    'a\\B',
    '^\\x61\\u0062$',
    '\\u{1F600}',
    '\\p{Lu}',
    '^\\S*$',
    '\\W',
    '^(a|b){2,4}$',
    '^a{2}',
    '^(a{0,1}){3}b',
    '[\\d\\s]',
    '\\/|\\.',
    '^(?:)*$',
    '[\\b]',
  ])('%s', (pattern) => {
    const expression = new RegExp(pattern, 'u');
    expect(texts.map((text) => compilePattern(pattern)!(text))).toEqual(texts.map((text) => expression.test(text)));
  });

  it('generated', () => {
    const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^b]', '(a|b)', '(?:ab|)', '\\w', '^', '$', '(a*b)');
    const repeat = fc.constantFrom('', '', '*', '+', '?', '{2}', '{0,2}', '{1,}');
    const piece = fc.tuple(atom, repeat).map(([one, more]) => (one === '^' || one === '$' ? one : one + more));
    const patterns = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
    const words = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\n'), maxLength: 8 });
    fc.assert(
      fc.property(patterns, words, (pattern, word) => {
        expect(compilePattern(pattern)!(word)).toBe(new RegExp(pattern, 'u').test(word));
      }),
      { numRuns: 2000 },
    );
  });
});

it.each([
  '(?=a)',
  '(?!a)',
  '(?<=a)',
  '(a)\\1',
  '(?i)a',
  '[[:alpha:]]',
  '(',
  ')',
  '[',
  '[b-a]',
  '*',
  'a**',
  '\\',
  '\\q',
  '^*',
  'a{3,2}',
])('%s cannot be read', (pattern) => {
  expect(compilePattern(pattern)).toBeUndefined();
});

it('what would take the language itself years, or more memory than there is', () => {
  const hostile = `${'a'.repeat(5000)}!`;
  expect(compilePattern('^(a+)+$')!(hostile)).toBe(false);
  expect(compilePattern('^(a|a)*$')!(hostile)).toBe(false);
  expect(compilePattern('(a*)*(a*)*(a*)*b')!(hostile)).toBe(false);
  expect(compilePattern('((a{1000}){1000}){1000}')).toBeUndefined();
  expect(compilePattern('(((){1000}){1000}){1000}')).toBeUndefined();
  expect(compilePattern('('.repeat(5000))).toBeUndefined();
});
