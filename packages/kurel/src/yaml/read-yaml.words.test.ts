import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../model/index.ts';
import { locateInYaml } from './locate-in-yaml.ts';
import { readMarkedDocument, readYaml } from './read-yaml.ts';
import type { YamlWords } from './resolve-plain-scalar.ts';
import { writeYaml } from './write-yaml.ts';
import { yamlLike } from '../../test/yaml/yaml-like.ts';
import { propertyRuns } from '../../../../test/property-runs.ts';

function read(text: string, words?: YamlWords): Json | undefined | readonly string[] {
  const { documents, diagnostics } = readYaml({ path: 'a.yaml', text }, words === undefined ? {} : { words });
  return diagnostics.length > 0 ? diagnostics.map(({ code }) => code) : documents[0]?.data;
}

const booleans: Readonly<Record<string, boolean>> = {
  ...Object.fromEntries(['y', 'Y', 'yes', 'Yes', 'YES', 'on', 'On', 'ON'].map((word) => [word, true])),
  ...Object.fromEntries(['n', 'N', 'no', 'No', 'NO', 'off', 'Off', 'OFF'].map((word) => [word, false])),
};

/** All contexts of a plain scalar, each handled by different code. */
const places: Readonly<Record<string, (word: string) => string>> = {
  'a plain line': (word) => `a: ${word}\nb: c\n`,
  'a plain item': (word) => `a:\n- ${word}\n- c\nb: c\n`,
  'an item that is an entry': (word) => `a:\n- k: ${word}\n  l: c\nb: c\n`,
  'a line with a comment': (word) => `a: ${word} # c\nb: c\n`,
  'the last line': (word) => `a: ${word}`,
  'lines that end in returns': (word) => `a: ${word}\r\nb: c\r\n`,
  'a line below its key': (word) => `a:\n  ${word}\nb: c\n`,
  'a list in brackets': (word) => `a: [${word}, c]\n`,
  'an object in braces': (word) => `a: {k: ${word}}\n`,
  'an anchor and its alias': (word) => `a: &x ${word}\nb: *x\n`,
  'the root': (word) => `${word}\n`,
};

const keys: Readonly<Record<string, (word: string) => string>> = {
  'a plain line': (word) => `${word}: 1\nb: c\n`,
  'a head of entries': (word) => `${word}:\n  k: 1\nb: c\n`,
  'a line with a comment': (word) => `${word}: 1 # c\n`,
  'an entry of an item': (word) => `- ${word}: 1\n  b: c\n`,
  'a key with an anchor': (word) => `&x ${word}: 1\n`,
  'an explicit key': (word) => `? ${word}\n: 1\n`,
  'an object in braces': (word) => `{${word}: 1}\n`,
  'a pair in brackets': (word) => `[${word}: 1]\n`,
};

describe.each(Object.entries(booleans))('the word %s', (word, boolean) => {
  it.each(Object.entries(places))('as a value: %s', (_, write) => {
    expect(read(write(word), 'core')).toEqual(read(write(`"${word}"`)));
    expect(read(write(word), 'kubernetes')).toEqual(read(write(String(boolean))));
    expect(read(write(word))).toEqual(read(write(word), 'kubernetes'));
  });

  it.each(Object.entries(keys))('as a key: %s', (_, write) => {
    expect(read(write(word), 'core')).toEqual(read(write(`"${word}"`)));
    expect(read(write(word), 'kubernetes')).toEqual(read(write(`"${boolean}"`)));
  });

  it('is not a boolean with a tag either', () => {
    expect(read(`!!bool ${word}`, 'core')).toEqual(['yaml-tag-mismatch']);
    expect(read(`!!bool ${word}`, 'kubernetes')).toBe(boolean);
  });
});

const alike = [
  ['true', 'True', 'TRUE', 'false', 'False', 'FALSE', 'null', 'Null', 'NULL', '~', '""'],
  ['0755', '0o755', '0x1f', '0b1', '1_000', '1e3', '1.10', '08', '123456789012345678901234567890'],
  ['2024-01-01', '1:30', 'yEs', 'nope', 'yes no', 'offset', '.inf', '-.INF', '.nan'],
].flat();

