import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../test/any-character.ts';
import { parse } from 'yaml';
import type { Json } from '../model/index.ts';
import { readYaml } from './read-yaml.ts';
import { writeFlow, writeYaml } from './write-yaml.ts';

const cases: readonly (readonly [title: string, data: Json, text: string])[] = [
  ['scalars at the root', 'text', 'text\n'],
  ['an empty string', { a: '' }, 'a: ""\n'],
  ['null and booleans', { a: null, b: true, c: false }, 'a: null\nb: true\nc: false\n'],
  ['empty collections', { a: {}, b: [], c: [{}, []] }, 'a: {}\nb: []\nc:\n- {}\n- []\n'],
  ['an empty root', {}, '{}\n'],
  ['nested objects', { a: { b: { c: 1 } }, d: 2 }, 'a:\n  b:\n    c: 1\nd: 2\n'],
  ['lists at the column of their key', { a: ['x', { b: 1, c: ['y '] }] }, "a:\n- x\n- b: 1\n  c:\n  - 'y '\n"],
  ['lists in lists', [['a', 'b'], [['c']]], '- - a\n  - b\n- - - c\n'],
  ['keys in the order of the data', { b: 1, a: 2, 10: 3 }, '"10": 3\nb: 1\na: 2\n'],
  ['words and numbers that are strings', { on: 'yes', '1': '08' }, '"1": "08"\n"on": "yes"\n'],
  ['indicators', { '*': '- a', 'a: b': '# c', e: "it's: so" }, "'*': '- a'\n'a: b': '# c'\ne: 'it''s: so'\n"],
  [
    'plain strings in Kubernetes',
    ['a.b/c:1.2', '--x=y', '-c', '10.0.0.1', '1.2.3', '100m', '*/5'],
    "- a.b/c:1.2\n- --x=y\n- -c\n- 10.0.0.1\n- 1.2.3\n- 100m\n- '*/5'\n",
  ],
  [
    'control characters',
    ['a\tb', '\u0000', 'a\rb', '\u0085', '\u2028', '\ufeff'],
    '- "a\\tb"\n- "\\u0000"\n- "a\\rb"\n- "\\u0085"\n- "\\u2028"\n- "\\ufeff"\n',
  ],
  [
    'odd blanks at the edges',
    ['\u00a0a', 'a\u3000', 'a\u00a0b', ' a'],
    '- "\\u00a0a"\n- "a\\u3000"\n- a\u00a0b\n- \' a\'\n',
  ],
  ['a literal block', { a: 'x\ny\n', b: 1 }, 'a: |\n  x\n  y\nb: 1\n'],
  ['a literal block without a last line break', { a: 'x\n\ny' }, 'a: |-\n  x\n\n  y\n'],
  ['a literal block with line breaks at its end', { a: 'x\n\n\n', b: 1 }, 'a: |+\n  x\n\n\nb: 1\n'],
  ['line breaks at the end of the document', { a: 1, b: 'x\n\n' }, 'a: 1\nb: "x\\n\\n"\n'],
  [
    'a literal block that begins with blanks',
    { a: { b: '  x\ny' }, c: ['\n\tx'] },
    'a:\n  b: |2-\n      x\n    y\nc:\n- |2-\n\n  \tx\n',
  ],
  [
    'strings that cannot be literal blocks',
    ['a\n ', '\n', 'a\r\nb', 'a\u0007\nb'],
    '- "a\\n "\n- "\\n"\n- "a\\r\\nb"\n- "a\\u0007\\nb"\n',
  ],
  ['a literal block at the root', 'a\n---\n', '|\n  a\n  ---\n'],
  ['an indented string at the root', ' a\nb', '" a\\nb"\n'],
  ['a key over several lines', { 'a\nb': 1 }, '"a\\nb": 1\n'],
  ['a long key', { ['k'.repeat(1001)]: { a: [1] } }, `? ${'k'.repeat(1001)}\n:\n  a:\n  - 1\n`],
  ['a long key in a list', [{ ['k'.repeat(1001)]: [1] }], `- ? ${'k'.repeat(1001)}\n  :\n    - 1\n`],
  ['long lines are not folded', { a: 'word '.repeat(100).trim() }, `a: ${'word '.repeat(100).trim()}\n`],
  [
    'integers',
    [0, -1, 2 ** 53 - 1, 9007199254740993n, -18446744073709551616n],
    '- 0\n- -1\n- 9007199254740991\n- 9007199254740993\n- -18446744073709551616\n',
  ],
  [
    'other numbers',
    [-0, 0.1, 1e21, 1e-7, 1.5e300, 1e20, 5e-324],
    '- -0.0\n- 0.1\n- 1.0e+21\n- 1.0e-7\n- 1.5e+300\n- 1.0e+20\n- 5.0e-324\n',
  ],
];

