import { quote } from '../../../diagnostics/index.ts';
import { chooseVersion, readChartIndex } from './chart-index.ts';
import { readDigest } from './digest.ts';
import type { FetchAccess } from './fetch-access.ts';
import { fetchPinned } from './fetch-pinned.ts';
import { refuseContent } from './refuse-content.ts';

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
