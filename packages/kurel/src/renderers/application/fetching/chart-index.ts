import { nearest, quote } from '../../../diagnostics/index.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../../model/index.ts';
import { readYaml } from '../../../yaml/index.ts';
import { refuseContent } from './refuse-content.ts';
import { isInRange, parseRange } from './version-range.ts';
import { compareVersions, parseVersion, type Version } from './version.ts';

/** One version of a chart, as the index of a repository lists it. */
export interface ListedChart {
  readonly version: string;
  readonly urls: readonly string[];
  readonly digest?: string | undefined;
}

/** Gives the versions that an index has of a chart; those that are broken are left out, as Helm does. */
export function readChartIndex(
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
export function chooseVersion(
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
