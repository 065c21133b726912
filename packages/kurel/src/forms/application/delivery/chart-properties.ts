import type { ComponentInput, PropertiesOf } from '../catalog/define.ts';
import type { Fields } from '../documents/field.ts';
import { scopeOverrides } from '../manifests/scope-overrides.ts';
import { interval } from './create-flux-source.ts';

const release = ['helm.toolkit.fluxcd.io/v2', 'HelmRelease', 'spec'] as const;

/** What may be said of a chart. */
export const chartProperties = {
  chart: { type: 'string', description: 'name of the chart in its repository', format: 'filled' },
  version: {
    type: 'string',
    description:
      'version of the chart; of a repository also a range such as ^1.2, of a registry also "sha256:" and its digest',
    format: 'filled',
  },
  source: {
    type: 'object',
    description: 'where the chart is: a "url", or the "name" of a source that the cluster has',
    required: true,
    properties: {
      url: {
        type: 'string',
        description: 'of a chart repository (https://…), or of the chart itself in a registry (oci://…)',
        format: 'chart-url',
      },
      name: { type: 'string', description: 'name of an object of Flux that is there already', format: 'dns-subdomain' },
      kind: {
        type: 'string',
        description: 'kind of the source; the URL says it unless given',
        enum: ['HelmRepository', 'OCIRepository', 'HelmChart'],
      },
      namespace: {
        type: 'string',
        description: 'namespace of the named source, when it is not that of the HelmRelease',
        format: 'dns-label',
      },
    },
  },
  delivery: {
    type: 'string',
    description:
      'native, as it is unless given: Flux or Argo CD installs the chart; template: kurel renders it with helm, and its objects are the output',
    enum: ['native', 'template'],
  },
  sha256: {
    type: 'string',
    description: 'with delivery template: of the archive of the chart, which is then taken only if it has this',
    format: 'sha256',
  },
  scopeOverrides: {
    ...scopeOverrides,
    description: 'with delivery template: where objects live whose kinds nobody knows, and the chart does not define',
  },
  releaseName: { type: 'string', description: 'name of the release', format: 'release-name' },
  targetNamespace: {
    type: 'string',
    description: 'namespace that the chart is installed in; that of the application unless given',
    format: 'dns-label',
  },
  interval,
  values: { type: 'object', description: 'values of the chart', open: { type: 'any' } },
  valuesFrom: {
    type: 'array',
    description: 'ConfigMaps and Secrets with more values, as Flux has them',
    kubernetes: [...release, 'valuesFrom'],
  },
  driftDetection: {
    type: 'object',
    description: 'what happens when somebody changes an object in the cluster, as Flux has it',
    kubernetes: [...release, 'driftDetection'],
  },
  install: {
    type: 'object',
    description: 'how the chart is installed, as Flux has it',
    kubernetes: [...release, 'install'],
  },
  upgrade: {
    type: 'object',
    description: 'how the chart is upgraded, as Flux has it',
    kubernetes: [...release, 'upgrade'],
  },
} as const satisfies Fields;

export type ChartInput = ComponentInput<PropertiesOf<typeof chartProperties>>;
