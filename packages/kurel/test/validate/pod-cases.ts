// Long because it is one table: all cases of a field are in one place.
import type { Json, JsonObject } from '../../src/model/index.ts';

/** What the code of Kubernetes 1.37 takes and refuses at one place of a pod. */
interface PodCase {
  readonly what: string;
  /** A pod with the value in its place. */
  readonly put: (value: Json) => JsonObject;
  readonly taken: readonly Json[];
  readonly refused: readonly Json[];
}

function words(text: string): readonly string[] {
  return text.split(' ');
}

function inContainer(fields: JsonObject, spec: JsonObject = {}): JsonObject {
  return { containers: [{ name: 'web', image: 'nginx:1.27', ...fields }], ...spec };
}

function inVariable(valueFrom: JsonObject, spec: JsonObject = {}): JsonObject {
  return inContainer({ env: [{ name: 'A', valueFrom }] }, spec);
}

function inLimits(name: string, amount: Json): JsonObject {
  return inContainer({ resources: { limits: { memory: '1Gi', [name]: amount } } });
}

function inBoth(name: string, [request, limit]: readonly Json[]): JsonObject {
  const resources = { requests: { memory: 0, [name]: request! }, limits: { memory: '1Gi', [name]: limit! } };
  return inContainer({ resources });
}

const files = {
  volumes: [{ name: 'files', emptyDir: {} }, { name: 'plain' }, { name: 'other', hostPath: { path: '/' } }],
};
const claims = { resourceClaims: [{ name: 'gpu', resourceClaimName: 'gpu-1' }] };
const get = { httpGet: { port: 80 } };

