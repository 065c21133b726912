import { parseGroupVersionKind, scopeOf } from '../src/kube/index.ts';
import type { Json, JsonObject, KubeObject } from '../src/model/index.ts';

/** Something that a policy refuses, and that is tried at every place where it could come in. */
export interface Attack {
  readonly name: string;
  /** One of these errors must be reported. */
  readonly codes: readonly string[];
  /** The body of the policy; `undefined` for what is a warning without one. */
  readonly policy: JsonObject | undefined;
  /** The object before and after something was done to it. */
  readonly benign: KubeObject;
  readonly evil: KubeObject;
  /** The same as properties of a component, or in a container of one. */
  readonly properties?: JsonObject | undefined;
  readonly container?: JsonObject | undefined;
}

const image = 'ghcr.io/example/web:1.4.0';
const metadata = { name: 'web', namespace: 'shop' };

function deploymentOf(pod: JsonObject, { annotations, ...rest }: JsonObject = {}): KubeObject {
  const labels = { app: 'web' };
  const template = { metadata: { labels, ...(annotations === undefined ? {} : { annotations }) }, spec: pod };
  const spec = { replicas: 1, selector: { matchLabels: labels }, template, ...rest };
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec };
}

const benignPod: JsonObject = { containers: [{ name: 'web', image }] };

/** What pods ask for that reaches beyond them. */
interface PodAttack {
  readonly name: string;
  readonly code?: string;
  readonly pod?: JsonObject;
  readonly container?: JsonObject;
  readonly annotations?: JsonObject;
  /** As a property of a component, where that is written in another way. */
  readonly properties?: JsonObject;
}

const contextOf = (securityContext: JsonObject): JsonObject => ({ securityContext });
const adding = (...add: readonly string[]): JsonObject => contextOf({ capabilities: { add } });

const podAttacks: readonly PodAttack[] = [
  { name: 'host network', pod: { hostNetwork: true }, properties: { hostNetwork: true } },
  { name: 'host PID', pod: { hostPID: true }, properties: { hostPID: true } },
  { name: 'host IPC', pod: { hostIPC: true }, properties: { hostIPC: true } },
  { name: 'privileged', container: contextOf({ privileged: true }) },
  { name: 'host process', container: contextOf({ windowsOptions: { hostProcess: true } }) },
  { name: 'host process of the pod', pod: contextOf({ windowsOptions: { hostProcess: true } }) },
  { name: 'host port', container: { ports: [{ containerPort: 80, hostPort: 80 }] } },
  {
    name: 'path of the node',
    pod: { volumes: [{ name: 'root', hostPath: { path: '/' } }] },
    properties: { volumes: [{ name: 'root', type: 'hostPath', path: '/', mountPath: '/host' }] },
  },
  { name: 'unconfined seccomp', container: contextOf({ seccompProfile: { type: 'Unconfined' } }) },
  { name: 'unconfined seccomp of the pod', pod: contextOf({ seccompProfile: { type: 'Unconfined' } }) },
  { name: 'unconfined AppArmor', container: contextOf({ appArmorProfile: { type: 'Unconfined' } }) },
  { name: 'unconfined AppArmor of the pod', pod: contextOf({ appArmorProfile: { type: 'Unconfined' } }) },
  {
    name: 'unconfined AppArmor by annotation',
    annotations: { 'container.apparmor.security.beta.kubernetes.io/web': 'unconfined' },
  },
  { name: 'capability SYS_ADMIN', code: 'policy-capability', container: adding('SYS_ADMIN') },
  { name: 'capability ALL', code: 'policy-capability', container: adding('KILL', 'ALL') },
  { name: 'capability NET_ADMIN', code: 'policy-capability', container: adding('NET_ADMIN') },
  { name: 'capability in small letters', code: 'policy-capability', container: adding('cap_sys_ptrace') },
];

