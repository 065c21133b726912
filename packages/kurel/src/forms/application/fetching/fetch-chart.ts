import { readChartArchive, TarError } from '../../../archive/index.ts';
import type { ArchiveLimits, TarEntry } from '../../../archive/index.ts';
import { quote } from '../../../diagnostics/index.ts';
import { accessFrom, refuseContent } from './fetch-access.ts';
import type { FetchAccess } from './fetch-access.ts';
import { fetchOciArtifact } from './fetch-oci-artifact.ts';
import { digestOf, fetchPinned } from './fetch-pinned.ts';
import { locateChart } from './locate-chart.ts';
import type { LocatedChart } from './locate-chart.ts';
import { withVersion } from './oci-reference.ts';

export interface ChartSource {
  /** Of a chart repository (`https://…`) or of the chart itself (`oci://…`). */
  readonly url: string;
  /** In a repository. */
  readonly chart?: string | undefined;
  readonly version?: string | undefined;
}

export interface FetchedChart {
  /** The archive, checked for what may be in a chart's. */
  readonly bytes: Uint8Array;
  /** `sha256:…` of the archive. */
  readonly digest: string;
  /** Of the archive; redirects, which are often signed for an hour, do not show in it. */
  readonly url: string;
}

const largestArchive = 50 * 1_048_576;

/** Gets the archive of a chart from wherever it is kept. */
export async function fetchChart(source: ChartSource, given: FetchAccess): Promise<FetchedChart> {
  const access = accessFrom(source.url, given);
  const { url, digest } = await locate(source, access);
  const { bytes } = url.startsWith('oci://')
    ? await fetchOciArtifact({ reference: url, maxBytes: largestArchive }, access)
    : await fetchPinned({ url, maxBytes: largestArchive }, access);
  const found = digestOf(bytes);
  if (digest !== undefined && digest !== found) {
    throw refuseContent(url, `its bytes have the digest ${found}, and must have ${digest}`, { failure: 'digest' });
  }
  await checkChartArchive(bytes, { url });
  return { bytes, digest: found, url };
}

async function locate(
  { url, chart, version }: ChartSource,
  access: FetchAccess,
): Promise<Omit<LocatedChart, 'version'>> {
  if (!url.startsWith('oci://')) {
    if (chart === undefined)
      throw refuseContent(url, 'a chart repository needs the name of a chart', { failure: 'missing' });
    return await locateChart({ url, chart, version }, access);
  }
  if (chart !== undefined)
    throw refuseContent(url, `it is a chart itself, and has no chart ${quote(chart)}`, { failure: 'missing' });
  return { url: version === undefined ? url : withVersion(url, version) };
}

interface ArchiveCheck extends ArchiveLimits {
  /** Where the archive came from, for messages. */
  readonly url: string;
}

/** What the archive of a chart holds; throws a `FetchError` for one that helm must not see. */
export async function checkChartArchive(
  archive: Uint8Array,
  { url, ...limits }: ArchiveCheck,
): Promise<readonly TarEntry[]> {
  try {
    return await readChartArchive(archive, limits);
  } catch (cause) {
    if (!(cause instanceof TarError)) throw cause;
    throw refuseContent(url, cause.message, { failure: cause.fault, cause });
  }
}
