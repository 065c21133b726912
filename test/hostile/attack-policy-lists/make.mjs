import { inLetters, putFiles } from '../make-files.mjs';

const fill = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const documents = (objects) => objects.map((object) => `${JSON.stringify(object)}\n`).join('---\n');
const pod = (name, spec, labels) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name, labels }, spec });
const policy = (spec) =>
  JSON.stringify({ apiVersion: 'launcher.gokure.dev/v1alpha1', kind: 'Policy', metadata: { name: 'p' }, spec });
const containers = [{ name: 'a', image: 'a:1' }];
const set = (at) => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: `a${at}` },
  spec: {
    replicas: 2_000_000_000,
    serviceName: 's',
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers } },
    volumeClaimTemplates: [
      {
        metadata: { name: 'd' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    ],
  },
});
const budget = (at) => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: `b${at}` },
  spec: { minAvailable: 1, selector: { matchExpressions: [{ key: 'c', operator: 'NotIn', values: ['d'] }] } },
});

/** Long lists of a policy times long lists of objects, and objects that all others are compared with. */
const shapes = {
  registries: [
    { enforced: { allowedRegistries: fill(16_000, (at) => `r${at}.example.com/aaaaa`) } },
    [pod('a', { containers: fill(10_000, (at) => ({ name: `c${at}`, image: `x${at}.io/a:1` })) })],
  ],
  paths: [
    { enforced: { allowedRegistries: [`r.example.com/${'a/'.repeat(100_000)}b`] } },
    [pod('a', { containers: [{ name: 'a', image: `r.example.com/${'a/'.repeat(100_000)}c` }] })],
  ],
  sources: [
    { enforced: { allowedSources: fill(16_000, (at) => `h${at}.example.com`) } },
    fill(3000, (at) => ({
      apiVersion: 'source.toolkit.fluxcd.io/v1',
      kind: 'GitRepository',
      metadata: { name: `a${at}` },
      spec: { url: `https://x${at}.io/a`, interval: '1m' },
    })),
  ],
  kinds: [
    {
      objects: {
        forbiddenKinds: fill(25_000, (at) => `x${at}/Kind${at}`),
        allowedNamespaces: fill(10_000, (at) => `n${at}`),
        forbiddenGroups: fill(5000, (at) => `g${at}`),
      },
    },
    fill(6000, (at) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `a${at}` } })),
  ],
  capabilities: [
    { security: { allowedCapabilities: fill(25_000, (at) => `CAP_${inLetters(at)}`) } },
    [
      pod('a', {
        containers: [
          { ...containers[0], securityContext: { capabilities: { add: fill(40_000, (at) => `K_${inLetters(at)}`) } } },
        ],
      }),
    ],
  ],
  rules: [
    {},
    [
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: 'a' },
        rules: fill(10_000, () => ({ apiGroups: ['a'], resources: ['b', '*'], verbs: ['bind', '*'] })),
      },
    ],
  ],
  claims: [
    {},
    [
      ...fill(1500, set),
      pod('p', {
        containers,
        volumes: fill(4000, (at) => ({ name: `v${at}`, persistentVolumeClaim: { claimName: `d-a${at}-999` } })),
      }),
    ],
  ],
  budgets: [{}, [...fill(3500, (at) => pod(`p${at}`, { containers }, { a: `b${at}`, c: 'd' })), ...fill(2500, budget)]],
};

export function make(directory, words) {
  const name = words[1].replace('.yaml', '');
  const [rules, objects] = shapes[name];
  putFiles(directory, { [`${name}.yaml`]: documents(objects), 'policy.yaml': policy(rules) });
}
