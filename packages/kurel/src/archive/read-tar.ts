import { quote } from '../diagnostics/index.ts';
import { checkEntryName, refuseAlike, TarError } from './check-entry-name.ts';

export const blockSize = 512;

interface TarHeader {
  /** As in the header; a long name is in a separate entry before it. */
  readonly name: Uint8Array;
  readonly size: number;
  /** The character for the type of the entry. */
  readonly type: string;
}

/**
 * Reads one header. Rejects variants for which programs are known to see different names, because the program that unpacks the
 * archive must see the names that were checked here.
 */
function readHeader(block: Uint8Array): TarHeader {
  if (readNumber(block.subarray(148, 156)) !== checksum(block)) throw new TarError('a header has a wrong checksum');
  const magic = latin(block.subarray(257, 263));
  const isPosix = magic === 'ustar\0';
  if (isPosix && latin(block.subarray(508, 512)) === 'tar\0')
    throw new TarError('it is in star format, not in tar format');
  if (magic === 'ustar ' && !isZero(block.subarray(345)))
    throw new TarError('it has the fields of an incremental backup');
  const name = cutAtZero(block.subarray(0, 100));
  const prefix = isPosix ? cutAtZero(block.subarray(345, 500)) : new Uint8Array();
  return {
    name: prefix.length === 0 ? name : Uint8Array.of(...prefix, 0x2f, ...name),
    size: readNumber(block.subarray(124, 136)),
    type: String.fromCharCode(block[156]!),
  };
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

function cutAtZero(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0);
  return end === -1 ? bytes : bytes.subarray(0, end);
}

/** Octal digits, or for large numbers bytes after a marker. */
function readNumber(field: Uint8Array): number {
  if (field[0]! >= 0x80) {
    const value = field.subarray(1).reduce((sum, byte) => sum * 256 + byte, 0);
    if (field[0] !== 0x80 || !Number.isSafeInteger(value))
      throw new TarError('a header has a number that is out of range');
    return value;
  }
  const digits = latin(cutAtZero(field)).trim();
  if (!/^[0-7]*$/.test(digits)) throw new TarError('a header has an invalid number');
  return digits === '' ? 0 : Number.parseInt(digits, 8);
}

/** The sum of all bytes; those of the checksum itself count as blanks. */
export function checksum(block: Uint8Array): number {
  return block.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 0x20 : byte), 0);
}

function latin(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}

const broken = 'an extended header is invalid';

/** Reads lines of the form `<length of the line> <key>=<value>`, with the length in bytes. */
function readPaxRecords(bytes: Uint8Array): ReadonlyMap<string, string> {
  const records = new Map<string, string>();
  for (let start = 0; start < bytes.length;) {
    const blank = bytes.indexOf(0x20, start);
    const digits = blank === -1 || blank - start > 8 ? '' : decode(bytes.subarray(start, blank));
    const end = start + Number(digits);
    if (!/^[1-9]\d*$/.test(digits) || end > bytes.length || bytes[end - 1] !== 0x0a) {
      throw new TarError(broken);
    }
    const line = decode(bytes.subarray(blank + 1, end - 1));
    const equals = line.indexOf('=');
    const key = line.slice(0, equals);
    // Programs disagree on which of two records counts.
    if (equals < 1 || records.has(key)) throw new TarError(broken);
    records.set(key, line.slice(equals + 1));
    start = end;
  }
  return records;
}

/** The size in a record, which overrides the header. */
function readPaxSize(text: string): number {
  const size = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(size)) throw new TarError(broken);
  return size;
}

function decode(bytes: Uint8Array, refusal = broken): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new TarError(refusal);
  }
}

export interface TarEntry {
  /** With `/`, without a trailing one, and without `.` and `..`. */
  readonly name: string;
  readonly type: 'file' | 'directory';
  readonly bytes: Uint8Array;
}

/** Properties of the next entry, from a separate header. */
interface Announced {
  readonly name?: string | undefined;
  readonly size?: number | undefined;
}

export const mostEntries = 10_000;
const largestExtension = 1_048_576;
const refusedTypes: ReadonlyMap<string, string> = new Map([
  ['1', 'a hard link'],
  ['2', 'a symbolic link'],
  ['3', 'a device'],
  ['4', 'a device'],
  ['6', 'a named pipe'],
  ['K', 'a link'],
]);

