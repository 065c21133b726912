import { quote } from '../diagnostics/index.ts';
import { foldName } from './fold-name.ts';
import { checkEntryName } from './check-entry-name.ts';
import { readPaxRecords, readPaxSize } from './pax-records.ts';
import { TarError } from './tar-error.ts';
import { blockSize, cutAtZero, isZero, readHeader, type TarHeader } from './tar-header.ts';

export interface TarEntry {
  /** With `/`, without one at the end, and without `.` and `..`. */
  readonly name: string;
  readonly type: 'file' | 'directory';
  /** A part of the archive's own bytes. */
  readonly bytes: Uint8Array;
}

export interface TarLimits {
  readonly maxEntries?: number;
}

/** What a header of its own says of the entry that follows. */
interface Announced {
  readonly name?: string | undefined;
  readonly size?: number | undefined;
}

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
 * Reads a tar of files and directories, in the forms of POSIX and GNU. Throws a `TarError` for an archive with anything else
 * in it, with names that lead out of it, are in it twice or differ only in case, or without an end.
 */
export function readTar(archive: Uint8Array, { maxEntries = 10_000 }: TarLimits = {}): readonly TarEntry[] {
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
      return [...entries.values()];
    }
    count++;
    if (count > maxEntries) throw new TarError(`it has more than ${maxEntries} entries`);
    const header = readHeader(block);
    const isExtension = 'xgL'.includes(header.type);
    // Programs differ in which of two they take.
    if (isExtension && announced !== undefined) throw new TarError('it has two extended headers for one entry');
    if (isExtension && header.size > largestExtension)
      throw new TarError('it has an extended header that is too large');
    const size = announced?.size ?? header.size;
    const content = (): Uint8Array => cut(archive, start, size);
    if (isExtension) announced = readExtension(header.type, content());
    else {
      const entry = readEntry(header, { announced, size, content });
      refuseAlike(entry, spellings);
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
    throw new TarError(`the entry ${quote(written)} in it is ${what}, and only files and directories are taken`);
  }
  const name = checkEntryName(written);
  const type = header.type === '5' || (isOld && written.endsWith('/')) ? 'directory' : 'file';
  if (type === 'directory' ? size > 0 : written.endsWith('/') || name === '') {
    throw new TarError(`the entry ${quote(written)} in it is both a file and a directory`);
  }
  return { name, type, bytes: content() };
}

function addEntry(entries: Map<string, TarEntry>, entry: TarEntry): void {
  // The archive's own root.
  if (entry.name === '') return;
  const before = entries.get(entry.name);
  if (before !== undefined && (before.type === 'file' || entry.type === 'file')) {
    throw new TarError(`the entry ${quote(entry.name)} is in it twice`);
  }
  entries.set(entry.name, entry);
}

/** On some disks such names are one, and whoever unpacks there gets the last of them. */
function refuseAlike({ name }: TarEntry, spellings: Map<string, string>): void {
  const parts = name.split('/');
  for (let length = parts.length; length > 0; length -= 1) {
    const path = parts.slice(0, length).join('/');
    const folded = foldName(path);
    const other = spellings.get(folded);
    // Where one is known, those around it are.
    if (other === path) return;
    if (other !== undefined)
      throw new TarError(`the entries ${quote(other)} and ${quote(path)} in it differ only in case or Unicode form`);
    spellings.set(folded, path);
  }
}

function readExtension(type: string, content: Uint8Array): Announced | undefined {
  if (type === 'L') return { name: decodeName(cutAtZero(content)) };
  const records = readPaxRecords(content);
  const [name, size] = [records.get('path'), records.get('size')];
  if (type === 'g') {
    // Git leaves a comment there. What is for every entry is obeyed by some programs only.
    if (name !== undefined || size !== undefined) throw new TarError('it has one name or size for all its entries');
    return undefined;
  }
  if ([...records.keys()].some((key) => key.startsWith('GNU.sparse.'))) throw new TarError('it has a file with holes');
  return { name, size: size === undefined ? undefined : readPaxSize(size) };
}

function cut(archive: Uint8Array, start: number, size: number): Uint8Array {
  if (start + size > archive.length) throw new TarError('it ends in the middle');
  return archive.subarray(start, start + size);
}

function decodeName(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new TarError('an entry in it has a name that is not UTF-8');
  }
}
