import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { listCases, openCase } from './golden-case.ts';
import { runProgram } from './run-program.ts';
import { repository } from './source-tree.ts';

const cases = join(repository, 'packages', 'kurel', 'test', 'cases');

// The package format was designed with examples. Each is a case `design-…`, run by program-cases.test.ts; here is what the design says
// comes out, so that nobody changes it by updating what is expected of the cases.
interface Design {
  readonly name: string;
  /** In this order, in what is expected of the case. */
  readonly says: readonly string[];
  readonly never?: readonly string[];
}

const designs: readonly Design[] = [
  {
    name: 'parameters',
    says: [
      'interval: 30s',
      'serviceMonitor: "enabled: false"',
      `storage: "10Gi of ''"`,
      'app: prometheus-operator # stays',
      'app.kubernetes.io/name: prometheus-operator',
      'app.kubernetes.io/version: 0.68.0',
      'app.kubernetes.io/managed-by: kurel',
      'kurel.gokure.dev/package: prometheus-operator',
      'kurel.gokure.dev/version: 0.68.0',
      'image: quay.io/prometheus-operator/prometheus-operator:v0.68.0',
      'ephemeral-storage: 1Gi # stays',
      'cpu: 1000m',
      'cpu: 200m',
      'memory: 256Mi',
      'imagePullPolicy: IfNotPresent',
      'runAsNonRoot: true',
      'runAsUser: 65534',
      'fsGroup: 65534',
    ],
    never: ['${', 'cpu: 100m'],
  },
  {
    name: 'parameters-info',
    says: [
      'prometheus-operator',
      '0.68.0',
      'Prometheus Operator creates/manages Prometheus clusters',
      '00-base.kpatch',
    ],
  },
  { name: 'structure', says: ['exit 0', 'team: us', 'type: NodePort', 'prometheus.io/scrape: "true"', 'replicas: 5'] },
  { name: 'structure-original', says: ['exit 1', 'parameters.yaml'] },
  { name: 'extended-value', says: ['size: 10Gi', 'marker: extended', 'credentials: kubernetes/secret-ref'] },
  {
    name: 'processing-order',
    says: [
      '- 00-base',
      '- features/10-monitoring',
      '- features/20-ingress',
      '- features/30-persistence',
      '- features/9-last-of-features',
      '- profiles/10-development',
      '- profiles/20-staging',
      '- profiles/30-production',
      '- resources/10-limits-small',
      '- resources/20-limits-medium',
      '- resources/30-limits-large',
    ],
  },
  {
    name: 'processing-order-list',
    says: [
      '✓ 00-base.kpatch (always enabled)',
      '✓ features/10-monitoring.kpatch',
      '✓ resources/30-limits-large.kpatch',
    ],
  },
  {
    name: 'sidecar',
    says: [
      '✓ features/10-monitoring.kpatch (monitoring.enabled=true)',
      'Adds Prometheus monitoring sidecars and annotations',
      '- features/25-lightweight-monitoring.kpatch (disabled: lightweight.enabled=false)',
    ],
  },
  { name: 'sidecar-build', says: ['- metrics-base', '- monitoring-rbac', '- monitoring'], never: ['lightweight'] },
  { name: 'sidecar-off', says: ['- lightweight'], never: ['- monitoring', '- metrics-base'] },
  {
    name: 'sidecar-conflict',
    says: ['exit 1', 'features/10-monitoring.kpatch', 'features/25-lightweight-monitoring.kpatch'],
    never: ['===== stdout'],
  },
  { name: 'requires', says: ['- metrics-base', '- monitoring'] },
  {
    name: 'dependency-graph',
    says: ['- 02-base-rbac', '- 05-metrics-base', '- 15-monitoring-rbac', '- 10-monitoring'],
  },
  {
    name: 'dependency-graph-list',
    says: ['02-base-rbac.kpatch (required by 15-monitoring-rbac)', '10-monitoring.kpatch (monitoring.enabled=true)'],
  },
  { name: 'variables-header', says: ['exit 1', '[variables]', 'cpu_request = "100m"'], never: ['===== stdout'] },
  {
    name: 'namespaces',
    says: ['name: apps', 'name: monitoring', 'namespace: monitoring  # Another', 'namespace: apps      # Different'],
  },
  {
    name: 'namespaces-create',
    says: ['kind: Namespace', 'name: apps', 'team: apps', 'kurel.gokure.dev/install-phase: pre-install'],
    never: ['name: kube-system', 'name: default'],
  },
  {
    name: 'namespace-patch-on',
    says: ['kind: Namespace', 'name: watching', 'team: apps', 'example.com/contact: apps', 'kind: Service'],
  },
  { name: 'namespace-patch-off', says: ['kind: Service'], never: ['kind: Namespace'] },
  { name: 'namespace-overrides', says: ['name: apps', 'kind: Service'], never: ['name: kube-system'] },
  {
    name: 'validate-namespaces',
    says: [
      'exit 1',
      "⚠ Warning: Resources use namespace 'custom-ns' but no Namespace resource found",
      '   → Enable global.namespaces.create=true or create Namespace resource manually',
    ],
  },
  { name: 'validate-namespaces', says: ["✗ Error: Two Services named 'api' in namespace 'apps'"] },
  { name: 'validate-namespaces', says: ['✓ Cross-namespace Service→Deployment references look valid'] },
  {
    name: 'flux',
    says: [
      '===== out/kustomizations/my-app-main/kustomization.yaml',
      'apiVersion: kustomize.toolkit.fluxcd.io/v1',
      'kind: Kustomization',
      'name: my-app-main',
      'dependsOn:',
      '- name: my-app-pre-install',
      '===== out/kustomizations/my-app-post-install/kustomization.yaml',
      '- name: my-app-main',
      '===== out/kustomizations/my-app-pre-install/kustomization.yaml',
      'timeout: 5m',
      'wait: true',
    ],
  },
  {
    name: 'phase-move',
    says: [
      '===== out/main/kustomization.yaml',
      '===== out/pre-install/deployments.yaml',
      'name: monitoring',
      'kurel.gokure.dev/install-phase: pre-install',
    ],
    never: ['out/post-install'],
  },
  {
    name: 'argocd',
    says: [
      'argocd.argoproj.io/sync-wave: "-1"',
      'argocd.argoproj.io/sync-wave: "0"',
      'argocd.argoproj.io/sync-wave: "1"',
    ],
  },
  {
    name: 'layout',
    says: [
      '===== output/main/deployments.yaml',
      '===== output/main/kustomization.yaml',
      '# depends on: my-app-pre-install',
      'apiVersion: kustomize.config.k8s.io/v1beta1',
      '- deployments.yaml',
      '- services.yaml',
      'app.kubernetes.io/name: my-app',
      'app.kubernetes.io/managed-by: kurel',
      '===== output/main/services.yaml',
      '===== output/post-install/backups.yaml',
      '===== output/post-install/kustomization.yaml',
      '# depends on: my-app-main',
      '===== output/post-install/monitoring.yaml',
      '===== output/pre-install/kustomization.yaml',
      '===== output/pre-install/namespaces.yaml',
      '===== output/pre-install/rbac.yaml',
      '===== output/pre-install/secrets.yaml',
    ],
    never: ['commonLabels', 'dependsOn'],
  },
  { name: 'local', says: ['tier: local', 'last: local', 'policy: strict', 'memory: 64Mi', 'replicas: 2'] },
  {
    name: 'local-requires',
    says: ['exit 1', 'my-app.local.kurel/patches/50-custom.yaml', '- 10-scale.kpatch'],
    never: ['===== stdout'],
  },
  { name: 'local-resources', says: ['exit 1', 'my-app.local.kurel', 'resources'], never: ['===== stdout'] },
  { name: 'local-disable', says: ['exit 0', 'last: package', 'replicas: 2'] },
  { name: 'local-same-name', says: ['exit 0', 'last: package', 'replicas: 2'] },
  { name: 'schema-build', says: ['memory: 1Gi', 'replicas: 3'] },
  {
    name: 'validate-values',
    // The design has a narrower pattern, which would refuse 512M.
    says: ['exit 1', `✗ Error: persistence.size "10GB" doesn't match pattern "^`],
  },
  { name: 'validate-values', says: ["⚠ Warning: Variable 'monitoring.retention' used but not in schema"] },
  { name: 'validate-values', says: ['✗ Error: Circular dependency: monitoring → metrics → monitoring'] },
  {
    name: 'validate-output',
    says: [
      'exit 1',
      [
        '===== stdout',
        '✓ Package structure valid',
        '✓ Parameters schema validation passed',
        '✓ All patch variables resolved',
        '',
        // Findings with excerpts come between the checks and the lists.
        '✗ Error: patch "features/20-ingress.kpatch" conflicts with',
      ].join('\n'),
      [
        'Enabled patches:',
        '  ✓ patches/00-base.kpatch (always enabled)',
        '  ✓ patches/features/10-monitoring.kpatch (monitoring.enabled=true)',
        '  → patches/features/05-metrics-base.kpatch (required by 10-monitoring)',
        '  → patches/features/15-monitoring-rbac.kpatch (required by 10-monitoring)',
        '  ✗ patches/features/20-ingress.kpatch (conflicts with 25-simple-ingress)',
        '',
      ].join('\n'),
      'Generated resources:\n  ✓ 3 Namespaces\n',
      '  → Note: Resources span 3 namespaces\n\nValidation summary: 1 error, 0 warnings\n',
    ],
  },
  { name: 'validate-output', says: ['  ✓ 5 Deployments\n'] },
  { name: 'validate-output', says: ['  ✓ 8 Services\n'] },
  { name: 'validate-output', says: ['  ✓ 2 Ingresses\n'] },
  ...['dependencies', 'rbac', 'tenancy', 'includes'].map((key) => ({
    name: `rejected-${key}`,
    says: ['exit 0', 'kind: Service', `unknown field "${key}" in kurel`],
  })),
  { name: 'rejected-expression', says: ['exit 1', "environment == 'production'"], never: ['===== stdout'] },
  { name: 'rejected-templates', says: ['exit 1', '{{- if .Values.persistence.enabled }}'], never: ['===== stdout'] },
  { name: 'resolution', says: ['tag: v1.0.0', 'full: quay.io/myapp:v1.0.0'] },
];

