import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Diagnostic, Json } from '../model/index.ts';
import { readYaml } from './read-yaml.ts';
import { yamlLike } from '../../test/yaml/yaml-like.ts';

// A carriage return anywhere in a text disables the fast path for plain lines.
const slowly = '#\r\n';

interface Outcome {
  readonly data: readonly Json[];
  readonly ends: readonly number[];
  readonly diagnostics: unknown;
}

function read(text: string): Outcome {
  const { documents, diagnostics } = readYaml({ path: 'a.yaml', text: slowly + text });
  return {
    data: documents.map(({ data }) => data ?? null),
    ends: documents.map(({ range }) => range.end - slowly.length),
    diagnostics: diagnostics.map((one) => place(one, slowly.length)),
  };
}

function readQuickly(text: string): Outcome {
  const { documents, diagnostics } = readYaml({ path: 'a.yaml', text });
  return {
    data: documents.map(({ data }) => data ?? null),
    ends: documents.map(({ range }) => range.end),
    diagnostics: diagnostics.map((one) => place(one, 0)),
  };
}

function place({ code, message, location, related = [] }: Diagnostic, by: number): unknown {
  const places = [location, ...related.map((one) => one.location)];
  return { code, message, places: places.map((one) => [one!.range!.start - by, one!.range!.end - by]) };
}

const cases: Readonly<Record<string, string>> = {
  'entries and items': 'a: b\nc:\n  d: 1\n  e:\n    - f\n    - g: h\n      i: j\nk: "l"\n',
  'a list at the column of its key': 'a:\n- b\n- c: d\ne: f\n',
  'an empty item': 'a:\n  -\n  - b\nc:\n-\n- d\ne: f\n',
  'a value over several lines': 'a: b\n  c\nd:\n  - e\n    f\n  - g\nh: i\n',
  'a string below its key': 'a:\n  b c\n  d\ne:\n  "f"\ng: h\n',
  'too deep a line below a value': 'a: "b"\n  c: d\n',
  'a key below a value': 'a: b\n  c: d\ne: f\n',
  'a line between two levels': 'a:\n    b: c\n  d: e\n',
  'typed words': 'a: yes\nb: 0x1f\nc: 1_000\nd: null\non: off\nnull: e\nf: g\n',
  'invalid numbers': 'a: .inf\nb: 1.e9999\nc: d\n',
  markers: 'a: b\n---\nc: d\n--- e\n---\nf: g\n...\nh: i\n---\n',
  'an invalid marker': 'a:\n--- b\n---c: d\n',
  'duplicate keys and names of prototypes': 'a: b\nconstructor: c\n__proto__: d\na: e\nf: g\n',
  merges: 'a: &x\n  b: c\nd:\n  <<: *x\n  e: f\ng: h\n',
  comments: 'a: b # c\n# d\ne: f#g\nh:\n  # i\n  j: k\n',
  colons: 'a: b:c\nd: e :f\ng: http://h\ni::j: k\nl: m:\n',
  tabs: 'a: b\t\nc:\td\ne:\n\tf: g\n',
  'quotes with escapes or text after them': "a: 'it''s'\nb: \"c\\td\"\ne: 'f' g\nh: i\n",
  'block scalars':
    'a: |\n  b\n\n    c\n  \nd: |-\n  e\n\n\nf: |+\n  g\n\nh: >\n  i\n  j\nk: |2\n   l\nm: |\n\n  n\no: p\n',
  'a block scalar before less indentation, a tab and the end':
    'a:\n  b: |\n    c\n   d: e\nf: |\n  g\n\th\ni: |\n  j\n  ',
};

describe('the fast path for plain lines', () => {
  it.each(Object.entries(cases))('reads %s like the normal path', (_, text) => {
    expect(readQuickly(text)).toEqual(read(text));
  });

  it('reads any text like the normal path', () => {
    const words = [
      'a',
      'b1',
      'c d',
      '"e"',
      "'f'",
      '12',
      'no',
      'x:y',
      '#',
      '~',
      '',
      '-',
      '|',
      '>-',
      '[g]',
      '{h: i}',
      '&j k',
    ];
    const line = fc
      .tuple(
        fc.constantFrom('', '', '  ', '  ', '    ', ' ', '\t'),
        fc.constantFrom('', '', '', '- ', '-', '- - ', '? '),
        fc.constantFrom('', '', 'a: ', 'b: ', 'c: ', 'd:', 'e:', 'yes: ', '"f": ', '__proto__: ', '<<: '),
        fc.constantFrom(...words),
        fc.constantFrom('', '', '', '', ' ', ' # note', ':'),
      )
      .map((parts) => parts.join(''));
    const text = fc
      .array(
        fc.oneof({ weight: 9, arbitrary: line }, fc.constantFrom('---', '...', '# note', '', '--- a', '%YAML 1.2')),
        {
          maxLength: 9,
        },
      )
      .map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(fc.oneof(text, yamlLike), (source) => {
        expect(readQuickly(source)).toEqual(read(source));
      }),
      { numRuns: 10_000 },
    );
  });

  // So long that the matcher's memory would overflow.
  it.each(['\n', ''])('accepts a line of any length before %j', { tags: 'slow' }, (end) => {
    const word = 'b '.repeat(8_000_000).trimEnd();
    const [document] = readYaml({ path: 'a.yaml', text: `a: b\nc: ${word}${end}` }).documents;
    expect(document?.data).toEqual({ a: 'b', c: word });
  });
});
