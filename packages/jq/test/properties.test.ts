import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile, JqError, type JqValue, parseJson, stringify } from '../src/index.ts';
import { compareValues } from '../src/values/compare.ts';

const key = fc.oneof(
  fc.constantFrom('a', 'b', '__proto__', 'constructor', '0'),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
);
const json: fc.Arbitrary<JqValue> = fc.letrec<{ value: JqValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    // doubles that are integers beyond 2^53 are left out: once written, they are read as exact integers
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .filter((number) => !Number.isInteger(number) || Number.isSafeInteger(number))
      .map((number) => (number === 0 ? 0 : number)),
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 80n }),
    fc.string({ unit: 'grapheme', maxLength: 6 }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  ),
})).value;

const term = fc.constantFrom(
  '.',
  '..',
  '.a',
  '.b',
  '.[0]',
  '.[]',
  '.[1:]',
  '1',
  '"x"',
  'null',
  '[]',
  '{}',
  'empty',
  'error',
  'length',
  'keys',
  'tojson',
  'type',
  'add',
  'sort',
  'reverse',
  'to_entries',
  'paths',
  'tostream',
  'not',
  'flatten',
  'unique',
  'first',
  'last',
  'min',
  'ascii_downcase',
  'explode',
);
const program: fc.Arbitrary<string> = fc.letrec<{ program: string }>((tie) => {
  const p = tie('program');
  return {
    program: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      term,
      fc
        .tuple(p, fc.constantFrom('|', ',', '+', '-', '*', '/', '%', '==', '<', 'and', 'or', '//'), p)
        .map(([l, o, r]) => `(${l} ${o} ${r})`),
      fc.tuple(p, fc.constantFrom('=', '|=', '+=', '//='), p).map(([l, o, r]) => `(${l} ${o} ${r})`),
      p.map((body) => `[${body}]`),
      p.map((body) => `(${body})?`),
      p.map((body) => `{a: (${body})}`),
      p.map((body) => `"<\\(${body})>"`),
      fc
        .tuple(
          fc.constantFrom(
            'map',
            'select',
            'path',
            'del',
            'first',
            'sort_by',
            'group_by',
            'any',
            'walk',
            'with_entries',
            'pick',
          ),
          p,
        )
        .map(([name, body]) => `${name}(${body})`),
      fc.tuple(p, p).map(([source, body]) => `(${source}) as $x | ${body}, $x`),
      fc.tuple(p, p, p).map(([source, init, update]) => `reduce (${source}) as $x (${init}; ${update})`),
      fc.tuple(p, p).map(([source, update]) => `foreach (${source}) as $x (.; ${update})`),
      fc.tuple(p, p, p).map(([condition, then, otherwise]) => `if ${condition} then ${then} else ${otherwise} end`),
      fc.tuple(p, p).map(([body, handler]) => `(try (${body}) catch (${handler}))`),
      fc.tuple(p, p).map(([body, main]) => `def f: ${body}; ${main} | f`),
    ),
  };
}).program;

function freeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    for (const child of Object.values(value)) freeze(child);
    Object.freeze(value);
  }
  return value;
}

/** The outputs, or `undefined` if the program ended with a JqError; any other error passes through. */
function outputsOf(source: string, input: JqValue): readonly JqValue[] | undefined {
  try {
    return compile(source).all(input, {
      limits: { maxSteps: 20_000, maxOutputs: 1000, maxArrayLength: 10_000, maxStringLength: 100_000 },
    });
  } catch (thrown) {
    if (!(thrown instanceof JqError)) throw thrown;
    return undefined;
  }
}

function forAll(check: (value: JqValue) => void): void {
  fc.assert(
    fc.property(json, (value) => {
      check(value);
    }),
  );
}

describe('for any program', () => {
  it('text compiles or ends with a JqError', () => {
    const pieces = fc.constantFrom(
      ...'. .. [ ] { } ( ) | , : ; ? // = == += $x "a" "\\( def if then else end as reduce foreach try catch label break @csv 1 .a -'.split(
        ' ',
      ),
    );
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.array(pieces).map((parts) => parts.join(' ')),
    );
    fc.assert(
      fc.property(text, (source) => void outputsOf(source, null)),
      { numRuns: 2000 },
    );
  });

  it('it ends with outputs or a JqError and does not change its input', () => {
    fc.assert(
      fc.property(program, json, (source, input) => {
        const before = stringify(input);
        outputsOf(source, freeze(input));
        expect(stringify(input)).toBe(before);
      }),
      { numRuns: 2000 },
    );
  });

  it('it has the same outputs twice', () => {
    fc.assert(
      fc.property(program, json, (source, input) => {
        expect(outputsOf(source, input)).toEqual(outputsOf(source, input));
      }),
    );
  });
});