describe('the examples of the design', () => {
  it.each(designs)('$name: $says.0', ({ name, says, never = [] }) => {
    const text = readExpected(name);
    let from = 0;
    for (const words of says) {
      const found = text.indexOf(words, from);
      expect(found, `${words}\n\nis not, or not in this place, in\n\n${text}`).toBeGreaterThanOrEqual(0);
      from = found + words.length;
    }
    for (const words of never) expect(text).not.toContain(words);
  });

  it('are all pinned', () => {
    const names = listCases(cases).filter((name) => name.startsWith('design-'));
    const pinned = new Set(['design-schema', ...designs.map(({ name }) => `design-${name}`)]);
    expect([...pinned].toSorted()).toEqual(names.toSorted());
  });

  it('trace parameters to fields of Kubernetes', () => {
    const text = readExpected('schema');
    const { properties } = JSON.parse(text.slice(text.indexOf('{'))) as { properties: Record<string, unknown> };
    expect(properties).toMatchObject({
      replicas: {
        type: 'integer',
        minimum: 0,
        description: 'Number of replicas (from Deployment.spec.replicas)',
      },
      resources: {
        type: 'object',
        properties: {
          memory: {
            // The design has only whole binary units; Kubernetes also accepts 512M and 1.5Gi.
            type: ['string', 'number'],
            pattern: String.raw`^[+-]?(\d+(\.\d*)?|\.\d+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?$`,
            description: 'Memory limit (from Container.resources.limits.memory)',
          },
        },
      },
    });
  });

  const production = 'examples/packages/gitea.kurel/examples/production.yaml';
  it.each([
    ['validate', 'examples/packages/gitea.kurel/', '--values', production],
    ['schema', 'generate', 'examples/packages/gitea.kurel/'],
    ['build', 'examples/packages/gitea.kurel/', '--values', production],
    ['info', 'examples/packages/gitea.kurel/'],
    ['patches', 'list', 'examples/packages/gitea.kurel/', '--values', production],
  ])('kurel %s %s runs', async (...words) => {
    const { exitCode, stdout } = await runProgram(words);
    expect(exitCode).toBe(0);
    expect(stdout).not.toBe('');
  });
});

function readExpected(name: string): string {
  return openCase(join(cases, `design-${name}`)).read('expected');
}
