import { quote } from '../../../../diagnostics/index.ts';
import { annotationsOf, decodeObjects, has, nameOf, textAt } from '../../../../kube/index.ts';
import type { Diagnostic, JsonObject, KubeObject, Memory, Path } from '../../../../model/index.ts';
import { checkFormat } from '../../../../schema/index.ts';
import { readYaml } from '../../../../yaml/index.ts';
import { chartProperties, insteadOfChartFields, readChartSource } from '../../delivery/chart-source.ts';
import type { ChartInput, ChartSource } from '../../delivery/chart-source.ts';
import {
  createArgocdApplication,
  createFluxSource,
  formatInterval,
  readChartVersion,
  reportCredentials,
} from '../../delivery/gitops-objects.ts';
import { chartProblems, deliveryProblems as problems } from '../../delivery/problems.ts';
import { parseRange } from '../../../../registry/index.ts';
import { checkManifest, cleanObject } from '../../manifests/check-manifest.ts';
import { manifestProblems, scopeProblems } from '../../manifests/problems.ts';
import { resultOf } from '../../manifests/read-manifests.ts';
import { resolveScopes } from '../../manifests/resolve-scopes.ts';
import { defineComponent } from '../define.ts';
import type { ComponentResult, Delivery } from '../define.ts';
import { defined, filled } from '../present-fields.ts';

/** The Argo CD equivalent of a HelmRelease; none if the source is a Flux object in the cluster. */
function createChartApplication(input: ChartInput, source: ChartSource): readonly KubeObject[] {
  const { name, namespace, delivery, properties: asked } = input;
  reportUnused(input);
  const skipCrds = readDefinitions(input);
  if (source.from === 'cluster') {
    const args = { property: 'source.name', instead: 'set "url" instead' };
    input.report(problems.create('argocd-property-refused', args), ['source', 'name'], 'key');
    return [];
  }
  reportCredentials(input, { url: source.url, secretRef: asked.source.secretRef });
  const { values } = asked;
  // By default Argo CD names the release after the Application.
  const releaseName = asked.releaseName ?? (delivery.nameOf(name) === name ? undefined : name);
  const helm = defined({ releaseName, skipCrds: skipCrds || undefined, valuesObject: filled(values) });
  const place =
    source.from === 'registry'
      ? placeInRegistry(source.url, asked.version)
      : { repoURL: source.url, chart: source.chart, targetRevision: asked.version ?? newest };
  const application = createArgocdApplication(input, {
    source: defined({ ...place, helm: filled(helm) }),
    namespace: asked.targetNamespace ?? namespace,
    // Matches the behavior of helm upgrade and uninstall.
    prune: true,
    selfHeal: textAt(asked.driftDetection, 'mode') === 'enabled',
    syncOptions: asked.install?.['createNamespace'] === true ? ['CreateNamespace=true'] : [],
  });
  return [application];
}

// Argo CD requires a version.
const newest = '*';

/** Argo CD resolves chart versions and ranges in a registry like a repository; other tags and digests require `oci://`. */
function placeInRegistry(url: string, version: string = newest): JsonObject {
  if (parseRange(version) === undefined) return { repoURL: url, targetRevision: version, path: '.' };
  const end = url.lastIndexOf('/');
  return { repoURL: url.slice('oci://'.length, end), chart: url.slice(end + 1), targetRevision: version };
}

/** Argo CD always applies the whole chart; it can only skip the CustomResourceDefinitions. */
function readDefinitions({ properties: { install, upgrade }, report }: ChartInput): boolean {
  // skipCRDs is the older form.
  const isSkipped = textAt(install, 'crds') === 'Skip' || install?.['skipCRDs'] === true;
  const later = textAt(upgrade, 'crds');
  if (later !== undefined && later !== (isSkipped ? 'Skip' : 'CreateReplace')) {
    const choice = isSkipped ? 'use Skip here as well' : 'use CreateReplace, or Skip for both';
    const instead = `${choice}: Argo CD always or never applies the CRDs of a chart`;
    const args = { property: `upgrade.crds: ${later}`, instead };
    report(problems.create('argocd-property-refused', args), ['upgrade', 'crds']);
  }
  return isSkipped;
}

const expressed: ReadonlySet<string> = new Set(['crds', 'skipCRDs', 'createNamespace']);

