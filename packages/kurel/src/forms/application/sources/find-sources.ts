import { settleAtOnce, sha256 } from '../../../engine/index.ts';
import { FetchError } from '../../../model/index.ts';
import type { Diagnostic, FetchFailure } from '../../../model/index.ts';
import { describeSource, findEntry, keyOfName } from './lock.ts';
import type { LockEntry, SourceName } from './lock.ts';
import { sourceProblems } from './problems.ts';
import type { SourceAccess } from './source-access.ts';
import type { ChartRequest, RequestedSource, UrlRequest } from './source-request.ts';

export type RemoteRequest = UrlRequest | ChartRequest;

/** Where the bytes of a source were found, or why they were not. */
export interface Search {
  /** Of the lock. */
  readonly entry: LockEntry | undefined;
  readonly found: FoundBytes | { readonly problem: Diagnostic };
}

interface FoundBytes {
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
export async function findSources(
  requested: readonly RequestedSource[],
  access: SourceAccess,
): Promise<ReadonlyMap<string, Search>> {
  const { onFetched, signal } = access;
  const wanted = listRemote(requested, access);
  let done = 0;
  onFetched?.({ done, sources: wanted.size });
  const settled = await settleAtOnce([...wanted], mostFetches, async ([key, one]) => {
    signal?.throwIfAborted();
    const found = await findBytes(one, access);
    onFetched?.({ done: ++done, sources: wanted.size });
    return [key, { entry: one.entry, found }] as const;
  });
  return new Map(
    settled.map((one) => {
      if (one.status === 'rejected') throw one.reason;
      return one.value;
    }),
  );
}

/** Each source once, by its key. */
function listRemote(
  requested: readonly RequestedSource[],
  { lock: current, isLocking }: SourceAccess,
): ReadonlyMap<string, RemoteSource> {
  const lock = isLocking === true ? undefined : current;
  const wanted = new Map<string, RemoteSource>();
  for (const { request, ...rest } of requested) {
    if (request.kind === 'file') continue;
    const entry = lock === undefined ? undefined : findEntry(lock, nameOfRemote(request));
    const key = keyOfRemote(request);
    if ((lock === undefined || entry !== undefined) && !wanted.has(key)) wanted.set(key, { ...rest, request, entry });
  }
  return wanted;
}

/** Reads bytes from the package if they are locked there, and fetches them otherwise. */
async function findBytes(
  { request, entry, ...limits }: RemoteSource,
  { files, network }: SourceAccess,
): Promise<Search['found']> {
  const file = entry?.file;
  const vendored = file === undefined ? undefined : await files.readBytes(file);
  if (file !== undefined && vendored !== undefined) return { bytes: asLocked(vendored, entry!.sha256), file };
  const name = nameOfRemote(request);
  if (network === undefined) {
    const args = { source: describeSource(name), isLocked: entry !== undefined };
    return { problem: sourceProblems.create('source-offline', args) };
  }
  return await attemptFetch(async () => {
    const { bytes, url } = await (request.kind === 'url'
      ? network.fetchUrl(request.url, limits)
      : network.fetchChart(name, limits));
    return { bytes, from: url };
  }, request.url);
}

/** Sources with the same key have the same bytes. */
export function keyOfRemote(request: RemoteRequest): string {
  return `${request.kind} ${keyOfName(nameOfRemote(request))}`;
}

export function nameOfRemote(request: RemoteRequest): SourceName {
  if (request.kind === 'url') return { url: request.url };
  return { url: request.url, chart: request.chart, version: request.version };
}

/** Failures are results, because they are reported in the order of the requests. */
export async function attemptFetch<Result>(
  work: () => Promise<Result>,
  url: string,
): Promise<Result | { readonly problem: Diagnostic }> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    const host = error.status === 401 ? /^oci:\/\/([^/]+)/.exec(url)?.[1] : undefined;
    const hint = host === undefined ? hints[error.failure] : `log in with kurel login ${host}`;
    const args = { reason: error.message, hint };
    return { problem: sourceProblems.create('source-unreachable', args) };
  }
}

const hints: Readonly<Partial<Record<FetchFailure, string>>> = {
  address: 'pass --allow-private to fetch from loopback and private addresses',
  host: 'use a host that spec.enforced.allowedSources of the policy allows',
};

/** The locked bytes if git only changed line breaks at the checkout; any other content as it is. */
function asLocked(bytes: Uint8Array, digest: string): Uint8Array {
  if (!bytes.includes(carriageReturn)) return bytes;
  const restored = bytes.filter((byte, index) => byte !== carriageReturn || bytes[index + 1] !== lineFeed);
  return sha256(restored) === digest.toLowerCase() ? restored : bytes;
}

const [carriageReturn, lineFeed] = [0x0d, 0x0a];