describe('words', () => {
  it.each(alike)('read %s the same', (word) => {
    for (const text of [`a: ${word}\nb: c\n`, `[${word}]`, `${word}: 1\nb: c\n`, `{${word}: 1}`]) {
      expect(read(text, 'core')).toEqual(read(text, 'kubernetes'));
    }
  });

  it('are two keys or one', () => {
    const text = 'a: {y: 1, yes: 2, true: 3}\n';
    expect(read(text, 'core')).toEqual({ a: { y: 1, yes: 2, true: 3 } });
    expect(read(text, 'kubernetes')).toEqual(['yaml-duplicate-key', 'yaml-duplicate-key']);
    expect(read('"y": 1\ny: 2\n', 'core')).toEqual(['yaml-duplicate-key']);
    expect(read('"y": 1\ny: 2\n', 'kubernetes')).toEqual({ y: 1, true: 2 });
  });

  it('are not mixed between two readings of one text', () => {
    const source = { path: 'a.yaml', text: 'y: 1\n' };
    const [core, kubernetes, again] = (['core', 'kubernetes', 'core'] as const).map(
      (words) => readYaml(source, { words }).documents[0]!,
    );
    expect([core!.data, kubernetes!.data, again!.data]).toEqual([{ y: 1 }, { true: 1 }, { y: 1 }]);
    expect(readMarkedDocument(source, core!.range, { words: 'core' }).data).toEqual({ y: 1 });
    expect(readMarkedDocument(source, core!.range).data).toEqual({ true: 1 });
  });

  const wordy = fc
    .tuple(yamlLike, fc.array(fc.constantFrom(...Object.keys(booleans)), { minLength: 1, maxLength: 4 }))
    .map(([text, words]) => {
      let at = 0;
      return text.replaceAll(/\b[abch]\b/g, (letter) => (at < words.length ? words[at++]! : letter));
    });

  it('are written so that every reader finds the same', () => {
    let compared = 0;
    fc.assert(
      fc.property(wordy, (text) => {
        for (const { data } of readYaml({ path: 'a.yaml', text }, { words: 'core' }).documents) {
          if (data === undefined) continue;
          const written = writeYaml(data);
          expect(read(written, 'kubernetes')).toEqual(data);
          expect(read(written, 'core')).toEqual(data);
          compared++;
        }
      }),
      { numRuns: 1000 },
    );
    expect(compared).toBeGreaterThan(propertyRuns(1000) * 0.3);
  });

  it('are read on plain lines as everywhere else', () => {
    // A carriage return anywhere in a text disables the fast path for plain lines.
    const slowly = '#\r\n';
    fc.assert(
      fc.property(wordy, (text) => {
        const quick = readYaml({ path: 'a.yaml', text }, { words: 'core' });
        const slow = readYaml({ path: 'a.yaml', text: slowly + text }, { words: 'core' });
        expect(quick.documents.map(({ data }) => data)).toEqual(slow.documents.map(({ data }) => data));
        expect(quick.diagnostics.map(({ message }) => message)).toEqual(slow.diagnostics.map(({ message }) => message));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('locating words', () => {
  it.each([
    ['y: {n: 1}', ['y', 'n'], '1'],
    ['y: {n: 1}', ['true', 'false'], '1'],
    ['y: {n: 1}', ['y', 'false'], '1'],
    ['list: [{on: a}]', ['list', 0, 'on'], 'a'],
    // Two keys that are distinct in only one of the two readings.
    ['{y: a, yes: b, true: c}', ['yes'], 'b'],
    ['{y: a, yes: b, true: c}', ['true'], 'c'],
    ['{"y": a, y: b}', ['y'], 'a'],
    ['{"y": a, y: b}', ['true'], 'b'],
    ['{"true": a}', ['y'], '{"true": a}'],
    ['a: {y: b}', ['a', 'on'], 'a'],
    ['- a', ['-'], '- a'],
  ] as const)('%s at %j', (text, path, expected) => {
    const range = locateInYaml({ path: 'a.yaml', text }, { file: 'a.yaml', document: 0, path });
    expect(text.slice(range!.start, range!.end)).toBe(expected);
  });

  it('finds values that only YAML 1.2 can read, after others', () => {
    const source = { path: 'a.yaml', text: 'y: a\n---\ny: b\nyes: c\n---\nn: d\n' };
    const found = [0, 1, 2].map((document) => {
      const path = [['y'], ['yes'], ['n']][document]!;
      const { start, end } = locateInYaml(source, { file: 'a.yaml', document, path })!;
      return source.text.slice(start, end);
    });
    expect(found).toEqual(['a', 'c', 'd']);
  });
});
