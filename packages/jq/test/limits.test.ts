import { describe, expect, it } from 'vitest';
import { compile, JqError, type JqValue, parseJson } from '../src/index.ts';

function errorOf(run: () => unknown): JqError | undefined {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof JqError) return thrown;
    throw thrown;
  }
  return undefined;
}

function kindOf(run: () => unknown): string {
  return errorOf(run)?.kind ?? 'none';
}

const small = { maxSteps: 100_000, maxArrayLength: 10_000, maxStringLength: 100_000 };

const dag = 'reduce range(60) as $i (1; [., .])';
const longString = '("a" * 1e6) as $a';
const manyKeys = 'reduce range(1e4) as $i ({}; .["k\\($i)"] = $i) as $o';

/** Work that is not an element, call or loop turn. */
const attacksOnTime: readonly string[] = [
  '[range(1e5) | 0] as $a | $a | indices($a[:50000])',
  'def f(g; $n): if $n == 0 then g else f(g | g; $n - 1) end; f(.; 60)',
  ...[
    '. == .',
    '[., .] | sort',
    '[., .] | group_by(.)',
    'last(..)',
    'last(paths)',
    'last(tostream)',
    '. as $d | contains($d)',
  ].map((attack) => `${dag} | ${attack}`),
  'reduce range(60) as $i (1; {a: ., b: .}) | . * .',
  '[range(1e5) | (. * 7919) % 100003] | sort',
  '[range(2000) | ("a" * 1000) + tostring] | sort',
  ...[
    '$a == ("a" * 1e6)',
    '$a | length',
    '$a | utf8bytelength',
    '$a | ascii_upcase',
    '$a | ltrimstr("a")',
    '$a[1:2]',
    '$a | contains("b")',
    '$a | test("b")',
    'try ($a | tonumber) catch 1',
    'try ($a | fromjson) catch 1',
    '$a | @base64',
    '$a | @uri',
  ].map((attack) => `${longString} | last(range(1e5) | ${attack})`),
  '("\u00e9" * 1e5) as $a | last(range(1e5) | $a | ascii_upcase)',
  '("a" * 2e5) as $a | last(range(1e5) | $a | contains("b" + $a[1:]))',
  '("%c" * 1e4) as $f | last(range(1e5) | 0 | strftime($f))',
  ...[
    '$o | length',
    '$o | keys',
    '$o | to_entries',
    'try ($o | tonumber) catch .',
    '$o | .a = 1',
    '[$o, $o] | sort',
  ].map((attack) => `${manyKeys} | last(range(1e5) | ${attack})`),
  '[range(1e5)] as $a | [range(1000) | [{start: 0, end: null}]] as $p | $a | delpaths($p)',
  '[range(1000) | "a"] as $p | (reduce range(1000) as $i (1; {a: .})) as $v | last(range(1e5) | $v | getpath($p))',
  '("a" * 1e4) | [match("(?=(a+)+b)|a"; "g")] | length',
  'last(range(1e9) | tostring | test("a\\(.)b"))',
  'last(range(5e4) | try error("x") catch .)',
  'last(range(5e4) | first(range(10)))',
  'last(range(5e4) | label $out | (1, break $out))',
];

