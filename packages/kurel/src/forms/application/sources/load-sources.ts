import { DiagnosticError, nearest, quote } from '../../../diagnostics/index.ts';
import { sha256 } from '../../../engine/index.ts';
import { FetchError } from '../../../model/index.ts';
import type { Diagnostic, FetchFailure, Report } from '../../../model/index.ts';
import { describeSource, findEntry } from './lock.ts';
import type { Lock, LockEntry, SourceName } from './lock.ts';
import { sourceProblems } from './problems.ts';
import { keyOfRequest } from './source-request.ts';
import type { ChartRequest, LoadedSource, RequestedSource, UrlRequest } from './source-request.ts';

/** Where sources may be loaded from. */
export interface SourceAccess {
  readonly files: PackageFiles;
  readonly lock: Lock | undefined;
  /** `undefined` if the network is disabled. */
  readonly network: SourceNetwork | undefined;
  /** Renders a fetched chart. */
  readonly renderChart: (archive: Uint8Array, request: ChartRequest, report: Report) => Promise<string>;
  /** Throws a `FetchError` if a chart in the package contains something a chart must not contain. */
  readonly checkArchive?: ((archive: Uint8Array, file: string) => Promise<void>) | undefined;
  /** Fetches current content regardless of the lock, which is about to be rewritten. */
  readonly isLocking?: boolean | undefined;
  /** Called for each remote source, wherever its bytes came from. */
  readonly onTaken?: ((taken: TakenSource) => void) | undefined;
}

/** The files of the package; none can be outside of it. */
export interface PackageFiles {
  /** `undefined` if the file does not exist; does not throw for any user input. */
  readBytes(path: string): Promise<Uint8Array | undefined>;
  list(): Promise<readonly string[]>;
  /** The name for messages, which can also be used to read the file again for an excerpt. */
  nameOf(path: string): string;
}

export interface SourceNetwork {
  fetchUrl(url: string, limits: HostLimits): Promise<FetchedSource>;
  fetchChart(name: SourceName, limits: HostLimits): Promise<FetchedSource>;
}

type HostLimits = Pick<RequestedSource, 'allowHost' | 'isListedHost'>;

export interface FetchedSource {
  readonly bytes: Uint8Array;
  /** The final URL. */
  readonly url: string;
}

/** The bytes of a remote source, for the lock. */
export interface TakenSource extends SourceName {
  /** A text or a chart archive. */
  readonly kind: 'url' | 'chart';
  readonly bytes: Uint8Array;
  readonly sha256: string;
  /** The final URL; `undefined` if the bytes were in the package. */
  readonly from: string | undefined;
}

interface SourceOptions extends SourceAccess {
  readonly report: Report;
}

/** Loads requested sources; those that fail are reported at the request and omitted. */
export async function loadSources(
  requested: readonly RequestedSource[],
  options: SourceOptions,
): Promise<ReadonlyMap<string, LoadedSource>> {
  const loaded = new Map<string, LoadedSource>();
  for (const one of requested) {
    const key = keyOfRequest(one.request);
    const source = loaded.has(key) ? undefined : await loadOne(one, options);
    if (source !== undefined) loaded.set(key, source);
  }
  return loaded;
}

async function loadOne(requested: RequestedSource, options: SourceOptions): Promise<LoadedSource | undefined> {
  const { request, location } = requested;
  const report = (diagnostic: Diagnostic): undefined => {
    options.report({ ...diagnostic, location });
  };
  if (request.kind === 'file') {
    const bytes = await options.files.readBytes(request.path);
    if (bytes !== undefined) return decode(bytes, options.files.nameOf(request.path), quote(request.path), report);
    const near = nearest(request.path, await options.files.list());
    return report(sourceProblems.create('source-file-missing', { path: request.path, near }));
  }
  const bytes = await takeBytes({ ...requested, request }, { ...options, report });
  if (bytes === undefined) return undefined;
  if (request.kind === 'url') return decode(bytes, request.url, quote(request.url), report);
  try {
    return { name: request.url, text: await options.renderChart(bytes, request, report) };
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    for (const diagnostic of error.diagnostics) report(diagnostic);
    return undefined;
  }
}

