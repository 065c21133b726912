import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { paxRecord, type TarPart, writeTar } from '../../test/write-tar.ts';
import { readTar } from './read-tar.ts';
import { TarError } from './check-entry-name.ts';

const encoder = new TextEncoder();
const file: TarPart = { name: 'a', content: 'hello' };

function put(header: Uint8Array, offset: number, text: string): void {
  header.set(encoder.encode(text), offset);
}

function read(parts: readonly TarPart[]): readonly (readonly [string, string])[] {
  return readTar(writeTar(parts)).map(({ name, type, bytes }) => [
    name,
    type === 'file' ? new TextDecoder().decode(bytes) : '/',
  ]);
}

describe('readTar', () => {
  const long = `${'long/'.repeat(60)}name`;

  it.each<[string, readonly TarPart[], readonly (readonly [string, string])[]]>([
    ['nothing', [], []],
    [
      'files',
      [file, { name: 'b/c', content: '' }],
      [
        ['a', 'hello'],
        ['b/c', ''],
      ],
    ],
    [
      'a full block',
      [
        { name: 'a', content: 'x'.repeat(512) },
        { ...file, name: 'b' },
      ],
      [
        ['a', 'x'.repeat(512)],
        ['b', 'hello'],
      ],
    ],
    [
      'a directory',
      [
        { name: 'd/', type: '5' },
        { name: 'd', type: '5' },
      ],
      [['d', '/']],
    ],
    [
      'old types',
      [
        { ...file, type: '\0' },
        { name: 'd/', type: '\0' },
      ],
      [
        ['a', 'hello'],
        ['d', '/'],
      ],
    ],
    [
      'its own root',
      [
        { name: './', type: '5' },
        { ...file, name: './a' },
      ],
      [['a', 'hello']],
    ],
    ['doubled slashes', [{ ...file, name: './a//./b' }], [['a/b', 'hello']]],
    ['a name of 100 bytes', [{ ...file, name: 'n'.repeat(100) }], [['n'.repeat(100), 'hello']]],
    ['a prefix', [{ ...file, change: (header) => put(header, 345, 'pre/fix') }], [['pre/fix/a', 'hello']]],
    [
      'an old header without a prefix',
      [
        {
          ...file,
          change: (header) => {
            header.fill(0, 257, 265);
            put(header, 345, '..');
          },
        },
      ],
      [['a', 'hello']],
    ],
    ['GNU headers', [{ ...file, change: (header) => put(header, 257, 'ustar  \0') }], [['a', 'hello']]],
    ['a GNU long name', [{ name: '././@LongLink', type: 'L', content: `${long}\0` }, file], [[long, 'hello']]],
    ['a POSIX long name', [{ name: 'x', type: 'x', content: paxRecord('path', long) }, file], [[long, 'hello']]],
    [
      'a name in Unicode',
      [{ name: 'x', type: 'x', content: paxRecord('path', 'ä/\u{1F600}') }, file],
      [['ä/\u{1F600}', 'hello']],
    ],
    [
      'records that do not matter',
      [{ name: 'x', type: 'x', content: paxRecord('mtime', '1.5') + paxRecord('SCHILY.xattr.a', 'b=c') }, file],
      [['a', 'hello']],
    ],
    [
      'a size in a record',
      [
        { name: 'x', type: 'x', content: paxRecord('size', '5') },
        { ...file, size: 0 },
        { ...file, name: 'b' },
      ],
      [
        ['a', 'hello'],
        ['b', 'hello'],
      ],
    ],
    [
      'a Git comment',
      [{ name: 'pax_global_header', type: 'g', content: paxRecord('comment', 'abc') }, file],
      [['a', 'hello']],
    ],
    [
      'a size in bytes',
      [{ ...file, change: (header) => header.set([0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5], 124) }],
      [['a', 'hello']],
    ],
    ['a size with blanks', [{ ...file, change: (header) => put(header, 124, '          5 ') }], [['a', 'hello']]],
  ])('takes %s', (_, parts, entries) => {
    expect(read(parts)).toEqual(entries);
  });

  it.each<[string, readonly TarPart[], string]>([
    ['..', [{ ...file, name: '../a' }], 'the entry "../a" points outside the archive with ".."'],
    ['.. inside', [{ ...file, name: 'a/../../b' }], 'the entry "a/../../b" points outside the archive with ".."'],
    ['.. at the end', [{ name: 'a/..', type: '5' }], 'the entry "a/.." points outside the archive with ".."'],
    [
      '.. in a prefix',
      [{ ...file, change: (header) => put(header, 345, '..') }],
      'the entry "../a" points outside the archive with ".."',
    ],
    [
      '.. in a GNU name',
      [{ name: 'L', type: 'L', content: '../b' }, file],
      'the entry "../b" points outside the archive with ".."',
    ],
    [
      '.. in a record',
      [{ name: 'x', type: 'x', content: paxRecord('path', '../b') }, file],
      'the entry "../b" points outside the archive with ".."',
    ],
    ['absolute names', [{ ...file, name: '/etc/passwd' }], 'the entry "/etc/passwd" has an absolute name'],
    ['drives', [{ ...file, name: 'c:/x' }], 'the entry "c:/x" has an absolute name'],
    ['backslashes', [{ ...file, name: '..\\a' }], 'the entry "..\\a" has a backslash in its name'],
    ['escapes', [{ ...file, name: 'a\u001b[31m' }], 'the entry "a␛[31m" has a control character in its name'],
    [
      'zeros in a record',
      [{ name: 'x', type: 'x', content: paxRecord('path', 'a\0/../b') }, file],
      'the entry "a␀/../b" has a control character in its name',
    ],
    ['no name', [{ ...file, name: '' }], 'the entry "" has no name'],
    [
      'an empty name in a record',
      [{ name: 'x', type: 'x', content: paxRecord('path', '') }, file],
      'the entry "" has no name',
    ],
    [
      'endless names',
      [{ name: 'L', type: 'L', content: 'a/'.repeat(600) }, file],
      `the entry "${'a/'.repeat(39)}a…" has a name that is too long`,
    ],
    [
      'symbolic links',
      [{ name: 'a', type: '2' }],
      'the entry "a" is a symbolic link; only files and directories are allowed',
    ],
    ['hard links', [{ name: 'a', type: '1' }], 'the entry "a" is a hard link; only files and directories are allowed'],
    ['devices', [{ name: 'a', type: '3' }], 'the entry "a" is a device; only files and directories are allowed'],
    ['pipes', [{ name: 'a', type: '6' }], 'the entry "a" is a named pipe; only files and directories are allowed'],
    [
      'long links',
      [
        { name: 'a', type: 'K', content: 'b' },
        { name: 'a', type: '2' },
      ],
      'the entry "a" is a link; only files and directories are allowed',
    ],
    [
      'other types',
      [{ name: 'a', type: 'S' }],
      'the entry "a" is of the type "S"; only files and directories are allowed',
    ],
    ['names twice', [file, { name: 'b' }, { ...file, name: './a' }], 'duplicate entry "a"'],
    ['files where directories are', [{ name: 'a/', type: '5' }, file], 'duplicate entry "a"'],
    ['directories where files are', [file, { name: 'a/', type: '5' }], 'duplicate entry "a"'],
    ['files inside of files', [file, { ...file, name: 'a/b/c' }], 'the entry "a" is both a file and a directory'],
    [
      'files inside of files, the other way round',
      [
        { ...file, name: 'a/b/c' },
        { ...file, name: 'a/b' },
      ],
      'the entry "a/b" is both a file and a directory',
    ],
    ['files with directory names', [{ ...file, name: 'a/' }], 'the entry "a/" is both a file and a directory'],
    ['files that are the root', [{ ...file, name: './.' }], 'the entry "./." is both a file and a directory'],
    ['directories with content', [{ ...file, type: '5' }], 'the entry "a" is both a file and a directory'],
    [
      'invalid sizes',
      [{ ...file, change: (header) => put(header, 124, '00000000009') }],
      'a header has an invalid number',
    ],
    [
      'negative sizes',
      [{ ...file, change: (header) => header.fill(0xff, 124, 136) }],
      'a header has a number that is out of range',
    ],
    [
      'gigantic sizes',
      [{ ...file, change: (header) => header.fill(0x7f, 124, 136).fill(0x80, 124, 125) }],
      'a header has a number that is out of range',
    ],
    ['more content than there is', [{ ...file, size: 100_000 }], 'it is truncated'],
    [
      'more content than there is, in a record',
      [{ name: 'x', type: 'x', content: paxRecord('size', '9007199254740991') }, file],
      'it is truncated',
    ],
    [
      'two long names',
      [{ name: 'L', type: 'L', content: 'b' }, { name: 'L', type: 'L', content: 'c' }, file],
      'it has two extended headers for one entry',
    ],
    [
      'names in two forms',
      [{ name: 'L', type: 'L', content: 'b' }, { name: 'x', type: 'x', content: paxRecord('path', 'c') }, file],
      'it has two extended headers for one entry',
    ],
    ['a long name for nothing', [{ name: 'L', type: 'L', content: 'b' }], 'it has an empty block in the middle'],
    [
      'two names in records',
      [{ name: 'x', type: 'x', content: paxRecord('path', 'b') + paxRecord('path', 'c') }, file],
      'an extended header is invalid',
    ],
    [
      'records without a key',
      [{ name: 'x', type: 'x', content: paxRecord('', 'b') }, file],
      'an extended header is invalid',
    ],
    ['records too short', [{ name: 'x', type: 'x', content: '3 a=b\n' }, file], 'an extended header is invalid'],
    ['records of nothing', [{ name: 'x', type: 'x', content: '0 path=b\n' }, file], 'an extended header is invalid'],
    ['records too long', [{ name: 'x', type: 'x', content: '99 path=b\n' }, file], 'an extended header is invalid'],
    [
      'invalid sizes in records',
      [{ name: 'x', type: 'x', content: paxRecord('size', '-5') }, file],
      'an extended header is invalid',
    ],
    [
      'files with holes',
      [{ name: 'x', type: 'x', content: paxRecord('GNU.sparse.name', 'b') }, file],
      'it contains a sparse file',
    ],
    [
      'one name for all',
      [{ name: 'g', type: 'g', content: paxRecord('path', 'b') }, file],
      'it sets one name or size for all entries',
    ],
    [
      'large extended headers',
      [{ name: 'L', type: 'L', content: 'a'.repeat(2 ** 20 + 1) }, file],
      'it has an extended header that is too large',
    ],
    ['star', [{ ...file, change: (header) => put(header, 508, 'tar\0') }], 'it is in star format, not in tar format'],
    [
      'backups',
      [
        {
          ...file,
          change: (header) => {
            put(header, 257, 'ustar  \0');
            put(header, 345, '..');
          },
        },
      ],
      'it has the fields of an incremental backup',
    ],
    [
      'names that are not UTF-8',
      [{ ...file, change: (header) => header.set([0xff], 1) }],
      'an entry has a name that is not UTF-8',
    ],
  ])('refuses %s', (_, parts, reason) => {
    expect(() => readTar(writeTar(parts))).toThrow(new TarError(reason));
  });

  it('rejects a header with a wrong checksum', () => {
    const archive = writeTar([file]);
    archive[0]! += 1;
    expect(() => readTar(archive)).toThrow(new TarError('a header has a wrong checksum'));
  });

  it('rejects more entries than allowed, of any type', () => {
    const parts = Array.from({ length: 5 }, (_, index) => ({ name: `f${index}` }));
    expect(readTar(writeTar(parts), 5)).toHaveLength(5);
    expect(() => readTar(writeTar(parts), 4)).toThrow(new TarError('it has more than 4 entries'));
    const headers = Array.from({ length: 5 }, () => ({ name: 'g', type: 'g', content: paxRecord('comment', 'x') }));
    expect(() => readTar(writeTar(headers), 4)).toThrow(new TarError('it has more than 4 entries'));
  });

  it('rejects an archive that is cut anywhere before its end', () => {
    const archive = writeTar([file, { name: 'b', content: 'x'.repeat(600) }]);
    const end = archive.length - 1024;
    for (let length = 0; length < end + 512; length += 64) {
      expect(() => readTar(archive.subarray(0, length))).toThrow(new TarError('it is truncated'));
    }
    expect(readTar(archive.subarray(0, end + 512))).toHaveLength(2);
  });

  it('rejects content after a single empty block', () => {
    const lone = Buffer.concat([writeTar([]).subarray(0, 512), writeTar([file])]);
    expect(() => readTar(lone)).toThrow(new TarError('it has an empty block in the middle'));
  });

  it('reads what was written', () => {
    const name = fc.stringMatching(/^[a-z]{1,8}(?:\/[a-z]{1,8}){0,3}$/);
    const content = fc.uint8Array({ maxLength: 1200 });
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.record({ name, content }), { selector: (one) => one.name, maxLength: 6 }),
        (parts) => {
          const entries = readTar(writeTar(parts));
          expect(entries.map((one) => ({ name: one.name, content: new Uint8Array(one.bytes) }))).toEqual(parts);
        },
      ),
    );
  });

  it('accepts or rejects any bytes, and does nothing else', () => {
    const archive = writeTar([
      { name: 'x', type: 'x', content: paxRecord('path', 'b/c') },
      file,
      { name: 'd/', type: '5' },
    ]);
    const change = fc.record({ at: fc.nat({ max: archive.length - 1 }), byte: fc.nat({ max: 255 }) });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const damaged = Uint8Array.from(archive);
        for (const { at, byte } of changes) damaged[at] = byte;
        try {
          for (const { name } of readTar(damaged)) expect(name.split('/')).not.toContain('..');
        } catch (error) {
          expect(error).toBeInstanceOf(TarError);
        }
      }),
    );
  });
});