/** Reports properties that Argo CD would silently ignore. */
function reportUnused({ properties: asked, report }: ChartInput): void {
  if (asked.valuesFrom !== undefined) {
    const instead = 'use "values": an Argo CD Application contains its values';
    report(problems.create('argocd-property-refused', { property: 'valuesFrom', instead }), ['valuesFrom'], 'key');
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

interface ChartOutput {
  /** The output of `helm template`. */
  readonly text: string;
  readonly engine: Delivery['engine'];
  readonly report: (diagnostic: Diagnostic) => void;
  readonly memory?: Memory | undefined;
}

// helm writes the template of each document in a comment.
const sourceMark = '\n# Source: ';

/** The objects of a chart; none if the output is not valid. */
export function readChartObjects({ text, engine, report, memory }: ChartOutput): readonly KubeObject[] {
  const file = 'helm template';
  const { documents, diagnostics } = readYaml({ path: file, text }, { memory });
  let isRead = true;
  const refuse = (reason: string, offset: number): void => {
    isRead = false;
    const start = text.lastIndexOf(sourceMark, offset);
    const template = start === -1 ? undefined : text.slice(start + sourceMark.length).split('\n', 1)[0];
    report(chartProblems.create('helmchart-output', { template, reason }));
  };
  const endOf = (document: number = 0): number => documents.find(({ index }) => index === document)?.range.end ?? 0;
  const reportFinding = ({ severity, message, location }: Diagnostic): void => {
    if (severity === 'error') refuse(message, location?.range?.start ?? endOf(location?.document));
  };
  diagnostics.forEach(reportFinding);
  const decoded = decodeObjects(documents, {
    file,
    report: reportFinding,
    onSkip: ({ document, reason }) => refuse(`document ${document + 1} has ${reason}`, endOf(document)),
  });
  if (!isRead) return [];
  if (decoded.length === 0) report(chartProblems.create('helmchart-empty', {}));
  const objects = decoded.map(({ object }) => cleanObject({ ...object }));
  // Argo CD understands the hook annotations of helm.
  return engine === 'argocd' ? objects : withoutLaterHooks(objects, report);
}

// helm does not create objects with only these hooks when it installs or upgrades a chart.
const later: ReadonlySet<string> = new Set(['pre-delete', 'post-delete', 'pre-rollback', 'post-rollback']);

function withoutLaterHooks(objects: readonly KubeObject[], report: ChartOutput['report']): readonly KubeObject[] {
  const hooks = objects.filter((object) => hooksOf(object).length > 0);
  const out = new Set(hooks.filter((object) => hooksOf(object).every((hook) => later.has(hook))));
  const kept = hooks.filter((object) => !out.has(object));
  if (kept.length > 0) report(chartProblems.create('helmchart-hooks', { hooks: kept.map(describeHook) }));
  if (out.size > 0) report(chartProblems.create('helmchart-hooks-left-out', { hooks: [...out].map(describeHook) }));
  return objects.filter((object) => !out.has(object));
}

function hooksOf(object: KubeObject): readonly string[] {
  const words = (annotationsOf(object)['helm.sh/hook'] ?? '').split(',').map((word) => word.trim());
  return words.filter((word) => word !== '');
}

function describeHook(object: KubeObject): string {
  return `${object.kind} ${quote(nameOf(object))} (${hooksOf(object).join(', ')})`;
}

/** Properties that apply only to charts that are delivered in this way, and what to do instead. */
const propertiesOf = {
  native: {
    releaseName: 'remove it; the release is named after the component',
    targetNamespace: 'remove it; objects go to the namespace of the application',
    interval: 'remove it',
    valuesFrom: 'use "values"',
    driftDetection: 'remove it',
    install: 'remove it; CustomResourceDefinitions are always rendered',
    upgrade: 'remove it; CustomResourceDefinitions are always rendered',
  },
  template: {
    sha256: 'to pin a chart in a registry, set "version" to "sha256:" followed by its digest',
    scopeOverrides: 'remove it; the cluster knows the scopes',
  },
} as const;

/** Refuses the properties of the other way to deliver the chart. */
function refuseProperties({ properties: asked, report }: ChartInput, other: keyof typeof propertiesOf): void {
  const code = other === 'native' ? 'helmchart-template-property' : 'helmchart-native-property';
  const set = defined({ ...asked, scopeOverrides: filled(asked.scopeOverrides) });
  for (const [property, instead] of Object.entries(propertiesOf[other])) {
    if (!Object.hasOwn(set, property)) continue;
    report(chartProblems.create(code, { property, instead }), [property], 'key');
  }
}

/** Renders a chart as a release named after the component. */
function renderChartTemplate(input: ChartInput, source: ChartSource): ComponentResult {
  const { name, namespace, properties: asked, report, reportName, delivery } = input;
  const path = ['source', 'url'];
  refuseProperties(input, 'native');
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
    memory: input.memory,
  });
  // Users cannot edit the chart, so findings about its objects point at the reference to it.
  const place = input.locate(path);
  const manifests = objects.map((object) => ({ object, locate: () => place }));
  for (const manifest of manifests) checkManifest(manifest, input.reportPlaced);
  return { ...resultOf(manifests), scopes: resolveScopes(manifests, asked.scopeOverrides, input) };
}

