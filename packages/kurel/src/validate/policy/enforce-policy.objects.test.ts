import { describe, expect, it } from 'vitest';
import { scopeOf } from '../../kube/index.ts';
import type { KubeObject } from '../../model/index.ts';
import { enforcePolicies, enforcePolicy } from './enforce-policy.ts';
import { noPolicy } from './rules.ts';
import type { OwnRules } from '../../documents/index.ts';
import type { RuleLayer } from './rules.ts';

const security = {
  allowWildcardRoles: false,
  allowEscalatingVerbs: false,
  allowClusterAdmin: false,
  allowForeignBindings: false,
  allowWebhooks: false,
};

function refusals(object: KubeObject, rules: Partial<OwnRules> = {}): readonly string[] {
  const found: string[] = [];
  const layer: RuleLayer = { ...noPolicy, security: { ...noPolicy.security, ...security }, ...rules };
  enforcePolicy(object, {
    rules: { layers: [layer] },
    scopeOf,
    report: ({ code }, path) => void found.push(`${code} ${path.join('.')}`),
  });
  return found;
}

function objectOf(type: string, rest: object = {}, namespace: string | undefined = 'shop'): KubeObject {
  const [apiVersion = '', kind = ''] = type.split(' ');
  return { apiVersion, kind, metadata: { name: 'x', ...(namespace === undefined ? {} : { namespace }) }, ...rest };
}

it('reports sources that are not part of the build', () => {
  const release = objectOf('helm.toolkit.fluxcd.io/v2 HelmRelease', {
    spec: { chart: { spec: { sourceRef: { kind: 'HelmRepository', name: 'charts' } } } },
  });
  const found: string[] = [];
  enforcePolicies([release], {
    layers: [{ ...noPolicy, enforced: { allowedSources: ['ghcr.io'] } }],
    store: () => undefined,
    report: ({ code, subject }) => void found.push(`${code} ${subject!.path.join('.')}`),
  });
  expect(found).toContain('policy-source-unknown spec.chart.spec.sourceRef.name');
});

describe('an object that cannot be identified', () => {
  it.each<[object: KubeObject, found: readonly string[]]>([
    [objectOf('a/b/c Pod'), ['policy-unidentified apiVersion']],
    [objectOf('apps/ Pod'), ['policy-unidentified apiVersion']],
    [{ apiVersion: '/', kind: 'Pod' }, ['policy-unidentified apiVersion']],
    [{ apiVersion: 'ap ps/v1', kind: 'Pod' }, ['policy-unidentified apiVersion']],
    [{ apiVersion: 'v 1', kind: 'Pod' }, ['policy-unidentified apiVersion']],
    [{ apiVersion: 'v1', kind: 'Pod ' }, ['policy-unidentified kind']],
    [
      { apiVersion: 'v1', kind: 'ConfigMap', items: [{ apiVersion: 'v1', kind: 'Pod' }] },
      ['policy-unidentified items'],
    ],
    [objectOf('/v1 ConfigMap'), []],
    [objectOf('v1 ConfigMap'), []],
  ])('%j', (object, found) => {
    expect(refusals(object)).toEqual(found);
  });

  it('is checked all the same', () => {
    expect(refusals(objectOf('a/b/c Pod', { spec: { hostPID: true } }))).toContain('policy-security spec.hostPID');
    expect(refusals(objectOf('/v1 Pod', { spec: { hostPID: true } }))).toEqual(['policy-security spec.hostPID']);
  });
});