/** Values that are not arrays or objects of the program. */
const attacksOnMemory: readonly string[] = [
  'def f(g): f(g | g); f(.)',
  'def f(g): f(g, g); f(.)',
  'def f(g): 1 as $a | 2 as $b | 3 as $c | f(g | $a); f(.)',
  'def f: [., .] | f; f',
  'def f: [range(1e5), f]; f',
  '[range(1e4) | null | .[100000] = 1]',
  '[range(1e4) | null | setpath([100000]; 1)]',
  '[range(1e4)] as $a | [range(100) | $a | .[0:1] = [1]]',
  'reduce range(1e9) as $i ([]; .[$i / 1000000 | floor][$i % 1000000] = 1)',
  'reduce range(1e9) as $i ({}; .["k\\($i)"] = $i)',
  '("a" * 1e6) as $p | [range(1e4) | $p + tostring]',
  '("a" * 1e6) as $p | [range(1e4) | reduce 1 as $i ($p; . + "y")]',
  '("a" * 1e5) as $p | [range(1e4) | $p | explode]',
  '("a" * 1e5) as $p | [range(1e4) | $p | split("")]',
  '("a," * 1e5) | split(",")',
  '("[" + ("[]," * 1e5) + "1]") | fromjson',
  '("9" * 1000) as $n | [range(1e5) | $n | tonumber]',
  '[range(1e6) | $__loc__]',
  '[range(1e6) | []]',
  '[range(1e5)] | group_by(.)',
  '[range(1e5)] | to_entries',
  '[range(400) | [range(400)]] | transpose',
  `${manyKeys} | [range(1e4) | $o + {a: .}]`,
  `${manyKeys} | [range(1e4) | $o | to_entries]`,
  `${manyKeys} | [range(1e4) | $o | map_values(1)]`,
  `${dag} | [paths]`,
  `${dag} | [tostream]`,
  '("a" * 1e5) | [match(""; "g")]',
  '("a" * 1e5) | [match("(a)(a)"; "g")]',
  '("a" * 1e5) as $a | [range(1e4) | $a | gsub("a"; "bb")]',
  '("<" * 1e6) as $a | [range(1e4) | $a | @html]',
];

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
  ])('%s stops before it fills the memory', { tags: 'slow' }, (program) => {
    expect(kindOf(() => compile(program).all(null, { limits: { maxValues: 100_000 } }))).toBe('limit');
  });

  it.each(attacksOnTime)('%s stops although it makes little', { tags: 'slow' }, (program) => {
    expect(kindOf(() => compile(program).all(null, { limits: { maxSteps: 500_000 } }))).toBe('limit');
  });

  it.each(attacksOnMemory)('%s stops although it takes few steps', { tags: 'slow' }, (program) => {
    expect(kindOf(() => compile(program).all(null, { limits: { maxValues: 50_000 } }))).toBe('limit');
  });

  it('a huge repetition is a runtime error', () => {
    expect(kindOf(() => compile('"a" * 1e12').all(null))).toBe('runtime');
  });

  it('outputs, depth and aborting are limits too', () => {
    expect(kindOf(() => compile('range(11)').all(null, { limits: { maxOutputs: 10 } }))).toBe('limit');
    expect(kindOf(() => compile('def f: 1 + f; f').all(null, { limits: { maxDepth: 50 } }))).toBe('limit');
    expect(kindOf(() => compile('repeat(1) | empty').all(null, { signal: { aborted: true } }))).toBe('limit');
  });

  it('patterns and their subjects have a maximum length', () => {
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

describe('a budget', () => {
  it('is shared by programs and inputs', () => {
    const budget = { steps: 1000, values: 1000 };
    const count = compile('reduce range(100) as $i (0; . + 1)');
    const uses = Array.from({ length: 20 }, () => kindOf(() => count.first(null, { budget })));
    expect(uses.filter((kind) => kind === 'none').length).toBeGreaterThanOrEqual(5);
    expect(uses.at(-1)).toBe('limit');
    expect(kindOf(() => compile('[range(100)]').first(null, { budget }))).toBe('limit');
    expect(budget).toEqual({ steps: 0, values: expect.any(Number) });
  });

  it('does not change the limits of each program', () => {
    const budget = { steps: 1e9, values: 1e9 };
    const error = errorOf(() => compile('last(range(1e6))').first(null, { budget, limits: { maxSteps: 10 } }));
    expect(error).toMatchObject({ limit: 'maxSteps', message: 'the program took more than 10 steps' });
    expect(budget.steps).toBe(1e9 - 11);
  });

  it('reports what ran out', () => {
    const steps = errorOf(() => compile('last(range(1e6))').first(null, { budget: { steps: 10, values: 10 } }));
    expect(steps).toMatchObject({ limit: 'maxSteps', message: expect.stringContaining('took too many steps') });
    const values = errorOf(() => compile('[range(1e6) | [.]]').first(null, { budget: { steps: 1e6, values: 10 } }));
    expect(values).toMatchObject({ limit: 'maxValues', message: expect.stringContaining('too many values') });
  });

  it('is charged once for a program that another one runs', () => {
    const budget = { steps: 10_000, values: 10_000 };
    const inner = compile('last(range(100))');
    const functions = { inner: { arity: 0, call: () => inner.first(null, { budget }) ?? null } };
    expect(compile('inner', { functions }).first(null, { budget })).toBe(99);
    expect(budget.steps).toBeGreaterThan(9800);
    expect(budget.steps).toBeLessThan(9950);
    const outer = compile('[range(1000) | inner]', { functions });
    expect(kindOf(() => outer.first(null, { budget }))).toBe('limit');
  });
});

function costOf(program: string, input: JqValue): { steps: number; values: number } {
  const budget = { steps: 1e6, values: 1e6 };
  compile(program).first(input, { budget });
  return { steps: 1e6 - budget.steps, values: 1e6 - budget.values };
}

it('arguments of recursive functions are values', () => {
  const program = (args: string, call: string) => `def f${args}: if . > 9 then . else . + 1 | f${call} end; f${call}`;
  const without = costOf(program('', ''), 0).values;
  expect(costOf(program('(g)', '(1)'), 0).values - without).toBe(32);
  expect(costOf(program('(g; h)', '(1; 2)'), 0).values - without).toBe(64);
});

it('a search costs steps for what it reads', () => {
  expect(costOf('indices("b")', 'a'.repeat(800)).steps - costOf('indices("b")', '').steps).toBe(100);
});

describe('values of a match', () => {
  const spend = (program: string, input: JqValue): number => costOf(program, input).values;

  // Its own four fields and those of each capture count like the keys of one object: by two, and above 64 each.
  it.each([
    [0, 7],
    [1, 10],
    [15, 52],
    [16, 89],
  ])('with %i groups', (groups, values) => {
    expect(spend(`match("${'()'.repeat(groups)}")`, '')).toBe(values);
  });

  it('are counted for a replacement, too', () => {
    expect(spend('sub("(?<a>x)(?<b>y)"; "")', 'xy') - spend('sub("xy"; "")', 'xy')).toBe(4);
  });
});

describe('large work that is allowed', { tags: 'slow' }, () => {
  it.each([
    ['("a" * 1e6) as $a | $a | indices($a[:500000]) | length', 500_001],
    ['[range(20000) | tostring] | add | length', 88_890],
    ['[range(20000) | tostring] | join(",") | length', 108_889],
    ['reduce range(20000) as $i (""; . + "abc" + "d") | length', 80_000],
    ['("a" * 1e6) | gsub("b"; "c") | length', 1_000_000],
    ['[range(100000)] | map(tostring) | sort | length', 100_000],
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

  // tracking paths must not need many more stack frames per level than computing values
  it.each(['[r] | length', '[path(r)] | length', '(r | numbers) |= . + 1 | length'])(
    'a recursive function visits 900 levels: %s',
    (body) => {
      const nested = parseJson(`${'['.repeat(900)}1${']'.repeat(900)}`);
      expect(kindOf(() => compile(`def r: ., (.[]? | r); ${body}`).all(nested))).toBe('none');
    },
  );

  it('walk over 10,000 levels succeeds or ends with a limit', () => {
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
  ])('a program of many levels is a JqError or works: %#', { tags: 'slow' }, (program) => {
    expect(['none', 'limit', 'syntax', 'runtime']).toContain(kindOf(() => compile(program).take(1, null)));
  });

  it('functions that would expand endlessly are called instead', { tags: 'slow' }, () => {
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

  it('are not shared with outputs of other runs', () => {
    const program = compile('[], {a: []}, $__loc__');
    (program.first(null) as JqValue[]).push(1);
    expect(program.first(null)).toEqual([]);
  });

  it('keep their prototypes out of reach', () => {
    compile('.["__proto__"].polluted = true | .constructor.prototype.polluted = true').all({});
    expect('polluted' in {}).toBe(false);
    expect(compile('.["__proto__"] = {x: 1} | .x').all({})).toEqual([null]);
  });

  it('have no fields that they only inherit', () => {
    expect(compile('.__proto__, .toString, (("__proto__", "toString") as $key | .[$key])').all({})).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});
