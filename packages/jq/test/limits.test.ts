import { describe, expect, it } from 'vitest';
import { compile, JqError, type JqValue, parseJson } from '../src/index.ts';

function kindOf(run: () => unknown): string {
  try {
    run();
  } catch (thrown) {
    return thrown instanceof JqError ? thrown.kind : `not a JqError: ${String(thrown)}`;
  }
  return 'none';
}

const small = { maxSteps: 100_000, maxArrayLength: 10_000, maxStringLength: 100_000 };

describe('endless programs', () => {
  it.each([
    'def f: f; f',
    'def f: 1 + f; f',
    'def f: f, f; f',
    'def f: [f]; f',
    'def f(g): f(g | g); f(.)',
    'repeat(.)',
    '[repeat(1)]',
    '[range(1e18)]',
    'last(range(1e18))',
    'until(false; .)',
    '[while(true; .)]',
    'last(recurse(. + 1))',
    '[recurse([.])]',
    'reduce range(1e18) as $i (0; . + 1)',
    'reduce range(100) as $i ("x"; . + .)',
    'reduce range(100) as $i ([1]; . + .)',
    '[range(9000)] | [., .] | add',
    'reduce range(60) as $i ([]; [., .]) | tojson',
    'reduce range(60) as $i ([]; [., .]) | flatten',
    'reduce range(60) as $i ([]; [., .]) | [..] | length',
    '"abc" * 1e6',
    '[limit(1e9; repeat(1))]',
    '[[0, 1] | combinations(40)]',
    '.[1e6] = 1',
    'label $out | repeat(1) | empty',
    'try repeat(1) catch . | empty',
    'first(repeat(empty))',
  ])('%s stops with a limit', (program) => {
    expect(kindOf(() => compile(program).all(null, { limits: small }))).toBe('limit');
  });

  it.each([
    '[1] | until(false; [.])',
    '{} | until(false; {a: .})',
    'reduce range(1e9) as $i (null; [., $i])',
    '[range(1e6)] | [limit(1e5; repeat(sort))]',
    '[range(1e5)] as $a | [limit(1e5; repeat($a + $a))]',
    '[range(1e9) | "a" * 1e6]',
    '[range(1e9) | tostring | [.]]',
    '[range(1e5)] as $a | reduce range(1e9) as $i ([]; [., $a[1:]])',
    '[range(1e9) | {a: 1} | .b = 2]',
  ])('%s stops before it has filled the memory', (program) => {
    expect(kindOf(() => compile(program).all(null, { limits: { maxValues: 100_000 } }))).toBe('limit');
  });

  it.each(['[range(1e5) | 0] as $a | $a | indices($a[:50000])', '("a" * 1e6) as $a | $a | indices($a[:500000])'])(
    '%s stops although it makes nothing',
    (program) => {
      expect(kindOf(() => compile(program).all(null, { limits: { maxSteps: 500_000 } }))).toBe('limit');
    },
  );

  it('a huge repetition is an error of the program', () => {
    expect(kindOf(() => compile('"a" * 1e12').all(null))).toBe('runtime');
  });

  it('outputs, depth and aborting are limits too', () => {
    expect(kindOf(() => compile('range(11)').all(null, { limits: { maxOutputs: 10 } }))).toBe('limit');
    expect(kindOf(() => compile('def f: 1 + f; f').all(null, { limits: { maxDepth: 50 } }))).toBe('limit');
    expect(kindOf(() => compile('repeat(1) | empty').all(null, { signal: { aborted: true } }))).toBe('limit');
  });

  it('patterns and what they are matched with have a length', () => {
    const limits = { maxPatternLength: 3, maxSubjectLength: 5 };
    expect(compile('test("abc")').all('abcde', { limits })).toEqual([true]);
    expect(kindOf(() => compile('test("abcd")').all('abcde', { limits }))).toBe('limit');
    expect(kindOf(() => compile('sub("b"; "c")').all('abcdef', { limits }))).toBe('limit');
  });

  it('no program catches a limit', () => {
    const program = 'try last(range(1e9)) catch "caught", (last(range(1e9)))? // "caught"';
    expect(kindOf(() => compile(program).all(null, { limits: small }))).toBe('limit');
  });

  it('caught errors do not use up depth', () => {
    const program =
      'def f: if . == 0 then error("x") else 1 + (. - 1 | f) end; [range(1000) | try (20 | f) catch .] | length';
    expect(compile(program).all(null, { limits: { maxDepth: 30 } })).toEqual([1000]);
  });
});

