import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../test/any-character.ts';
import { stringify } from 'yaml';
import type { Json } from '../model/index.ts';
import { checkMarks } from '../../test/yaml/check-marks.ts';
import { readByLibrary } from '../../test/yaml/read-by-library.ts';
import { readMarkedDocument, readYaml } from './read-yaml.ts';
import { resolvePlainScalar } from './resolve-plain-scalar.ts';
import { yamlLike } from '../../test/yaml/yaml-like.ts';
import { propertyRuns } from '../../../../test/property-runs.ts';
import { hasEscapedKey } from '../../test/has-escaped-key.ts';

const awkward = Array.from(' \n\t:#-?,[]{}&*!|>\'"%@`~<=aAyn01.e_\\/é日😀\u2028\u00a0');
const text = fc.oneof(fc.string({ unit: fc.constantFrom(...awkward), maxLength: 12 }), fc.string(), fc.lorem());

/** Words that readers of other YAML versions take for numbers; the library writes them without quotes. */
const unmistakable = text.map((word) =>
  typeof resolvePlainScalar(word) === 'string' && word !== '<<' ? word : `x${word}`,
);

function jsonOf(words: fc.Arbitrary<string>): fc.Arbitrary<Json> {
  const key = words.filter((word) => word !== '__proto__');
  // Integers that a double does not represent exactly are read as bigint, so they do not round-trip as numbers.
  const double = fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .filter((value) => !Number.isInteger(value) || Number.isSafeInteger(value));
  const number = fc.oneof(fc.integer(), double);
  return fc.letrec<{ readonly node: Json }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.oneof(words, words, number, fc.boolean(), fc.constant(null)),
      fc.array(tie('node'), { maxLength: 4 }),
      fc.dictionary(key, tie('node'), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).node;
}

/** Findings about input that YAML 1.2 allows but kubectl and kustomize reject; the oracles show when that is so. */
const refusedByCluster: ReadonlySet<string> = new Set([
  'yaml-missing-document-start',
  'yaml-multi-line-key',
  'yaml-tab-indentation',
  'yaml-unexpected-character',
  'yaml-unexpected-text',
  'yaml-unquoted-in-brackets',
]);

function readOne(source: string): Json {
  const { documents, diagnostics } = readYaml({ path: 'a.yaml', text: source });
  expect(diagnostics).toEqual([]);
  expect(documents).toHaveLength(1);
  return documents[0]!.data ?? null;
}

const styles = fc.record({
  version: fc.constant('1.1' as const),
  collectionStyle: fc.constantFrom('any' as const, 'block' as const, 'flow' as const),
  defaultStringType: fc.constantFrom(
    'PLAIN' as const,
    'QUOTE_SINGLE' as const,
    'QUOTE_DOUBLE' as const,
    'BLOCK_LITERAL' as const,
    'BLOCK_FOLDED' as const,
  ),
  indent: fc.integer({ min: 1, max: 6 }),
  indentSeq: fc.boolean(),
  lineWidth: fc.constantFrom(0, 20, 80),
});

describe('reading back', () => {
  it('what the library writes, in all its styles', () => {
    fc.assert(
      fc.property(jsonOf(unmistakable), styles, (inner, style) => {
        // In an object: at the root, the library writes text at column 0, which kubectl and we reject.
        const data = { a: inner };
        const written = stringify(data, { ...style, defaultKeyType: 'PLAIN' });
        // The library cannot read some of its own strings of blanks.
        fc.pre(isDeepStrictEqual(readByLibrary(written), [data]));
        // It does not escape characters that are line breaks only in YAML 1.1.
        fc.pre(!written.includes('\u2028'));
        // YAML 1.2 allows some strings in brackets, and text after tabs, that kubectl and we reject.
        const { documents, diagnostics } = readYaml({ path: 'a.yaml', text: written });
        fc.pre(diagnostics.every(({ code }) => !refusedByCluster.has(code)));
        expect(diagnostics).toEqual([]);
        expect(documents.map((document) => document.data)).toEqual([data]);
      }),
      { numRuns: 1000 },
    );
  });

  it('JSON, with any indentation', () => {
    fc.assert(
      fc.property(jsonOf(text), fc.constantFrom('', '\t', ' ', '    '), (data, indent) => {
        fc.pre(!hasEscapedKey(data));
        // JSON may contain raw YAML 1.1 line breaks; kubectl accepts them in JSON, but kustomize does not.
        const written = JSON.stringify(data, undefined, indent).replaceAll('\u2028', '\\u2028');
        expect(readOne(written)).toEqual(JSON.parse(JSON.stringify(data)));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('any text', () => {
  const texts = fc.oneof(
    yamlLike,
    fc.string({
      unit: fc.constantFrom(...awkward, '\r', '\r\n', ': ', '- ', '---\n', '\n  ', '\n- ', ': |\n'),
      maxLength: 60,
    }),
    fc.string({ unit: anyCharacter }),
  );

  it('is read or rejected, with ranges inside the text and nothing on prototypes', () => {
    fc.assert(
      fc.property(texts, (source) => {
        const { documents, diagnostics } = readYaml({ path: 'a.yaml', text: source });
        for (const { severity, location, related = [] } of diagnostics) {
          expect(severity).toBe('error');
          for (const place of [location, ...related.map((one) => one.location)]) {
            const { start, end } = place!.range!;
            expect(start >= 0 && start <= end && end <= source.length).toBe(true);
          }
        }
        let before = 0;
        for (const { range } of documents) {
          expect(before <= range.start && range.start <= range.end && range.end <= source.length).toBe(true);
          before = range.end;
        }
        expect(Object.keys(Object.prototype)).toEqual([]);
      }),
      { numRuns: 3000 },
    );
  });

  it('reads the same with marks, and every mark has the right text', () => {
    fc.assert(
      fc.property(texts, (source) => {
        const file = { path: 'a.yaml', text: source };
        for (const { range, data } of readYaml(file).documents) {
          const marked = readMarkedDocument(file, range);
          expect(marked.data).toEqual(data ?? null);
          checkMarks(file, range, marked);
        }
      }),
      { numRuns: 1500 },
    );
  });

  it('reads like the library', () => {
    let read = 0;
    fc.assert(
      fc.property(yamlLike, (made) => {
        // The library adds a break at the end of a final block scalar, kubectl and we do not.
        const source = made.endsWith('\n') ? made : `${made}\n`;
        const theirs = readByLibrary(source);
        // At the root, kubectl and we reject text at column 0; no manifest is a string anyway.
        if (theirs === undefined || theirs.some((one) => typeof one === 'string')) return;
        const { documents, diagnostics } = readYaml({ path: 'a.yaml', text: source });
        if (diagnostics.some(({ code }) => refusedByCluster.has(code))) return;
        expect(diagnostics).toEqual([]);
        expect(documents.map(({ data }) => data ?? null)).toEqual(theirs);
        read++;
      }),
      { numRuns: 3000 },
    );
    // Most generated texts must be valid YAML, or this would prove little.
    expect(read).toBeGreaterThan(propertyRuns(3000) / 2);
  });
});
