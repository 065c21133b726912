import { describe, expect, it } from 'vitest';
import { createBudget } from '../budget/index.ts';
import type { Json } from '../model/index.ts';
import { readYaml } from './read-yaml.ts';

function read(text: string, limits?: Parameters<typeof readYaml>[1]) {
  return readYaml({ path: 'a.yaml', text }, limits);
}

function readOne(text: string): Json | undefined {
  const { documents, diagnostics } = read(text);
  expect(diagnostics).toEqual([]);
  expect(documents).toHaveLength(1);
  return documents[0]!.data;
}

function codesOf(text: string, limits?: Parameters<typeof readYaml>[1]): readonly string[] {
  return read(text, limits).diagnostics.map(({ code }) => code);
}

describe('documents', () => {
  const cases: readonly [text: string, documents: readonly (readonly [text: string, data: Json | undefined])[]][] = [
    ['', []],
    ['# only a comment\n', []],
    ['\ufeff', []],
    ['a: 1\n', [['a: 1\n', { a: 1 }]]],
    ['\ufeffa: 1\n', [['a: 1\n', { a: 1 }]]],
    ['# top\na: 1', [['# top\na: 1', { a: 1 }]]],
    ['---\n', [['', undefined]]],
    ['---', [['', undefined]]],
    ['--- ', [['', undefined]]],
    [
      '---\na: 1\n---\n# none\n---\nb: 2\n',
      [
        ['a: 1\n', { a: 1 }],
        ['# none\n', undefined],
        ['b: 2\n', { b: 2 }],
      ],
    ],
    ['# license\n---\na: 1\n', [['a: 1\n', { a: 1 }]]],
    ['--- # c\na: 1\n', [[' # c\na: 1\n', { a: 1 }]]],
    [
      '--- {a: 1}\n--- |\n x\n',
      [
        [' {a: 1}\n', { a: 1 }],
        [' |\n x\n', 'x\n'],
      ],
    ],
    ['---  \na\n', [['a\n', 'a']]],
    [
      '%YAML 1.1\n---\na: 1\n...\n# between\n%YAML 1.1\n---\nb: 2\n',
      [
        ['a: 1\n', { a: 1 }],
        ['b: 2\n', { b: 2 }],
      ],
    ],
    [
      'a: 1\n...\n# c\n---\nb: 2\n',
      [
        ['a: 1\n', { a: 1 }],
        ['b: 2\n', { b: 2 }],
      ],
    ],
    [
      'a: 1\r\n---\r\nb: 2\r\n',
      [
        ['a: 1\r\n', { a: 1 }],
        ['b: 2\r\n', { b: 2 }],
      ],
    ],
    [
      'a: 1\r---\rb: 2\r',
      [
        ['a: 1\r', { a: 1 }],
        ['b: 2\r', { b: 2 }],
      ],
    ],
    [
      'a: |\n  ---\n  b\n---\nc: 1\n',
      [
        ['a: |\n  ---\n  b\n', { a: '---\nb\n' }],
        ['c: 1\n', { c: 1 }],
      ],
    ],
    ['--- null\n', [[' null\n', null]]],
    ['--- &a\n', [[' &a\n', null]]],
    ['a: 1\n...\n', [['a: 1\n', { a: 1 }]]],
  ];

  it.each(cases)('%j', (text, expected) => {
    const { documents, diagnostics } = read(text);
    expect(diagnostics).toEqual([]);
    expect(documents.map(({ range, data }) => [text.slice(range.start, range.end), data])).toEqual(expected);
    expect(documents.map(({ index }) => index)).toEqual(expected.map((_, index) => index));
  });

  it('an invalid document does not hide the others, and keeps its index', () => {
    const { documents, diagnostics } = read('a: 1\n---\nb: [\n---\nc: "\n--- x\n---\nd: 1\nd: 2\n---\ne: 1\n');
    expect(documents.map(({ index, data }) => [index, data])).toEqual([
      [0, { a: 1 }],
      [3, 'x'],
      [5, { e: 1 }],
    ]);
    expect(diagnostics.map(({ code, location }) => [code, location?.document])).toEqual([
      ['yaml-unclosed-bracket', 1],
      ['yaml-unclosed-quote', 2],
      ['yaml-duplicate-key', 4],
    ]);
  });

  it('counts the offsets of findings from the start of the text, in its last document too', () => {
    const text = 'a: [\n---\nb: 1\nb: 2\n---\n# last\nc: 1\nc: *d\n';
    const places = read(text).diagnostics.flatMap(({ location, related = [] }) =>
      [location, related[0]?.location].flatMap((place) => place?.range ?? []),
    );
    expect(places.map((range) => text.slice(range.start))).toEqual([
      text.slice(3),
      text.slice(5),
      'b: 2\n---\n# last\nc: 1\nc: *d\n',
      'b: 1\nb: 2\n---\n# last\nc: 1\nc: *d\n',
      '*d\n',
      'c: *d\n',
      'c: 1\nc: *d\n',
    ]);
  });

  // The reader recognises the end of the last document by the end of the text, and that of others by the next marker.
  it.each([
    'a: "x\n',
    "a: 'x\n",
    'a: |\n  b\n',
    'a: |2\n',
    'a: >-\n\n b\n\n',
    'a: [1,\n',
    'a: {b\n',
    'a: b\n  c\n',
    'a:\n',
    '- a\n- b: c\n',
    '? a\n',
    'a: !<x\n',
    '# a\n',
  ])('reads %j in the same way at the start and at the end of a text', (part) => {
    const readings = [read(`${part}---\nz: 1\n`), read(`z: 1\n---\n${part}`)];
    const [first, last] = readings.map(({ documents, diagnostics }) => ({
      data: documents.flatMap(({ data }) => (data === undefined || JSON.stringify(data) === '{"z":1}' ? [] : [data])),
      codes: diagnostics.map(({ code }) => code),
    }));
    expect(first).toEqual(last);
  });
});

