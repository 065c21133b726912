import { DiagnosticError, nearest, pass, quote, sentence } from '../../../diagnostics/index.ts';
import { settleAtOnce, sha256 } from '../../../engine/index.ts';
import { FetchError } from '../../../model/index.ts';
import type { Diagnostic, FetchFailure, Message, Report } from '../../../model/index.ts';
import { describeSource, findEntry, keyOfName, nameOf } from './lock.ts';
import type { Lock, LockEntry } from './lock.ts';
import { sourceProblems } from './problems.ts';
import { checkChartArchive } from './source-network.ts';
import { keyOfRequest } from './source-request.ts';
import type { ChartRequest, LoadedSource, RequestedSource, SourceAccess, UrlRequest } from './source-request.ts';

interface SourceOptions extends SourceAccess {
  readonly lock: Lock | undefined;
  readonly report: Report;
}

/** Loads requested sources; those that fail are reported at the request and omitted. */
export async function loadSources(
  requested: readonly RequestedSource[],
  options: SourceOptions,
): Promise<ReadonlyMap<string, LoadedSource>> {
  const searches = await findSources(requested, options);
  const loaded = new Map<string, LoadedSource>();
  // One after the other and in order, so that neither findings nor the memory of helm depend on the network.
  for (const { request, location } of requested) {
    const key = keyOfRequest(request);
    const report: Report = (diagnostic) => options.report({ ...diagnostic, location });
    const source = loaded.has(key) ? undefined : await loadSource(request, { ...options, report, searches });
    if (source !== undefined) loaded.set(key, source);
  }
  return loaded;
}

type RemoteRequest = UrlRequest | ChartRequest;

/** Where the bytes of a source were found, or why they were not. */
interface Search {
  /** Of the lock. */
  readonly entry: LockEntry | undefined;
  readonly outcome: PromiseSettledResult<SourceBytes>;
}

interface SourceBytes {
  readonly bytes: Uint8Array;
  /** Path in the package. */
  readonly file?: string;
  /** Final URL. */
  readonly from?: string;
}

/** More would wait for the same connection, and need more memory. */
const mostFetches = 6;

interface RemoteSource extends RequestedSource {
  readonly request: RemoteRequest;
  readonly entry: LockEntry | undefined;
}

/** Finds the bytes of all remote sources, several at the same time. Omits sources that are not in the lock. */
async function findSources(
  requested: readonly RequestedSource[],
  access: SourceOptions,
): Promise<ReadonlyMap<string, Search>> {
  const { onFetched, signal } = access;
  const wanted = [...listRemote(requested, access)];
  let done = 0;
  onFetched?.({ done, sources: wanted.length });
  const settled = await settleAtOnce(wanted, mostFetches, async ([, source]) => {
    signal?.throwIfAborted();
    try {
      return await findBytes(source, access);
    } finally {
      onFetched?.({ done: ++done, sources: wanted.length });
    }
  });
  return new Map(
    wanted.map(([key, { entry }], index) => {
      const outcome = settled[index]!;
      // Findings are kept, because they are reported in the order of the requests.
      if (outcome.status === 'rejected' && !(outcome.reason instanceof DiagnosticError)) throw outcome.reason;
      return [key, { entry, outcome }];
    }),
  );
}

/** Each source once, by its key. */
function listRemote(
  requested: readonly RequestedSource[],
  { lock: current, isLocking }: SourceOptions,
): ReadonlyMap<string, RemoteSource> {
  const lock = isLocking === true ? undefined : current;
  const wanted = new Map<string, RemoteSource>();
  for (const { request, ...rest } of requested) {
    if (request.kind === 'file') continue;
    const entry = findEntry(lock, request);
    const key = keyOfRemote(request);
    if ((lock === undefined || entry !== undefined) && !wanted.has(key)) wanted.set(key, { ...rest, request, entry });
  }
  return wanted;
}