/** Controls of the Pod Security baseline that only a policy denies. */
const controlAttacks: readonly PodAttack[] = [
  { name: 'SELinux type', pod: contextOf({ seLinuxOptions: { type: 'spc_t' } }) },
  { name: 'SELinux user', container: contextOf({ seLinuxOptions: { user: 'system_u' } }) },
  { name: 'unmasked /proc', container: contextOf({ procMount: 'Unmasked' }) },
  { name: 'sysctl', pod: contextOf({ sysctls: [{ name: 'kernel.msgmax', value: '1' }] }) },
  { name: 'host of a hook', container: { lifecycle: { preStop: { httpGet: { host: '10.0.0.1', port: 80 } } } } },
];

function attackOfPod(attack: PodAttack, policy: JsonObject | undefined): Attack {
  const { name, pod = {}, container = {}, annotations } = attack;
  const code = policy === undefined ? 'policy-security-unsaid' : (attack.code ?? 'policy-security');
  const spec = { ...benignPod, ...pod, containers: [{ name: 'web', image, ...container }] };
  return {
    name: `${name}, ${policy === undefined ? 'no policy' : 'a policy'}`,
    codes: [code],
    policy,
    benign: deploymentOf(benignPod),
    evil: deploymentOf(spec, annotations === undefined ? {} : { annotations }),
    properties:
      attack.properties ?? (attack.container && !('ports' in attack.container) ? attack.container : undefined),
    container: attack.container,
  };
}

const registries = {
  enforced: { allowedRegistries: ['ghcr.io/example'], allowedSources: ['example.com', 'charts.example.com'] },
};
const limits = { enforced: { maxReplicas: 3, maxCPU: '1', maxMemory: '1Gi', maxStorageSize: '1Gi' } };
const stranger = { name: 'web', image: 'evil.example/x:1' };
const resources = (kind: string, amounts: JsonObject): JsonObject => ({ resources: { [kind]: amounts } });

function limited(name: string, container: JsonObject): Attack {
  return {
    name,
    codes: ['policy-limit'],
    policy: limits,
    benign: deploymentOf(benignPod),
    evil: deploymentOf({ containers: [{ name: 'web', image, ...container }] }),
    properties: container,
    container,
  };
}

const amountAttacks: readonly Attack[] = [
  limited('cpu request', resources('requests', { cpu: '1001m' })),
  limited('memory limit', resources('limits', { memory: '1025Mi' })),
  {
    name: 'replicas',
    codes: ['policy-limit'],
    policy: limits,
    benign: deploymentOf(benignPod),
    evil: deploymentOf(benignPod, { replicas: 4 }),
    properties: { replicas: 4 },
  },
  {
    name: 'image',
    codes: ['policy-registry'],
    policy: registries,
    benign: deploymentOf(benignPod),
    evil: deploymentOf({ containers: [stranger] }),
    properties: { image: stranger.image },
    container: { image: stranger.image },
  },
  {
    name: 'image of an init container',
    codes: ['policy-registry'],
    policy: registries,
    benign: deploymentOf(benignPod),
    evil: deploymentOf({ ...benignPod, initContainers: [{ ...stranger, name: 'init' }] }),
    properties: { initContainers: [{ ...stranger, name: 'init' }] },
  },
  {
    name: 'image as a volume',
    codes: ['policy-registry'],
    policy: registries,
    benign: deploymentOf(benignPod),
    evil: deploymentOf({ ...benignPod, volumes: [{ name: 'x', image: { reference: 'evil.example/x:1' } }] }),
  },
];

/** Fields of an object, by the name of its kind. */
interface ObjectAttack {
  readonly name: string;
  readonly type: string;
  readonly code?: string;
  readonly policy: JsonObject;
  readonly benign?: JsonObject;
  readonly evil: JsonObject;
  /** It is the kind, the group or the namespace that is refused, whatever is in the object. */
  readonly byType?: KubeObject;
}

const nothing: JsonObject = {};
const podOf = (pod: JsonObject): JsonObject => ({ template: { spec: pod } });
const privileged = { name: 'web', image, securityContext: { privileged: true } };
const rbac = 'rbac.authorization.k8s.io/v1';
const roleRef = (name: string): JsonObject => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name });
const account: JsonObject = { kind: 'ServiceAccount', name: 'web', namespace: 'shop' };
const rulesOf = (rule: JsonObject): JsonObject => ({
  rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'], ...rule }],
});
const sources = { enforced: { allowedSources: ['charts.example.com', 'example.com'] } };
const flux = 'source.toolkit.fluxcd.io/v1';
const argo = 'argoproj.io/v1alpha1';
const settings: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: {} };