describe('data', () => {
  it('keeps integers that a double cannot represent', () => {
    expect(readOne('a: 9007199254740993\nb: -9223372036854775808\nc: 9007199254740991\n')).toEqual({
      a: 9007199254740993n,
      b: -9223372036854775808n,
      c: 9007199254740991,
    });
  });

  it('rejects an integer that is tagged as a float and too large for one', () => {
    expect(codesOf(`a: !!float ${'9'.repeat(400)}\n`)).toEqual(['yaml-tag-mismatch']);
  });

  it('gives every alias its own copy', () => {
    const data = readOne('a: &x {b: [1]}\nc: *x\nd: *x\ne:\n  <<: *x\n') as Record<string, { readonly b: Json }>;
    expect(data['c']).toEqual(data['a']);
    const copies = [data['a']!, data['c']!, data['d']!, data['e']!];
    expect(new Set(copies).size).toBe(4);
    expect(new Set(copies.map(({ b }) => b)).size).toBe(4);
  });

  it('merges so that the written key wins, then the first object', () => {
    const data = readOne('a: &x {k: 1, l: 1}\nb: &y {k: 2, m: 2}\nc:\n  <<: [*x, *y]\n  l: 3\n');
    expect(data).toMatchObject({ c: { k: 1, l: 3, m: 2 } });
  });

  it('does not touch any prototype', () => {
    expect(codesOf('__proto__: {a: 1}\n')).toEqual(['yaml-forbidden-key']);
    expect(codesOf('{"__proto__": {"a": 1}}\n')).toEqual(['yaml-forbidden-key']);
    expect(codesOf('? __proto__\n: {a: 1}\n')).toEqual(['yaml-forbidden-key']);
    const data = readOne('constructor: 1\nprototype: {x: 1}\ntoString: 2\nhasOwnProperty: 3\n') as object;
    expect(Object.keys(data)).toEqual(['constructor', 'prototype', 'toString', 'hasOwnProperty']);
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype);
    expect({}).not.toHaveProperty('a');
  });

  it('detects duplicates of names that every object inherits', () => {
    expect(codesOf('toString: 1\ntoString: 2\n')).toEqual(['yaml-duplicate-key']);
    expect(codesOf('{constructor: 1, constructor: 2}\n')).toEqual(['yaml-duplicate-key']);
  });
});

