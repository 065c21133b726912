import { describe, expect, it } from 'vitest';
import { compile, JqError, parseJson, stringify } from '../src/index.ts';

function errorOf(run: () => unknown): JqError {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof JqError) return thrown;
    throw thrown;
  }
  throw new Error('nothing was thrown');
}

describe('compile', () => {
  it('reports where a program is wrong', () => {
    const error = errorOf(() => compile('.a |\n  foo(1)'));
    expect(error).toMatchObject({ kind: 'compile', message: 'foo/1 is not defined at line 2, column 3' });
    expect(error.position).toEqual({ offset: 7, line: 2, column: 3 });
    expect(errorOf(() => compile('.a | )')).message).toBe('expected an expression, got `)` at line 1, column 6');
    expect(errorOf(() => compile('$x')).message).toBe('$x is not defined at line 1, column 1');
  });

  it('has the position separate from the reason', () => {
    expect(errorOf(() => compile('.a | )'))).toMatchObject({
      reason: 'expected an expression, got `)`',
      position: { offset: 5, line: 1, column: 6 },
      hint: undefined,
    });
    expect(errorOf(() => compile('error("x")').all(null))).toMatchObject({ message: 'x', reason: 'x' });
  });

  it.each([
    ['.kind | startwith("D")', 'did you mean startswith/1?'],
    ['.a | sleect(.b)', 'did you mean select/1?'],
    ['.a | TEST("x")', 'did you mean test/1?'],
    ['.a | startswith', 'did you mean startswith/1?'],
    ['.a | limit(1)', 'did you mean limit/2?'],
    ['.a | downcase', 'did you mean ascii_downcase/0?'],
    ['def widen: .; .a | wide', 'did you mean widen/0?'],
    ['def f(g; $width): g | widht; f(.; 1)', 'did you mean width/0?'],
    ['.a | renam("b")', 'did you mean rename/1?'],
    ['.a | lower', 'did you mean ascii_downcase?'],
    ['.a | hasPrefix("b")', 'did you mean startswith/1?'],
    ['.a | hasSuffix("b")', 'did you mean endswith/1?'],
    ['.data.x | b64dec', 'did you mean @base64d?'],
    ['.metadata.labels.app-name', 'quote a key with characters other than letters, digits and _: .["a-b"]'],
    ['.labels.example.com/tier', 'quote a key with characters other than letters, digits and _: .["a-b"]'],
    ['.a | constructor', undefined],
    ['.a | nonsense', undefined],
    [`.a | ${'x'.repeat(10_000)}`, undefined],
    ['1 as $name | $nmae', 'did you mean $name?'],
    ['$env.HOME', 'did you mean $ENV?'],
    ['$missing', undefined],
    ['label $out | break $ou', 'did you mean $out?'],
    ['@base46', 'did you mean @base64?'],
    [".kind == 'Pod'", 'write strings in double quotes'],
    ['.a && .b', 'write `and` to combine conditions'],
    ['.a || .b', 'write `or` to combine conditions'],
    ['.a | | .b', undefined],
    ['.a === 1', 'write `==` to compare'],
    ['!.a', 'write `| not` after a condition to negate it'],
    ['test("\\d")', 'write \\\\ for a backslash'],
  ])('%s: %s', (program, hint) => {
    const functions = { rename: { arity: { min: 1, max: 2 }, call: () => null } };
    expect(errorOf(() => compile(program, { functions })).hint).toBe(hint);
  });

  it('binds variables by name', () => {
    const program = compile('.a == $x + $y', { variables: ['$x', 'y'] });
    expect(program.first({ a: 3 }, { variables: { x: 1, $y: 2 } })).toBe(true);
    expect(errorOf(() => program.first(null)).message).toBe('the variable $x has no value');
    expect(errorOf(() => compile('.', { variables: [''] })).kind).toBe('compile');
  });

  it('calls custom functions', () => {
    const functions = {
      shout: { arity: 0, call: (input: unknown) => `${String(input)}!` },
      sum: { arity: { min: 1, max: 3 }, call: (_input: unknown, args: readonly unknown[]) => args.length },
      fails: {
        arity: 0,
        call: (): never => {
          throw new Error('no');
        },
      },
    };
    expect(compile('shout, sum(1), sum(1; 2)', { functions }).all('a')).toEqual(['a!', 1, 2]);
    expect(compile('[sum(1, 2; 3)]', { functions }).first(null)).toEqual([2, 2]);
    expect(compile('try fails catch .', { functions }).first(null)).toBe('no');
    expect(errorOf(() => compile('shout(1)', { functions })).message).toContain('shout/1 is not defined');
  });

  it('runs one program inside another', () => {
    const inner = compile('. + 1');
    const functions = { inner: { arity: 0, call: (input: never) => inner.first(input) ?? null } };
    expect(compile('[range(3) | inner]', { functions }).first(null)).toEqual([1, 2, 3]);
  });

  it('lets a program catch anything that a function throws', () => {
    const throwing = (thrown: unknown) => ({
      f: {
        arity: 0,
        call: () => {
          throw thrown;
        },
      },
    });
    const caught = (thrown: unknown): unknown => compile('try f catch .', { functions: throwing(thrown) }).first(null);
    expect(caught(new Error('broken'))).toBe('broken');
    expect(caught('a string')).toBe('a string');
    expect(caught(errorOf(() => compile('error({a: 1})').all(null)))).toEqual({ a: 1 });
    expect(caught(errorOf(() => compile('.a |')))).toBe(
      'expected an expression, got the end of the program at line 1, column 5',
    );
    expect(errorOf(() => caught(new RangeError('Invalid string length')))).toMatchObject({
      kind: 'limit',
      limit: 'host',
      message: 'the program needs a string or array that is too long',
    });
    const endless = errorOf(() => compile('def f: f; f').all(null, { limits: { maxSteps: 10 } }));
    expect(errorOf(() => caught(endless))).toMatchObject({ kind: 'limit', limit: 'maxSteps' });
  });

  it('reads undefined from a function as null', () => {
    const functions = { f: { arity: 0, call: () => undefined as never } };
    expect(compile('[f]', { functions }).first(1)).toEqual([null]);
  });
});

