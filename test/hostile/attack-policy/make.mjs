// Ways around a policy: definitions that lie about scopes, kinds that nobody knows, spellings, and rights that are granted sideways.
import { putFiles } from '../make-files.mjs';

const policy = (spec) => ({
  apiVersion: 'launcher.gokure.dev/v1alpha1',
  kind: 'Policy',
  metadata: { name: 'p' },
  spec,
});
const metadata = { name: 'web', namespace: 'shop' };
const container = { name: 'web', image: 'ghcr.io/team/web:1' };
const pod = (spec) => ({ apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: [container], ...spec } });
const widget = (spec, type = 'example.com/v1 Widget') => {
  const [apiVersion, kind] = type.split(' ');
  return { apiVersion, kind, metadata, spec };
};
const definition = (group, kind, scope) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${kind.toLowerCase()}s.${group}` },
  spec: {
    group,
    names: { kind, plural: `${kind.toLowerCase()}s` },
    scope,
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
});
const elsewhere = { name: 'web', namespace: 'kube-system' };
const role = (rule) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  metadata,
  rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'], ...rule }],
});
const binding = (subject) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  metadata,
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', ...subject }],
});
const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: elsewhere, spec: { replicas: 'lots' } };
const configuration = { apiVersion: 'v1', kind: 'ConfigMap', metadata: elsewhere };
const application = (component) => ({
  apiVersion: 'launcher.gokure.dev/v1alpha1',
  kind: 'Application',
  metadata: { name: 'shop', namespace: 'shop' },
  spec: { components: [{ name: 'web', ...component }] },
});

const inputs = {
  // A definition may say what it likes about kinds of Kubernetes, of others, and of its own.
  'scope-built-in': [definition('apps', 'Deployment', 'Cluster'), deployment],
  'scope-itself': [definition('apiextensions.k8s.io', 'CustomResourceDefinition', 'Namespaced')],
  'scope-well-known': [
    definition('kustomize.toolkit.fluxcd.io', 'Kustomization', 'Cluster'),
    { ...widget({}, 'kustomize.toolkit.fluxcd.io/v1 Kustomization'), metadata: elsewhere },
  ],
  'scope-own': [definition('example.com', 'Widget', 'Cluster'), { ...widget({}), metadata: elsewhere }],
  // Kinds without a schema.
  'unknown-template': [
    widget(
      { resourcesTemplate: 'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\n' },
      'fluxcd.controlplane.io/v1 ResourceSet',
    ),
  ],
  'unknown-content': [
    widget(
      { resources: [{ name: 'x.yaml', content: '{"apiVersion": "v1", "kind": "Pod"}' }] },
      'fleet.cattle.io/v1alpha1 Bundle',
    ),
  ],
  'unknown-contents': [widget({ files: ['apiVersion: v1\nkind: Pod\nspec: {hostNetwork: true}\n'] })],
  'unknown-package': [widget({ package: 'evil.example/provider:v1' }, 'pkg.crossplane.io/v1 Provider')],
  'unknown-operator': [
    widget({ name: 'evil', source: 'community-operators' }, 'operators.coreos.com/v1alpha1 Subscription'),
  ],
  'unknown-images': [widget({ images: ['evil.example/x'] })],
  'unknown-image-ref': [widget({ imageRef: 'evil.example/x' })],
  'unknown-image-map': [widget({ sidecars: { proxy: 'evil.example/x:1' } })],
  'unknown-image-digest': [widget({ run: `oci://evil.example/x@sha256:${'a'.repeat(64)}` })],
  'unknown-word-true': [widget({ pod: { hostNetwork: 'true' } })],
  'unknown-word-yes': [widget({ securityContext: { privileged: 'Yes' } })],
  'unknown-number-true': [widget({ pod: { hostPID: 1 } })],
  'unknown-template-true': [widget({ pod: { hostIPC: '{{ .values.ipc }}' } })],
  'unknown-word-false': [widget({ pod: { hostNetwork: 'false', hostPID: 0, hostIPC: null } })],
  'unknown-replica-count': [widget({ replicaCount: 100 })],
  'unknown-worker-replicas': [widget({ pools: [{ workerReplicas: 100 }] })],
  'unknown-limits': [widget({ server: { limits: { cpu: '100' } } })],
  'unknown-requests': [widget({ requests: { memory: '100Gi' } })],
  'unknown-manifest': [widget({ forProvider: { manifest: role({}) } }, 'kubernetes.crossplane.io/v1alpha2 Object')],
  'unknown-objects': [{ apiVersion: 'template.openshift.io/v1', kind: 'Template', metadata, objects: [configuration] }],
  // Pods.
  'pod-ephemeral': [pod({ ephemeralContainers: [{ ...container, name: 'e', securityContext: { privileged: true } }] })],
  'pod-capability': [
    pod({ containers: [{ ...container, securityContext: { capabilities: { add: [' cap_sys_admin'] } } }] }),
  ],
  'pod-mapping': [pod({ containers: { 0: { ...container, securityContext: { privileged: true } } } })],
  ...Object.fromEntries(
    Object.entries({
      path: 'ghcr.io/team/../evil/x:1',
      prefix: 'ghcr.io/teamevil/x:1',
      host: 'ghcr.io.evil.example/team/x:1',
      user: 'ghcr.io@evil.example/team/x:1',
      port: 'ghcr.io:80/team/x:1',
      wide: '\uff47hcr.io/team/x:1',
      dot: 'ghcr\u3002io/team/x:1',
      trailing: 'ghcr.io./team/x:1',
      hidden: 'ghcr.io/team/x:1\u200b',
      slashes: 'ghcr.io//team/x:1',
      scheme: 'https://ghcr.io/team/x:1',
      identity: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    }).map(([name, image]) => [`image-${name}`, [pod({ containers: [{ ...container, image }] })]]),
  ),
  // Access.
  'access-impersonate-constrained': [role({ resources: ['users'], verbs: ['impersonate:user-info'] })],
  'access-impersonate-on': [role({ verbs: ['impersonate-on:user-info:get'] })],
  'access-openshift': [
    {
      apiVersion: 'authorization.openshift.io/v1',
      kind: 'RoleBinding',
      metadata,
      roleRef: { name: 'cluster-admin' },
    },
  ],
  'access-anonymous': [binding({ kind: 'User', name: 'system:anonymous' })],
  'access-account-as-user': [binding({ kind: 'User', name: 'system:serviceaccount:other:x' })],
  'access-all-accounts': [binding({ kind: 'Group', name: 'system:serviceaccounts' })],
  'access-list-without-kinds': [
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBindingList',
      items: [{ metadata: { name: 'web' }, roleRef: { name: 'cluster-admin' } }],
    },
  ],
  'access-group-in-capitals': [{ ...binding({}), apiVersion: 'RBAC.authorization.k8s.io/v1' }],
  // Sources.
  'source-credentials': [
    widget(
      {
        interval: '1m',
        bucketName: 'b',
        endpoint: 'git.example.com',
        sts: { provider: 'ldap', endpoint: 'https://evil.example' },
      },
      'source.toolkit.fluxcd.io/v1 Bucket',
    ),
  ],
  'source-several': [
    widget(
      {
        project: 'default',
        destination: { name: 'in-cluster' },
        sources: [{ repoURL: 'https://git.example.com/x' }, { repoURL: 'oci://evil.example/x' }],
      },
      'argoproj.io/v1alpha1 Application',
    ),
  ],
  // Lists.
  'list-in-list': [
    { apiVersion: 'v1', kind: 'List', items: [{ apiVersion: 'v1', kind: 'ConfigMapList', items: [configuration] }] },
  ],
  'list-of-another-kind': [{ apiVersion: 'v1', kind: 'ConfigMapList', items: [pod({ hostPID: true })] }],
  'list-without-kinds': [
    { apiVersion: 'v1', kind: 'PodList', items: [{ metadata, spec: pod({ hostIPC: true }).spec }] },
  ],
};

