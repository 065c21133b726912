import type { ComponentInput, PropertiesOf } from '../catalog/define.ts';
import type { Fields } from '../documents/field.ts';
import { scopeOverrides } from '../manifests/resolve-scopes.ts';
import { interval, secretRef } from './create-flux-source.ts';

const release = ['helm.toolkit.fluxcd.io/v2', 'HelmRelease', 'spec'] as const;

/** Properties of a chart. */
export const chartProperties = {
  chart: { type: 'string', description: 'Name of the chart in its repository.', format: 'filled' },
  version: {
    type: 'string',
    description:
      'Version of the chart: in a repository a version or a range such as ^1.2, in a registry a tag or "sha256:" followed by a digest.',
    format: 'filled',
  },
  source: {
    type: 'object',
    description: 'Source of the chart: a "url", or the "name" of a source in the cluster.',
    required: true,
    properties: {
      url: {
        type: 'string',
        description: 'URL of a chart repository (https://…), or of the chart itself in a registry (oci://…).',
        format: 'chart-url',
      },
      name: { type: 'string', description: 'Name of an existing Flux source in the cluster.', format: 'dns-subdomain' },
      kind: {
        type: 'string',
        description: 'Kind of the source. Required with "name"; with "url" it follows from the URL.',
        enum: ['HelmRepository', 'OCIRepository', 'HelmChart'],
      },
      namespace: {
        type: 'string',
        description: 'Namespace of the named source. Defaults to the namespace of the HelmRelease.',
        format: 'dns-label',
      },
      secretRef: { ...secretRef, description: `${secretRef.description} Only with "url".` },
    },
  },
  delivery: {
    type: 'string',
    description:
      'How the chart is delivered. native: Flux or Argo CD installs it. template: kurel renders it with helm and outputs its objects. Defaults to native.',
    enum: ['native', 'template'],
  },
  sha256: {
    type: 'string',
    description: 'SHA-256 digest that the chart archive must have. Requires delivery: template.',
    format: 'sha256',
  },
  scopeOverrides: {
    ...scopeOverrides,
    description: 'Scope of kinds that kurel does not know and the chart does not define. Requires delivery: template.',
  },
  releaseName: { type: 'string', description: 'Name of the Helm release.', format: 'release-name' },
  targetNamespace: {
    type: 'string',
    description: 'Namespace to install the chart in. Defaults to the namespace of the application.',
    format: 'dns-label',
  },
  interval,
  values: { type: 'object', description: 'Values of the chart.', open: { type: 'any' } },
  valuesFrom: {
    type: 'array',
    description: 'ConfigMaps and Secrets with additional values.',
    kubernetes: [...release, 'valuesFrom'],
  },
  driftDetection: {
    type: 'object',
    description: 'How Flux handles objects that were changed in the cluster.',
    kubernetes: [...release, 'driftDetection'],
  },
  install: {
    type: 'object',
    description: 'Install options of the HelmRelease.',
    kubernetes: [...release, 'install'],
  },
  upgrade: {
    type: 'object',
    description: 'Upgrade options of the HelmRelease.',
    kubernetes: [...release, 'upgrade'],
  },
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
