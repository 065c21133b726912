import { defineProblems, quote, sentence, setting } from '../../../diagnostics/index.ts';

interface Property {
  readonly property: string;
}

export const deliveryProblems = defineProblems(() => ({
  'delivery-version': {
    summary: 'A version is not valid for its source.',
    message: ({ version, expected }: { version: string; expected: string }) =>
      `version ${quote(version)} is not ${expected}`,
    hint: ({ hint }: { hint: string | undefined }) => hint,
    fix: 'Write a version that the source supports: a version or range such as ^1.2 for a chart repository, a tag or sha256:DIGEST for a registry.',
  },
  'delivery-interval-shared': {
    severity: 'warning',
    summary: 'Two components share a source but have different intervals.',
    message: ({ first, interval, own }: { first: string; interval: string; own: string }) =>
      `interval ${own} is ignored: the source is shared with component ${quote(first)}, which sets ${interval}`,
    hint: () => 'set the same "interval" in both components',
    fix: 'Components with the same source share one Flux object, and the first component sets its interval. Set the same interval in all of them.',
  },
  'delivery-secret-elsewhere': {
    severity: 'note',
    summary: 'Flux looks up the credentials of a source in the namespace of the source, not of the application.',
    message: ({ name, namespace }: { name: string; namespace: string }) =>
      `Flux looks for Secret ${quote(name)} in namespace ${quote(namespace)}, next to the source`,
    hint: ({ own }: { own: string }) => `create it there; Flux does not look in ${quote(own)}`,
    fix: sentence`Create the Secret in the namespace of the source, or set the Flux namespace to that of the application with ${setting('fluxNamespace')}.`,
  },
  'argocd-credentials': {
    severity: 'warning',
    summary: 'Argo CD does not use the credentials that a source refers to.',
    message: ({ name, url }: { name: string; url: string }) =>
      `Argo CD does not use Secret ${quote(name)}: it finds the credentials of ${quote(url)} by the URL`,
    hint: ({ namespace }: { namespace: string }) =>
      `create a Secret with this URL and the label "argocd.argoproj.io/secret-type: repository" in namespace ${quote(namespace)}`,
    fix: 'Create a repository Secret for the URL in the namespace of Argo CD, and remove secretRef or accept the finding.',
  },
  'argocd-property-unused': {
    severity: 'warning',
    summary: 'A property applies only to Flux, but the profile uses Argo CD.',
    message: ({ property }: Property) => `${quote(property)} has no effect with Argo CD: it applies only to Flux`,
    fix: 'Remove the property if the application is built only for Argo CD. Otherwise accept the finding.',
  },
  'argocd-property-refused': {
    summary: 'A property requires Flux, but the profile uses Argo CD.',
    message: ({ property }: Property) => `Argo CD does not support ${quote(property)}`,
    hint: ({ instead }: Property & { instead: string }) => instead,
    fix: 'Follow the hint, or build for a platform whose profile has spec.gitopsEngine: fluxcd.',
  },
  'argocd-namespaces-kept': {
    severity: 'warning',
    summary: 'Argo CD sets the target namespace only on objects without a namespace.',
    message: ({ namespace }: { namespace: string }) =>
      `Argo CD deploys only objects without a namespace to ${quote(namespace)}`,
    hint: () => 'remove the namespaces from the artifact, or set the namespace in its kustomization',
    fix: 'Flux overrides the namespace of every object; Argo CD does not. Build the artifact without namespaces, or set the right one in its kustomization.',
  },
}));

interface Unpinned {
  /** URL or name of the source. */
  readonly place: string;
  readonly chart: string | undefined;
  /** Without a version, Flux uses the tag "latest" instead of the newest version. */
  readonly isTag: boolean;
}

type SourceKind = Partial<Record<'kind' | 'url' | 'name', string>>;

