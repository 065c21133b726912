import { quote } from '../../../diagnostics/index.ts';
import { parseRange } from '../../../registry/index.ts';
import type { ComponentInput, PropertiesOf } from '../catalog/define.ts';
import { choiceField, describeMore, kubernetesFields, textField } from '../../../documents/index.ts';
import type { Fields } from '../../../documents/index.ts';
import { scopeOverrides } from '../manifests/resolve-scopes.ts';
import { interval, readChartVersion, reportVersion, secretRef } from './gitops-objects.ts';
import { chartProblems } from './problems.ts';

export const chartProperties = {
  chart: textField('filled', 'Name of the chart in its repository.'),
  version: textField(
    'filled',
    'Version of the chart: in a repository a version or a range such as ^1.2, in a registry a tag or "sha256:" followed by a digest.',
  ),
  source: {
    type: 'object',
    description: 'Source of the chart: a "url", or the "name" of a source in the cluster.',
    required: true,
    relations: [
      {
        anyOf: ['url', 'name'],
        hint: 'add "url", a chart repository or a chart in a registry, or "name", a source in the cluster',
      },
      { exclusive: ['url', 'name'] },
      {
        exclusive: ['url', 'namespace'],
        hint: 'remove "namespace"; the source is created in the namespace of the HelmRelease',
      },
    ],
    properties: {
      url: textField(
        'chart-url',
        'URL of a chart repository (https://…), or of the chart itself in a registry (oci://…).',
      ),
      name: textField('dns-subdomain', 'Name of an existing Flux source in the cluster.'),
      kind: choiceField(
        ['HelmRepository', 'OCIRepository', 'HelmChart'],
        'Kind of the source. Required with "name"; with "url" it follows from the URL.',
      ),
      namespace: textField('dns-label', 'Namespace of the named source. Defaults to the namespace of the HelmRelease.'),
      secretRef: describeMore(secretRef, 'Only with "url".'),
    },
  },
  delivery: choiceField(
    ['native', 'template'],
    'How the chart is delivered. native: Flux or Argo CD installs it. template: kurel renders it with helm and outputs its objects. Defaults to native.',
  ),
  sha256: textField('sha256', 'SHA-256 digest that the chart archive must have. Requires delivery: template.'),
  scopeOverrides: {
    ...scopeOverrides,
    description: 'Scope of kinds that kurel does not know and the chart does not define. Requires delivery: template.',
  },
  releaseName: textField('release-name', 'Name of the Helm release.'),
  targetNamespace: textField(
    'dns-label',
    'Namespace to install the chart in. Defaults to the namespace of the application.',
  ),
  interval,
  values: { type: 'object', description: 'Values of the chart.', open: { type: 'any' } },
  ...kubernetesFields(['helm.toolkit.fluxcd.io/v2', 'HelmRelease', 'spec'], {
    valuesFrom: { type: 'array', description: 'ConfigMaps and Secrets with additional values.' },
    driftDetection: { type: 'object', description: 'How Flux handles objects that were changed in the cluster.' },
    install: { type: 'object', description: 'Install options of the HelmRelease.' },
    upgrade: { type: 'object', description: 'Upgrade options of the HelmRelease.' },
  }),
} as const satisfies Fields;

/** Advice for fields of other tools that have another name here. */
export const insteadOfChartFields = {
  repo: 'use "source.url"',
  repository: 'use "source.url"',
  repoURL: 'use "source.url"',
  namespace: 'use "targetNamespace"',
  targetRevision: 'use "version"',
} as const;

export type ChartInput = ComponentInput<PropertiesOf<typeof chartProperties>>;

/** A source of charts, a chart in a registry, or a Flux source that exists in the cluster. */
export type ChartSource =
  | { readonly from: 'repository'; readonly url: string; readonly chart: string }
  | { readonly from: 'registry'; readonly url: string }
  | NamedSource;

interface NamedSource {
  readonly from: 'cluster';
  readonly kind: 'HelmRepository' | 'OCIRepository' | 'HelmChart';
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly chart: string;
}

/** Checks the source of a chart. `undefined` if there is none. */
export function readChartSource(input: ChartInput): ChartSource | undefined {
  const { properties, report } = input;
  const { url, name, kind } = properties.source;
  if (url === undefined && name === undefined) return undefined;
  checkSecret(input);
  if (url === undefined) return readNamedSource(input);
  const meant = url.startsWith('oci://') ? 'OCIRepository' : 'HelmRepository';
  if (kind !== undefined && kind !== meant) {
    report(chartProblems.create('helmchart-source-kind', { kind, url }), ['source', 'kind']);
  }
  if (meant === 'OCIRepository') {
    checkRegistry(input, url);
    return { from: 'registry', url };
  }
  checkRange(input);
  return { from: 'repository', url, chart: readChart(input, url) };
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

function checkRegistry({ properties: { chart, version, delivery }, report }: ChartInput, url: string): void {
  // Repeating the chart name of the URL is a common habit, and harmless.
  if (chart !== undefined && !url.endsWith(`/${chart}`)) {
    const instead = `remove "chart"; if the URL is incomplete, use ${url}/${chart}`;
    const args = { property: 'chart', value: chart, source: quote(url), instead };
    report(chartProblems.create('helmchart-property-unused', args), ['chart']);
  }
  const parsed = version === undefined ? undefined : readChartVersion(version);
  const isRendered = delivery === 'template';
  const isTaken = parsed !== undefined && !(isRendered && 'semver' in parsed);
  if (version !== undefined && !isTaken) {
    const expected = isRendered ? 'a valid tag or digest' : 'a valid tag, range or digest';
    reportVersion(version, expected, report);
  }
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
