import { DiagnosticError, nearest, quote } from '../../../diagnostics/index.ts';
import { sha256 } from '../../../engine/index.ts';
import type { Diagnostic, Report } from '../../../model/index.ts';
import { attemptFetch, findSources, keyOfRemote, nameOfRemote } from './find-sources.ts';
import type { RemoteRequest, Search } from './find-sources.ts';
import { describeSource } from './lock.ts';
import { sourceProblems } from './problems.ts';
import type { SourceAccess } from './source-access.ts';
import { keyOfRequest } from './source-request.ts';
import type { LoadedSource, RequestedSource } from './source-request.ts';

interface SourceOptions extends SourceAccess {
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
  for (const one of requested) {
    const key = keyOfRequest(one.request);
    const source = loaded.has(key) ? undefined : await loadOne(one, { ...options, searches });
    if (source !== undefined) loaded.set(key, source);
  }
  return loaded;
}

interface LoadOptions extends SourceOptions {
  /** By `keyOfRemote`. */
  readonly searches: ReadonlyMap<string, Search>;
}

async function loadOne(requested: RequestedSource, options: LoadOptions): Promise<LoadedSource | undefined> {
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
  const bytes = await takeBytes(request, { ...options, report });
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

/** Takes the bytes that were found. Pinned bytes must match. */
async function takeBytes(request: RemoteRequest, options: LoadOptions): Promise<Uint8Array | undefined> {
  const { report, checkArchive, isLocking = false, searches } = options;
  const name = nameOfRemote(request);
  const source = describeSource(name);
  const search = searches.get(keyOfRemote(request));
  if (search === undefined) {
    report(sourceProblems.create('source-not-locked', { source }));
    return undefined;
  }
  const { entry, found } = search;
  if ('problem' in found) {
    report(found.problem);
    return undefined;
  }
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
    const checked = await attemptFetch(async () => (await checkArchive(bytes, file), { bytes }), file);
    if ('problem' in checked) {
      report(checked.problem);
      return undefined;
    }
  }
  const isPinned = entry !== undefined || request.sha256 !== undefined || isLocking;
  if (!isPinned) report(sourceProblems.create('source-not-pinned', { source }));
  options.onTaken?.({ ...name, kind: request.kind, bytes, sha256: digest, from });
  return bytes;
}