export const chartProblems = defineProblems(() => ({
  'helmchart-source-kind': {
    summary: 'The kind of a chart source is missing or does not match its URL.',
    message: ({ kind = '', url, name = '' }: SourceKind) =>
      url === undefined
        ? `required field "kind" is missing in source ${quote(name)}`
        : `source kind ${quote(kind)} does not match URL ${quote(url)}`,
    hint: ({ url }: SourceKind) =>
      url === undefined
        ? 'add "kind", one of HelmRepository, OCIRepository, HelmChart'
        : 'remove "kind": https:// implies HelmRepository, oci:// implies OCIRepository',
    fix: 'With source.name, set source.kind to the kind of the Flux object: HelmRepository, OCIRepository or HelmChart. With source.url, remove source.kind: it follows from the URL.',
  },
  'helmchart-source-secret': {
    summary: 'The source of a chart has a secretRef that nothing would use.',
    message: ({ why }: { why: string }) => `"secretRef" has no effect: ${why}`,
    hint: ({ instead }: { instead: string }) => instead,
    fix: 'Remove source.secretRef. It is for a source that kurel creates for Flux: a source.url without delivery: template.',
  },
  'helmchart-chart-missing': {
    summary: 'A chart repository is used without the name of a chart.',
    message: ({ source }: { source: string }) => `required field "chart" is missing for repository ${quote(source)}`,
    hint: () => 'add "chart", the name of a chart in the repository',
    fix: 'Set chart to the name of the chart. A repository contains many charts; `helm search repo` lists them.',
  },
  'helmchart-property-unused': {
    severity: 'warning',
    summary: 'A property has no effect because the source of the chart already determines it.',
    message: ({ property, value, source }: { property: string; value: string; source: string }) =>
      `${property} ${quote(value)} has no effect: ${source} determines it`,
    hint: ({ instead }: { instead: string }) => instead,
    fix: 'Remove the property. An oci:// URL already names the chart, and an OCIRepository or HelmChart in the cluster names the chart and its version.',
  },
  'helmchart-version-latest': {
    severity: 'warning',
    summary: 'A chart has no version, so the installed version changes over time.',
    message: ({ place, chart, isTag }: Unpinned) =>
      isTag
        ? `"version" is missing: Flux installs the tag "latest" of ${quote(place)}`
        : `"version" is missing: the newest chart ${chart === undefined ? '' : `${quote(chart)} `}of ${quote(place)} is installed`,
    hint: ({ isTag }: Unpinned) =>
      isTag ? 'set "version" to a tag; chart versions are used as tags' : 'set "version" to a chart version',
    fix: 'Set version to an exact chart version, such as 1.2.3, so that every build installs the same chart.',
  },
  'helmchart-version-missing': {
    summary: 'A chart in a registry cannot be rendered because it has no version.',
    message: ({ url }: { url: string }) => `required field "version" is missing for ${quote(url)}`,
    hint: () => 'add "version", a tag or "sha256:" followed by a digest',
    fix: 'Set version to a tag of the chart, such as 1.2.3, or to its digest, sha256:…. With delivery: template, kurel renders one exact version.',
  },
  'helmchart-values-elsewhere': {
    severity: 'note',
    summary: 'Flux looks up valuesFrom in the namespace of the HelmRelease, not of the application.',
    message: ({ kind, name, namespace }: { kind: string; name: string; namespace: string }) =>
      `Flux looks for ${kind} ${quote(name)} in namespace ${quote(namespace)}, next to the HelmRelease`,
    hint: ({ own }: { own: string }) => `create it there; Flux does not look in ${quote(own)}`,
    fix: sentence`Create the ConfigMap or Secret in the namespace of the HelmRelease, or set the Flux namespace to that of the application with ${setting('fluxNamespace')}.`,
  },
  'helmchart-template-property': {
    summary: 'A chart with delivery: template has a property that applies only to installed charts.',
    message: ({ property }: { property: string }) =>
      `${quote(property)} conflicts with "delivery: template": the chart is rendered, not installed`,
    hint: ({ instead }: { instead: string }) => instead,
    fix: 'Remove the property, or remove delivery: template so that Flux or Argo CD installs the chart.',
  },
  'helmchart-template-source': {
    summary: 'A chart with delivery: template uses a source that exists only in the cluster.',
    message: ({ name }: { name: string }) =>
      `source ${quote(name)} conflicts with "delivery: template": it exists only in the cluster`,
    hint: () => 'set "url" instead',
    fix: 'Replace source.name with source.url, so that kurel can fetch the chart, or remove delivery: template.',
  },
  'helmchart-native-property': {
    summary: 'A property requires delivery: template, but Flux or Argo CD renders the chart.',
    message: ({ property }: { property: string }) =>
      `${quote(property)} requires "delivery: template": otherwise Flux or Argo CD renders the chart`,
    hint: ({ instead }: { instead: string }) => instead,
    fix: 'Set delivery: template to render the chart with kurel, or remove the property.',
  },
  'helmchart-release-name': {
    summary: 'The name of a component is not a valid Helm release name.',
    message: ({ name, reason }: { name: string; reason: string }) =>
      `${quote(name)} is not a valid Helm release name: it ${reason}`,
    hint: () => 'shorten the component name, which is used as release name',
    fix: 'Rename the component: a chart with delivery: template is rendered as a release of that name. Helm allows at most 53 lower-case letters, digits, hyphens and dots.',
  },
  'helmchart-output': {
    summary: 'The output of a chart is not a valid manifest.',
    message: ({ template, reason }: { template: string | undefined; reason: string }) =>
      `the chart output${template === undefined ? '' : ` (${template})`} is not a valid manifest: ${reason}`,
    fix: 'Check the values you pass to the chart; `helm template` shows its output. If the template itself is wrong, use another version of the chart or report it to its authors.',
  },
  'helmchart-empty': {
    severity: 'warning',
    summary: 'A chart renders no objects.',
    message: () => 'the chart renders no objects with these values',
    fix: 'Check values: many charts have conditions that disable everything. Remove the component if it is not needed.',
  },
  'helmchart-hooks': {
    severity: 'warning',
    summary: 'A rendered chart has hooks, which become ordinary objects.',
    message: ({ hooks }: { hooks: readonly string[] }) =>
      `chart hooks are applied together with all other objects: ${hooks.join(', ')}`,
    hint: () => 'disable the hooks in "values", or use "delivery: native" to run them as hooks',
    fix: 'Helm runs hooks before or after the other objects; a rendered chart loses that order. Disable them with a value of the chart, use delivery: native, or accept the finding if the order does not matter.',
  },
  'helmchart-hooks-left-out': {
    severity: 'note',
    summary: 'Delete and rollback hooks of a chart are omitted when it is rendered.',
    message: ({ hooks }: { hooks: readonly string[] }) =>
      `delete and rollback hooks of the chart are omitted: ${hooks.join(', ')}`,
    hint: () => 'use "delivery: native" to keep them',
    fix: 'Nothing to do if you do not need these hooks. Use delivery: native to let Flux or Argo CD run them.',
  },
}));