/**
 * Reads a tar of files and directories, in POSIX or GNU format. Throws a `TarError` for an archive with other
 * entries, with names that point outside, appear twice or differ only in case, or without an end marker.
 */
export function readTar(archive: Uint8Array, maxEntries: number = mostEntries): readonly TarEntry[] {
  const entries = new Map<string, TarEntry>();
  const spellings = new Map<string, string>();
  let announced: Announced | undefined;
  let count = 0;
  for (let start = 0; ;) {
    const block = cut(archive, start, blockSize);
    start += blockSize;
    if (isZero(block)) {
      if (announced !== undefined || !isZero(archive.subarray(start, start + blockSize))) {
        throw new TarError('it has an empty block in the middle');
      }
      refuseFilesAsDirectories(entries);
      return [...entries.values()];
    }
    count++;
    if (count > maxEntries) throw new TarError(`it has more than ${maxEntries} entries`);
    const header = readHeader(block);
    const isExtension = 'xgL'.includes(header.type);
    // Programs disagree on which of two headers counts.
    if (isExtension && announced !== undefined) throw new TarError('it has two extended headers for one entry');
    if (isExtension && header.size > largestExtension)
      throw new TarError('it has an extended header that is too large');
    const size = announced?.size ?? header.size;
    const content = (): Uint8Array => cut(archive, start, size);
    if (isExtension) announced = readExtension(header.type, content());
    else {
      const entry = readEntry(header, { announced, size, content });
      refuseAlike(entry.name, spellings);
      addEntry(entries, entry);
      announced = undefined;
    }
    start += Math.ceil(size / blockSize) * blockSize;
  }
}

interface EntryParts {
  readonly announced: Announced | undefined;
  readonly size: number;
  readonly content: () => Uint8Array;
}

function readEntry(header: TarHeader, { announced, size, content }: EntryParts): TarEntry {
  const written = announced?.name ?? decodeName(header.name);
  const isOld = header.type === '\0';
  if (!isOld && header.type !== '0' && header.type !== '5') {
    const what = refusedTypes.get(header.type) ?? `of the type ${quote(header.type)}`;
    throw new TarError(`the entry ${quote(written)} is ${what}; only files and directories are allowed`);
  }
  const name = checkEntryName(written);
  const type = header.type === '5' || (isOld && written.endsWith('/')) ? 'directory' : 'file';
  if (type === 'directory' ? size > 0 : written.endsWith('/') || name === '') {
    throw new TarError(`the entry ${quote(written)} is both a file and a directory`);
  }
  return { name, type, bytes: content() };
}

function addEntry(entries: Map<string, TarEntry>, entry: TarEntry): void {
  // The archive's own root.
  if (entry.name === '') return;
  const before = entries.get(entry.name);
  if (before !== undefined && (before.type === 'file' || entry.type === 'file')) {
    throw new TarError(`duplicate entry ${quote(entry.name)}`);
  }
  entries.set(entry.name, entry);
}

/** Some programs replace the file with a directory, and others fail. */
function refuseFilesAsDirectories(entries: ReadonlyMap<string, TarEntry>): void {
  for (const name of entries.keys()) {
    for (let slash = name.indexOf('/'); slash !== -1; slash = name.indexOf('/', slash + 1)) {
      const parent = name.slice(0, slash);
      if (entries.get(parent)?.type === 'file')
        throw new TarError(`the entry ${quote(parent)} is both a file and a directory`);
    }
  }
}

function readExtension(type: string, content: Uint8Array): Announced | undefined {
  if (type === 'L') return { name: decodeName(cutAtZero(content)) };
  const records = readPaxRecords(content);
  const [name, size] = [records.get('path'), records.get('size')];
  if (type === 'g') {
    // Git writes a comment here. Only some programs apply global records to every entry.
    if (name !== undefined || size !== undefined) throw new TarError('it sets one name or size for all entries');
    return undefined;
  }
  if ([...records.keys()].some((key) => key.startsWith('GNU.sparse.'))) throw new TarError('it contains a sparse file');
  return { name, size: size === undefined ? undefined : readPaxSize(size) };
}

function cut(archive: Uint8Array, start: number, size: number): Uint8Array {
  if (start + size > archive.length) throw new TarError('it is truncated');
  return archive.subarray(start, start + size);
}

function decodeName(bytes: Uint8Array): string {
  return decode(bytes, 'an entry has a name that is not UTF-8');
}