describe('hostile text', () => {
  const deep = 10_000;
  const nested: Readonly<Record<string, string>> = {
    'lists in brackets': '['.repeat(deep),
    'closed lists in brackets': `${'['.repeat(deep)}${']'.repeat(deep)}`,
    'objects in braces': '{a: '.repeat(deep),
    'pairs in brackets': '[a: '.repeat(deep),
    'keys in braces': '{'.repeat(deep),
    dashes: '- '.repeat(deep),
    'keys after question marks': '? '.repeat(deep),
    'block objects': Array.from({ length: 2000 }, (_, level) => `${' '.repeat(level)}a:\n`).join(''),
    'dashes and keys':
      '- a:\n'.repeat(1) + Array.from({ length: 1000 }, (_, level) => `${'  '.repeat(level + 1)}- a:\n`).join(''),
  };

  it.each(Object.entries(nested))('%s are rejected', (_, text) => {
    expect(codesOf(text)).toEqual(['yaml-too-deep']);
  });

  it('reads text nested exactly as deep as allowed', () => {
    expect(codesOf(`${'['.repeat(256)}${']'.repeat(256)}`)).toEqual([]);
    expect(codesOf(`${'['.repeat(257)}${']'.repeat(257)}`)).toEqual(['yaml-too-deep']);
    expect(codesOf('[[1]]', { limits: { depth: 1 } })).toEqual(['yaml-too-deep']);
  });

  it('rejects many deeply nested values', { tags: 'slow' }, () => {
    const nest = (levels: number, count: number): string =>
      `${'['.repeat(levels)}${Array.from({ length: count }, () => 1).join(',')}${']'.repeat(levels)}`;
    expect(codesOf(nest(250, 20_000))).toEqual(['yaml-too-many-levels']);
    expect(codesOf(`a: &a ${nest(1, 20_000)}\nb: ${'['.repeat(250)}*a${']'.repeat(250)}\n`)).toEqual([
      'yaml-too-many-levels',
    ]);
    expect(codesOf(nest(250, 10_000))).toEqual([]);
    expect(codesOf(nest(40, 200_000))).toEqual([]);
  });

  it('rejects aliases that copy too many values', () => {
    const levels = Array.from(
      { length: 30 },
      (_, level) => `a${level + 1}: &a${level + 1} [${`*a${level}, `.repeat(9)}]\n`,
    );
    expect(codesOf(`a0: &a0 lol\n${levels.join('')}`)).toEqual(['budget-exhausted']);
  });

  it('rejects aliases that copy too much text', () => {
    const text = `a: &a ${'x'.repeat(1_000_000)}\nb: &b [${'*a, '.repeat(10)}]\nc: [${'*b, '.repeat(10)}]\n`;
    expect(codesOf(text)).toEqual(['budget-exhausted']);
  });

  it('rejects merges that copy too many values', { tags: 'slow' }, () => {
    const levels = Array.from(
      { length: 30 },
      (_, level) => `a${level + 1}: &a${level + 1}\n  <<: *a${level}\n  k${level}: *a${level}\n`,
    );
    expect(codesOf(`a0: &a0 {x: [1, 2, 3]}\n${levels.join('')}`)).toEqual(['budget-exhausted']);
  });

  it('rejects depth that only aliases create', () => {
    const wrap = (inner: string) => `${'['.repeat(200)}${inner}${']'.repeat(200)}`;
    expect(codesOf(`a: &a ${wrap('1')}\nb: ${wrap('*a')}\n`)).toEqual(['yaml-too-deep']);
  });

  it('rejects a text or a number of documents beyond the limit', () => {
    expect(codesOf('a: 1\n', { limits: { length: 4 } })).toEqual(['yaml-too-large']);
    expect(codesOf('---\n'.repeat(5), { limits: { documents: 4 } })).toEqual(['yaml-too-many-documents']);
    expect(read('---\n'.repeat(4), { limits: { documents: 4 } }).documents).toHaveLength(4);
  });

  it.each(['[${a}', '[${', '{{ ', '{{'])(
    'reports a short finding for a long text after %j',
    { tags: 'slow' },
    (start) => {
      expect(codesOf(`a: ${start}${'x'.repeat(20_000_000)}`)).toHaveLength(1);
    },
  );

  it('stops after some findings in one document', () => {
    expect(codesOf('a: .nan\n'.repeat(5000))).toHaveLength(100);
  });

  it('stops after some findings between documents', { tags: 'slow' }, () => {
    expect(codesOf('%YAML 1.1\n'.repeat(200_000))).toHaveLength(100);
    expect(codesOf(`${'%YAML 1.1\n'.repeat(200_000)}---\na: 1\n`)).toHaveLength(100);
    expect(codesOf(`a: 1\n${'...\n\t\n'.repeat(200_000)}`)).toHaveLength(100);
  });

  it.each(['\u0001', '\u001b', '\u007f', '\u0080', '\ufeff', '\uffff', '\ud800', '\udc00'])(
    'refuses %j',
    (character) => {
      const text = `a: 1\n---\nb: ${character}\n---\nc: 1\n`;
      const { documents, diagnostics } = read(text);
      expect(documents.map(({ data }) => data)).toEqual([{ a: 1 }, { c: 1 }]);
      expect(diagnostics).toMatchObject([
        { code: 'yaml-control-character', location: { document: 1, range: { start: 12, end: 13 } } },
      ]);
    },
  );

  it.each([
    ['a comment', '# harmless@  hostNetwork: true\n'],
    ['a comment after a value', 'a: 1 # harmless@b: 2\n'],
    ['a plain line', 'a: b@c: d\n'],
    ['a plain item', '- b@- c\nd: 1\n'],
    ['a key', 'a@b: c\n'],
    ['single quotes', "a: 'b@c'\n"],
    ['double quotes', 'a: "b@c"\n'],
    ['a literal block', 'a: |\n  b@c: d\n'],
    ['a folded block', 'a: >-\n  b@  c\n'],
    ['brackets', 'a: [b,@c]\n'],
    ['JSON', '{"a": "b@c"}'],
    ['the line of a marker', '---@a: 1\n'],
    ['the space between documents', 'a: 1\n---\n# @---@b: 2\n---\nc: 3\n'],
    ['the end', 'a: 1@'],
  ])('rejects a line break that only the cluster sees in %s', (_, text) => {
    for (const character of ['\u0085', '\u2028', '\u2029']) {
      const { diagnostics } = read(text.replaceAll('@', character));
      const start = text.indexOf('@');
      expect(diagnostics).toMatchObject([{ code: 'yaml-line-break', location: { range: { start, end: start + 1 } } }]);
    }
  });

  it('reads such a line break as an escape', () => {
    expect(read('a: "\\N\\L\\P\\u0085\\u2028\\u2029"').documents[0]?.data).toEqual({
      a: '\u0085\u2028\u2029\u0085\u2028\u2029',
    });
  });

  it.each(['a: "\t\u00a0😀é"', '\ufeffa: é'])('reads %j', (text) => {
    expect(codesOf(text)).toEqual([]);
  });

  it('finds a forbidden character before, between and after documents', () => {
    expect(codesOf('# \0\n---\na: 1\n')).toEqual(['yaml-control-character']);
    expect(codesOf('a: 1\n...\n# \0\n')).toEqual(['yaml-control-character']);
    expect(codesOf('\0')).toEqual(['yaml-control-character']);
  });

  it('stops at a NUL, which means a binary file', () => {
    const { documents, diagnostics } = read('a: 1\n---\nb: \0\n---\nc: \u0001\n');
    expect(documents).toEqual([]);
    expect(diagnostics).toMatchObject([
      { code: 'yaml-control-character', location: { range: { start: 12, end: 13 } } },
    ]);
  });

  it('counts the copies of all documents and texts of a run together', () => {
    const budget = createBudget({ maxValues: 20 });
    const text = 'a: &a [1, 2, 3]\nb: [*a, *a]\n---\na: &a [1, 2, 3]\nb: [*a]\n';
    expect(readYaml({ path: 'one.yaml', text }, { budget }).diagnostics).toEqual([]);
    expect(budget.values.left).toBe(20 - 12);
    const again = readYaml({ path: 'two.yaml', text: `${text}---\nc: &c 1\nd: *c\n` }, { budget });
    expect(again.diagnostics).toMatchObject([
      {
        code: 'budget-exhausted',
        message: 'the run exceeds its limit of 20 values copied by aliases, merge keys, references and JSON patches',
        location: { file: 'two.yaml', document: 1, range: { start: 52, end: 54 } },
        hint: 'copy less data, or raise the limit with "maxValues"',
      },
    ]);
  });

  it('counts the findings of many documents beyond those that are kept', () => {
    const { diagnostics } = readYaml({ path: 'a.yaml', text: '---\n{\n'.repeat(500) });
    expect(diagnostics).toHaveLength(101);
    expect(diagnostics.at(-1)).toMatchObject({
      code: 'findings-omitted',
      severity: 'error',
      message: '… and 400 more of yaml-unclosed-bracket',
      omitted: { code: 'yaml-unclosed-bracket', count: 400 },
    });
  });
});

it('a key has at most 1,024 characters', () => {
  const codesOf = (length: number) =>
    readYaml({ path: 'a.yaml', text: `${'k'.repeat(length)}: 1\n` }).diagnostics.map(({ code }) => code);
  expect([codesOf(1024), codesOf(1025)]).toEqual([[], ['yaml-long-key']]);
});