/** Difficult parts, combined at random. */
const parts = [
  ...'a|b c| |\n|\t|\r|:|#|- |---|"|\'|\\|\u0085|\u2028|\ufeff|é|😀'.split('|'),
  ...'{ } , > % 1 0 . e y no \0 \u00a0 ~ ? &x * _ + - |'.split(' '),
];
const nasty = fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((chosen) => chosen.join(''));
const text = fc.oneof(
  nasty,
  fc.string({ unit: anyCharacter }),
  fc.constantFrom('yes', '1e3', '0x1', '', 'null', '1:30'),
);
const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
const { data } = fc.letrec<{ data: Json }>((tie) => ({
  data: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.constantFrom(null, true, false),
    number,
    fc.array(tie('data'), { maxLength: 4 }),
    fc.dictionary(
      text.filter((key) => key !== '__proto__'),
      tie('data'),
      { maxKeys: 4, noNullPrototype: true },
    ),
  ),
}));

function read(written: string): Json {
  const { documents, diagnostics } = readYaml({ path: 'a.yaml', text: written });
  expect(diagnostics).toEqual([]);
  expect(documents.length).toBe(1);
  return documents[0]!.data!;
}

describe('writeYaml', () => {
  it.each(cases)('%s', (_, value, expected) => {
    expect(writeYaml(value)).toBe(expected);
    expect(read(expected)).toEqual(value);
  });

  it.each(['1.1', '1.2'] as const)('is read as the same data by a reader of YAML %s', (version) => {
    fc.assert(
      fc.property(data, (value) => {
        expect(parse(writeYaml(value), { version })).toEqual(value);
      }),
      { numRuns: 1000 },
    );
  });

  it('is read as the same data by our reader, and written the same again', () => {
    const check = (value: Json) => {
      const written = writeYaml(value);
      const again = read(written);
      expect(again).toEqual(value);
      expect(writeYaml(again)).toBe(written);
    };
    fc.assert(fc.property(data, check), { numRuns: 1000 });
  });

  it('keeps big integers', () => {
    fc.assert(
      fc.property(
        fc.bigInt().filter((value) => value > 2n ** 53n || value < -(2n ** 53n)),
        (value) => {
          expect(read(writeYaml({ value }))).toEqual({ value });
        },
      ),
    );
  });

  it('ends in exactly one line break', () => {
    fc.assert(
      fc.property(data, (value) => {
        expect(writeYaml(value)).toMatch(/[^\n]\n$/u);
      }),
    );
  });

  const loop: Record<string, unknown> = {};
  loop['self'] = loop;
  const refused: readonly (readonly [title: string, data: unknown, message: string])[] = [
    ['undefined', { a: [{ b: undefined }] }, 'The value at a[0].b cannot be written: it is undefined, not data.'],
    ['a function', [() => 1], 'The value at [0] cannot be written: it is function, not data.'],
    [
      'a number that is NaN',
      { a: Number.NaN },
      'The value at a cannot be written: it is NaN, which Kubernetes cannot read.',
    ],
    ['infinity at the root', Infinity, 'The data cannot be written: it is Infinity, which Kubernetes cannot read.'],
    [
      'half a surrogate pair',
      { a: '😀\ud800' },
      'The value at a cannot be written: it is a string with half a surrogate pair.',
    ],
    [
      'half a surrogate pair in a key',
      [{ '\udc00x': 1 }],
      'The value at [0] cannot be written: it is an object with half a surrogate pair in a key.',
    ],
    ['a cycle', loop, 'nested deeper than 1000 levels'],
    ['deep nesting', nest(10_000), 'nested deeper than 1000 levels'],
  ];
  it.each(refused)('refuses %s', (_, value, message) => {
    expect(() => writeYaml(value as Json)).toThrow(message);
  });

  it('writes up to the limit of nesting', () => {
    expect(writeYaml(nest(999)).length).toBeGreaterThan(999);
  });
});

function nest(levels: number): Json {
  let value: Json = 'x';
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

describe('a key inside brackets', () => {
  it.each([1000, 1001, 1024, 5000])('of %i characters is read again', (length) => {
    const data = { a: [{ ['k'.repeat(length)]: 1, b: 2 }] };
    const text = `${writeFlow(data, { json: false, colon: ': ', comma: ', ' })}\n`;
    const { documents, diagnostics } = readYaml({ path: 'a.yaml', text });
    expect(diagnostics).toEqual([]);
    expect(documents[0]?.data).toEqual(data);
  });
});
