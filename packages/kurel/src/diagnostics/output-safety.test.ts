import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../test/any-character.ts';
import type { Diagnostic, Range } from '../model/index.ts';
import { escapeControls, formatDiagnostics, positionAt, quote, sortDiagnostics, toJson, toSarif } from './index.ts';

const text = fc.string({ unit: anyCharacter, maxLength: 60 });
const hostile = fc.oneof(
  text,
  fc.string({ unit: fc.constantFrom('\u001b', '\n', '\r', '\t', 'a', '日', '\u202e', '\ud83d', '\ude80', '\u0301') }),
);
const anyNumber = fc.oneof(fc.integer({ min: -5, max: 80 }), fc.double());
const range: fc.Arbitrary<Range> = fc.record({ start: anyNumber, end: anyNumber });
const file = fc.constantFrom('a.yaml', 'b.yaml', '\u001b[31m', '../ü \n');
const location = fc.oneof(fc.record({ file, range }), fc.record({ file }), fc.record({ file: hostile }));
const diagnostic: fc.Arbitrary<Diagnostic> = fc.record(
  {
    code: hostile,
    severity: fc.constantFrom('error', 'warning', 'note'),
    message: hostile,
    location,
    hint: hostile,
    related: fc.array(fc.record({ message: hostile, location }), { maxLength: 3 }),
  },
  { requiredKeys: ['code', 'severity', 'message'] },
);
const sources = fc.tuple(hostile, hostile).map(([a, b]) => [
  { path: 'a.yaml', text: a },
  { path: 'b.yaml', text: b },
]);
const input = fc.record({
  diagnostics: fc.array(diagnostic, { maxLength: 5 }),
  sources,
  located: fc.option(range, { nil: undefined }),
});

const unsafe = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\u200b-\u200f\u2028\u2029\ufeff]/u;

function withoutLineFeeds(output: string): string {
  return output.replaceAll('\n', '');
}

describe('for any findings', () => {
  it('text has no raw control characters except line feeds, and only our own colours', () => {
    fc.assert(
      fc.property(input, ({ diagnostics, sources, located }) => {
        const options = { sources, locate: () => located };
        const plain = formatDiagnostics(diagnostics, { ...options, color: false });
        expect(withoutLineFeeds(plain)).not.toMatch(unsafe);
        // oxlint-disable-next-line no-control-regex -- the sequences under test begin with one
        const stripped = formatDiagnostics(diagnostics, { ...options, color: true }).replace(/\u001b\[[\d;]+m/g, '');
        expect(stripped).toBe(plain);
      }),
    );
  });

  it('every line of a finding but the first and its notes is indented', () => {
    fc.assert(
      fc.property(diagnostic, sources, (diagnostic, sources) => {
        const output = formatDiagnostics([diagnostic], { sources, locate: () => undefined, color: false });
        const lines = output.split('\n').slice(1, -1);
        expect(lines.filter((line) => line !== '' && !/^ |^note: /.test(line))).toEqual([]);
      }),
    );
  });

  it('JSON and SARIF decode to the same strings and have no raw control characters', () => {
    fc.assert(
      fc.property(input, ({ diagnostics, sources, located }) => {
        const options = { sources, locate: () => located };
        const json = toJson(diagnostics, options);
        const sarif = toSarif(diagnostics, { ...options, toolVersion: '0', definitions: {} });
        expect(withoutLineFeeds(json)).not.toMatch(unsafe);
        expect(withoutLineFeeds(sarif)).not.toMatch(unsafe);
        const read = JSON.parse(json) as readonly Diagnostic[];
        expect(read.map(({ code, message }) => ({ code, message }))).toEqual(
          diagnostics.map(({ code, message }) => ({ code, message })),
        );
        expect(() => JSON.parse(sarif) as unknown).not.toThrow();
      }),
    );
  });

  it('sorting keeps every finding', () => {
    fc.assert(
      fc.property(input, ({ diagnostics, sources, located }) => {
        const sorted = sortDiagnostics(diagnostics, { sources, locate: () => located });
        expect(new Set(sorted)).toEqual(new Set(diagnostics));
        expect(sorted).toHaveLength(diagnostics.length);
      }),
    );
  });

  it('quoted and escaped text is one safe line', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(quote(text)).not.toMatch(unsafe);
        expect(escapeControls(text)).not.toMatch(unsafe);
      }),
    );
  });
});

describe('positionAt', () => {
  it('agrees with counting from the start', () => {
    fc.assert(
      fc.property(hostile, fc.nat(80), (text, offset) => {
        const before = text.slice(0, offset);
        const splitsPair = /[\ud800-\udbff]$/.test(before) && /^[\udc00-\udfff]/.test(text.slice(offset));
        const splitsBreak = before.endsWith('\r') && text[offset] === '\n';
        fc.pre(!splitsPair && !splitsBreak && !text.startsWith('\ufeff'));
        const lines = before.split(/\r\n|\r|\n/);
        expect(positionAt(text, offset)).toEqual({ line: lines.length, column: Array.from(lines.at(-1)!).length + 1 });
      }),
    );
  });

  it.each([
    ['', 0, 1, 1],
    ['abc', -1, 1, 1],
    ['abc', Number.NaN, 1, 1],
    ['abc', Number.POSITIVE_INFINITY, 1, 4],
    ['a\nb', 99, 2, 2],
    ['a\r\nb', 2, 1, 2],
    ['a\r\nb', 3, 2, 1],
    ['🚀x', 1, 1, 1],
    ['🚀x', 2, 1, 2],
    ['\ufeffab', 0, 1, 1],
    ['\ufeffab', 2, 1, 2],
  ])('%j at %d is line %d, column %d', (text, offset, line, column) => {
    expect(positionAt(text, offset)).toEqual({ line, column });
  });

  it('answers for a hundred thousand offsets in one long line and many short ones', () => {
    const text = `${'🚀'.repeat(100_000)}\n${'a\n'.repeat(100_000)}`;
    let wrong = 0;
    for (let step = 0; step < 100_000; step += 1) {
      if (positionAt(text, 2 * step).column !== step + 1) wrong += 1;
      if (positionAt(text, 200_001 + 2 * step).line !== step + 2) wrong += 1;
    }
    expect(wrong).toBe(0);
  });
});
