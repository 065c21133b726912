import { readChartArchive, TarError } from '../../../archive/index.ts';
import type { ArchiveLimits, TarEntry } from '../../../archive/index.ts';
import { quote } from '../../../diagnostics/index.ts';
import {
  accessFrom,
  digestOf,
  fetchOciArtifact,
  fetchPinned,
  refuseContent,
  withVersion,
} from '../../../registry/index.ts';
import type { FetchAccess } from '../../../registry/index.ts';
import { locateChart } from './locate-chart.ts';
import type { LocatedChart } from './locate-chart.ts';

export interface ChartSource {
  /** A chart repository (`https://…`) or the chart itself (`oci://…`). */
  readonly url: string;
  /** Name of the chart in a repository. */
  readonly chart?: string | undefined;
  readonly version?: string | undefined;
}

export interface FetchedChart {
  /** The archive, already checked. */
  readonly bytes: Uint8Array;
  /** `sha256:…` of the archive. */
  readonly digest: string;
  /** Location of the archive before redirects, which often lead to URLs signed for an hour. */
  readonly url: string;
}

const largestArchive = 50 * 1_048_576;

/** Fetches the archive of a chart. */
export async function fetchChart(source: ChartSource, given: FetchAccess): Promise<FetchedChart> {
  const access = accessFrom(source.url, given);
  const { url, digest } = await locate(source, access);
  const { bytes } = url.startsWith('oci://')
    ? await fetchOciArtifact({ reference: url, maxBytes: largestArchive }, access)
    : await fetchPinned({ url, maxBytes: largestArchive }, access);
  const found = digestOf(bytes);
  if (digest !== undefined && digest !== found) {
    throw refuseContent(url, `the digest must be ${digest}, got ${found}`, { failure: 'digest' });
  }
  const { inTurn = async (work) => await work() } = access;
  await inTurn(() => checkChartArchive(bytes, { url }));
  return { bytes, digest: found, url };
}

async function locate(
  { url, chart, version }: ChartSource,
  access: FetchAccess,
): Promise<Omit<LocatedChart, 'version'>> {
  if (!url.startsWith('oci://')) {
    if (chart === undefined) throw refuseContent(url, 'the name of the chart is missing', { failure: 'missing' });
    return await locateChart({ url, chart, version }, access);
  }
  if (chart !== undefined)
    throw refuseContent(url, `it is a chart and does not contain a chart ${quote(chart)}`, { failure: 'missing' });
  return { url: version === undefined ? url : withVersion(url, version) };
}

interface ArchiveCheck extends ArchiveLimits {
  /** Origin of the archive, for messages. */
  readonly url: string;
}

/** The content of a chart archive; throws a `FetchError` if it is not safe to pass to helm. */
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
