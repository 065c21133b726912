import { describe, expect, it } from 'vitest';
import type { JsonArray, JsonObject } from '../model/index.ts';
import type { EntryMark } from './reading.ts';
import { readMarkedDocument, readYaml } from './read-yaml.ts';

/** Marks as text: one line per entry with the text of its ranges, in text order. */
function describeMarks(text: string, index = 0): readonly string[] {
  const source = { path: 'a.yaml', text };
  const document = readYaml(source).documents[index]!;
  const { marks } = readMarkedDocument(source, document.range);
  const cut = ({ start, end }: { readonly start: number; readonly end: number }) =>
    JSON.stringify(text.slice(start, end));
  const describeEntry = (entry: EntryMark) => {
    const decorated = entry.decorated ? ' decorated' : '';
    return `  ${entry.key} ${entry.value}${decorated} ${cut(entry.keyRange)} ${cut(entry.valueRange)} in ${cut(entry.range)}`;
  };
  return [...marks.values()]
    .sort((a, b) => a.range.start - b.range.start || b.range.end - a.range.end)
    .flatMap(({ style, range, indent, entries }) =>
      [`${style} ${indent} ${cut(range)}`].concat(entries.map(describeEntry)),
    );
}

describe('readMarkedDocument', () => {
  const cases: readonly [text: string, marks: readonly string[]][] = [
    [
      'a: 1 # c\nb:\n  - x\n  -  y\n\n# end\n',
      [
        'block 0 "a: 1 # c\\nb:\\n  - x\\n  -  y"',
        '  a plain "a" "1" in "a: 1"',
        '  b list "b" "- x\\n  -  y" in "b:\\n  - x\\n  -  y"',
        'block 2 "- x\\n  -  y"',
        '  0 plain "-" "x" in "- x"',
        '  1 plain "-" "y" in "-  y"',
      ],
    ],
    ['"a" : \'b\'\n', ['block 0 "\\"a\\" : \'b\'"', '  a single-quoted "\\"a\\"" "\'b\'" in "\\"a\\" : \'b\'"']],
    ['a:\nb: # c\n', ['block 0 "a:\\nb:"', '  a missing "a" "" in "a:"', '  b missing "b" "" in "b:"']],
    [
      'a: |\n  x\n\nb: |+\n  y\n\n',
      [
        'block 0 "a: |\\n  x\\n\\nb: |+\\n  y\\n\\n"',
        '  a literal "a" "|\\n  x\\n" in "a: |\\n  x\\n"',
        '  b literal "b" "|+\\n  y\\n\\n" in "b: |+\\n  y\\n\\n"',
      ],
    ],
    ['a: >-\n  x', ['block 0 "a: >-\\n  x"', '  a folded "a" ">-\\n  x" in "a: >-\\n  x"']],
    [
      'm: {b: c, d}\n',
      [
        'block 0 "m: {b: c, d}"',
        '  m mapping "m" "{b: c, d}" in "m: {b: c, d}"',
        'flow 0 "{b: c, d}"',
        '  b plain "b" "c" in "b: c"',
        '  d missing "d" "" in "d"',
      ],
    ],
    ['[a, "b"]\n', ['flow 0 "[a, \\"b\\"]"', '  0 plain "" "a" in "a"', '  1 double-quoted "" "\\"b\\"" in "\\"b\\""']],
    [
      'm: &x !!map\n  b: !!str 1\nc: *x\n',
      [
        'block 0 "m: &x !!map\\n  b: !!str 1\\nc: *x"',
        '  m mapping decorated "m" "&x !!map\\n  b: !!str 1" in "m: &x !!map\\n  b: !!str 1"',
        '  c alias "c" "*x" in "c: *x"',
        'block 2 "b: !!str 1"',
        '  b plain decorated "b" "!!str 1" in "b: !!str 1"',
      ],
    ],
    [
      '&k m: &x {b: 1}\nc:\n  <<: *x\n',
      [
        'block 0 "&k m: &x {b: 1}\\nc:\\n  <<: *x"',
        '  m mapping decorated "m" "&x {b: 1}" in "&k m: &x {b: 1}"',
        '  c mapping "c" "<<: *x" in "c:\\n  <<: *x"',
        'flow 0 "{b: 1}"',
        '  b plain "b" "1" in "b: 1"',
        'block 2 "<<: *x"',
        '  << alias "<<" "*x" in "<<: *x"',
      ],
    ],
    [
      '- - a\n  - b: 1\n    c: 2\n',
      [
        'block 0 "- - a\\n  - b: 1\\n    c: 2"',
        '  0 list "-" "- a\\n  - b: 1\\n    c: 2" in "- - a\\n  - b: 1\\n    c: 2"',
        'block 2 "- a\\n  - b: 1\\n    c: 2"',
        '  0 plain "-" "a" in "- a"',
        '  1 mapping "-" "b: 1\\n    c: 2" in "- b: 1\\n    c: 2"',
        'block 4 "b: 1\\n    c: 2"',
        '  b plain "b" "1" in "b: 1"',
        '  c plain "c" "2" in "c: 2"',
      ],
    ],
    ['? a\n: b\n', ['block 0 "? a\\n: b"', '  a plain "a" "b" in "? a\\n: b"']],
    [
      'a: b\n  c\n\n  d\n',
      ['block 0 "a: b\\n  c\\n\\n  d"', '  a plain "a" "b\\n  c\\n\\n  d" in "a: b\\n  c\\n\\n  d"'],
    ],
    [
      '[a: b]\n',
      ['flow 0 "[a: b]"', '  0 mapping "" "a: b" in "a: b"', 'flow 0 "a: b"', '  a plain "a" "b" in "a: b"'],
    ],
  ];

  it.each(cases)('%j', (text, expected) => {
    expect(describeMarks(text)).toEqual(expected);
  });

  it('counts from the start of the whole text', () => {
    const text = '\ufeffa: 1\n--- {b: 2}\n---\nc: 3\n';
    expect(describeMarks(text, 1)).toEqual(['flow 0 "{b: 2}"', '  b plain "b" "2" in "b: 2"']);
    expect(describeMarks(text, 2)).toEqual(['block 0 "c: 3"', '  c plain "c" "3" in "c: 3"']);
  });

  it('records the position of a root scalar', () => {
    const source = { path: 'a.yaml', text: '--- !!str 12 # c\n' };
    const { data, root } = readMarkedDocument(source, readYaml(source).documents[0]!.range);
    expect(data).toBe('12');
    expect(source.text.slice(root.valueRange.start, root.valueRange.end)).toBe('!!str 12');
    expect(root).toMatchObject({ value: 'plain', decorated: true });
  });

  it('has no marks for copies', () => {
    const source = { path: 'a.yaml', text: 'a: &x {b: {c: 1}}\nd: *x\ne:\n  <<: {f: {g: 1}}\n' };
    const { data, marks } = readMarkedDocument(source, readYaml(source).documents[0]!.range);
    const { d, e } = data as Record<string, JsonObject | JsonArray>;
    expect(marks.has(d!)).toBe(false);
    expect(marks.has((e as JsonObject)['f'] as JsonObject)).toBe(false);
    expect(marks.has(e!)).toBe(true);
  });

  it('throws for an invalid document', () => {
    const source = { path: 'a.yaml', text: 'a: [\n' };
    expect(() => readMarkedDocument(source, { start: 0, end: 5 })).toThrow('a.yaml is not a valid document');
  });
});
