import { quote } from '../../../diagnostics/index.ts';
import { parseRange } from '../fetching/version-range.ts';
import { chartProblems } from './chart-problems.ts';
import type { ChartInput } from './chart-properties.ts';
import { readChartVersion, reportVersion } from './create-flux-source.ts';

/** Where a chart is. */
export type ChartSource = RepositorySource | RegistrySource | NamedSource;

/** One of the charts of a repository. */
export interface RepositorySource {
  readonly from: 'repository';
  readonly url: string;
  readonly chart: string;
}

/** A chart of its own in a registry. */
export interface RegistrySource {
  readonly from: 'registry';
  readonly url: string;
}

/** An object of Flux that the cluster has. */
export interface NamedSource {
  readonly from: 'cluster';
  readonly kind: 'HelmRepository' | 'OCIRepository' | 'HelmChart';
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly chart: string;
}

/** Checks what says which chart is meant. `undefined` when nothing says it. */
export function readChartSource(input: ChartInput): ChartSource | undefined {
  const { properties, report } = input;
  const { url, name, kind, namespace } = properties.source;
  if (url === undefined && name === undefined) {
    report(chartProblems.create('helmchart-source-empty', {}), ['source'], 'key');
    return undefined;
  }
  if (url === undefined) return readNamedSource(input);
  if (name !== undefined) report(chartProblems.create('helmchart-source-twice', {}), ['source', 'name'], 'key');
  if (namespace !== undefined) {
    report(chartProblems.create('helmchart-source-namespace', {}), ['source', 'namespace'], 'key');
  }
  const meant = url.startsWith('oci://') ? 'OCIRepository' : 'HelmRepository';
  if (kind !== undefined && kind !== meant) {
    report(chartProblems.create('helmchart-source-kind', { kind, url }), ['source', 'kind']);
  }
  return meant === 'HelmRepository' ? readRepository(input, url) : readRegistry(input, url);
}

function readRepository(input: ChartInput, url: string): RepositorySource {
  checkRange(input);
  return { from: 'repository', url, chart: readChart(input, url) };
}

function readRegistry({ properties: { chart, version, delivery }, report }: ChartInput, url: string): RegistrySource {
  // Many write the name of the chart twice.
  if (chart !== undefined && !url.endsWith(`/${chart}`)) {
    const instead = `the URL is that of the chart itself: write ${url}/${chart} if that is meant, and take "chart" out`;
    const args = { property: 'chart', value: chart, source: quote(url), instead };
    report(chartProblems.create('helmchart-property-unused', args), ['chart']);
  }
  const known = version === undefined ? undefined : readChartVersion(version);
  const isRendered = delivery === 'template';
  const isTaken = known !== undefined && !(isRendered && 'semver' in known);
  if (version !== undefined && !isTaken) {
    const expected = isRendered ? 'a tag or a digest of a chart' : 'a tag, a range or a digest of a chart';
    reportVersion(version, expected, report);
  }
  return { from: 'registry', url };
}

function readNamedSource(input: ChartInput): NamedSource {
  const { properties, report } = input;
  const { name = '', namespace, kind } = properties.source;
  if (kind === undefined) report(chartProblems.create('helmchart-source-kind', { name }), ['source'], 'key');
  const source = { from: 'cluster', name, namespace } as const;
  if (kind === undefined || kind === 'HelmRepository') {
    checkRange(input);
    return { ...source, kind: 'HelmRepository', chart: kind === undefined ? '' : readChart(input, name) };
  }
  for (const property of ['chart', 'version'] as const) {
    const value = properties[property];
    if (value === undefined) continue;
    const args = { property, value, source: `the ${kind} ${quote(name)}`, instead: `take ${quote(property)} out` };
    report(chartProblems.create('helmchart-property-unused', args), [property]);
  }
  return { ...source, kind, chart: '' };
}

function readChart({ properties: { chart }, report }: ChartInput, source: string): string {
  if (chart !== undefined) return chart;
  report(chartProblems.create('helmchart-chart-missing', { source }), ['source'], 'key');
  return '';
}

/** Repositories have versions of charts, and no digests. */
function checkRange({ properties: { version }, report }: ChartInput): void {
  if (version === undefined || parseRange(version) !== undefined) return;
  const expected = 'a version such as 1.2.3, or a range of versions such as ^1.2';
  reportVersion(version, expected, report);
}
