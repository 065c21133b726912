import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from './any-character.ts';
import { type CaseArchive, formatArchive, isArchivable, parseArchive } from './case-archive.ts';

const lines = [
  '\n',
  '\r\n',
  '\r',
  '-- a --',
  '-- include a.case --',
  '-- case a --',
  '--',
  ' ',
  '\t',
  'a: b',
  '[crlf]',
];
const characters = ['\\', '\\u0041', '"', 'ü', '😀', '\ud800', '\uFEFF', '\u0000', '\u001b[1m', '\u202e', '\u2028'];
const piece = fc.constantFrom(...lines, ...characters);
const content = fc.oneof(
  fc.array(piece).map((parts) => parts.join('')),
  fc.string({ unit: anyCharacter }),
);
const path = fc.oneof(
  fc.constantFrom(
    'command',
    'input/a.yaml',
    'a b',
    ' a',
    'include a',
    'case a',
    'a [crlf]',
    '"',
    'a\nb',
    '-- a --',
    '\u202e',
  ),
  fc.string({ minLength: 1 }),
);
const partShape = {
  comment: fc.constantFrom('', 'Why it is so.\n', '\n-- a\n--\n'),
  includes: fc.array(
    fc.record({ path: fc.constantFrom('../fixtures/shop.case', '..'), into: fc.constantFrom('', 'input', 'as') }),
  ),
  files: fc.array(fc.tuple(path, content), { maxLength: 5 }).map((entries) => new Map(entries)),
};
const archive: fc.Arbitrary<CaseArchive> = fc.record({
  ...partShape,
  cases: fc
    .array(fc.tuple(fc.constantFrom('build', 'build-2', 'a-b-c'), fc.record(partShape)), { maxLength: 3 })
    .map((entries) => new Map(entries)),
});

describe('the archive of a case', () => {
  it('returns its input, byte for byte', () => {
    fc.assert(
      fc.property(archive, (given) => {
        const text = formatArchive(given);
        const read = parseArchive(text);
        expect(read).toEqual(given);
        expect([...read.files.keys()]).toEqual([...given.files.keys()]);
        expect(formatArchive(read)).toBe(text);
      }),
    );
  });

  it('shows every character', () => {
    fc.assert(
      fc.property(archive, (given) => {
        expect(formatArchive(given)).not.toMatch(/(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      }),
    );
  });

  it('is readable', () => {
    const files = new Map([
      ['command', 'build\ninput\n'],
      ['input/empty.yaml', ''],
      ['input/windows.yaml', 'a: 1\r\nb: 2\r\n'],
      ['input/mixed.yaml', 'a: 1\r\nb: "\\n"\nc: 3'],
      ['input/header.txt', '-- command --\n'],
    ]);
    const text = formatArchive({
      comment: 'Line breaks stay.\n',
      includes: [{ path: '../a.case', into: 'input' }],
      files,
      cases: new Map([
        ['build-plain', { comment: 'And so do cases.\n', includes: [], files: new Map([['expected', 'exit 0\n']]) }],
        ['build-empty', { comment: '', includes: [{ path: '../b.yaml', into: 'b.yaml' }], files: new Map() }],
      ]),
    });
    expect(text).toBe(`Line breaks stay.
-- include ../a.case as input --
-- command --
build
input
-- input/empty.yaml --
-- input/windows.yaml [crlf] --
a: 1
b: 2
-- input/mixed.yaml [escaped, no final newline] --
a: 1\\u000d
b: "\\\\n"
c: 3
-- input/header.txt [escaped] --
\\u002d- command --
-- case build-plain --
And so do cases.
-- expected --
exit 0
-- case build-empty --
-- include ../b.yaml as b.yaml --
`);
  });

  it.each([
    ['a header with an unknown flag', '-- a [base64] --\n'],
    ['the same path twice', '-- a --\n-- a --\n'],
    ['an include below a file', '-- a --\n-- include b.case --\n'],
    ['the same case twice', '-- case a --\n-- case a --\n'],
    ['text in an include', '-- include b.case --\na\n'],
    ['a lone backslash in an escaped section', '-- a [escaped] --\n\\n\n'],
    ['line breaks of Windows', '-- a --\r\n'],
    ['no final newline', '-- a --\na'],
  ])('refuses %s', (_, text) => {
    expect(() => parseArchive(text)).toThrow(/line/);
  });

  it('holds UTF-8 alone', () => {
    expect(isArchivable(Buffer.from('\uFEFFä'))).toBe(true);
    expect(isArchivable(Buffer.from([0xff]))).toBe(false);
  });
});