describe('a run', () => {
  it('returns outputs before the error', () => {
    const outputs: unknown[] = [];
    const error = errorOf(() => {
      for (const output of compile('1, 2, error({a: 1})').run(null)) outputs.push(output);
    });
    expect(outputs).toEqual([1, 2]);
    expect(error).toMatchObject({ kind: 'runtime', value: { a: 1 } });
  });

  it('stops as soon as it has enough', () => {
    expect(compile('1, error("x")').first(null)).toBe(1);
    expect(compile('repeat(1)').take(3, null)).toEqual([1, 1, 1]);
    expect(compile('empty').first(null)).toBeUndefined();
    expect(compile('1').take(0, null)).toEqual([]);
  });

  it('has access only to what the caller passes in', () => {
    const seen: unknown[] = [];
    const options = {
      env: { HOME: '/x' },
      inputs: [1, 2, 3],
      clock: () => 1_425_599_621,
      utcOffset: () => 3600,
      onDebug: (value: unknown) => seen.push(['debug', value]),
      onStderr: (value: unknown) => seen.push(['stderr', value]),
    };
    const program =
      '[$ENV.HOME, env.HOME, input, [inputs], now, (now | localtime | .[3]), (0 | strflocaltime("%H %z"))], debug, stderr';
    expect(compile(program).all(7, options)[0]).toEqual(['/x', '/x', 1, [2, 3], 1_425_599_621, 0, '01 +0100']);
    expect(seen).toEqual([
      ['debug', 7],
      ['stderr', 7],
    ]);
    expect(compile('debug("m\\(.)")').all(1, options)).toEqual([1]);
    expect(seen.at(-1)).toEqual(['debug', 'm1']);
  });

  it('can halt', () => {
    expect(compile('1, halt, 2').all(null)).toEqual([1]);
    expect(errorOf(() => compile('halt_error(3)').all('bye'))).toMatchObject({ message: 'bye', exitCode: 3 });
    expect(errorOf(() => compile('halt_error(3)').all(null))).toMatchObject({ value: null, exitCode: 3 });
    expect(errorOf(() => compile('halt_error("x")').all(null)).message).toBe(
      'string ("x") halt_error/1: number required',
    );
  });

  it('shortens long messages', () => {
    const { message } = errorOf(() => compile('error("x" * 3000)').all(null));
    expect(message).toBe(`${'x'.repeat(2000)}…`);
  });

  it('shows local time west of Greenwich', () => {
    const west = { clock: () => 0, utcOffset: () => -5400 };
    expect(compile('0 | strflocaltime("%H:%M %z %Z %s")').first(null, west)).toBe('22:30 -0130 -0130 0');
  });
});

describe('numbers', () => {
  it('keep large integers exactly', () => {
    const input = parseJson('{"id": 12345678901234567890, "small": 1}');
    expect(input).toEqual({ id: 12345678901234567890n, small: 1 });
    expect(stringify(compile('.').first(input)!)).toBe('{"id":12345678901234567890,"small":1}');
    expect(compile('.id == 12345678901234567890, .id < 12345678901234567891').all(input)).toEqual([true, true]);
    expect(compile('.id + 1').first(input)).toBe(12345678901234567000);
  });

  it('are read as jq reads them', () => {
    expect(parseJson('[1, -0.5e2, nan, Infinity, -Infinity]')).toEqual([1, -50, NaN, Infinity, -Infinity]);
    expect(stringify([NaN, Infinity, 1e17, 1e-7, -0])).toBe('[null,1.7976931348623157e+308,1e+17,1e-07,-0]');
    expect(errorOf(() => parseJson('[1,]')).kind).toBe('runtime');
  });
});

it('an optional slice gives nothing for what has none', () => {
  const program = compile('[.[(0, 1):2]?]');
  expect(program.first([1, 2, 3])).toEqual([[1, 2], [2]]);
  expect(program.first({})).toEqual([]);
  expect(compile('[.[(0, 1):2]]').first('abc')).toEqual(['ab', 'b']);
});