const resourceCases: readonly PodCase[] = [
  {
    what: 'the name of a resource',
    put: (name) => inLimits(name as string, 0),
    taken: [
      ...words('cpu ephemeral-storage hugepages-2Mi hugepages-1 example.com/gpu example/GPU_1'),
      // The prefix is Kubernetes' own, so these names are not checked.
      ...words('kubernetes.io/batch-cpu node.kubernetes.io/x requests.kubernetes.io/x'),
      `${'a.'.repeat(121)}ab/x`,
    ],
    refused: [
      ...words('Cpu gpu storage pods requests.cpu limits.memory requests.hugepages-2Mi'),
      '',
      ...words('example.com/ /gpu a/b/c Example.com/gpu example.com/_ requests.example.com/gpu'),
      ...words('hugepages- hugepages-x hugepages-0 hugepages--2 hugepages-500m hugepages-a/b'),
      ...words('constructor __proto__'),
      `${'a.'.repeat(122)}ab/x`,
      `example.com/${'a'.repeat(64)}`,
    ],
  },
  {
    what: 'an amount of cpu',
    put: (amount) => inLimits('cpu', amount),
    taken: [0, 1, 0.5, '100m', '1n', '1e-3', null],
    refused: [-1, '-1', '-1n', '-100m'],
  },
  {
    what: 'an amount of a counted resource',
    put: (amount) => inLimits('example.com/gpu', amount),
    taken: [0, 1, '2', '2000m', '1k', '1Ki', '0.9999999', null],
    refused: [-1, 0.5, '1500m', '1n', '1.0000001'],
  },
  {
    what: 'an amount of a resource of Kubernetes',
    put: (amount) => inLimits('kubernetes.io/batch-cpu', amount),
    taken: [0, '1500m'],
    refused: [-1],
  },
  {
    what: 'an amount of huge pages',
    put: (amount) => inLimits('hugepages-2Mi', amount),
    taken: [0, '2Mi', '4Mi', '1Gi', '2048Ki', 2_097_152, null],
    refused: ['1Mi', '3Mi', '2M', 1, '500m', '-2Mi'],
  },
  {
    what: 'request and limit of cpu',
    put: (pair) => inBoth('cpu', pair as readonly Json[]),
    taken: [
      [1, 1],
      ['1', '1000m'],
      ['500m', 1],
      [null, 1],
      [null, null],
      [0, null],
    ],
    refused: [
      [2, 1],
      ['1001m', 1],
      [1, null],
    ],
  },
  {
    what: 'request and limit of a counted resource',
    put: (pair) => inBoth('example.com/gpu', pair as readonly Json[]),
    taken: [
      [1, 1],
      ['1', '1000m'],
      [0, null],
    ],
    refused: [
      [1, 2],
      [2, 1],
      [1, null],
      [null, 1],
    ],
  },
  {
    what: 'request and limit of huge pages',
    put: (pair) => inBoth('hugepages-2Mi', pair as readonly Json[]),
    taken: [['2Mi', '2048Ki']],
    refused: [
      ['2Mi', '4Mi'],
      ['4Mi', '2Mi'],
    ],
  },
  {
    what: 'resources',
    put: (resources) => inContainer({ resources }, claims),
    taken: [
      { requests: { 'ephemeral-storage': '1Gi' } },
      { requests: { 'kubernetes.io/batch-cpu': 1 } },
      { limits: { 'hugepages-2Mi': '2Mi' }, requests: { cpu: 1 } },
      { claims: [{ name: 'gpu' }] },
      { claims: [{ name: 'gpu', request: 'one' }] },
    ],
    refused: [
      { requests: { 'example.com/gpu': 1 } },
      { requests: { 'hugepages-2Mi': '2Mi', cpu: 1 } },
      { limits: { 'hugepages-2Mi': '2Mi' } },
      { claims: [{ name: 'cpu' }] },
      { claims: [{ name: '' }] },
      { claims: [{ name: 'gpu', request: 'One' }] },
    ],
  },
  {
    what: 'resources of a pod',
    put: (resources) => ({ ...inContainer({}), resources }),
    taken: [{ limits: { cpu: 1, memory: '1Gi', 'hugepages-2Mi': '2Mi' } }, { requests: { cpu: 1 }, claims: null }],
    refused: [
      { limits: { 'ephemeral-storage': '1Gi' } },
      { limits: { 'example.com/gpu': 1 } },
      { limits: { cpu: -1 } },
      { limits: { cpu: 1 }, requests: { cpu: 2 } },
      { limits: { cpu: 1 }, claims: [] },
    ],
  },
  {
    what: 'claims of a pod',
    put: (resourceClaims) => ({ ...inContainer({}), resourceClaims }),
    taken: [[{ name: 'a', resourceClaimName: 'x.y' }], [{ name: 'a', resourceClaimTemplateName: 'x' }]],
    refused: [
      [{ name: 'a' }],
      [{ name: 'A', resourceClaimName: 'x' }],
      [{ name: 'a', resourceClaimName: 'X' }],
      [{ name: 'a', resourceClaimTemplateName: '' }],
      [{ name: 'a', resourceClaimName: 'x', resourceClaimTemplateName: 'y' }],
      [null],
    ],
  },
];