describe('kinds, groups and namespaces', () => {
  it.each<[object: KubeObject, objects: OwnRules['objects'], found: readonly string[]]>([
    [objectOf('apps/v1 Deployment'), { allowedKinds: ['Deployment'] }, []],
    [objectOf('apps/v1 Deployment'), { allowedKinds: ['apps/Deployment'] }, []],
    [objectOf('apps/v1 Deployment'), { allowedKinds: ['core/Deployment', 'Service'] }, ['policy-object kind']],
    [objectOf('/v1 Pod'), { allowedKinds: ['core/Pod'] }, []],
    [objectOf('v1 Secret'), { forbiddenKinds: ['Secret'] }, ['policy-object kind']],
    [objectOf('/v1 Secret'), { forbiddenKinds: ['core/Secret'] }, ['policy-object kind']],
    [objectOf('example.com/v1 Secret'), { forbiddenKinds: ['core/Secret'] }, []],
    [objectOf('v1 Secret'), { allowedGroups: ['core'] }, []],
    [objectOf('v1 Secret'), { allowedGroups: ['apps'] }, ['policy-object apiVersion']],
    [objectOf('apps/v1 Deployment'), { forbiddenGroups: ['apps'] }, ['policy-object apiVersion']],
    [objectOf('v1 Secret'), { allowedNamespaces: ['shop'] }, []],
    [objectOf('v1 Secret'), { allowedNamespaces: ['other'] }, ['policy-object metadata.namespace']],
    [
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' } },
      { allowedNamespaces: ['shop'] },
      ['policy-object metadata'],
    ],
    [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system' } },
      { allowedNamespaces: ['shop'] },
      ['policy-object metadata.name'],
    ],
    [{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'x' } }, { allowedNamespaces: ['shop'] }, []],
    [objectOf('v1 PersistentVolume'), { namespacedOnly: true }, ['policy-object kind']],
    [objectOf('v1 Secret'), { namespacedOnly: true }, []],
    // A cluster ignores the namespace of a cluster-scoped object.
    [objectOf('example.com/v1 Widget'), { namespacedOnly: true }, ['policy-object kind']],
    [objectOf('example.com/v1 Widget'), { namespacedOnly: true, allowedKinds: ['example.com/Widget'] }, []],
    [
      objectOf('v1 PersistentVolume'),
      { namespacedOnly: true, allowedKinds: ['core/PersistentVolume'] },
      ['policy-object kind'],
    ],
  ])('%j with %j', (object, objects, found) => {
    expect(refusals(object, { objects })).toEqual(found);
  });
});

describe('access', () => {
  const rbac = 'rbac.authorization.k8s.io/v1';
  const bind = (role: string, subject: object): object => ({
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [subject],
  });
  const account = { kind: 'ServiceAccount', name: 'a' };

  it.each<[object: KubeObject, found: readonly string[]]>([
    [objectOf(`${rbac} Role`, { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] }), []],
    [
      objectOf(`${rbac} Role`, { rules: [{ apiGroups: ['*'], resources: ['pods/*'], verbs: ['*'] }] }),
      ['policy-security rules.0.verbs.0', 'policy-security rules.0.resources.0', 'policy-security rules.0.apiGroups.0'],
    ],
    [
      objectOf(`${rbac} ClusterRole`, { rules: [{ nonResourceURLs: ['/metrics/*'], verbs: ['get'] }] }),
      ['policy-security rules.0.nonResourceURLs.0'],
    ],
    [
      objectOf(`${rbac} ClusterRole`, {
        rules: [{ resources: ['roles'], verbs: ['escalate', 'bind', 'impersonate'] }],
      }),
      ['policy-security rules.0.verbs.0', 'policy-security rules.0.verbs.1', 'policy-security rules.0.verbs.2'],
    ],
    [
      {
        apiVersion: rbac,
        kind: 'ClusterRole',
        metadata: { name: 'x', labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } },
      },
      ['policy-security metadata.labels.rbac.authorization.k8s.io/aggregate-to-view'],
    ],
    [
      objectOf(`${rbac} ClusterRole`, { aggregationRule: { clusterRoleSelectors: [{}] } }),
      ['policy-security aggregationRule'],
    ],
    [objectOf(`${rbac} RoleBinding`, bind('view', account)), []],
    [objectOf(`${rbac} RoleBinding`, bind('view', { ...account, namespace: 'shop' })), []],
    [
      objectOf(`${rbac} RoleBinding`, bind('view', { ...account, namespace: 'other' })),
      ['policy-security subjects.0.name'],
    ],
    [
      objectOf(`${rbac} RoleBinding`, bind('view', { kind: 'Group', name: 'system:authenticated' })),
      ['policy-security subjects.0.name'],
    ],
    [objectOf(`${rbac} RoleBinding`, bind('view', { kind: 'Group', name: 'system:serviceaccounts:shop' })), []],
    [
      objectOf(`${rbac} RoleBinding`, bind('view', { kind: 'User', name: 'system:serviceaccount:other:a' })),
      ['policy-security subjects.0.name'],
    ],
    [objectOf(`${rbac} RoleBinding`, bind('view', { kind: 'Group', name: 'team' })), []],
    [objectOf(`${rbac} RoleBinding`, bind('cluster-admin', account)), ['policy-security roleRef.name']],
    [
      objectOf(`${rbac} ClusterRoleBinding`, bind('cluster-admin', account)),
      ['policy-security roleRef.name', 'policy-security kind'],
    ],
    [objectOf('rbac.authorization.k8s.io/v1beta1 ClusterRoleBinding', bind('view', account)), ['policy-security kind']],
    [objectOf('admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration'), ['policy-security kind']],
    [objectOf('admissionregistration.k8s.io/v1 MutatingWebhookConfiguration'), ['policy-security kind']],
    [objectOf('admissionregistration.k8s.io/v1 MutatingAdmissionPolicy'), ['policy-security kind']],
    [
      objectOf('apiregistration.k8s.io/v1 APIService', { spec: { service: { name: 'x' } } }),
      ['policy-security spec.service'],
    ],
    [objectOf('apiregistration.k8s.io/v1 APIService', { spec: {} }), []],
    [
      objectOf('apiextensions.k8s.io/v1 CustomResourceDefinition', { spec: { conversion: { strategy: 'Webhook' } } }),
      ['policy-security spec.conversion'],
    ],
    [objectOf('apiextensions.k8s.io/v1 CustomResourceDefinition', { spec: { conversion: { strategy: 'None' } } }), []],
  ])('%j', (object, found) => {
    expect(refusals(object)).toEqual(found);
    const open = Object.fromEntries(Object.keys(security).map((rule) => [rule, true]));
    expect(refusals(object, { security: open })).toEqual([]);
  });

  it.each([
    [{ forbidden: ['rbac'] }, true],
    [{ allowed: ['expose'] }, true],
    [{ allowed: ['rbac'] }, false],
    [{ required: ['rbac'] }, false],
  ])('objects with the effect of a trait, with %j', (capabilities, isRefused) => {
    const found = refusals(objectOf(`${rbac} Role`), { capabilities });
    expect(found).toEqual(isRefused ? ['policy-trait-object kind'] : []);
    expect(refusals(objectOf('v1 ServiceAccount'), { capabilities })).toEqual([]);
  });
});