describe('values', () => {
  it('survive a round trip through text', () => {
    forAll((value) => expect(parseJson(stringify(value))).toEqual(value));
    forAll((value) => expect(outputsOf('tojson | fromjson', value)).toEqual([value]));
    forAll((value) => expect(outputsOf('fromstream(tostream)', value)).toEqual([value]));
    forAll((value) => expect(outputsOf('walk(.)', value)).toEqual([value]));
  });

  it('have a total order', () => {
    const exact = json.filter((value) => !/\d{16}|e\+/.test(stringify(value)));
    fc.assert(
      fc.property(exact, exact, exact, (a, b, c) => {
        expect(Math.sign(compareValues(a, b))).toBe(-Math.sign(compareValues(b, a)) + 0);
        if (compareValues(a, b) <= 0 && compareValues(b, c) <= 0) expect(compareValues(a, c)).toBeLessThanOrEqual(0);
      }),
    );
  });

  it('are sorted stably', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 3 })), (keys) => {
        const rows = keys.map((group, index) => ({ group, index }));
        const sorted = outputsOf('sort_by(.group)', rows)![0] as typeof rows;
        expect(sorted).toEqual(rows.toSorted((left, right) => left.group - right.group || left.index - right.index));
      }),
    );
  });

  it('are found where they were put', () => {
    const path = fc.array(fc.oneof(key, fc.nat(5)), { maxLength: 5 });
    fc.assert(
      fc.property(json, path, json, (input, keys, value) => {
        const input3: JqValue = [input, keys, value];
        const set = outputsOf('. as [$in, $p, $v] | $in | setpath($p; $v) | [., getpath($p)]', input3);
        if (set === undefined) return;
        expect((set[0] as readonly JqValue[])[1]).toEqual(value);
      }),
    );
  });

  it('are gone after deleting all their paths', () => {
    fc.assert(
      fc.property(json, (input) => {
        const rest = outputsOf('delpaths([paths]) | [paths]', input);
        expect(rest).toEqual([[]]);
      }),
    );
    forAll((input) => expect(outputsOf('[paths as $p | getpath($p)] == [.. ][1:]', input)).toEqual([true]));
  });

  it('are reduced the same in place and by copying', () => {
    const updates = [
      '.[$x | tostring] += 1',
      '.[$x | tostring].n |= . + 1',
      '. + {($x | tostring): $x}',
      '.all += [$x] | .last = $x',
      'if .n then .n += 1 else .n = 0 end | .seen[$x | tojson] //= $x',
    ];
    fc.assert(
      fc.property(fc.array(json, { maxLength: 6 }), json, fc.constantFrom(...updates), (items, init, update) => {
        const input = freeze([items, init]);
        const direct = outputsOf(`. as [$items, $init] | [reduce $items[] as $x ($init; ${update}), $init]`, input);
        const copied = outputsOf(
          `. as [$items, $init] | [reduce $items[] as $x ($init; ${update}, empty), $init]`,
          input,
        );
        expect(direct).toEqual(copied);
      }),
    );
  });

  it('update the same whether the places are known in advance or not', () => {
    // the parentheses around a comma keep the second form from being recognised as simple
    fc.assert(
      fc.property(
        json,
        fc.constantFrom('.a.b', '.[0].a', '.[]', '.a[]', '.[] | select(. != null) | .a'),
        (input, place) => {
          expect(outputsOf(`(${place}) |= [.]`, input)).toEqual(outputsOf(`((${place}), empty) |= [.]`, input));
        },
      ),
    );
  });
});

describe('long strings', () => {
  // Beyond 64 characters the search is our own: beginnings of the wanted string make it fall back in its table.
  it('are found wherever they are', () => {
    const wanted = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 65, maxLength: 80 });
    const cuts = fc.array(fc.nat(80), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(wanted, cuts, (part, lengths) => {
        const text = lengths.map((length) => part.slice(0, length)).join('') + part;
        const expected = text.split('').flatMap((_, at) => (text.startsWith(part, at) ? [at] : []));
        expect(compile('. as [$text, $part] | $text | indices($part)').all([text, part])).toEqual([expected]);
      }),
    );
  });
});