const variableCases: readonly PodCase[] = [
  {
    what: 'the path of a field',
    put: (fieldPath) => inVariable({ fieldRef: { fieldPath } }),
    taken: [
      ...words('metadata.name metadata.uid spec.nodeName spec.host status.hostIPs status.podIPs'),
      ...words("metadata.labels['a'] metadata.labels['example.com/A'] metadata.annotations['Example.com/A']"),
    ],
    refused: [
      ...words('metadata metadata.labels metadata.annotations metadata.generateName status.phase'),
      '',
      ...words("metadata.labels[''] metadata.labels[a] metadata.labels['Example.com/A']"),
      "metadata.labels['a b']",
      ...words("metadata.annotations['a_'] metadata.annotations['a/b/c'] metadata.name['a'] ['a']"),
    ],
  },
  {
    what: 'the version of a field',
    put: (apiVersion) => inVariable({ fieldRef: { fieldPath: 'metadata.name', apiVersion } }),
    taken: ['v1', '', null],
    refused: ['v2', 'apps/v1'],
  },
  {
    what: 'a resource',
    put: (resource) => inVariable({ resourceFieldRef: { resource } }),
    taken: ['limits.cpu', 'requests.memory', 'limits.ephemeral-storage', 'requests.hugepages-2Mi', 'limits.hugepages-'],
    refused: ['', 'cpu', 'Limits.cpu', 'limits.storage', 'limits.example.com/gpu', 'limits'],
  },
  {
    what: 'a divisor of cpu',
    put: (divisor) => inVariable({ resourceFieldRef: { resource: 'requests.cpu', divisor } }),
    taken: ['1', 1, '1m', '1000m', '0.001', '0', 0, null],
    refused: ['1k', '2', '-1', '10m', '1Ki', '1n'],
  },
  {
    what: 'a divisor of memory',
    put: (divisor) => inVariable({ resourceFieldRef: { resource: 'limits.memory', divisor } }),
    taken: ['1', '1k', '1000', '1E', '1Ki', '1024Ki', '1Ei', '0'],
    refused: ['1m', '2', '1024', '1e3', '10Mi', '-1'],
  },
  {
    what: 'a divisor of huge pages',
    put: (divisor) => inVariable({ resourceFieldRef: { resource: 'limits.hugepages-2Mi', divisor } }),
    taken: ['1Mi'],
    refused: ['2Mi', '1m'],
  },
  {
    what: 'the path of a file of variables',
    put: (path) => inVariable({ fileKeyRef: { volumeName: 'files', key: 'A', path } }, files),
    // It leads from the volume, with or without a slash in front.
    taken: ['a', 'a/b', '/a', 'a..b', './a', '...'],
    refused: ['', '..', '../a', 'a/../b', 'a/..'],
  },
  {
    what: 'the key in a file of variables',
    put: (key) => inVariable({ fileKeyRef: { volumeName: 'files', path: 'a', key } }, files),
    taken: ['A', 'a b', '1', '..'],
    refused: ['', 'A=B', 'é', 'a\n'],
  },
  {
    what: 'the volume of a file of variables',
    put: (volumeName) => inVariable({ fileKeyRef: { path: 'a', key: 'A', volumeName } }, files),
    taken: ['files', 'plain'],
    refused: ['', 'other', 'none', 'Files', '__proto__'],
  },
  {
    what: 'the key of a ConfigMap',
    put: (key) => inVariable({ configMapKeyRef: { name: 'a', key } }),
    taken: ['a', 'A_b.c-d', '.a', 'a'.repeat(253)],
    refused: ['', '.', '..', '..a', 'a b', 'a/b', 'a'.repeat(254)],
  },
  {
    what: 'the name of a Secret',
    put: (name) => inVariable({ secretKeyRef: { name, key: 'a' } }),
    taken: ['a', 'a.b'],
    refused: ['', 'A', null],
  },
  {
    what: 'a prefix',
    put: (prefix) => inContainer({ envFrom: [{ prefix, secretRef: { name: 'a' } }] }),
    taken: ['A_', '', '1', 'a b', '..', null],
    refused: ['A=', '=', 'é', 'a\t'],
  },
  {
    what: 'a source of many variables',
    put: (source) => inContainer({ envFrom: [source] }),
    taken: [{ configMapRef: { name: 'a' } }],
    refused: [null, {}, { configMapRef: {} }, { secretRef: { name: '' } }, { configMapRef: { name: 'A' } }],
  },
];