const objectAttacks: readonly ObjectAttack[] = [
  // Pods in kinds that nobody described.
  {
    name: 'pod of a JobSet',
    type: 'jobset.x-k8s.io/v1alpha2 JobSet',
    policy: nothing,
    evil: { spec: { replicatedJobs: [{ name: 'a', template: { spec: podOf({ containers: [privileged] }) } }] } },
  },
  {
    name: 'pod of a ScaledJob',
    type: 'keda.sh/v1alpha1 ScaledJob',
    policy: nothing,
    evil: { spec: { jobTargetRef: podOf({ containers: [privileged] }) } },
  },
  {
    name: 'init container of a Rollout',
    type: `${argo} Rollout`,
    policy: nothing,
    evil: { spec: podOf({ initContainers: [privileged] }) },
  },
  {
    name: 'container of a Workflow',
    type: `${argo} Workflow`,
    policy: nothing,
    evil: { spec: { templates: [{ name: 'a', container: privileged }] } },
  },
  {
    name: 'script of a Workflow',
    type: `${argo} Workflow`,
    policy: registries,
    code: 'policy-registry',
    evil: { spec: { templates: [{ name: 'a', script: { image: 'evil.example/x', source: 'id' } }] } },
  },
  {
    name: 'step of a Task',
    type: 'tekton.dev/v1 Task',
    policy: nothing,
    evil: { spec: { steps: [privileged] } },
  },
  {
    name: 'sidecar of a Task',
    type: 'tekton.dev/v1 Task',
    policy: registries,
    code: 'policy-registry',
    evil: { spec: { steps: [{ name: 'web', image }], sidecars: [stranger] } },
  },
  {
    name: 'image of a Prometheus',
    type: 'monitoring.coreos.com/v1 Prometheus',
    policy: registries,
    code: 'policy-registry',
    evil: { spec: { image: 'evil.example/x:1' } },
  },
  {
    name: 'container of an Alertmanager',
    type: 'monitoring.coreos.com/v1 Alertmanager',
    policy: nothing,
    evil: { spec: { containers: [privileged] } },
  },
  {
    name: 'image of a catalog',
    type: 'postgresql.cnpg.io/v1 ImageCatalog',
    policy: registries,
    code: 'policy-registry',
    evil: { spec: { images: [{ major: 17, image: 'evil.example/x:1' }] } },
  },
  {
    name: 'storage of a database',
    type: 'postgresql.cnpg.io/v1 Cluster',
    policy: limits,
    code: 'policy-limit',
    benign: { spec: { instances: 1, storage: { size: '1Gi' } } },
    evil: { spec: { instances: 1, storage: { size: '2Gi' } } },
  },
  {
    name: 'pod of a kind that nobody knows',
    type: 'example.com/v1 Widget',
    policy: nothing,
    evil: { spec: { deep: [{ down: podOf({ hostNetwork: true, containers: [{ name: 'web', image }] }) }] } },
  },
  {
    name: 'string for a boolean in a kind that nobody knows',
    type: 'example.com/v1 Widget',
    policy: nothing,
    evil: { spec: { pod: { hostNetwork: 'true' } } },
  },
  {
    name: 'limits in a kind that nobody knows',
    type: 'example.com/v1 Widget',
    policy: { enforced: { maxCPU: '1' } },
    code: 'policy-limit',
    evil: { spec: { server: { limits: { cpu: '2' } } } },
  },
  // Spellings that API servers take, and that must not hide an object.
  {
    name: 'pod of the group with an empty name',
    type: '/v1 Pod',
    policy: nothing,
    evil: { spec: { containers: [privileged], volumes: [{ name: 'x', hostPath: { path: '/' } }] } },
  },
  {
    name: 'pod without a policy, of the group with an empty name',
    type: '/v1 Pod',
    policy: nothing,
    evil: { spec: { containers: [{ name: 'web', image }], hostPID: true } },
  },
  // Access.
  {
    name: 'wildcard verb',
    type: `${rbac} Role`,
    policy: nothing,
    benign: rulesOf({}),
    evil: rulesOf({ verbs: ['*'] }),
  },
  {
    name: 'wildcard resource',
    type: `${rbac} ClusterRole`,
    policy: nothing,
    benign: rulesOf({}),
    evil: rulesOf({ resources: ['*'] }),
  },
  {
    name: 'wildcard group',
    type: `${rbac} Role`,
    policy: nothing,
    benign: rulesOf({}),
    evil: rulesOf({ apiGroups: ['*'] }),
  },
  {
    name: 'verb escalate',
    type: `${rbac} ClusterRole`,
    policy: nothing,
    benign: rulesOf({}),
    evil: rulesOf({ verbs: ['escalate'] }),
  },
  {
    name: 'verb impersonate',
    type: `${rbac} Role`,
    policy: nothing,
    benign: rulesOf({}),
    evil: rulesOf({ verbs: ['get', 'impersonate'] }),
  },
  {
    name: 'verb of constrained impersonation',
    type: `${rbac} Role`,
    policy: nothing,
    benign: rulesOf({}),
    evil: rulesOf({ verbs: ['impersonate:user-info'] }),
  },
  {
    name: 'binding of OpenShift to cluster-admin',
    type: 'authorization.openshift.io/v1 RoleBinding',
    policy: nothing,
    benign: { roleRef: { name: 'view' } },
    evil: { roleRef: { name: 'cluster-admin' } },
  },
  {
    name: 'binding to cluster-admin',
    type: `${rbac} RoleBinding`,
    policy: nothing,
    benign: { roleRef: roleRef('view'), subjects: [account] },
    evil: { roleRef: roleRef('cluster-admin'), subjects: [account] },
  },
  {
    name: 'binding to an account of another namespace',
    type: `${rbac} RoleBinding`,
    policy: nothing,
    benign: { roleRef: roleRef('view'), subjects: [account] },
    evil: { roleRef: roleRef('view'), subjects: [{ ...account, namespace: 'kube-system' }] },
  },
  {
    name: 'binding in all namespaces',
    type: `${rbac} ClusterRoleBinding`,
    policy: nothing,
    evil: { roleRef: roleRef('view'), subjects: [account] },
    byType: settings,
  },
  {
    name: 'forbidden trait',
    type: `${rbac} Role`,
    policy: { capabilities: { forbidden: ['rbac'] } },
    code: 'policy-trait-object',
    evil: rulesOf({}),
    byType: settings,
  },
  // Proxies between clients and the API server.
  {
    name: 'validating webhook',
    type: 'admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration',
    policy: nothing,
    evil: { webhooks: [] },
    byType: settings,
  },
  {
    name: 'mutating webhook',
    type: 'admissionregistration.k8s.io/v1 MutatingWebhookConfiguration',
    policy: nothing,
    evil: { webhooks: [] },
    byType: settings,
  },
  {
    name: 'API service',
    type: 'apiregistration.k8s.io/v1 APIService',
    policy: nothing,
    evil: { spec: { group: 'x', version: 'v1', service: { name: 'x', namespace: 'shop' } } },
    byType: settings,
  },
  {
    name: 'conversion webhook',
    type: 'apiextensions.k8s.io/v1 CustomResourceDefinition',
    policy: nothing,
    evil: { spec: { conversion: { strategy: 'Webhook' } } },
    byType: settings,
  },
  // Objects.
  {
    name: 'forbidden kind',
    type: 'v1 Secret',
    policy: { objects: { forbiddenKinds: ['Secret'] } },
    code: 'policy-object',
    evil: { data: {} },
    byType: settings,
  },
  {
    name: 'kind that is not allowed',
    type: 'example.com/v1 Widget',
    policy: {
      objects: { allowedKinds: ['ConfigMap', 'Deployment', 'Service', 'ServiceAccount', 'PodDisruptionBudget'] },
    },
    code: 'policy-object',
    evil: { spec: {} },
    byType: settings,
  },
  {
    name: 'forbidden group',
    type: 'example.com/v1 Widget',
    policy: { objects: { forbiddenGroups: ['example.com'] } },
    code: 'policy-object',
    evil: { spec: {} },
    byType: settings,
  },
  {
    name: 'namespace that is not allowed',
    type: 'v1 ConfigMap',
    policy: { objects: { allowedNamespaces: ['shop'] } },
    code: 'policy-object',
    benign: { data: {} },
    evil: { metadata: { name: 'web', namespace: 'kube-system' }, data: {} },
  },
  {
    name: 'object outside of namespaces',
    type: 'v1 PersistentVolume',
    policy: { objects: { namespacedOnly: true } },
    code: 'policy-object',
    evil: { metadata: { name: 'web' }, spec: {} },
    byType: settings,
  },
  // Sources.
  ...(
    [
      ['HelmRepository', `${flux} HelmRepository`, (url: string): JsonObject => ({ spec: { url } })],
      ['OCIRepository', `${flux} OCIRepository`, (url: string): JsonObject => ({ spec: { url } })],
      ['GitRepository', `${flux} GitRepository`, (url: string): JsonObject => ({ spec: { url } })],
      ['Bucket', `${flux} Bucket`, (endpoint: string): JsonObject => ({ spec: { endpoint } })],
      ['Application', `${argo} Application`, (repoURL: string): JsonObject => ({ spec: { source: { repoURL } } })],
      [
        'ApplicationSet',
        `${argo} ApplicationSet`,
        (repoURL: string): JsonObject => ({ spec: { template: { spec: { source: { repoURL } } } } }),
      ],
      [
        'Bucket with credentials',
        `${flux} Bucket`,
        (endpoint: string): JsonObject => ({ spec: { endpoint: 'example.com', sts: { endpoint } } }),
      ],
      ['AppProject', `${argo} AppProject`, (url: string): JsonObject => ({ spec: { sourceRepos: [url] } })],
    ] as const
  ).map(([name, type, of]) => ({
    name: `source of a ${name}`,
    type,
    policy: sources,
    code: 'policy-registry',
    benign: of('https://example.com/x'),
    evil: of('https://evil.example/x'),
  })),
];

