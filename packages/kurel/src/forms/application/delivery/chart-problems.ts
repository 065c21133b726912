import { defineProblems, quote } from '../../../diagnostics/index.ts';

interface Unpinned {
  /** URL or name of the source. */
  readonly place: string;
  readonly chart: string | undefined;
  /** There is no newest version, only the tag "latest". */
  readonly isTag: boolean;
}

/** What can be wrong with a component that is a chart. */
export const chartProblems = defineProblems({
  'helmchart-source-empty': {
    severity: 'error',
    summary: 'Nothing says where a chart is.',
    message: () => '"source" has neither a "url" nor a "name"',
    hint: () =>
      'write the URL of a repository or of a chart in a registry in "url", or name a source that the cluster has',
  },
  'helmchart-source-twice': {
    severity: 'error',
    summary: 'A chart is to be taken from a URL and from a source that the cluster has.',
    message: () => '"name" cannot stand beside "url": a chart is taken from one place',
    hint: () => 'take one of them out',
  },
  'helmchart-source-kind': {
    severity: 'error',
    summary: 'The kind of a source is missing, or does not go with its URL.',
    message: ({
      kind,
      url,
      name,
    }: {
      kind?: string | undefined;
      url?: string | undefined;
      name?: string | undefined;
    }) =>
      url === undefined
        ? `the source ${quote(name ?? '')} has no "kind"`
        : `${quote(url)} is no URL of a source of kind ${quote(kind ?? '')}`,
    hint: ({ url }: { url?: string | undefined }) => {
      if (url === undefined) return 'kinds: HelmRepository, OCIRepository, HelmChart';
      return 'take "kind" out: https:// means a HelmRepository, and oci:// an OCIRepository';
    },
  },
  'helmchart-source-namespace': {
    severity: 'error',
    summary: 'A source that is made here is given a namespace, which only one that is there has.',
    message: () => '"namespace" is of a source that the cluster has, and cannot stand beside "url"',
    hint: () => 'the source is made beside the HelmRelease; the profile says where, in spec.fluxNamespace',
  },
  'helmchart-chart-missing': {
    severity: 'error',
    summary: 'A chart repository has many charts, and none is named.',
    message: ({ source }: { source: string }) => `"chart" does not say which chart of ${quote(source)} is meant`,
    hint: () => 'write the name of the chart in "chart"',
  },
  'helmchart-property-unused': {
    severity: 'warning',
    summary: 'A property says what the source of a chart says already.',
    message: ({ property, value, source }: { property: string; value: string; source: string }) =>
      `${property} ${quote(value)} has no effect: ${source} says which it is`,
    hint: ({ instead }: { instead: string }) => instead,
  },
  'helmchart-version-latest': {
    severity: 'warning',
    summary: 'A chart has no version, so the newest one is installed, or in a registry one that has the tag "latest".',
    message: ({ place, chart, isTag }: Unpinned) =>
      isTag
        ? `without a "version" Flux takes the tag "latest" of ${quote(place)}`
        : `without a "version" the newest chart ${chart === undefined ? '' : `${quote(chart)} `}of ${quote(place)} is installed, which changes over time`,
    hint: ({ isTag }: Unpinned) =>
      isTag
        ? 'charts are pushed with their version as the tag: write that in "version"'
        : 'write the version of the chart in "version"',
  },
  'helmchart-version-missing': {
    severity: 'error',
    summary: 'A chart in a registry is to be rendered, and has no version.',
    message: ({ url }: { url: string }) => `"version" does not say which version of ${quote(url)} is to be rendered`,
    hint: () => 'write a tag, or "sha256:" and a digest, in "version"',
  },
  'helmchart-values-elsewhere': {
    severity: 'note',
    summary: 'Flux looks for ConfigMaps and Secrets with values beside the HelmRelease, not beside the application.',
    message: ({ kind, name, namespace }: { kind: string; name: string; namespace: string }) =>
      `Flux looks for the ${kind} ${quote(name)} in the namespace ${quote(namespace)}, where the HelmRelease is`,
    hint: ({ own }: { own: string }) => `what is only in ${quote(own)} is not found`,
  },
  'helmchart-template-property': {
    severity: 'error',
    summary: 'A property is about how a chart is installed, and the chart is only rendered.',
    message: ({ property }: { property: string }) =>
      `${quote(property)} cannot stand beside "delivery: template": the chart is rendered, and nothing installs it`,
    hint: ({ instead }: { instead: string }) => instead,
  },
  'helmchart-template-source': {
    severity: 'error',
    summary: 'A chart is to be rendered, and its source is only known to the cluster.',
    message: ({ name }: { name: string }) =>
      `the source ${quote(name)} is known to the cluster alone, and "delivery: template" needs the chart now`,
    hint: () => 'write where the chart is in "url"',
  },
  'helmchart-native-property': {
    severity: 'error',
    summary: 'A property is about how a chart is rendered, and something else renders it.',
    message: ({ property }: { property: string }) =>
      `${quote(property)} needs "delivery: template": otherwise the platform fetches and renders the chart`,
    hint: ({ instead }: { instead: string }) => instead,
  },
  'helmchart-release-name': {
    severity: 'error',
    summary: 'A component has a name that helm refuses for a release.',
    message: ({ name, reason }: { name: string; reason: string }) =>
      `a release of helm cannot be called ${quote(name)}: it ${reason}`,
    hint: () => 'the release is called after the component: give it a shorter name',
  },
  'helmchart-output': {
    severity: 'error',
    summary: 'A chart renders to something that is no manifest.',
    message: ({ template, reason }: { template: string | undefined; reason: string }) =>
      `what the chart renders to is no manifest${template === undefined ? '' : ` (${template})`}: ${reason}`,
  },
  'helmchart-empty': {
    severity: 'warning',
    summary: 'A chart renders to nothing.',
    message: () => 'the chart renders to nothing with these values',
  },
  'helmchart-hooks': {
    severity: 'warning',
    summary: 'A chart has hooks, which are objects like all others once it is rendered.',
    message: ({ hooks }: { hooks: readonly string[] }) =>
      `hooks of the chart are applied together with everything else: ${hooks.join(', ')}`,
    hint: () =>
      'helm runs them before or after; values of many charts switch them off, and "delivery: native" keeps them',
  },
  'helmchart-hooks-left-out': {
    severity: 'note',
    summary: 'A chart has hooks for when it is removed or rolled back, which are left out when it is rendered.',
    message: ({ hooks }: { hooks: readonly string[] }) =>
      `hooks of the chart are left out, for they are not for installing it: ${hooks.join(', ')}`,
    hint: () => '"delivery: native" keeps them',
  },
});
