import { checkFormat } from '../../../schema/index.ts';
import type { ComponentResult } from '../catalog/define.ts';
import { checkManifest } from '../manifests/check-manifest.ts';
import { placesOf } from '../manifests/read-manifests.ts';
import { resolveScopes } from '../manifests/resolve-scopes.ts';
import { chartProblems } from './chart-problems.ts';
import type { ChartInput } from './chart-properties.ts';
import { readChartObjects } from './read-chart-objects.ts';
import type { ChartSource } from './read-chart-source.ts';

/** Properties that only mean something to what installs a chart, and what there is in their place. */
const installing = {
  releaseName: 'take it out: the release is called after the component',
  targetNamespace: 'take it out: the objects go to the namespace of the application',
  interval: 'take it out',
  valuesFrom: 'write the values in "values"',
  driftDetection: 'take it out',
  install: 'take it out: CustomResourceDefinitions are always rendered',
  upgrade: 'take it out: CustomResourceDefinitions are always rendered',
} as const;

/** What helm makes of a chart, as a release that is called after the component. */
export function renderChartTemplate(input: ChartInput, source: ChartSource): ComponentResult {
  const { name, namespace, properties: asked, report, reportName, delivery } = input;
  const path = ['source', 'url'];
  for (const [property, instead] of Object.entries(installing)) {
    if (asked[property as keyof typeof installing] === undefined) continue;
    report(chartProblems.create('helmchart-template-property', { property, instead }), [property], 'key');
  }
  const reason = checkFormat(name, 'release-name');
  if (reason !== undefined) reportName(chartProblems.create('helmchart-release-name', { name, reason }));
  if (source.from === 'cluster') {
    report(chartProblems.create('helmchart-template-source', { name: source.name }), ['source', 'name'], 'key');
    return { objects: [] };
  }
  const { url } = source;
  const { version, sha256, values = {} } = asked;
  const chart = source.from === 'repository' ? source.chart : undefined;
  if (source.from === 'registry' && version === undefined) {
    report(chartProblems.create('helmchart-version-missing', { url }), path);
    return { objects: [] };
  }
  const request = { kind: 'chart', url, chart, version, sha256, releaseName: name, namespace, values } as const;
  const loaded = input.load(request, path);
  if (loaded === undefined) return { objects: [] };
  const objects = readChartObjects({
    text: loaded.text,
    engine: delivery.engine,
    report: (diagnostic) => report(diagnostic, path),
  });
  // Nobody can change a chart from here: what is wrong with its objects is told where it is named.
  const place = input.locate(path);
  const manifests = objects.map((object) => ({ object, locate: () => place }));
  for (const manifest of manifests) checkManifest(manifest, input.reportPlaced);
  return { objects, places: placesOf(manifests), scopes: resolveScopes(manifests, asked.scopeOverrides, input) };
}
