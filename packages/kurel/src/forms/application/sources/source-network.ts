import { readChartArchive, TarError } from '../../../archive/index.ts';
import type { TarEntry } from '../../../archive/index.ts';
import { nearest, quote } from '../../../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../../../model/index.ts';
import type { Fetcher, Json, JsonObject } from '../../../model/index.ts';
import {
  accessFrom,
  compareVersions,
  digestOf,
  fetchOciArtifact,
  fetchOnce,
  fetchPinned,
  isInRange,
  parseRange,
  parseVersion,
  readDigest,
  refuseContent,
  withVersion,
} from '../../../registry/index.ts';
import type { FetchAccess, Version } from '../../../registry/index.ts';
import { readYaml } from '../../../yaml/index.ts';
import type { FetchedSource, SourceName, SourceNetwork } from './source-request.ts';

interface NetworkOptions extends Pick<FetchAccess, 'credentialsFor' | 'plainHttp' | 'signal'> {
  readonly fetcher: Fetcher;
}

// The limit of the original; manifests are not larger.
const largestManifests = 5 * 1024 * 1024;

/** Remote sources. Each URL is fetched once per build, so that all components get the same bytes. */
export function createSourceNetwork({ fetcher, ...options }: NetworkOptions): SourceNetwork {
  const shared = { ...options, fetcher: fetchOnce(fetcher), inTurn: createTurns() };
  return {
    fetchUrl: async (url, { allowHost, isListedHost }) =>
      await fetchPinned({ url, maxBytes: largestManifests }, accessFrom(url, { ...shared, allowHost, isListedHost })),
    fetchChart: async (name, { allowHost, isListedHost }) =>
      await fetchChart(name, { ...shared, allowHost, isListedHost }),
  };
}

/** Runs one work after the other. */
function createTurns(): NonNullable<FetchAccess['inTurn']> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}

const largestArchive = 50 * 1_048_576;

/** Fetches and checks the archive of a chart. Its URL is the one before redirects, which often lead to URLs signed for an hour. */
export async function fetchChart(source: SourceName, options: FetchAccess): Promise<FetchedSource> {
  const access = accessFrom(source.url, options);
  const { url, digest: expected } = await findArchive(source, access);
  const { bytes } = url.startsWith('oci://')
    ? await fetchOciArtifact({ reference: url, maxBytes: largestArchive }, access)
    : await fetchPinned({ url, maxBytes: largestArchive }, access);
  const digest = digestOf(bytes);
  if (expected !== undefined && expected !== digest) {
    throw refuseContent(url, `the digest must be ${expected}, got ${digest}`, { failure: 'digest' });
  }
  const { inTurn = async (work) => await work() } = access;
  await inTurn(() => checkChartArchive(bytes, { url }));
  return { bytes, url };
}

async function findArchive({ url, chart, version }: SourceName, access: FetchAccess): Promise<LocatedChart> {
  if (!url.startsWith('oci://')) {
    if (chart === undefined) throw refuseContent(url, 'the name of the chart is missing', { failure: 'missing' });
    return await locateChart({ url, chart, version }, access);
  }
  if (chart !== undefined)
    throw refuseContent(url, `it is a chart and does not contain a chart ${quote(chart)}`, { failure: 'missing' });
  return { url: version === undefined ? url : withVersion(url, version) };
}

interface ArchiveCheck {
  /** Origin of the archive, for messages. */
  readonly url: string;
  /** Of the uncompressed content. */
  readonly maxBytes?: number;
}

/** The content of a chart archive; throws a `FetchError` if it is not safe to pass to helm. */
export async function checkChartArchive(
  archive: Uint8Array,
  { url, maxBytes }: ArchiveCheck,
): Promise<readonly TarEntry[]> {
  try {
    return await readChartArchive(archive, maxBytes);
  } catch (cause) {
    if (!(cause instanceof TarError)) throw cause;
    throw refuseContent(url, cause.message, { failure: cause.fault, cause });
  }
}

/** A chart of a repository; its version may be a range, and defaults to the newest release. */
type ChartName = SourceName & { readonly chart: string };

interface LocatedChart {
  /** URL of the archive: `https://…`, `http://…` or `oci://…`. */
  readonly url: string;
  /** `sha256:…` of the archive, if the repository lists it. */
  readonly digest?: string | undefined;
}

const largestIndex = 50 * 1_048_576;