export function make(directory) {
  putFiles(directory, {
    'policy.yaml': JSON.stringify(
      policy({
        enforced: {
          maxReplicas: 5,
          maxCPU: '2',
          maxMemory: '1Gi',
          allowedRegistries: ['ghcr.io/team'],
          allowedSources: ['git.example.com'],
        },
        objects: { allowedNamespaces: ['shop'] },
      }),
    ),
    'namespaced.yaml': JSON.stringify(policy({ objects: { namespacedOnly: true } })),
    ...Object.fromEntries(
      Object.entries(inputs).map(([name, documents]) => [
        `${name}.yaml`,
        documents.map((document) => `${JSON.stringify(document)}\n`).join('---\n'),
      ]),
    ),
    // Definitions that are not part of the output.
    'own-built-in/schemas/crds/d.yaml': JSON.stringify(definition('apps', 'Deployment', 'Cluster')),
    'own-built-in/web.yaml': JSON.stringify(deployment),
    'own.kurel/parameters.yaml': JSON.stringify({ kurel: { name: 'p', version: '1.0.0', appVersion: '1' } }),
    'own.kurel/schemas/crds/d.yaml': JSON.stringify(definition('example.com', 'Widget', 'Namespaced')),
    'own.kurel/resources/web.yaml': JSON.stringify(widget({})),
    'widgets.yaml': JSON.stringify(definition('example.com', 'Widget', 'Namespaced')),
    // The author says which scope a kind has.
    'override/app.yaml': JSON.stringify(
      application({
        type: 'manifests',
        properties: {
          inline: JSON.stringify({ ...widget({}), metadata: { name: 'web' } }),
          scopeOverrides: [{ apiVersion: 'example.com/v1', kind: 'Widget', scope: 'Namespaced' }],
        },
      }),
    ),
    'claim/app.yaml': JSON.stringify(
      application({
        type: 'passthrough',
        properties: { object: { ...widget({}), metadata: { name: 'web' } }, clusterScoped: false },
      }),
    ),
    'defined/app.yaml': JSON.stringify(
      application({
        type: 'manifests',
        properties: {
          inline: [definition('apps', 'Deployment', 'Cluster'), deployment]
            .map((one) => JSON.stringify(one))
            .join('\n---\n'),
        },
      }),
    ),
    // Without a policy, an application package refuses the same spellings.
    'spelling/app.yaml': JSON.stringify(
      application({ type: 'passthrough', properties: { object: widget({ pod: { hostNetwork: 'true' } }) } }),
    ),
  });
}
