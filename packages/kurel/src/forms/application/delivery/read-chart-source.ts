import { quote } from '../../../diagnostics/index.ts';
import { parseRange } from '../../../registry/index.ts';
import { chartProblems } from './chart-problems.ts';
import type { ChartInput } from './chart-properties.ts';
import { readChartVersion, reportVersion } from './create-flux-source.ts';

/** The source of a chart. */
export type ChartSource = RepositorySource | RegistrySource | NamedSource;

/** A chart in a repository. */
export interface RepositorySource {
  readonly from: 'repository';
  readonly url: string;
  readonly chart: string;
}

/** A chart in a registry. */
export interface RegistrySource {
  readonly from: 'registry';
  readonly url: string;
}

/** A Flux source that exists in the cluster. */
export interface NamedSource {
  readonly from: 'cluster';
  readonly kind: 'HelmRepository' | 'OCIRepository' | 'HelmChart';
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly chart: string;
}

/** Checks the source of a chart. `undefined` if there is none. */
export function readChartSource(input: ChartInput): ChartSource | undefined {
  const { properties, report } = input;
  const { url, name, kind, namespace } = properties.source;
  if (url === undefined && name === undefined) {
    report(chartProblems.create('helmchart-source-empty', {}), ['source'], 'key');
    return undefined;
  }
  checkSecret(input);
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

function checkSecret({ properties: { source, delivery }, report }: ChartInput): void {
  if (source.secretRef === undefined) return;
  const unused =
    source.url === undefined
      ? { why: 'a source in the cluster has its own credentials', instead: 'remove it, or set "url" instead of "name"' }
      : delivery === 'template'
        ? { why: 'kurel itself fetches the chart', instead: 'remove it, or remove "delivery: template"' }
        : undefined;
  if (unused !== undefined) {
    report(chartProblems.create('helmchart-source-secret', unused), ['source', 'secretRef'], 'key');
  }
}

function readRepository(input: ChartInput, url: string): RepositorySource {
  checkRange(input);
  return { from: 'repository', url, chart: readChart(input, url) };
}

function readRegistry({ properties: { chart, version, delivery }, report }: ChartInput, url: string): RegistrySource {
  // Repeating the chart name of the URL is a common habit, and harmless.
  if (chart !== undefined && !url.endsWith(`/${chart}`)) {
    const instead = `remove "chart"; if the URL is incomplete, use ${url}/${chart}`;
    const args = { property: 'chart', value: chart, source: quote(url), instead };
    report(chartProblems.create('helmchart-property-unused', args), ['chart']);
  }
  const known = version === undefined ? undefined : readChartVersion(version);
  const isRendered = delivery === 'template';
  const isTaken = known !== undefined && !(isRendered && 'semver' in known);
  if (version !== undefined && !isTaken) {
    const expected = isRendered ? 'a valid tag or digest' : 'a valid tag, range or digest';
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
    const args = { property, value, source: `${kind} ${quote(name)}`, instead: `remove ${quote(property)}` };
    report(chartProblems.create('helmchart-property-unused', args), [property]);
  }
  return { ...source, kind, chart: '' };
}

function readChart({ properties: { chart }, report }: ChartInput, source: string): string {
  if (chart !== undefined) return chart;
  report(chartProblems.create('helmchart-chart-missing', { source }), ['source'], 'key');
  return '';
}

/** Charts in repositories have versions but no digests. */
function checkRange({ properties: { version }, report }: ChartInput): void {
  if (version === undefined || parseRange(version) !== undefined) return;
  const expected = 'a valid version or range, such as 1.2.3 or ^1.2';
  reportVersion(version, expected, report);
}
