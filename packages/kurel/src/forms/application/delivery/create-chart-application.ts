import { has, textAt } from '../../../kube/index.ts';
import type { JsonObject, KubeObject, Path } from '../../../model/index.ts';
import { filled } from '../catalog/filled.ts';
import { given } from '../catalog/given.ts';
import { parseRange } from '../fetching/version-range.ts';
import type { ChartInput } from './chart-properties.ts';
import { createArgocdApplication } from './create-argocd-application.ts';
import { deliveryProblems as problems } from './problems.ts';
import type { ChartSource, RegistrySource } from './read-chart-source.ts';

/** An Application of Argo CD that does with a chart what a HelmRelease does; none when its source is an object of Flux. */
export function createChartApplication(input: ChartInput, source: ChartSource): readonly KubeObject[] {
  const { name, namespace, delivery, properties: asked } = input;
  tellUnused(input);
  const skipCrds = readDefinitions(input);
  if (source.from === 'cluster') {
    const args = { property: 'source.name', instead: 'write where the chart is in "url"' };
    input.report(problems.create('argocd-property-refused', args), ['source', 'name'], 'key');
    return [];
  }
  const { releaseName, values } = asked;
  const helm = given({ releaseName, skipCrds: skipCrds || undefined, valuesObject: filled(values) });
  const place =
    source.from === 'registry'
      ? placeInRegistry(source, asked.version)
      : { repoURL: source.url, chart: source.chart, targetRevision: asked.version ?? newest };
  const application = createArgocdApplication({
    name,
    delivery,
    source: { ...place, ...(Object.keys(helm).length === 0 ? {} : { helm }) },
    namespace: asked.targetNamespace ?? namespace,
    // As helm does when it upgrades and uninstalls.
    prune: true,
    selfHeal: textAt(asked.driftDetection, 'mode') === 'enabled',
    syncOptions: asked.install?.['createNamespace'] === true ? ['CreateNamespace=true'] : [],
  });
  return [application];
}

// Argo CD refuses a chart without a version.
const newest = '*';

/** Argo CD finds versions and ranges of charts in a registry as in a repository; other tags and digests only by `oci://`. */
function placeInRegistry({ url }: RegistrySource, version: string = newest): JsonObject {
  if (parseRange(version) === undefined) return { repoURL: url, targetRevision: version, path: '.' };
  const end = url.lastIndexOf('/');
  return { repoURL: url.slice('oci://'.length, end), chart: url.slice(end + 1), targetRevision: version };
}

/** Argo CD applies all that a chart has, each time; it can only leave its CustomResourceDefinitions out. */
function readDefinitions({ properties: { install, upgrade }, report }: ChartInput): boolean {
  const [first, later] = [textAt(install, 'crds'), textAt(upgrade, 'crds')];
  // Flux has an older word for it.
  const isSkipped = first === 'Skip' || install?.['skipCRDs'] === true;
  const isFine = later === undefined || later === (isSkipped ? 'Skip' : 'CreateReplace');
  if (!isFine) {
    const instead = isSkipped
      ? 'Argo CD applies the CustomResourceDefinitions of a chart always or never: write Skip here as well'
      : 'Argo CD applies the CustomResourceDefinitions of a chart always or never: write CreateReplace, or Skip for both';
    report(problems.create('argocd-property-refused', { property: `upgrade.crds: ${later}`, instead }), [
      'upgrade',
      'crds',
    ]);
  }
  return isSkipped;
}

const expressed: ReadonlySet<string> = new Set(['crds', 'skipCRDs', 'createNamespace']);

/** Nothing that the author wrote is passed over in silence. */
function tellUnused({ properties: asked, report }: ChartInput): void {
  if (asked.valuesFrom !== undefined) {
    const args = {
      property: 'valuesFrom',
      instead: 'Argo CD takes values from the Application alone: write them in "values"',
    };
    report(problems.create('argocd-property-refused', args), ['valuesFrom'], 'key');
  }
  if (asked.interval !== undefined) reportFinding(['interval']);
  if (has(asked.driftDetection, 'ignore')) reportFinding(['driftDetection', 'ignore']);
  for (const key of Object.keys(asked.install ?? {})) {
    if (!expressed.has(key)) reportFinding(['install', key]);
  }
  for (const key of Object.keys(asked.upgrade ?? {})) if (key !== 'crds') reportFinding(['upgrade', key]);

  function reportFinding(path: Path): void {
    report(problems.create('argocd-property-unused', { property: path.join('.') }), path, 'key');
  }
}