describe('large work that is allowed', () => {
  it.each([
    ['[limit(100000; repeat(1))] | length', 100_000],
    ['last(range(100000))', 99_999],
    ['reduce range(1000000) as $i (0; . + $i)', 499_999_500_000],
    ['def f: if . >= 100000 then . else . + 1 | f end; 0 | f', 100_000],
    ['[def f: if . >= 100000 then . else ., (. + 1 | f) end; 0 | f] | length', 100_001],
    ['0 | until(. > 1000000; . + 1)', 1_000_001],
    ['[0 | while(. < 100000; . + 1)] | length', 100_000],
    ['[0 | recurse(if . < 100000 then . + 1 else empty end)] | length', 100_001],
    ['reduce range(20000) as $i ({}; .["k\\($i)"] = $i) | length', 20_000],
    ['reduce range(20000) as $i ([]; . + [$i]) | length', 20_000],
    ['[range(20000)] | .[] |= . + 1 | add', 200_010_000],
  ])('%s', (program, expected) => {
    expect(compile(program).all(null)).toEqual([expected]);
  });
});

describe('deep data and programs', () => {
  const deep = parseJson('['.repeat(10_000) + ']'.repeat(10_000));

  it.each([
    '[..] | length',
    'tojson | length',
    'flatten',
    '. == .',
    'sort',
    'contains([])',
    'getpath([0, 0, 0]) | length',
  ])('%s runs over 10,000 levels', (program) => {
    expect(kindOf(() => compile(program).all(deep))).toBe('none');
  });

  it('walk over 10,000 levels ends well or with a limit', () => {
    expect(['none', 'limit']).toContain(kindOf(() => compile('walk(.)').all(deep)));
  });

  it.each([
    '['.repeat(10_000),
    `${'('.repeat(10_000)}1`,
    `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
    `1${'+1'.repeat(50_000)}`,
    `.${'|.'.repeat(50_000)}`,
    `1${',1'.repeat(50_000)}`,
    `${'-'.repeat(20_000)}1`,
    `.a${'.a'.repeat(50_000)}`,
    `.${'[]?'.repeat(50_000)}`,
    `${'def f: 1; '.repeat(5_000)}f`,
    `${'1 as $x | '.repeat(5_000)}$x`,
    '"\\('.repeat(5_000),
    'if 1 then '.repeat(5_000),
    '{a:'.repeat(5_000),
    `${'try '.repeat(5_000)}1`,
    `. as ${'['.repeat(5_000)}`,
  ])('a program of many levels is a JqError or works: %#', (program) => {
    expect(['none', 'limit', 'syntax', 'runtime']).toContain(kindOf(() => compile(program).take(1, null)));
  });

  it('functions that would expand without end are called instead', () => {
    const doubling = Array.from({ length: 14 }, (_item, index) => `def f${index + 1}: f${index} | f${index};`).join(
      ' ',
    );
    expect(compile(`def f0: . + 1; ${doubling} f14`).all(0)).toEqual([2 ** 14]);
  });
});

describe('inputs', () => {
  it('are never changed', () => {
    const input: JqValue = Object.freeze({ a: Object.freeze([Object.freeze({ b: 1 })]) });
    const program = '.a[0].b |= 2 | .a += [3] | del(.a[0]) | .c.d = 1 | reduce range(3) as $i (.; .x[$i] = $i)';
    expect(compile(program).all(input)).toEqual([{ a: [3], c: { d: 1 }, x: [0, 1, 2] }]);
    expect(input).toEqual({ a: [{ b: 1 }] });
  });

  it('and outputs of one run are not those of another', () => {
    const program = compile('[], {a: []}, $__loc__');
    (program.first(null) as JqValue[]).push(1);
    expect(program.first(null)).toEqual([]);
  });

  it('keep their prototypes out of reach', () => {
    compile('.["__proto__"].polluted = true | .constructor.prototype.polluted = true').all({});
    expect('polluted' in {}).toBe(false);
    expect(compile('.["__proto__"] = {x: 1} | .x').all({})).toEqual([null]);
  });
});
