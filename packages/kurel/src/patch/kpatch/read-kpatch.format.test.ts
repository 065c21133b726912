import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../model/index.ts';
import { formatSections } from './read-kpatch.ts';

function format(text: string): { readonly formatted: string | undefined; readonly found: readonly Diagnostic[] } {
  const found: Diagnostic[] = [];
  const formatted = formatSections({ path: 'a.kpatch', text }, (diagnostic) => void found.push(diagnostic));
  return { formatted, found };
}

describe('formatSections', () => {
  it.each<[string, string, string]>([
    ['an empty file stays empty', '', ''],
    ['a file of blank lines becomes empty', ' \n\t\n\n', ''],
    ['a byte order mark goes', '\ufeff[a.b]\nx: 1\n', '[a.b]\nx: 1\n'],
    ['only a byte order mark', '\ufeff', ''],
    ['line ends become LF', '[a.b]\r\nx: 1\r\ny: 2\r', '[a.b]\nx: 1\ny: 2\n'],
    ['one newline at the end', '[a.b]\nx: 1', '[a.b]\nx: 1\n'],
    ['no blank lines at the end', '[a.b]\nx: 1\n\n \n', '[a.b]\nx: 1\n'],
    ['no blank lines at the start', '\n\nx: 1\n', 'x: 1\n'],
    ['no indentation', '  [a.b]\n\tx: 1\n  # c\n', '[a.b]\nx: 1\n# c\n'],
    ['one blank after the colon', '[a.b]\nx:1\ny:   2\nz\t:\t3\n', '[a.b]\nx: 1\ny: 2\nz: 3\n'],
    ['no blanks at the ends of lines', '[a.b]  \nx: 1\t\n# c \ny: \n', '[a.b]\nx: 1\n# c\ny:\n'],
    [
      'two blanks before a comment',
      '[a.b] # c\nx: 1 #d  \ny: # e\n"z": "q" \t # f\n',
      '[a.b]  # c\nx: 1  #d\ny:  # e\n"z": "q"  # f\n',
    ],
    ['no blanks in headers', '[ a.b.c[ name=x , y= z w ] ]\nx: 1\n', '[a.b.c[name=x,y=z w]]\nx: 1\n'],
    [
      'the API group stays',
      '[ shop/service@serving.knative.dev/web ]\nx: 1\n',
      '[shop/service@serving.knative.dev/web]\nx: 1\n',
    ],
    ['no blanks in keys', '[a.b]\n.a[ "x y" ][ 0 ].: 1\n', '[a.b]\na["x y"][0]: 1\n'],
    ['quotes stay', `[a."b"]\n'x': "1"\ny: 'it''s'\n`, `[a."b"]\n'x': "1"\ny: 'it''s'\n`],
    ['one blank line before a header', 'x: 1\n[a.b]\ny: 1\n\n\n[c.d]\nz: 1\n', 'x: 1\n\n[a.b]\ny: 1\n\n[c.d]\nz: 1\n'],
    ['none after a header', '[a.b]\n\n\nx: 1\n', '[a.b]\nx: 1\n'],
    ['none between a header and a comment', '[a.b]\n\n# c\nx: 1\n', '[a.b]\n# c\nx: 1\n'],
    ['one between sections without entries', '[a.b]\n[c.d]\n', '[a.b]\n\n[c.d]\n'],
    ['at most one between entries', '[a.b]\nx: 1\ny: 2\n\n\n\nz: 3\n', '[a.b]\nx: 1\ny: 2\n\nz: 3\n'],
    ['at most one between comments', '# a\n\n\n# b\n# c\n', '# a\n\n# b\n# c\n'],
    [
      'a comment right above a header belongs to it',
      '[a.b]\nx: 1\n# one\n  # two\n[c.d]\n',
      '[a.b]\nx: 1\n\n# one\n# two\n[c.d]\n',
    ],
    [
      'a comment below an entry stays with it',
      '[a.b]\nx: 1\n# about x\n\n\n[c.d]\n',
      '[a.b]\nx: 1\n# about x\n\n[c.d]\n',
    ],
    ['a comment above the first header', '\n# c\n[a.b]\n', '# c\n[a.b]\n'],
    ['a comment between two headers', '[a.b]\n# c\n[c.d]\n', '[a.b]\n\n# c\n[c.d]\n'],
    [
      'blocks are indented by two',
      '[a.b]\n   x: |\n       l1\n         l2\n\n       l3\n',
      '[a.b]\nx: |\n  l1\n    l2\n\n  l3\n',
    ],
    ['blocks with comments', '[a.b]\nx: |-   # c\n a\n', '[a.b]\nx: |-  # c\n  a\n'],
    ['blanks that belong to the text', '[a.b]\nx: |\n   a  \n      \n   b\n', '[a.b]\nx: |\n  a  \n     \n  b\n'],
    ['blanks that do not', '[a.b]\nx: |\n   a\n  \n   b\n   \ny: 1\n', '[a.b]\nx: |\n  a\n\n  b\n\ny: 1\n'],
    ['indentation that the header says', '[a.b]\n x: |4-\n       a\n     b\n', '[a.b]\nx: |-2\n    a\n  b\n'],
    ['folded text', '[a.b]\nx: >+1\n  a\n b\n', '[a.b]\nx: >+2\n   a\n  b\n'],
    ['a text that keeps its blank lines', '[a.b]\nx: |+\n a\n\n\n[c.d]\n', '[a.b]\nx: |+\n  a\n\n\n[c.d]\n'],
    ['one that has none', '[a.b]\nx: |+\n a\n[c.d]\n', '[a.b]\nx: |+\n  a\n[c.d]\n'],
    ['one with a comment below', '[a.b]\nx: |+\n a\n# c\n[c.d]\n', '[a.b]\nx: |+\n  a\n# c\n[c.d]\n'],
    ['one at the end', '[a.b]\nx: |+\n a\n\n \n', '[a.b]\nx: |+\n  a\n\n\n'],
    ['a block without text', '[a.b]\nx: |\n\n\ny: |-\n[c.d]\n', '[a.b]\nx: |\n\ny: |-\n\n[c.d]\n'],
    ['tabs in a block', '[a.b]\nx: |\n \ta\n', '[a.b]\nx: |\n  \ta\n'],
    ['variables', '[a.${ b }]\n${ c }[x=${ d }]: ${ e } # f\n', '[a.${ b }]\n${ c }[x=${ d }]: ${ e }  # f\n'],
  ])('%s', (_, text, expected) => {
    expect(format(text)).toEqual({ formatted: expected, found: [] });
    expect(format(expected)).toEqual({ formatted: expected, found: [] });
  });

  it('does not touch a file with errors', () => {
    const { formatted, found } = format('[a.b]\nx:1\nx:1\n[c\n');
    expect(formatted).toBeUndefined();
    expect(found.map(({ code }) => code)).toEqual(['kpatch-syntax']);
  });

  it('writes blocks of any length', { tags: 'slow' }, () => {
    const lines = (indent: string) => `${indent}line\n`.repeat(300_000);
    expect(format(`[a.b]\nx: |\n${lines(' ')}`).formatted === `[a.b]\nx: |\n${lines('  ')}`).toBe(true);
  });

  it('does not report warnings', () => {
    expect(format('[a.b]\nx:1\nx:2\n')).toEqual({ formatted: '[a.b]\nx: 1\nx: 2\n', found: [] });
  });
});