function attackOfObject({ name, type, code = 'policy-security', policy, benign, evil, byType }: ObjectAttack): Attack {
  const [apiVersion = '', kind = ''] = type.split(' ');
  const gvk = parseGroupVersionKind(`${apiVersion}/${kind}`)!;
  const own = scopeOf(gvk) === 'Cluster' ? { name: 'web' } : metadata;
  const of = (fields: JsonObject): KubeObject => ({ apiVersion, kind, metadata: own, ...fields });
  const empty = Object.fromEntries(
    Object.keys(evil).map((key): [string, Json] => [key, key === 'metadata' ? own : {}]),
  );
  return { name, codes: [code], policy, benign: byType ?? of(benign ?? empty), evil: of(evil) };
}

/** What nobody can say the kind of. */
const unidentified: readonly Attack[] = [
  {
    name: 'API version of three parts',
    codes: ['policy-unidentified'],
    policy: nothing,
    benign: settings,
    evil: { apiVersion: 'a/b/c', kind: 'Pod', metadata, spec: benignPod },
  },
  {
    name: 'kind with a blank',
    codes: ['policy-unidentified'],
    policy: nothing,
    benign: settings,
    evil: { apiVersion: 'v1', kind: 'Pod ', metadata, spec: benignPod },
  },
  {
    name: 'items in something other than a list',
    codes: ['policy-unidentified', 'manifest-items'],
    policy: nothing,
    benign: settings,
    evil: { ...settings, items: [{ apiVersion: 'v1', kind: 'Pod', metadata, spec: benignPod }] },
  },
];

export const attacks: readonly Attack[] = [
  ...podAttacks.map((attack) => attackOfPod(attack, undefined)),
  ...[...podAttacks, ...controlAttacks].map((attack) => attackOfPod(attack, nothing)),
  attackOfPod(
    {
      name: 'image in an annotation',
      code: 'policy-registry',
      annotations: { 'sidecar.istio.io/proxyImage': 'evil.example/x:1' },
    },
    registries,
  ),
  ...amountAttacks,
  ...objectAttacks.map(attackOfObject),
  ...unidentified,
];
