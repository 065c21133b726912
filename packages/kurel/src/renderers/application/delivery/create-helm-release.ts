import { textAt } from '../../../kube/index.ts';
import type { JsonObject, KubeObject } from '../../../model/index.ts';
import { filled } from '../catalog/filled.ts';
import { given } from '../catalog/given.ts';
import { chartProblems } from './chart-problems.ts';
import type { ChartInput } from './chart-properties.ts';
import { createFluxSource } from './create-flux-source.ts';
import { formatInterval } from './interval.ts';
import { readChartVersion } from './oci-version.ts';
import type { ChartSource } from './read-chart-source.ts';

interface ReleasedChart {
  /** What the HelmRelease says of its chart. */
  readonly fields: JsonObject;
  readonly objects: readonly KubeObject[];
}

/** A HelmRelease, behind the object for its source unless there is one already. */
export function createHelmRelease(input: ChartInput, source: ChartSource): readonly KubeObject[] {
  const { name, namespace, delivery, properties: asked } = input;
  const interval = formatInterval(asked.interval);
  const { fields, objects } = createChart(input, source, interval);
  // Where the objects of Flux are must not change what is installed, nor where.
  const isElsewhere = delivery.namespace !== namespace && asked.targetNamespace === undefined;
  if (delivery.namespace !== namespace) noteValues(input);
  const release = {
    apiVersion: 'helm.toolkit.fluxcd.io/v2',
    kind: 'HelmRelease',
    metadata: { name, namespace: delivery.namespace },
    spec: given({
      interval,
      releaseName: asked.releaseName ?? (isElsewhere ? name : undefined),
      targetNamespace: asked.targetNamespace ?? (isElsewhere ? namespace : undefined),
      ...fields,
      install: filled(asked.install),
      upgrade: filled(asked.upgrade),
      driftDetection: filled(asked.driftDetection),
      valuesFrom: filled(asked.valuesFrom),
      values: filled(asked.values),
    }),
  };
  return [...objects, release];
}

function createChart(input: ChartInput, source: ChartSource, interval: string): ReleasedChart {
  const { version } = input.properties;
  const path = input.properties.interval === undefined ? ['source', 'url'] : ['interval'];
  if (source.from === 'cluster') {
    const { kind, name, namespace, chart } = source;
    const reference = given({ kind, name, namespace });
    if (kind !== 'HelmRepository') return { fields: { chartRef: reference }, objects: [] };
    return { fields: { chart: { spec: given({ chart, version, sourceRef: reference }) } }, objects: [] };
  }
  const { url } = source;
  if (source.from === 'repository') {
    const { name, objects } = createFluxSource(input, { kind: 'HelmRepository', url, interval, path });
    const sourceRef = { kind: 'HelmRepository', name };
    return { fields: { chart: { spec: given({ chart: source.chart, version, sourceRef }) } }, objects };
  }
  if (version === undefined) {
    input.report(chartProblems.create('helmchart-version-latest', { url }), ['source', 'url']);
  }
  const meant = version === undefined ? undefined : (readChartVersion(version) ?? { tag: version });
  const { name, objects } = createFluxSource(input, { kind: 'OCIRepository', url, version: meant, interval, path });
  return { fields: { chartRef: { kind: 'OCIRepository', name } }, objects };
}

/** A HelmRelease names what is beside it: values that are beside the application are not found from elsewhere. */
function noteValues({ properties: { valuesFrom = [] }, namespace: own, delivery, report }: ChartInput): void {
  for (const [index, reference] of valuesFrom.entries()) {
    const [kind = '', name = ''] = [textAt(reference, 'kind'), textAt(reference, 'name')];
    const args = { kind, name, namespace: delivery.namespace, own };
    report(chartProblems.create('helmchart-values-elsewhere', args), ['valuesFrom', index, 'name']);
  }
}
