import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileGoPattern, compilePattern, explainPattern } from './compile-pattern.ts';

describe('patterns match like JavaScript expressions', () => {
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
  // A number that is too large is not literal text either.
  'a{2,9007199254740993}',
])('%s is rejected', (pattern) => {
  expect(compilePattern(pattern)).toBeUndefined();
});

it('patterns that would take JavaScript years, or more memory than there is', () => {
  const hostile = `${'a'.repeat(5000)}!`;
  expect(compilePattern('^(a+)+$')!(hostile)).toBe(false);
  expect(compilePattern('^(a|a)*$')!(hostile)).toBe(false);
  expect(compilePattern('(a*)*(a*)*(a*)*b')!(hostile)).toBe(false);
  expect(compilePattern('((a{1000}){1000}){1000}')).toBeUndefined();
  expect(compilePattern('(((){1000}){1000}){1000}')).toBeUndefined();
  expect(compilePattern('('.repeat(5000))).toBeUndefined();
});

it('patterns have a maximum size', () => {
  expect(compilePattern('a'.repeat(10_001))).toBeDefined();
  expect(explainPattern('a'.repeat(10_002))).toBe('too large');
  // Parts that match nothing count as well.
  expect(compilePattern('()'.repeat(99_999))).toBeDefined();
  expect(explainPattern('()'.repeat(100_000))).toBe('too large');
});

describe('Go patterns', () => {
  it.each([
    ['^(?i)abc$', 'ABC', 'xabc'],
    ['(?i)abc', 'xABCx', 'ab'],
    ['(?i)^[^a-c]+$', 'XYZ', 'A'],
    ['(?s)^a.b$', 'a\nb', 'ab'],
    ['^a.b$', 'a\rb', 'a\nb'],
    ['(?m)^b$', 'a\nb\nc', 'ab'],
    [String.raw`\Aabc\z`, 'abc', 'abc\n'],
    ['^[[:alpha:]]+$', 'abc', 'ab1'],
    ['^[^[:space:]-]+$', 'abc', 'a-b'],
    ['^[]a]+$', 'a]', 'b'],
    ['^(?P<name>a)$', 'a', 'b'],
    [String.raw`^[a-z0-9\-\.\_]+$`, 'a-b.c_d', 'a/b'],
    [String.raw`^\d{4}\-\d{2}$`, '2024-01', '2024-1'],
    [String.raw`^\p{L}+$`, 'é', '1'],
    [String.raw`^\PC*$`, 'web', 'a\u0000'],
    [String.raw`^\s$`, ' ', '\u00a0'],
    [String.raw`^\x{1F600}\x41\a$`, '😀A\u0007', '😀A'],
    ['^.$', '😀', ''],
  ])('%s', (pattern, good, bad) => {
    const expression = compileGoPattern(pattern)!;
    expect([expression.test(good), expression.test(bad), expression.test(good)]).toEqual([true, false, true]);
  });

  it.each(['(?U)a+', '(?i:a)b', 'a(?i)b', '[[:none:]]', String.raw`\Qa\E`, '(?=a)'])('%s is rejected', (pattern) => {
    expect(compileGoPattern(pattern)).toBeUndefined();
  });

  it('find the same as JavaScript', () => {
    const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^b]', '(a|ab)', '(?:ab|a|)', '(b|)', '^', '$', '(a*b)');
    const repeat = fc.constantFrom('', '', '*', '+', '?', '*?', '+?', '??', '{2}', '{0,2}', '{0,2}?', '{1,}');
    const piece = fc.tuple(atom, repeat).map(([one, more]) => (one === '^' || one === '$' ? one : one + more));
    const patterns = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(''));
    const words = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '😀'), maxLength: 8 });
    fc.assert(
      fc.property(patterns, words, (pattern, word) => {
        // The two differ on repeated empty matches: Go prefers the empty one, JavaScript skips it.
        fc.pre(!/(?:\|\)|\*\)|\?\))[*+?{]|\*b\)[*+?{]/.test(pattern));
        const expected = Array.from(word.matchAll(new RegExp(pattern, 'gu')), ({ 0: text, index }) => ({
          text,
          index,
        }));
        // Go does not accept an empty match right after another one.
        const taken = expected.filter(({ text, index }, at) => {
          const before = expected[at - 1];
          return (
            text !== '' || before === undefined || before.index + before.text.length !== index || before.text === ''
          );
        });
        expect(compileGoPattern(pattern)!.findAll(word, Infinity)).toEqual(taken.map(({ text }) => text));
      }),
      { numRuns: 3000 },
    );
  });

  it('take linear time for any pattern', () => {
    const hostile = `${'a'.repeat(20_000)}!`;
    for (const pattern of ['^(a+)+$', '(a*)*b', '(a|aa)+$', '(.*.*.*.*.*)=', '^(([a-z])+.)+[A-Z]([a-z])+$']) {
      expect(compileGoPattern(pattern)!.test(hostile)).toBe(false);
      expect(compileGoPattern(pattern)!.findAll(hostile.slice(-2000), Infinity)).toEqual([]);
    }
  });
});