const probeCases: readonly PodCase[] = [
  {
    what: 'a readiness probe',
    put: (readinessProbe) => inContainer({ readinessProbe }),
    taken: [get, { ...get, successThreshold: 3 }, { ...get, terminationGracePeriodSeconds: null }],
    refused: [
      {},
      { httpGet: null },
      { ...get, exec: { command: ['a'] } },
      { ...get, terminationGracePeriodSeconds: 5 },
      { ...get, successThreshold: -1 },
      { exec: {} },
      { exec: { command: [] } },
      { httpGet: { port: 80, httpHeaders: [{ name: 'A b', value: '' }] } },
      { httpGet: { port: 80, httpHeaders: [{ name: '', value: '' }] } },
      { httpGet: { port: 80, httpHeaders: [null] } },
    ],
  },
  ...['livenessProbe', 'startupProbe'].map((name) => ({
    what: `a ${name}`,
    put: (probe: Json) => inContainer({ [name]: probe }),
    taken: [
      { ...get, successThreshold: 0 },
      { ...get, successThreshold: 1 },
      { ...get, terminationGracePeriodSeconds: 1 },
      { ...get, terminationGracePeriodSeconds: 5_000_000_000 },
      { exec: { command: [''] } },
      { httpGet: { port: 80, httpHeaders: [{ name: 'X-A', value: '' }] } },
    ],
    refused: [
      { ...get, successThreshold: 2 },
      { ...get, terminationGracePeriodSeconds: 0 },
      { ...get, terminationGracePeriodSeconds: -5_000_000_000 },
    ],
  })),
  {
    what: 'what watches an init container',
    put: (fields) => ({
      ...inContainer({}),
      initContainers: [{ name: 'init', image: 'a', ...(fields as JsonObject) }],
    }),
    taken: [
      { restartPolicy: 'Always', livenessProbe: get },
      { restartPolicy: 'Always', lifecycle: {} },
      { livenessProbe: null },
    ],
    refused: [{ livenessProbe: get }, { readinessProbe: get }, { startupProbe: get }, { lifecycle: {} }],
  },
  {
    what: 'a pause',
    put: (seconds) => inContainer({ lifecycle: { preStop: { sleep: { seconds } } } }),
    taken: [0, 30],
    refused: [-1, 31, 5_000_000_000],
  },
  {
    what: 'a pause in a pod that has time',
    put: (seconds) =>
      inContainer({ lifecycle: { preStop: { sleep: { seconds } } } }, { terminationGracePeriodSeconds: 60 }),
    taken: [60],
    refused: [61],
  },
];

const localhost = { type: 'Localhost' };

const securityCases: readonly PodCase[] = [
  {
    what: 'a security context',
    put: (securityContext) => inContainer({ securityContext }),
    taken: [
      { privileged: true },
      { privileged: true, allowPrivilegeEscalation: true },
      { capabilities: { add: ['CAP_SYS_ADMIN'] } },
      // Only one spelling of the capability is looked for.
      { allowPrivilegeEscalation: false, capabilities: { add: ['SYS_ADMIN'] } },
      { allowPrivilegeEscalation: false, capabilities: { drop: ['CAP_SYS_ADMIN'] } },
      { runAsNonRoot: true, runAsUser: 0 },
      { runAsUser: 2_147_483_647, runAsGroup: 0 },
      { procMount: 'Default' },
    ],
    refused: [
      { allowPrivilegeEscalation: false, privileged: true },
      { allowPrivilegeEscalation: false, capabilities: { add: ['NET_ADMIN', 'CAP_SYS_ADMIN'] } },
      { runAsUser: -1 },
      { runAsGroup: 2_147_483_648 },
      { runAsUser: 2n ** 60n },
      { procMount: 'Unmasked' },
    ],
  },
  {
    what: 'a security context of a pod',
    put: (securityContext) => inContainer({}, { securityContext }),
    taken: [{ fsGroup: 0, supplementalGroups: [0, 2_147_483_647] }],
    refused: [{ fsGroup: -1 }, { supplementalGroups: [1, -1] }, { runAsUser: 2_147_483_648 }],
  },
  ...[
    (seccompProfile: Json) => inContainer({ securityContext: { seccompProfile } }),
    (seccompProfile: Json) => inContainer({}, { securityContext: { seccompProfile } }),
  ].map((put, index) => ({
    what: `a profile of seccomp ${index === 0 ? 'in a container' : 'in a pod'}`,
    put,
    taken: [
      { type: 'RuntimeDefault' },
      { type: 'Unconfined', localhostProfile: null },
      { ...localhost, localhostProfile: 'a/b.json' },
      { ...localhost, localhostProfile: 'a/..b' },
      { ...localhost, localhostProfile: '' },
    ],
    refused: [
      {},
      localhost,
      { ...localhost, localhostProfile: null },
      { ...localhost, localhostProfile: '/a' },
      { ...localhost, localhostProfile: 'a/../b' },
      { type: 'RuntimeDefault', localhostProfile: 'a' },
      { type: 'Unconfined', localhostProfile: '' },
      { localhostProfile: 'a' },
    ],
  })),
  ...[
    (appArmorProfile: Json) => inContainer({ securityContext: { appArmorProfile } }),
    (appArmorProfile: Json) => inContainer({}, { securityContext: { appArmorProfile } }),
  ].map((put, index) => ({
    what: `a profile of AppArmor ${index === 0 ? 'in a container' : 'in a pod'}`,
    put,
    taken: [
      { type: 'RuntimeDefault' },
      { ...localhost, localhostProfile: 'k8s' },
      { ...localhost, localhostProfile: '/a/../b' },
      { ...localhost, localhostProfile: 'a'.repeat(4095) },
    ],
    refused: [
      localhost,
      { ...localhost, localhostProfile: '' },
      { ...localhost, localhostProfile: ' a' },
      { ...localhost, localhostProfile: 'é'.repeat(2048) },
      { type: 'RuntimeDefault', localhostProfile: 'a' },
    ],
  })),
];

