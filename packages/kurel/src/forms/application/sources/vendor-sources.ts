import { sha256 } from '../../../engine/index.ts';
import type { TakenSource } from './source-access.ts';
import { findEntry, keyOfName, writeLock } from './lock.ts';
import type { Lock, LockEntry, SourceName } from './lock.ts';

/** The changes that make a package independent of remote sources. */
export interface VendorPlan {
  /** Content of `kurel.lock`; `undefined` if there is nothing to lock. */
  readonly lockText: string | undefined;
  readonly files: readonly VendoredFile[];
  /** Files of the current lock that are no longer used. */
  readonly leftOver: readonly LeftOverFile[];
}

export interface VendoredFile {
  /** Path in the package, separated by `/`. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly name: SourceName;
}

export interface LeftOverFile {
  readonly path: string;
  /** Digest in the lock; a file with other content was edited by a user. */
  readonly sha256: string;
  readonly name: SourceName;
}

export interface VendorOptions {
  /** The current lock. */
  readonly lock: Lock | undefined;
  /** Keep entries that are not used now: other values may need them. */
  readonly keep?: boolean | undefined;
}

const directory = 'vendor';

/** Plans the vendored files. Unchanged sources keep their entry, so that the lock has no needless changes. */
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

/** Final URLs are often signed for an hour, so they are neither useful nor safe to publish. */
function placeOf(from: string | undefined, url: string): string | undefined {
  const plain = from?.replace(/[?#].*$/s, '');
  return plain === url ? undefined : plain;
}

const longestName = 40;

/**
 * Named after the source, not its content, so that version control shows how the content changes. Only characters that are
 * safe on every file system are kept.
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

/** Anybody can write a lock, so only files with names that kurel chooses are removed. */
function isOurs(path: string): boolean {
  return /^vendor\/[a-z0-9][a-z0-9-]*-[0-9a-f]{12}\.(?:yaml|tgz)$/.test(path);
}
