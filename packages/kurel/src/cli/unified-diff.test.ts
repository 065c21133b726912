import { applyPatch } from 'diff';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { diffLines } from './unified-diff.ts';

const numbers = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `${from + index}\n`).join('');

describe('diffLines', () => {
  it.each<[string, string, string, readonly string[]]>([
    ['nothing', 'a\nb\n', 'a\nb\n', []],
    ['two empty texts', '', '', []],
    ['a new text', '', 'a\nb\n', ['@@ -0,0 +1,2 @@', '+a', '+b']],
    ['a text that goes', 'a\n', '', ['@@ -1,1 +0,0 @@', '-a']],
    [
      'a line in the middle',
      numbers(1, 9),
      numbers(1, 9).replace('5', 'five'),
      ['@@ -2,7 +2,7 @@', ' 2', ' 3', ' 4', '-5', '+five', ' 6', ' 7', ' 8'],
    ],
    [
      'places six lines apart, in one hunk',
      numbers(1, 8),
      numbers(1, 8).replace('1', 'one').replace('8', 'eight'),
      ['@@ -1,8 +1,8 @@', '-1', '+one', ' 2', ' 3', ' 4', ' 5', ' 6', ' 7', '-8', '+eight'],
    ],
    [
      'places seven lines apart, in two hunks',
      numbers(1, 9),
      numbers(1, 9).replace('1', 'one').replace('9', 'nine'),
      ['@@ -1,4 +1,4 @@', '-1', '+one', ' 2', ' 3', ' 4', '@@ -6,4 +6,4 @@', ' 6', ' 7', ' 8', '-9', '+nine'],
    ],
    [
      'a line break at the end',
      'a\nb',
      'a\nb\n',
      ['@@ -1,2 +1,2 @@', ' a', '-b', '\\ No newline at end of file', '+b'],
    ],
    ['lines that repeat', 'x\nx\nx\n', 'x\nx\n', ['@@ -1,3 +1,2 @@', ' x', ' x', '-x']],
  ])('%s', (_, before, after, expected) => {
    expect(diffLines(before, after)).toEqual(expected);
  });

  it('gives what another program makes the new text of', () => {
    const line = fc.constantFrom('a', 'b', 'c', 'd', '', '---', '-- x', '@@', '\\ x', 'é\r');
    const text = fc
      .tuple(fc.array(fc.oneof(line, fc.nat(30).map(String)), { maxLength: 40 }), fc.boolean())
      .map(([lines, isEnded]) => lines.join('\n') + (isEnded && lines.length > 0 ? '\n' : ''));
    const edited = text.chain((before) =>
      fc.tuple(
        fc.constant(before),
        fc.oneof(
          text,
          fc.array(fc.tuple(fc.nat(40), line), { maxLength: 5 }).map((edits) => {
            const lines = before.split('\n');
            for (const [at, word] of edits) lines.splice(Math.min(at, lines.length), word === 'a' ? 1 : 0, word);
            return lines.join('\n');
          }),
        ),
      ),
    );
    fc.assert(
      fc.property(edited, ([before, after]) => {
        const hunks = diffLines(before, after);
        expect(hunks.length === 0).toBe(before === after);
        const patch = ['--- a', '+++ b', ...hunks, ''].join('\n');
        expect(applyPatch(before, patch, { autoConvertLineEndings: false })).toBe(after);
      }),
      { numRuns: 2000 },
    );
  });
});