const otherCases: readonly PodCase[] = [
  {
    what: 'a toleration',
    put: (toleration) => ({ ...inContainer({}), tolerations: [toleration] }),
    taken: [
      { operator: 'Exists' },
      { key: 'a' },
      { key: 'example.com/a', operator: 'Equal', value: 'b' },
      { key: 'a', effect: 'NoExecute', tolerationSeconds: -1 },
    ],
    refused: [
      null,
      {},
      { operator: 'Equal', value: 'a' },
      { key: 'a', operator: 'Exists', value: 'b' },
      { key: 'a b' },
      { key: 'a', value: 'b c' },
      { key: 'a', tolerationSeconds: 1 },
      { key: 'a', effect: 'NoSchedule', tolerationSeconds: 1 },
    ],
  },
  {
    what: 'the size of an ephemeral volume',
    put: (storage) => {
      const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } };
      return { ...inContainer({}), volumes: [{ name: 'a', ephemeral: { volumeClaimTemplate: { spec } } }] };
    },
    taken: ['1Gi', '1n', 1],
    refused: ['0', '0Gi', '-1', 0, null],
  },
  {
    what: 'the limit of an emptyDir',
    put: (sizeLimit) => ({ ...inContainer({}), volumes: [{ name: 'a', emptyDir: { sizeLimit } }] }),
    taken: ['1Gi', 0, null],
    refused: ['-1', -1],
  },
  ...['env', 'envFrom', 'ports', 'volumeMounts', 'volumeDevices', 'resizePolicy'].map((list) => ({
    what: `null in ${list}`,
    put: (items: Json) => inContainer({ [list]: items }),
    taken: [null, []],
    refused: [[null]],
  })),
  ...['args', 'command'].map((list) => ({
    what: `null in ${list}`,
    put: (items: Json) => inContainer({ [list]: items }),
    taken: [null, [], [null]],
    refused: [],
  })),
  ...['volumes', 'initContainers', 'topologySpreadConstraints', 'readinessGates', 'resourceClaims'].map((list) => ({
    what: `null in ${list}`,
    put: (items: Json) => ({ ...inContainer({}), [list]: items }),
    taken: [null, []],
    refused: [[null]],
  })),
  {
    what: 'null in imagePullSecrets',
    put: (imagePullSecrets) => ({ ...inContainer({}), imagePullSecrets }),
    taken: [null, [], [null]],
    refused: [],
  },
];

export const podCases: readonly PodCase[] = [
  ...resourceCases,
  ...variableCases,
  ...probeCases,
  ...securityCases,
  ...otherCases,
];
