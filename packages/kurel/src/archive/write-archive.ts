import { quote } from '../diagnostics/index.ts';
import { checkEntryName, refuseAlike, TarError } from './check-entry-name.ts';
import { largestContent } from './read-archive.ts';
import type { ArchiveFile } from './read-archive.ts';
import { blockSize, checksum, mostEntries } from './read-tar.ts';

const encoder = new TextEncoder();
const longestName = 100;

/**
 * A `.tgz` of files. The same files give the same bytes on every machine: they are sorted by the bytes of their paths, and have no
 * owner, time or mode of their own. Throws a `TarError` for files that `readArchive` would refuse.
 */
export async function writeArchive(files: readonly ArchiveFile[]): Promise<Uint8Array> {
  return await compress(writeTar(files));
}

/**
 * Compresses bytes, always to the same bytes. The zlib of a runtime differs between versions and processors, and with it the digest of an
 * archive, so this is done in JavaScript.
 */
export async function compress(tar: Uint8Array): Promise<Uint8Array> {
  // Loaded on demand: only publishing compresses.
  const { gzipSync } = await import('fflate/browser');
  // Without `mem`, the result depends on Math.log, which engines may round differently.
  return gzipSync(tar, { level: 9, mem: 8, mtime: 0 });
}

/** The uncompressed archive, in POSIX format. */
export function writeTar(
  files: readonly ArchiveFile[],
  { maxBytes = largestContent, maxEntries = mostEntries }: { maxBytes?: number; maxEntries?: number } = {},
): Uint8Array {
  checkNames(files);
  const entries = sortFiles(files).flatMap(entriesOf);
  if (entries.length > maxEntries) throw new TarError(`it has more than ${maxEntries} entries`);
  const size = entries.reduce((sum, { bytes }) => sum + blockSize + paddedSize(bytes), 2 * blockSize);
  if (size > maxBytes) throw new TarError(`it has more than ${maxBytes / 1_048_576} MiB of content`, 'size');
  const archive = new Uint8Array(size);
  let start = 0;
  for (const entry of entries) {
    archive.set(headerOf(entry), start);
    archive.set(entry.bytes, start + blockSize);
    start += blockSize + paddedSize(entry.bytes);
  }
  return archive;
}

function checkNames(files: readonly ArchiveFile[]): void {
  const spellings = new Map<string, string>();
  const paths = new Set<string>();
  for (const { path } of files) {
    if (paths.has(path)) throw new TarError(`duplicate entry ${quote(path)}`);
    if (checkEntryName(path) !== path)
      throw new TarError(`the entry ${quote(path)} has "." or an empty name in its path`);
    refuseAlike(path, spellings);
    paths.add(path);
  }
}

interface Entry {
  readonly type: '0' | 'x';
  /** In ASCII, at most 100 bytes. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A long name, or one that is not ASCII, is in a separate entry before the file. */
function entriesOf({ path, bytes }: ArchiveFile): readonly Entry[] {
  const name = encoder.encode(path);
  const isPlain = name.length <= longestName && name.every((byte) => byte < 0x80);
  if (isPlain) return [{ type: '0', name: path, bytes }];
  const shortened = path.replaceAll(/[^\x20-\x7E]/g, '_').slice(0, longestName);
  return [
    { type: 'x', name: 'PaxHeader', bytes: encoder.encode(paxRecord('path', path)) },
    { type: '0', name: shortened, bytes },
  ];
}

/** `<length of the line> <key>=<value>`; the length includes its own digits. */
function paxRecord(key: string, value: string): string {
  const rest = encoder.encode(` ${key}=${value}\n`).length;
  let length = rest;
  while (length !== rest + String(length).length) length = rest + String(length).length;
  return `${length} ${key}=${value}\n`;
}

function headerOf({ type, name, bytes }: Entry): Uint8Array {
  const header = new Uint8Array(blockSize);
  const put = (offset: number, text: string): void => header.set(encoder.encode(text), offset);
  const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`;
  put(0, name);
  put(100, octal(0o644, 7));
  put(108, octal(0, 7));
  put(116, octal(0, 7));
  put(124, octal(bytes.length, 11));
  put(136, octal(0, 11));
  put(156, type);
  put(257, 'ustar\x0000');
  put(148, `${octal(checksum(header), 6)} `);
  return header;
}

function paddedSize({ length }: Uint8Array): number {
  return Math.ceil(length / blockSize) * blockSize;
}

/** By the bytes of their paths: code units would give another order than most programs. */
export function sortFiles(files: readonly ArchiveFile[]): readonly ArchiveFile[] {
  return files
    .map((file) => ({ file, name: encoder.encode(file.path) }))
    .toSorted((a, b) => compareBytes(a.name, b.name))
    .map(({ file }) => file);
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const index = a.findIndex((byte, at) => byte !== b[at]);
  return index === -1 ? a.length - b.length : a[index]! - (b[index] ?? -1);
}