export const helmchart = defineComponent({
  type: 'helmchart',
  summary: 'Helm chart, installed by a Flux HelmRelease or an Argo CD Application, or rendered by kurel.',
  properties: chartProperties,
  instead: insteadOfChartFields,
  problems: {
    definitions: {
      ...problems.definitions,
      ...chartProblems.definitions,
      ...manifestProblems.definitions,
      ...scopeProblems.definitions,
    },
  },
  render(input) {
    const { properties: asked, delivery, checkUrl } = input;
    const source = readChartSource(input);
    const isRendered = asked.delivery === 'template';
    if (!isRendered) refuseProperties(input, 'template');
    if (source === undefined) return { objects: [] };
    warnUnpinned(input, source);
    if (isRendered) return renderChartTemplate(input, source);
    if (source.from !== 'cluster') checkUrl(source.url, ['source', 'url']);
    return {
      objects: delivery.engine === 'argocd' ? createChartApplication(input, source) : createHelmRelease(input, source),
    };
  },
});

/** Without a version, the installed chart depends on when it is applied. */
function warnUnpinned({ properties: asked, delivery, report }: ChartInput, source: ChartSource): void {
  const { version, sha256, delivery: how } = asked;
  const isNamedElsewhere = source.from === 'cluster' && source.kind !== 'HelmRepository';
  if (version !== undefined || sha256 !== undefined || isNamedElsewhere) return;
  const isOfRegistry = source.from === 'registry';
  // A separate finding reports that a chart in a registry cannot be rendered without a version.
  if (isOfRegistry && how === 'template') return;
  const place = source.from === 'cluster' ? source.name : source.url;
  const chart = source.from === 'registry' ? undefined : source.chart;
  // A missing chart name was already reported.
  if (chart === '') return;
  const isTag = isOfRegistry && delivery.engine === 'fluxcd';
  const path = chart === undefined ? ['source', 'url'] : ['chart'];
  report(chartProblems.create('helmchart-version-latest', { place, chart, isTag }), path);
}

/** A HelmRelease, preceded by its source unless another component creates it. */
function createHelmRelease(input: ChartInput, source: ChartSource): readonly KubeObject[] {
  const { name, namespace, delivery, properties: asked, report } = input;
  const interval = formatInterval(asked.interval);
  const { fields, objects } = createChart(input, source, interval);
  // The namespace of the Flux objects must not change the release name or its namespace.
  const isElsewhere = delivery.namespace !== namespace && asked.targetNamespace === undefined;
  // A HelmRelease can only reference values in its own namespace, which may not be that of the application.
  const elsewhere = delivery.namespace === namespace ? [] : (asked.valuesFrom ?? []);
  for (const [index, reference] of elsewhere.entries()) {
    const [kind = '', valuesName = ''] = [textAt(reference, 'kind'), textAt(reference, 'name')];
    const args = { kind, name: valuesName, namespace: delivery.namespace, own: namespace };
    report(chartProblems.create('helmchart-values-elsewhere', args), ['valuesFrom', index, 'name']);
  }
  const release = {
    apiVersion: 'helm.toolkit.fluxcd.io/v2',
    kind: 'HelmRelease',
    metadata: { name: delivery.nameOf(name), namespace: delivery.namespace },
    spec: defined({
      interval,
      releaseName: asked.releaseName ?? (isElsewhere ? name : releaseNameOf(input)),
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

/** The release name that Flux would choose if the HelmRelease were named after the component. */
function releaseNameOf({ name, delivery, properties: { targetNamespace } }: ChartInput): string | undefined {
  if (delivery.nameOf(name) === name) return undefined;
  return targetNamespace === undefined ? name : `${targetNamespace}-${name}`;
}

/** The fields of a HelmRelease that reference the chart, and its source. */
function createChart(input: ChartInput, source: ChartSource, interval: string) {
  const { version } = input.properties;
  const path = input.properties.interval === undefined ? ['source', 'url'] : ['interval'];
  if (source.from === 'cluster') {
    const { kind, name, namespace, chart } = source;
    const reference = defined({ kind, name, namespace });
    const spec = defined({ chart, version, sourceRef: reference });
    return { fields: kind === 'HelmRepository' ? { chart: { spec } } : { chartRef: reference }, objects: [] };
  }
  const { url } = source;
  const { secretRef } = input.properties.source;
  if (source.from === 'repository') {
    const { name, objects } = createFluxSource(input, { kind: 'HelmRepository', url, secretRef, interval, path });
    const sourceRef = { kind: 'HelmRepository', name };
    return { fields: { chart: { spec: defined({ chart: source.chart, version, sourceRef }) } }, objects };
  }
  const meant = version === undefined ? undefined : (readChartVersion(version) ?? { tag: version });
  const asked = { kind: 'OCIRepository', url, version: meant, secretRef, interval, path } as const;
  const { name, objects } = createFluxSource(input, asked);
  return { fields: { chartRef: { kind: 'OCIRepository', name } }, objects };
}