/** Reads bytes from the package if they are locked there, and fetches them otherwise. */
async function findBytes(
  { request, entry, ...limits }: RemoteSource,
  { files, network }: SourceAccess,
): Promise<SourceBytes> {
  const file = entry?.file;
  const vendored = file === undefined ? undefined : await files.readBytes(file);
  if (file !== undefined && vendored !== undefined) return { bytes: asLocked(vendored, entry!.sha256), file };
  if (network === undefined) {
    const args = { source: describeSource(request), isLocked: entry !== undefined };
    throw refuse(sourceProblems.create('source-offline', args));
  }
  const { bytes, url } = await explainFailure(request.url, () =>
    request.kind === 'url' ? network.fetchUrl(request.url, limits) : network.fetchChart(nameOf(request), limits),
  );
  return { bytes, from: url };
}

/** Sources with the same key have the same bytes. */
function keyOfRemote(request: RemoteRequest): string {
  return `${request.kind} ${keyOfName(request)}`;
}

/** Turns a failed fetch into a finding. */
async function explainFailure<Result>(url: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    const host = error.status === 401 ? /^oci:\/\/([^/]+)/.exec(url)?.[1] : undefined;
    const hint = host === undefined ? hints[error.failure] : `log in with kurel login ${host}`;
    throw refuse(sourceProblems.create('source-unreachable', { reason: error.message, hint }));
  }
}

const hints: Readonly<Partial<Record<FetchFailure, Message>>> = {
  address: sentence`${pass('allowPrivate')} to fetch from loopback and private addresses`,
  host: 'use a host that spec.enforced.allowedSources of the policy allows',
};

/** The locked bytes if git only changed line breaks at the checkout; any other content as it is. */
function asLocked(bytes: Uint8Array, digest: string): Uint8Array {
  if (!bytes.includes(carriageReturn)) return bytes;
  const restored = bytes.filter((byte, index) => byte !== carriageReturn || bytes[index + 1] !== lineFeed);
  return sha256(restored) === digest.toLowerCase() ? restored : bytes;
}

const [carriageReturn, lineFeed] = [0x0d, 0x0a];

interface LoadOptions extends SourceOptions {
  /** By `keyOfRemote`. */
  readonly searches: ReadonlyMap<string, Search>;
}

async function loadSource(
  request: RequestedSource['request'],
  options: LoadOptions,
): Promise<LoadedSource | undefined> {
  const { files, report } = options;
  try {
    if (request.kind === 'file') {
      const bytes = await files.readBytes(request.path);
      if (bytes !== undefined) return decode(bytes, files.nameOf(request.path), request.path);
      const near = nearest(request.path, await files.list());
      throw refuse(sourceProblems.create('source-file-missing', { path: request.path, near }));
    }
    const bytes = await takeBytes(request, options);
    if (request.kind === 'url') return decode(bytes, request.url, request.url);
    return { name: request.url, text: await options.renderChart(bytes, request, report) };
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    for (const diagnostic of error.diagnostics) report(diagnostic);
    return undefined;
  }
}

function refuse(problem: Diagnostic): DiagnosticError {
  return new DiagnosticError([problem]);
}

function decode(bytes: Uint8Array, name: string, source: string): LoadedSource {
  try {
    return { name, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    throw refuse(sourceProblems.create('source-not-text', { source: quote(source) }));
  }
}

/** Takes the bytes that were found. Pinned bytes must match. */
async function takeBytes(request: RemoteRequest, options: LoadOptions): Promise<Uint8Array> {
  const { report, isLocking = false, searches } = options;
  const source = describeSource(request);
  const search = searches.get(keyOfRemote(request));
  if (search === undefined) throw refuse(sourceProblems.create('source-not-locked', { source }));
  const { entry, outcome } = search;
  if (outcome.status === 'rejected') throw outcome.reason;
  const { bytes, file, from } = outcome.value;
  const digest = sha256(bytes);
  for (const [by, expected] of [
    ['sha256', request.sha256],
    ['lock', entry?.sha256],
  ] as const) {
    if (expected === undefined || expected.toLowerCase() === digest) continue;
    throw refuse(sourceProblems.create('source-changed', { source, expected, found: digest, by, file }));
  }
  // Fetched archives were checked while fetching.
  if (file !== undefined && request.kind === 'chart') {
    await explainFailure(file, () => checkChartArchive(bytes, { url: file }));
  }
  const isPinned = entry !== undefined || request.sha256 !== undefined || isLocking;
  if (!isPinned) report(sourceProblems.create('source-not-pinned', { source }));
  options.onTaken?.({ ...nameOf(request), kind: request.kind, bytes, sha256: digest, from });
  return bytes;
}