/** Looks up a chart in the index of its repository. */
export async function locateChart({ url, chart, version }: ChartName, access: FetchAccess): Promise<LocatedChart> {
  const index = resolve('index.yaml', url);
  if (index === undefined) throw refuseContent(url, 'the URL must start with https:// or http://', { failure: 'url' });
  const { bytes } = await fetchPinned({ url: index, maxBytes: largestIndex }, access);
  const listed = chooseVersion(readChartIndex(bytes, index, chart), { url: index, chart, version });
  const name = `chart ${quote(chart)} ${quote(listed.version)}`;
  const [first] = listed.urls;
  const archive = first === undefined ? undefined : resolve(first, url);
  if (archive === undefined) throw refuseContent(index, `${name} has no URL`);
  const digest = listed.digest === undefined ? undefined : readDigest(listed.digest);
  if (listed.digest !== undefined && digest === undefined) {
    throw refuseContent(index, `${name} has the digest ${quote(listed.digest)}, which is not a SHA-256 digest`);
  }
  if (digest === undefined && index.startsWith('https:') && archive.startsWith('http:')) {
    throw refuseContent(index, `${name} has an http:// URL and no digest`);
  }
  return { url: archive, ...(digest === undefined ? {} : { digest }) };
}

/** Like Helm: the last part of the repository path is a directory, and its query applies to everything in it. */
function resolve(reference: string, repository: string): string | undefined {
  if (reference.startsWith('oci://')) return reference;
  const start = URL.canParse(repository) ? new URL(repository) : undefined;
  if (start === undefined || !/^https?:\/\/[^/]/i.test(repository)) return undefined;
  if (!start.pathname.endsWith('/')) start.pathname += '/';
  if (!URL.canParse(reference, start.href)) return undefined;
  const resolved = new URL(reference, start.href);
  if (!/^[a-z][a-z\d+.-]*:/i.test(reference)) resolved.search = start.search;
  return /^https?:$/.test(resolved.protocol) ? resolved.href : undefined;
}

/** A version of a chart in the index of a repository. */
interface ListedChart {
  readonly version: string;
  readonly parsed: Version;
  readonly urls: readonly string[];
  readonly digest?: string | undefined;
}

/** The versions of a chart in an index; broken entries are skipped, as Helm does. */
function readChartIndex(bytes: Uint8Array, url: string, chart: string): readonly ListedChart[] {
  const { entries } = parseIndex(bytes, url);
  if (!isJsonObject(entries)) throw refuseIndex(url, 'it has no "entries"');
  const listed = Object.hasOwn(entries, chart) ? entries[chart] : undefined;
  if (listed === undefined) {
    const near = nearest(chart, Object.keys(entries));
    const question = near === undefined ? '' : `; did you mean ${quote(near)}?`;
    throw refuseContent(url, `chart ${quote(chart)} does not exist${question}`, { failure: 'missing' });
  }
  return isJsonArray(listed) ? listed.flatMap(readListed) : [];
}

function parseIndex(bytes: Uint8Array, url: string): JsonObject {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw refuseIndex(url, 'it is not valid UTF-8', cause);
  }
  const { documents, diagnostics } = readYaml({ path: url, text });
  const problem = diagnostics.find(({ severity }) => severity === 'error');
  if (problem !== undefined) throw refuseIndex(url, problem.message);
  const data = documents[0]?.data;
  if (!isJsonObject(data)) throw refuseIndex(url, 'it is not an object');
  return data;
}

function refuseIndex(url: string, reason: string, cause?: unknown): Error {
  return refuseContent(url, `it is not the index of a chart repository: ${reason}`, { cause });
}

function readListed(value: Json): readonly ListedChart[] {
  const { version, urls, digest } = isJsonObject(value) ? value : {};
  const parsed = typeof version === 'string' ? parseVersion(version) : undefined;
  if (typeof version !== 'string' || parsed === undefined) return [];
  return [
    {
      version,
      parsed,
      urls: isJsonArray(urls) ? urls.filter((item) => typeof item === 'string') : [],
      ...(typeof digest === 'string' && digest !== '' ? { digest } : {}),
    },
  ];
}

/** The newest matching version; without a range, the newest that is not a pre-release. */
function chooseVersion(listed: readonly ListedChart[], { url, chart, version = '*' }: ChartName): ListedChart {
  const exact = listed.find((item) => item.version === version);
  if (exact !== undefined) return exact;
  const range = parseRange(version);
  if (range === undefined) {
    throw refuseContent(url, `${quote(version)} is neither a version of chart ${quote(chart)} nor a valid range`, {
      failure: 'missing',
    });
  }
  let best: ListedChart | undefined;
  for (const item of listed) {
    if (!isInRange(item.parsed, range)) continue;
    if (best === undefined || compareVersions(item.parsed, best.parsed) > 0) best = item;
  }
  if (best !== undefined) return best;
  const wish = version === '*' ? 'other than pre-releases' : `that matches ${quote(version)}`;
  throw refuseContent(url, `chart ${quote(chart)} has no version ${wish}`, { failure: 'missing' });
}