function decode(bytes: Uint8Array, name: string, source: string, report: Report): LoadedSource | undefined {
  try {
    return { name, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    report(sourceProblems.create('source-not-text', { source }));
    return undefined;
  }
}

interface RemoteSource extends RequestedSource {
  readonly request: UrlRequest | ChartRequest;
}

/** Reads bytes from the package if they are locked there, and fetches them otherwise. Pinned bytes must match. */
async function takeBytes(requested: RemoteSource, options: SourceOptions): Promise<Uint8Array | undefined> {
  const { request } = requested;
  const { report, checkArchive, isLocking = false } = options;
  const lock = isLocking ? undefined : options.lock;
  const name = nameOf(request);
  const source = describeSource(name);
  const entry = lock === undefined ? undefined : findEntry(lock, name);
  if (lock !== undefined && entry === undefined) {
    report(sourceProblems.create('source-not-locked', { source }));
    return undefined;
  }
  const found = await findBytes(requested, { ...options, entry, source });
  if (found === undefined) return undefined;
  const { bytes, file, from } = found;
  const digest = sha256(bytes);
  for (const [by, expected] of [
    ['sha256', request.sha256],
    ['lock', entry?.sha256],
  ] as const) {
    if (expected === undefined || expected.toLowerCase() === digest) continue;
    report(sourceProblems.create('source-changed', { source, expected, found: digest, by, file }));
    return undefined;
  }
  // Fetched archives were checked while fetching.
  if (file !== undefined && request.kind === 'chart' && checkArchive !== undefined) {
    const isSound = await attempt(async () => (await checkArchive(bytes, file), true), report);
    if (isSound === undefined) return undefined;
  }
  const isPinned = entry !== undefined || request.sha256 !== undefined || isLocking;
  if (!isPinned) report(sourceProblems.create('source-not-pinned', { source }));
  options.onTaken?.({ ...name, kind: request.kind, bytes, sha256: digest, from });
  return bytes;
}

interface Finding extends SourceOptions {
  readonly entry: LockEntry | undefined;
  readonly source: string;
}

interface FoundBytes {
  readonly bytes: Uint8Array;
  /** Path in the package. */
  readonly file?: string;
  /** Final URL. */
  readonly from?: string;
}

async function findBytes(
  { request, ...limits }: RemoteSource,
  { files, network, report, entry, source }: Finding,
): Promise<FoundBytes | undefined> {
  const file = entry?.file;
  const vendored = file === undefined ? undefined : await files.readBytes(file);
  if (file !== undefined && vendored !== undefined) return { bytes: asLocked(vendored, entry!.sha256), file };
  if (network === undefined) {
    report(sourceProblems.create('source-offline', { source, isLocked: entry !== undefined }));
    return undefined;
  }
  return await attempt(async () => {
    const { bytes, url } = await (request.kind === 'url'
      ? network.fetchUrl(request.url, limits)
      : network.fetchChart(nameOf(request), limits));
    return { bytes, from: url };
  }, report);
}

/** The locked bytes if git only changed line breaks at the checkout; any other content as it is. */
function asLocked(bytes: Uint8Array, digest: string): Uint8Array {
  if (!bytes.includes(carriageReturn)) return bytes;
  const restored = bytes.filter((byte, index) => byte !== carriageReturn || bytes[index + 1] !== lineFeed);
  return sha256(restored) === digest.toLowerCase() ? restored : bytes;
}

const [carriageReturn, lineFeed] = [0x0d, 0x0a];

function nameOf(request: UrlRequest | ChartRequest): SourceName {
  if (request.kind === 'url') return { url: request.url };
  return { url: request.url, chart: request.chart, version: request.version };
}

/** `undefined` after a failure, which is reported. */
async function attempt<Result>(work: () => Promise<Result>, report: Report): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    report(sourceProblems.create('source-unreachable', { reason: error.message, hint: hints[error.failure] }));
    return undefined;
  }
}

const hints: Readonly<Partial<Record<FetchFailure, string>>> = {
  address: 'pass --allow-private to fetch from loopback and private addresses',
  host: 'use a host that spec.enforced.allowedSources of the policy allows',
};
