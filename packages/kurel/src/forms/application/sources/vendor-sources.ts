import { sha256 } from '../../../engine/index.ts';
import type { TakenSource } from './load-sources.ts';
import { findEntry, keyOfName, writeLock } from './lock.ts';
import type { Lock, LockEntry, SourceName } from './lock.ts';

/** What has to be in a package so that it needs nothing from elsewhere. */
export interface VendorPlan {
  /** Of `kurel.lock`; `undefined` when there is nothing to lock. */
  readonly lockText: string | undefined;
  readonly files: readonly VendoredFile[];
  /** Files that the lock names so far, and that nothing is taken from any more. */
  readonly leftOver: readonly LeftOverFile[];
}

export interface VendoredFile {
  /** In the package, with `/`. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly name: SourceName;
}

export interface LeftOverFile {
  readonly path: string;
  /** What the lock says of it; a file with other bytes is somebody's work. */
  readonly sha256: string;
  readonly name: SourceName;
}

export interface VendorOptions {
  /** As it is now. */
  readonly lock: Lock | undefined;
  /** Leave in the lock what is not taken this time: other values may need it. */
  readonly keep?: boolean | undefined;
}

const directory = 'vendor';

/** Where everything that was taken goes. What has the bytes that it had keeps its entry, so that nothing changes for nothing. */
export function planVendor(taken: readonly TakenSource[], { lock, keep = false }: VendorOptions): VendorPlan {
  const sources = new Map(taken.map((source) => [keyOfName(source), source]));
  const files = Array.from(sources.values(), (source) => ({
    path: fileFor(source),
    bytes: source.bytes,
    name: nameOf(source),
  }));
  const entries = Array.from(sources.values(), (source) => entryOf(source, lock));
  const rest = (lock?.entries ?? []).filter((entry) => !sources.has(keyOfName(entry)));
  const all = keep ? [...entries, ...rest] : entries;
  const named = new Set(all.map(({ file }) => file));
  const leftOver = (lock?.entries ?? []).flatMap((entry) =>
    entry.file === undefined || named.has(entry.file) || !isOurs(entry.file)
      ? []
      : [{ path: entry.file, sha256: entry.sha256.toLowerCase(), name: nameOf(entry) }],
  );
  return { lockText: all.length === 0 ? undefined : writeLock(all), files, leftOver };
}

function entryOf(source: TakenSource, lock: Lock | undefined): LockEntry {
  const { sha256: digest, from } = source;
  const before = lock === undefined ? undefined : findEntry(lock, source);
  const isSame = before?.sha256.toLowerCase() === digest;
  const place = isSame ? before.from : placeOf(from, source.url);
  return {
    ...nameOf(source),
    ...(place === undefined ? {} : { from: place }),
    sha256: digest,
    file: fileFor(source),
  };
}

function nameOf({ url, chart, version }: SourceName): Pick<LockEntry, 'url' | 'chart' | 'version'> {
  return { url, ...(chart === undefined ? {} : { chart }), ...(version === undefined ? {} : { version }) };
}

/** Redirects lead to places that are signed for an hour, which nobody wants to read, or to publish. */
function placeOf(from: string | undefined, url: string): string | undefined {
  const plain = from?.replace(/[?#].*$/s, '');
  return plain === url ? undefined : plain;
}

const longestName = 40;

/**
 * By the name of the source, not by its bytes: when those change, version control shows how. All that is left of names that
 * others chose are letters that no file system takes for anything else.
 */
function fileFor({ kind, url, chart, version }: TakenSource): string {
  const last =
    url
      .replace(/[?#].*$/s, '')
      .split('/')
      .findLast((part) => part !== '') ?? '';
  const words = kind === 'chart' ? [chart ?? last, version ?? ''] : [last.replace(/\.(?:ya?ml|json)$/i, '')];
  const readable = words
    .join('-')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, longestName)
    .replaceAll(/^-+|-+$/g, '');
  const digest = sha256(keyOfName({ url, chart, version })).slice(0, 12);
  const ending = kind === 'chart' ? 'tgz' : 'yaml';
  return `${directory}/${readable === '' ? 'source' : readable}-${digest}.${ending}`;
}

/** A lock is a file that anybody can write: its word alone removes nothing but what has a name that kurel gives. */
function isOurs(path: string): boolean {
  return /^vendor\/[a-z0-9][a-z0-9-]*-[0-9a-f]{12}\.(?:yaml|tgz)$/.test(path);
}
