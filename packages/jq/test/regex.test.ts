import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile, JqError, type JqValue } from '../src/index.ts';
import { compileRegex } from '../src/regex/compile-regex.ts';
import { parseRegex } from '../src/regex/parse-regex.ts';
import { createSearch } from '../src/regex/run-regex.ts';

/** The steps of a program, rounded up to a power of ten. */
function stepsOf(source: string, input: JqValue): number {
  const program = compile(source);
  for (let maxSteps = 10; maxSteps < 1e8; maxSteps *= 10) {
    try {
      program.first(input, { limits: { maxSteps } });
      return maxSteps;
    } catch (thrown) {
      if (!(thrown instanceof JqError) || thrown.kind !== 'limit') throw thrown;
    }
  }
  return Infinity;
}

/** Patterns that make a plain backtracking matcher take quadratic, cubic or exponential time. */
const dangerous = [
  '.*.*.*.*=',
  '(a+)+!',
  '^(a+)+!$',
  '(a*)*!',
  '(?:(?:a)*)*!',
  '(a|a)*!',
  '(a|aa)+!',
  '(?:a|b|ab)*!',
  '(x+x+)+y|(a+a+)+!',
  '(a?a?)*!',
  '((a+)+a)*!',
  '(.*,)*x',
  String.raw`(\w+\s?)+:`,
  '^([a-zA-Z0-9]+[-_.]?)+!$',
  '(a*)*(a*)*(a*)*!',
  '(?i:A+)+!',
  '(a{1,5})+!',
  '(?:a+?)+?!',
  `(?:${'a?'.repeat(20)})*!`,
];

describe('patterns that are slow in other engines', () => {
  it.each(dangerous)('%s takes linear time', { tags: 'slow' }, (pattern) => {
    const program = `test(${JSON.stringify(pattern)})`;
    expect(compile(program).first('a'.repeat(3000))).toBe(false);
    expect(stepsOf(program, 'a'.repeat(3000))).toBeLessThanOrEqual(1_000_000);
  });

  it.each(dangerous.slice(0, 3))('%s takes linear time for long texts too', { tags: 'slow' }, (pattern) => {
    expect(stepsOf(`test(${JSON.stringify(pattern)})`, 'a'.repeat(30_000))).toBeLessThanOrEqual(10_000_000);
  });

  it.each([
    [String.raw`(a+)+\1!`, 'references'],
    ['(?=(a+)+!)a', 'looks'],
    ['(?<=(?:a|a)*!)a', 'lookbehinds'],
    ['(?>(a|a)*!)a', 'atomic groups'],
    ['(a)?(?(1)(a+)+!|b)', 'conditions'],
  ])('%s is stopped: only the steps limit %s', { tags: 'slow' }, (pattern) => {
    const run = (): unknown =>
      compile(`test(${JSON.stringify(pattern)})`).first('a'.repeat(3000), { limits: { maxSteps: 1_000_000 } });
    expect(run).toThrow('the program took more than 1000000 steps');
  });

  it.each(['a{99999}', '((a{100}){100}){100}', '(?:(?:a?){1000}){1000}'])('%s is rejected', (pattern) => {
    expect(() => compile(`test(${JSON.stringify(pattern)})`).first('a')).toThrow('too large once its repetitions');
  });

  it('finding every match is as fast as finding one', { tags: 'slow' }, () => {
    expect(stepsOf('[match("a*?b|a"; "g")] | length', 'a'.repeat(3000))).toBeLessThanOrEqual(1_000_000);
    expect(stepsOf('gsub("(a|a)*?!|a"; "b") | length', 'a'.repeat(3000))).toBeLessThanOrEqual(1_000_000);
    expect(stepsOf('[splits("")] | length', 'a'.repeat(3000))).toBeLessThanOrEqual(100_000);
  });

  it('a plain test takes few steps', () => {
    expect(stepsOf('test("^web-")', 'web-frontend-1')).toBeLessThanOrEqual(1000);
    expect(stepsOf('test("front")', 'web-frontend-1')).toBeLessThanOrEqual(1000);
  });
});

const plain = { ignoreCase: false, extended: false, dotMatchesNewline: false, multiLine: false };

describe('matches', () => {
  const atom = fc.constantFrom('a', 'b', 'c', '.', '[ab]', '[^a]', String.raw`\d`, 'é', '[b-c]');
  const quantifier = fc.constantFrom('', '', '*', '+', '?', '*?', '+?', '{2}', '{1,2}');
  const pattern = fc.letrec<{ pattern: string }>((tie) => ({
    pattern: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.tuple(atom, quantifier).map((parts) => parts.join('')),
      fc.tuple(tie('pattern'), tie('pattern')).map((parts) => parts.join('')),
      fc.tuple(tie('pattern'), tie('pattern')).map((parts) => `(?:${parts.join('|')})`),
      // here, a body that consumes nothing ends a repetition at once, whereas JavaScript tries it again
      tie('pattern').map((body) => `(?:${body}a)+`),
      tie('pattern').map((body) => `(?=${body})`),
      tie('pattern').map((body) => `(?!${body})`),
    ),
  })).pattern;
  const text = fc.array(fc.constantFrom('a', 'b', 'c', '1', 'é', ' '), { maxLength: 12 });

  it('equal those of JavaScript if both have the same syntax', () => {
    const program = compile('. as [$text, $pattern] | [$text | match($pattern; "g") | .string]');
    fc.assert(
      fc.property(text, pattern, (characters, source) => {
        const whole = characters.join('');
        const expected = [...whole.matchAll(new RegExp(source, 'gu'))].map(([found]) => found);
        expect(program.first([whole, source])).toEqual(expected);
      }),
      { numRuns: 3000 },
    );
  });

  it('are the same with or without remembering failed choices', () => {
    const options = { longest: false, notEmpty: false };
    fc.assert(
      fc.property(text, pattern, (characters, source) => {
        const program = compileRegex(parseRegex(source, plain));
        const forgets = createSearch(program, characters.join(''), options, Infinity);
        const remembers = createSearch(program, characters.join(''), options, 0);
        for (let from = 0; from <= characters.join('').length;) {
          const found = forgets(from);
          expect(remembers(from)).toEqual(found);
          if (found === undefined) break;
          const [start, end] = found as readonly [number, number];
          from = start === end ? end + 1 : end;
        }
      }),
      { numRuns: 3000 },
    );
  });
});

it('names an invalid group', () => {
  expect(() => compile('test("(?<ab")').first('x')).toThrow('invalid group name <ab>');
  expect(() => compile('test("(?<1>x)")').first('x')).toThrow('invalid group name <1>');
});
