import { nearest, quote } from '../../../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../../../model/index.ts';
import type { Json, JsonObject } from '../../../model/index.ts';
import { readYaml } from '../../../yaml/index.ts';
import {
  compareVersions,
  fetchPinned,
  isInRange,
  parseRange,
  parseVersion,
  readDigest,
  refuseContent,
} from '../../../registry/index.ts';
import type { FetchAccess, Version } from '../../../registry/index.ts';

export interface ChartName {
  /** URL of the repository: `https://…`. */
  readonly url: string;
  readonly chart: string;
  /** A version or a Helm version range; defaults to the newest release. */
  readonly version?: string | undefined;
}

export interface LocatedChart {
  /** URL of the archive: `https://…`, `http://…` or `oci://…`. */
  readonly url: string;
  readonly version: string;
  /** `sha256:…` of the archive, if the repository lists it. */
  readonly digest?: string | undefined;
}

const largestIndex = 50 * 1_048_576;

/** Looks up a chart in the index of its repository. */
export async function locateChart({ url, chart, version }: ChartName, access: FetchAccess): Promise<LocatedChart> {
  const index = resolve('index.yaml', url);
  if (index === undefined) throw refuseContent(url, 'the URL must start with https:// or http://', { failure: 'url' });
  const { bytes } = await fetchPinned({ url: index, maxBytes: largestIndex }, access);
  const listed = chooseVersion(readChartIndex(bytes, { url: index, chart }), { url: index, chart, version });
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
  return { url: archive, version: listed.version, ...(digest === undefined ? {} : { digest }) };
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
  readonly urls: readonly string[];
  readonly digest?: string | undefined;
}

/** The versions of a chart in an index; broken entries are skipped, as Helm does. */
function readChartIndex(
  bytes: Uint8Array,
  { url, chart }: { readonly url: string; readonly chart: string },
): readonly ListedChart[] {
  const index = parseIndex(bytes, url);
  const { entries } = index;
  if (!isJsonObject(entries))
    throw refuseContent(url, 'it is not the index of a chart repository: it has no "entries"');
  const listed = Object.hasOwn(entries, chart) ? entries[chart] : undefined;
  if (listed === undefined) {
    const near = nearest(chart, Object.keys(entries));
    const question = near === undefined ? '' : `; did you mean ${quote(near)}?`;
    throw refuseContent(url, `chart ${quote(chart)} does not exist${question}`, { failure: 'missing' });
  }
  return isJsonArray(listed) ? listed.flatMap(readListed) : [];
}

/** The newest matching version; without a range, the newest that is not a pre-release. */
function chooseVersion(
  listed: readonly ListedChart[],
  {
    url,
    chart,
    version = '*',
  }: { readonly url: string; readonly chart: string; readonly version?: string | undefined },
): ListedChart {
  const exact = listed.find((one) => one.version === version);
  if (exact !== undefined) return exact;
  const range = parseRange(version);
  if (range === undefined) {
    throw refuseContent(url, `${quote(version)} is neither a version of chart ${quote(chart)} nor a valid range`, {
      failure: 'missing',
    });
  }
  let best: { readonly one: ListedChart; readonly parsed: Version } | undefined;
  for (const one of listed) {
    const parsed = parseVersion(one.version);
    if (parsed === undefined || !isInRange(parsed, range)) continue;
    if (best === undefined || compareVersions(parsed, best.parsed) > 0) best = { one, parsed };
  }
  if (best !== undefined) return best.one;
  const wish = version === '*' ? 'other than pre-releases' : `that matches ${quote(version)}`;
  throw refuseContent(url, `chart ${quote(chart)} has no version ${wish}`, { failure: 'missing' });
}

function parseIndex(bytes: Uint8Array, url: string): JsonObject {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw refuseContent(url, 'it is not the index of a chart repository: it is not valid UTF-8', { cause });
  }
  const { documents, diagnostics } = readYaml({ path: url, text });
  const problem = diagnostics.find(({ severity }) => severity === 'error');
  if (problem !== undefined) throw refuseContent(url, `it is not the index of a chart repository: ${problem.message}`);
  const data = documents[0]?.data;
  if (!isJsonObject(data)) throw refuseContent(url, 'it is not the index of a chart repository: it is not an object');
  return data;
}

function readListed(value: Json): readonly ListedChart[] {
  if (!isJsonObject(value) || typeof value['version'] !== 'string' || parseVersion(value['version']) === undefined)
    return [];
  const { version, urls, digest } = value;
  return [
    {
      version,
      urls: isJsonArray(urls) ? urls.filter((one) => typeof one === 'string') : [],
      ...(typeof digest === 'string' && digest !== '' ? { digest } : {}),
    },
  ];
}
