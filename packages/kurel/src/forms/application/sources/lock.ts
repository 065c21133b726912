import { quote } from '../../../diagnostics/index.ts';
import { sha256 } from '../../../engine/index.ts';
import { compareText, withoutUndefined } from '../../../model/index.ts';
import type { Json, Memory, Report, SourceFile } from '../../../model/index.ts';
import { writeYaml } from '../../../yaml/index.ts';
import type { Field, ReadingOptions, ValueOf } from '../../../documents/index.ts';
import { apiVersion, readDocument, readOneDocument, textField } from '../../../documents/index.ts';
import { sourceProblems } from './problems.ts';
import type { SourceName, TakenSource } from './source-request.ts';

const kind = 'Lock';

const metadata = {
  type: 'object',
  default: {},
  properties: { name: { type: 'string', description: 'Name of the lock.' } },
} as const satisfies Field;

const source = {
  type: 'object',
  properties: {
    url: { ...textField('filled', 'URL as in the application.'), required: true },
    chart: { type: 'string', description: 'Name of the chart, for a chart repository.' },
    version: { type: 'string', description: 'Version as in the application.' },
    from: { type: 'string', description: 'Final URL, if it differs.' },
    sha256: { ...textField('sha256', 'SHA-256 digest of the content.'), required: true },
    file: textField('package-path', 'Path of the content in the package.'),
  },
} as const satisfies Field;

const sources = {
  type: 'object',
  required: true,
  properties: { sources: { type: 'array', description: 'Remote sources.', required: true, items: source } },
} as const satisfies Field;

const fleetPackage = {
  type: 'object',
  properties: {
    url: { ...textField('registry-url', 'Repository of the package, without a tag or digest.'), required: true },
    range: { type: 'scalar', description: 'Version or range as in the fleet file.', format: 'filled' },
    tag: { type: 'scalar', description: 'Tag that was resolved.', required: true, format: 'registry-tag' },
    version: { type: 'scalar', description: 'Version of the package.', format: 'semantic-version' },
    digest: { ...textField('registry-digest', 'Digest of the manifest of the package.'), required: true },
  },
} as const satisfies Field;

const fleetPackages = {
  type: 'object',
  required: true,
  properties: {
    packages: { type: 'array', description: 'Packages of the fleet.', required: true, items: fleetPackage },
  },
} as const satisfies Field;

/** A package of a fleet and what it was resolved to. */
export type FleetLockEntry = ValueOf<typeof fleetPackage>;

/** Reads `kurel.fleet.lock`; what its entries are for is decided in the module `fleet`. */
export function readFleetLockDocument(
  data: Json | undefined,
  options: ReadingOptions,
): readonly FleetLockEntry[] | undefined {
  return readDocument(data, { kind, metadata, spec: fleetPackages }, options)?.spec.packages;
}

/** A remote source and its checksum. */
export type LockEntry = ValueOf<typeof source>;

export interface Lock {
  readonly source: SourceFile;
  readonly entries: readonly LockEntry[];
}

/** Reads `kurel.lock`; `undefined` after an error, which is reported. */
export function readLock(file: SourceFile, report: Report, memory?: Memory): Lock | undefined {
  const located = readOneDocument(file, report, memory);
  if (located === undefined) return undefined;
  const document = readDocument(located.data, { kind, metadata, spec: sources }, { ...located, report });
  if (document === undefined) return undefined;
  const entries = document.spec.sources;
  const keys = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    const key = keyOfName(entry);
    if (keys.has(key)) {
      const location = located.locate(['spec', 'sources', index]);
      report(sourceProblems.create('lock-entry-twice', { source: describeSource(entry) }, { location }));
    }
    keys.add(key);
  }
  return { source: file, entries };
}

/** A unique key of a source, which also determines its position in a lock. */
export function keyOfName({ url, chart, version }: SourceName): string {
  return JSON.stringify([url, chart ?? null, version ?? null]);
}

/** The source in messages. */
export function describeSource({ url, chart, version }: SourceName): string {
  const named = chart === undefined ? quote(url) : `chart ${quote(chart)} of ${quote(url)}`;
  return version === undefined ? named : `${named}, version ${quote(version)}`;
}

export function findEntry(lock: Lock | undefined, name: SourceName): LockEntry | undefined {
  const key = keyOfName(name);
  return lock?.entries.find((entry) => keyOfName(entry) === key);
}

/** The text of `kurel.lock`, sorted by name so that it changes only with its content. */
function writeLock(entries: readonly LockEntry[]): string {
  const sorted = entries.toSorted((a, b) => compareText(keyOfName(a), keyOfName(b)));
  const list = sorted.map((entry) => withoutUndefined({ ...entry }));
  const document = { apiVersion, kind, spec: { sources: list } };
  return `# Written by kurel vendor: what the package takes from elsewhere, and which bytes.\n${writeYaml(document)}`;
}

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
  const byKey = new Map(taken.map((item) => [keyOfName(item), item]));
  const files = Array.from(byKey.values(), (item) => ({
    path: fileFor(item),
    bytes: item.bytes,
    name: nameOf(item),
  }));
  const entries = Array.from(byKey.values(), (item) => entryOf(item, lock));
  const before = lock?.entries ?? [];
  const all = keep ? [...entries, ...before.filter((entry) => !byKey.has(keyOfName(entry)))] : entries;
  const named = new Set(all.map(({ file }) => file));
  const leftOver = before.flatMap((entry) =>
    entry.file === undefined || named.has(entry.file) || !isOurs(entry.file)
      ? []
      : [{ path: entry.file, sha256: entry.sha256.toLowerCase(), name: nameOf(entry) }],
  );
  return { lockText: all.length === 0 ? undefined : writeLock(all), files, leftOver };
}

function entryOf(item: TakenSource, lock: Lock | undefined): LockEntry {
  const before = findEntry(lock, item);
  const isSame = before?.sha256.toLowerCase() === item.sha256;
  const place = isSame ? before.from : placeOf(item);
  return {
    ...nameOf(item),
    ...(place === undefined ? {} : { from: place }),
    sha256: item.sha256,
    file: fileFor(item),
  };
}

/** The name alone, without empty fields. */
export function nameOf({ url, chart, version }: SourceName): Pick<LockEntry, 'url' | 'chart' | 'version'> {
  return { url, ...(chart === undefined ? {} : { chart }), ...(version === undefined ? {} : { version }) };
}

/** Final URLs are often signed for an hour, so they are neither useful nor safe to publish. */
function placeOf({ from, url }: TakenSource): string | undefined {
  const plain = from?.replace(/[?#].*$/s, '');
  return plain === url ? undefined : plain;
}

const longestName = 40;

/**
 * Named after the source, not its content, so that version control shows how the content changes. Only characters that are
 * safe on every file system are kept.
 */
function fileFor({ kind, url, chart, version }: TakenSource): string {
  const parts = url.replace(/[?#].*$/s, '').split('/');
  const last = parts.findLast((part) => part !== '') ?? '';
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
