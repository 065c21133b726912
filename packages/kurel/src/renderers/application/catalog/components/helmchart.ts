import { chartProblems } from '../../delivery/chart-problems.ts';
import { chartProperties } from '../../delivery/chart-properties.ts';
import type { ChartInput } from '../../delivery/chart-properties.ts';
import { createChartApplication } from '../../delivery/create-chart-application.ts';
import { createHelmRelease } from '../../delivery/create-helm-release.ts';
import { deliveryProblems } from '../../delivery/problems.ts';
import { readChartSource } from '../../delivery/read-chart-source.ts';
import { renderChartTemplate } from '../../delivery/render-chart-template.ts';
import { manifestProblems } from '../../manifests/problems.ts';
import { scopeProblems } from '../../manifests/scope-problems.ts';
import { defineComponent } from '../define.ts';

export const helmchart = defineComponent({
  type: 'helmchart',
  summary:
    'A Helm chart: a HelmRelease of Flux or an Application of Argo CD that installs it, or the objects that it renders to.',
  properties: chartProperties,
  problems: {
    definitions: {
      ...deliveryProblems.definitions,
      ...chartProblems.definitions,
      ...manifestProblems.definitions,
      ...scopeProblems.definitions,
    },
  },
  render(input) {
    const { properties: asked, delivery, checkUrl } = input;
    const source = readChartSource(input);
    const isRendered = asked.delivery === 'template';
    if (!isRendered) refuseRendering(input);
    if (source === undefined) return { objects: [] };
    if (isRendered) return renderChartTemplate(input, source);
    if (source.from !== 'cluster') checkUrl(source.url, ['source', 'url']);
    return {
      objects: delivery.engine === 'argocd' ? createChartApplication(input, source) : createHelmRelease(input, source),
    };
  },
});

function refuseRendering({ properties: { sha256, scopeOverrides }, report }: ChartInput): void {
  if (sha256 !== undefined) {
    const instead = 'a chart in a registry is pinned by a "version" of "sha256:" and its digest';
    report(chartProblems.create('helmchart-native-property', { property: 'sha256', instead }), ['sha256'], 'key');
  }
  if (scopeOverrides.length > 0) {
    const args = { property: 'scopeOverrides', instead: 'take it out: the cluster knows where objects live' };
    report(chartProblems.create('helmchart-native-property', args), ['scopeOverrides'], 'key');
  }
}
