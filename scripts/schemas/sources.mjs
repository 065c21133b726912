// What the shipped schemas are made from. Raise a version here, run `npm run schemas`, and commit what it writes.

/** The newest patch of each minor version that kurel knows, newest first. */
export const kubernetes = {
  name: 'Kubernetes',
  file: 'kubernetes',
  module: 'k8s.io/kubernetes',
  versions: ['1.37.1', '1.36.4', '1.35.8', '1.34.10', '1.33.13', '1.32.13', '1.31.14'],
  /** Say since when kinds are deprecated and gone. Later ones win; old ones know kinds whose code is gone. */
  lifecycle: [
    'k8s.io/api@v0.24.0',
    'k8s.io/api@v0.31.14',
    'k8s.io/api@v0.37.1',
    'k8s.io/apiextensions-apiserver@v0.37.1',
    'k8s.io/kube-aggregator@v0.37.1',
  ],
};

/** CustomResourceDefinitions: `directories` inside the module hold the YAML files. */
export const projects = [
  {
    name: 'cert-manager',
    modules: [{ module: 'github.com/cert-manager/cert-manager', version: '1.21.2', directories: ['deploy/crds'] }],
  },
  {
    name: 'external-secrets',
    modules: [
      { module: 'github.com/external-secrets/external-secrets', version: '1.3.2', directories: ['config/crds/bases'] },
    ],
  },
  {
    name: 'Flux',
    modules: [
      ['source', '1.10.1'],
      ['kustomize', '1.10.1'],
      ['helm', '1.6.4'],
      ['notification', '1.9.3'],
      ['image-reflector', '1.2.4'],
      ['image-automation', '1.2.4'],
    ].map(([part, version]) => ({
      name: `Flux ${part}-controller`,
      module: `github.com/fluxcd/${part}-controller`,
      version,
      directories: ['config/crd/bases'],
    })),
  },
  {
    name: 'CloudNativePG',
    modules: [
      { module: 'github.com/cloudnative-pg/cloudnative-pg', version: '1.30.1', directories: ['config/crd/bases'] },
      {
        name: 'Barman Cloud plugin',
        module: 'github.com/cloudnative-pg/plugin-barman-cloud',
        version: '0.15.0',
        directories: ['config/crd/bases'],
      },
    ],
  },
  {
    name: 'Gateway API',
    modules: [
      {
        module: 'sigs.k8s.io/gateway-api',
        version: '1.7.0',
        channel: 'experimental',
        directories: ['config/crd/experimental'],
      },
      {
        module: 'sigs.k8s.io/gateway-api',
        version: '1.7.0',
        channel: 'standard',
        directories: ['config/crd/standard'],
      },
    ],
  },
  {
    name: 'prometheus-operator',
    modules: [
      {
        module: 'github.com/prometheus-operator/prometheus-operator',
        version: '0.94.1',
        // The directory without `full` leaves out versions that the operator can serve.
        directories: ['example/prometheus-operator-crd-full'],
      },
    ],
  },
  {
    name: 'VolSync',
    licence: 'AGPL-3.0; its api, from which the definitions are generated, also Apache-2.0',
    modules: [{ module: 'github.com/backube/volsync', version: '0.16.0', directories: ['config/crd/bases'] }],
  },
  {
    name: 'Cilium',
    modules: [
      {
        module: 'github.com/cilium/cilium',
        version: '1.20.2',
        directories: ['pkg/k8s/apis/cilium.io/client/crds/v2', 'pkg/k8s/apis/cilium.io/client/crds/v2alpha1'],
      },
    ],
  },
  {
    name: 'Argo CD',
    modules: [{ module: 'github.com/argoproj/argo-cd/v3', version: '3.5.6', directories: ['manifests/crds'] }],
  },
];
