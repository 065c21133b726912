import { nearest, quote } from '../../../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../../../model/index.ts';
import type { Json, JsonObject } from '../../../model/index.ts';
import { readYaml } from '../../../yaml/index.ts';
import { fetchPinned, readDigest } from './fetch-pinned.ts';
import type { FetchAccess } from './fetch-access.ts';
import { refuseContent } from './fetch-access.ts';
import { isInRange, parseRange } from './version-range.ts';
import { compareVersions, parseVersion } from './version.ts';
import type { Version } from './version.ts';

export interface ChartName {
  /** Of the repository: `https://…`. */
  readonly url: string;
  readonly chart: string;
  /** A version, or a range as Helm writes them; the newest release without this. */
  readonly version?: string | undefined;
}

export interface LocatedChart {
  /** Of the archive: `https://…`, `http://…` or `oci://…`. */
  readonly url: string;
  readonly version: string;
  /** `sha256:…` of the archive, when the repository says so. */
  readonly digest?: string | undefined;
}

const largestIndex = 50 * 1_048_576;

/** Looks a chart up in the index of its repository. */
export async function locateChart({ url, chart, version }: ChartName, access: FetchAccess): Promise<LocatedChart> {
  const index = resolve('index.yaml', url);
  if (index === undefined)
    throw refuseContent(url, 'it must be a URL that starts with https:// or http://', { failure: 'url' });
  const { bytes } = await fetchPinned({ url: index, maxBytes: largestIndex }, access);
  const listed = chooseVersion(readChartIndex(bytes, { url: index, chart }), { url: index, chart, version });
  const name = `the chart ${quote(chart)} in version ${quote(listed.version)}`;
  const [first] = listed.urls;
  const archive = first === undefined ? undefined : resolve(first, url);
  if (archive === undefined) throw refuseContent(index, `${name} has no URL that could be fetched`);
  const digest = listed.digest === undefined ? undefined : readDigest(listed.digest);
  if (listed.digest !== undefined && digest === undefined) {
    throw refuseContent(index, `${name} has the digest ${quote(listed.digest)}, which is no SHA-256`);
  }
  if (digest === undefined && index.startsWith('https:') && archive.startsWith('http:')) {
    throw refuseContent(index, `${name} is to be fetched without TLS, and has no digest to check it by`);
  }
  return { url: archive, version: listed.version, ...(digest === undefined ? {} : { digest }) };
}

/** As Helm does it: the last part of the repository's path is a folder, and its query is for everything in it. */
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

/** One version of a chart, as the index of a repository lists it. */
interface ListedChart {
  readonly version: string;
  readonly urls: readonly string[];
  readonly digest?: string | undefined;
}

/** Gives the versions that an index has of a chart; those that are broken are left out, as Helm does. */
function readChartIndex(
  bytes: Uint8Array,
  { url, chart }: { readonly url: string; readonly chart: string },
): readonly ListedChart[] {
  const index = parseIndex(bytes, url);
  const { entries } = index;
  if (!isJsonObject(entries)) throw refuseContent(url, 'it is no index of a chart repository: it has no "entries"');
  const listed = Object.hasOwn(entries, chart) ? entries[chart] : undefined;
  if (listed === undefined) {
    const near = nearest(chart, Object.keys(entries));
    const question = near === undefined ? '' : `; did you mean ${quote(near)}?`;
    throw refuseContent(url, `the repository has no chart ${quote(chart)}${question}`, { failure: 'missing' });
  }
  return isJsonArray(listed) ? listed.flatMap(readListed) : [];
}

/** The newest version that fits; without a wish, the newest that is no pre-release. */
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
    throw refuseContent(
      url,
      `${quote(version)} is neither a version of the chart ${quote(chart)} nor a range of versions`,
      {
        failure: 'missing',
      },
    );
  }
  let best: { readonly one: ListedChart; readonly parsed: Version } | undefined;
  for (const one of listed) {
    const parsed = parseVersion(one.version);
    if (parsed === undefined || !isInRange(parsed, range)) continue;
    if (best === undefined || compareVersions(parsed, best.parsed) > 0) best = { one, parsed };
  }
  if (best !== undefined) return best.one;
  const wish = version === '*' ? 'that is no pre-release' : `that fits ${quote(version)}`;
  throw refuseContent(url, `the chart ${quote(chart)} has no version ${wish}`, { failure: 'missing' });
}

function parseIndex(bytes: Uint8Array, url: string): JsonObject {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw refuseContent(url, 'it is no index of a chart repository: it is not UTF-8', { cause });
  }
  const { documents, diagnostics } = readYaml({ path: url, text });
  const problem = diagnostics.find(({ severity }) => severity === 'error');
  if (problem !== undefined) throw refuseContent(url, `it is no index of a chart repository: ${problem.message}`);
  const data = documents[0]?.data;
  if (!isJsonObject(data)) throw refuseContent(url, 'it is no index of a chart repository: it is no mapping');
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
