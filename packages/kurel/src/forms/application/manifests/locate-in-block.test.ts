import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { positionAt } from '../../../diagnostics/index.ts';
import { readYaml } from '../../../yaml/index.ts';
import { locateInBlock } from './locate-in-block.ts';

/** The part of the file that a part of the string is located at; the whole string if it is not found. */
function find(file: string, text: string, part: string): string {
  const path = ['a', 'text'];
  const source = { path: 'app.yaml', text: file };
  const start = text.indexOf(part);
  const locate = locateInBlock(text, { file: source, place: { file: 'app.yaml', document: 0, path } });
  const { range, ...place } = locate({ start, end: start + part.length });
  expect(place).toEqual({ file: 'app.yaml', document: 0, path });
  if (range === undefined) return 'the whole';
  const { line, column } = positionAt(file, range.start);
  return `${line}:${column} ${file.slice(range.start, range.end)}`;
}

describe('a part of a text', () => {
  const text = 'kind: A\n\nspec:\n  size: 3\n';
  const literal = 'a:\n  text: |\n    kind: A\n\n    spec:\n      size: 3\n';
  const cases: readonly [title: string, file: string, text: string, part: string, expected: string][] = [
    ['is found in a literal block', literal, text, '3', '6:13 3'],
    ['is found on the first line', literal, text, 'kind', '3:5 kind'],
    ['ends with its line', literal, text, 'A\n\nspec', '3:11 A'],
    ['is found with another end', literal.replace('|', '|-'), text.trimEnd(), 'size', '6:7 size'],
    ['is found with all line breaks', `${literal.replace('|', '|+')}\n\n`, `${text}\n\n`, 'size', '6:7 size'],
    ['is found below an indentation of its own', 'a:\n  text: |2\n      b: 1\n', '  b: 1\n', 'b', '3:7 b'],
    ['is found after a tag and a comment', 'a:\n  text: !!str | # why\n    b: 1\n', 'b: 1\n', '1', '3:8 1'],
    ['is found with Windows line breaks', 'a:\r\n  text: |\r\n    b: 1\r\n    c: 2\r\n', 'b: 1\nc: 2\n', '2', '4:8 2'],
    ['is found above other keys', 'a:\n  text: |\n    b: 1\n\n  more: 2\n', 'b: 1\n', '1', '3:8 1'],
    [
      'is its line where something was filled in',
      'a:\n  text: |\n    b: ${x}\n    c: 2\n',
      'b: 1\nc: 2\n',
      '1',
      '3:5 b: ${x}',
    ],
    ['is found on other lines then', 'a:\n  text: |\n    b: ${x}\n    c: 2\n', 'b: 1\nc: 2\n', '2', '4:8 2'],
    [
      'is the whole where lines were filled in',
      'a:\n  text: |\n    ${x}\n    c: 2\n',
      'b: 1\nd: 3\nc: 2\n',
      '2',
      'the whole',
    ],
    ['is the whole of a folded text', 'a:\n  text: >\n    b: 1\n', 'b: 1\n', '1', 'the whole'],
    ['is the whole of a quoted text', 'a:\n  text: "b: 1\\n"\n', 'b: 1\n', '1', 'the whole'],
    ['is the whole of a reference', 'a:\n  text: ${x}\n', 'b: 1\n', '1', 'the whole'],
    ['is the whole of an empty text', 'a:\n  text: |\n', '', '', 'the whole'],
    ['is the whole where there is no string', 'b: 1\n', 'b: 1\n', '1', 'the whole'],
  ];

  it.each(cases)('%s', (_, file, whole, part, expected) => {
    expect(find(file, whole, part)).toBe(expected);
  });

  it('is the same in the file, whatever the text is', () => {
    const line = fc.string({ unit: fc.constantFrom('a', ' ', ':', '-', '#', '"', '|', '😀'), maxLength: 8 });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), fc.nat(), fc.nat(), (lines, from, length) => {
        const file = `a:\n  text: |2+\n${lines.map((one) => `    ${one}\n`).join('')}`;
        const whole = lines.map((one) => `${one}\n`).join('');
        const [document] = readYaml({ path: 'app.yaml', text: file }).documents;
        expect(document?.data).toEqual({ a: { text: whole } });
        const start = from % whole.length;
        const parsed = whole.slice(start, start + length).split('\n', 1)[0]!;
        const place = { file: 'app.yaml', document: 0, path: ['a', 'text'] };
        const locate = locateInBlock(whole, { file: { path: 'app.yaml', text: file }, place });
        const { range } = locate({ start, end: Math.min(whole.length, start + length) });
        // The block indicator determines the empty lines at the end.
        if (whole.slice(start).trimEnd() === '') return;
        expect(file.slice(range!.start, range!.end)).toBe(parsed);
      }),
      { numRuns: 500 },
    );
  });
});