describe('sources', () => {
  const flux = 'source.toolkit.fluxcd.io/v1';
  const argo = 'argoproj.io/v1alpha1';
  it.each<[object: KubeObject, found: readonly string[]]>([
    [objectOf(`${flux} HelmRepository`, { spec: { url: 'https://evil.example' } }), ['policy-registry spec.url']],
    [objectOf(`${flux} OCIRepository`, { spec: { url: 'oci://evil.example/x' } }), ['policy-registry spec.url']],
    [objectOf(`${flux} GitRepository`, { spec: { url: 'ssh://git@evil.example/x' } }), ['policy-registry spec.url']],
    [objectOf(`${flux} GitRepository`, { spec: { url: 'https://git.example.com/team/x' } }), []],
    [objectOf(`${flux} Bucket`, { spec: { endpoint: 'evil.example:9000' } }), ['policy-registry spec.endpoint']],
    [objectOf(`${flux} Bucket`, { spec: { endpoint: 'git.example.com' } }), []],
    [
      objectOf(`${argo} Application`, {
        spec: { source: { repoURL: 'git@evil.example:x/y' }, sources: [{ repoURL: 'https://git.example.com/x' }] },
      }),
      ['policy-registry spec.source.repoURL', 'policy-not-checked spec'],
    ],
    [
      objectOf(`${argo} ApplicationSet`, {
        spec: {
          generators: [{ git: { repoURL: 'https://evil.example/x' } }],
          template: { spec: { source: { repoURL: '{{url}}' } } },
        },
      }),
      [
        'policy-registry spec.generators.0.git.repoURL',
        'policy-registry spec.template.spec.source.repoURL',
        'policy-not-checked spec',
      ],
    ],
    [
      objectOf(`${argo} AppProject`, {
        spec: { sourceRepos: ['*', '!https://evil.example', 'https://git.example.com/*'] },
      }),
      ['policy-registry spec.sourceRepos.0'],
    ],
  ])('%j', (object, found) => {
    expect(refusals(object, { enforced: { allowedSources: ['git.example.com'] } })).toEqual(found);
    // Without a list of sources, the list of registries applies.
    expect(refusals(object, { enforced: { allowedRegistries: ['git.example.com'] } })).toEqual(found);
    expect(
      refusals(object, { enforced: { allowedRegistries: ['x.example'], allowedSources: ['git.example.com'] } }),
    ).toEqual(found);
  });
});
