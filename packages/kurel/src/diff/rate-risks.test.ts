import { describe, expect, it } from 'vitest';

import type { Json, JsonArray, JsonObject, KubeObject } from '../model/index.ts';
import { diffObjects } from './diff-objects.ts';
import { groupChanges, riskOfChange } from './rate-risks.ts';

type Fields = Readonly<Record<string, Json>>;

const apiVersions: Readonly<Record<string, string>> = {
  Deployment: 'apps/v1',
  StatefulSet: 'apps/v1',
  Job: 'batch/v1',
  Kustomization: 'kustomize.toolkit.fluxcd.io/v1',
  HelmRelease: 'helm.toolkit.fluxcd.io/v2',
  Application: 'argoproj.io/v1alpha1',
  ApplicationSet: 'argoproj.io/v1alpha1',
};

function object(kind: string, fields: Fields): KubeObject {
  const { namespace, ...rest } = fields;
  const metadata = { name: 'web', ...(namespace === undefined ? {} : { namespace }) };
  return { apiVersion: apiVersions[kind] ?? 'v1', kind, metadata, ...rest };
}

/** The risks of all changes between two objects; `undefined` if the object does not exist. */
function risksOf(kind: string, before: Fields | undefined, after: Fields | undefined): readonly (string | undefined)[] {
  const [from, to] = [before, after].map((one) => (one === undefined ? [] : [object(kind, one)]));
  return groupChanges([{ target: 'berlin/web', difference: diffObjects(from!, to!) }]).map(({ risk }) => risk);
}

const rule = (fields: JsonObject): Fields => ({
  rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'], ...fields }],
});
const labels = (app: string): JsonObject => ({ matchLabels: { app } });

describe('risks', () => {
  it.each<[string, string, Fields | undefined, Fields | undefined]>([
    ['immutable', 'Deployment', { spec: { selector: labels('a') } }, { spec: { selector: labels('b') } }],
    ['immutable', 'DaemonSet', { spec: { selector: labels('a') } }, { spec: { selector: labels('b') } }],
    ['immutable', 'StatefulSet', { spec: { serviceName: 'a' } }, { spec: { serviceName: 'b' } }],
    [
      'immutable',
      'StatefulSet',
      { spec: { volumeClaimTemplates: [] } },
      { spec: { volumeClaimTemplates: [{ a: 1 }] } },
    ],
    ['immutable', 'Job', { spec: { template: { a: 1 } } }, { spec: { template: { a: 2 } } }],
    ['immutable', 'Service', { spec: { clusterIP: 'None' } }, { spec: {} }],
    ['immutable', 'PersistentVolumeClaim', { spec: { storageClassName: 'a' } }, { spec: { storageClassName: 'b' } }],
    ['immutable', 'PersistentVolumeClaim', { spec: { selector: labels('a') } }, { spec: { selector: labels('b') } }],
    ['immutable', 'StorageClass', { provisioner: 'a' }, { provisioner: 'b' }],
    ['immutable', 'RoleBinding', { roleRef: { name: 'a' } }, { roleRef: { name: 'b' } }],
    ['immutable', 'Secret', { type: 'Opaque' }, { type: 'kubernetes.io/tls' }],
    ['immutable', 'ConfigMap', { immutable: true, data: { a: '1' } }, { immutable: true, data: { a: '2' } }],
    ['selector', 'Service', { spec: { selector: { app: 'a' } } }, { spec: { selector: { app: 'b' } } }],
    ['selector', 'NetworkPolicy', { spec: { podSelector: labels('a') } }, { spec: { podSelector: {} } }],
    [
      'selector',
      'NetworkPolicy',
      { spec: { ingress: [{ from: [{ namespaceSelector: labels('a') }] }] } },
      { spec: { ingress: [{ from: [{ namespaceSelector: labels('b') }] }] } },
    ],
    ['selector', 'PodDisruptionBudget', { spec: { selector: labels('a') } }, { spec: { selector: labels('b') } }],
    ['data-loss', 'PersistentVolumeClaim', { spec: {} }, undefined],
    ['data-loss', 'PersistentVolume', { spec: {} }, undefined],
    ['data-loss', 'StatefulSet', { spec: {} }, undefined],
    ['crd-removed', 'CustomResourceDefinition', { spec: {} }, undefined],
    ['namespace', 'Namespace', {}, undefined],
    ['namespace', 'ConfigMap', { namespace: 'a' }, { namespace: 'b' }],
    ['scaled-to-zero', 'Deployment', { spec: { replicas: 2 } }, { spec: { replicas: 0 } }],
    ['scaled-to-zero', 'Deployment', { spec: {} }, { spec: { replicas: 0 } }],
    ['wider-access', 'Role', rule({}), rule({ verbs: ['get', 'delete'] })],
    ['wider-access', 'Role', rule({}), rule({ resources: ['secrets'] })],
    ['wider-access', 'Role', rule({ verbs: ['get'] }), rule({ verbs: ['*'] })],
    ['wider-access', 'Role', rule({ resourceNames: ['a'] }), rule({})],
    ['wider-access', 'Role', rule({ resourceNames: ['a'] }), rule({ resourceNames: [] })],
    ['wider-access', 'Role', rule({ resourceNames: ['a'] }), rule({ resourceNames: ['b'] })],
    ['wider-access', 'ClusterRole', { rules: [] }, rule({})],
    ['wider-access', 'ClusterRole', undefined, rule({ verbs: ['*'] })],
    ['wider-access', 'ClusterRoleBinding', undefined, { subjects: [] }],
    ['wider-access', 'RoleBinding', { subjects: [{ name: 'a' }] }, { subjects: [{ name: 'a' }, { name: 'b' }] }],
    ['pruning', 'Kustomization', { spec: {} }, undefined],
    ['pruning', 'Kustomization', { spec: { path: './a' } }, { spec: { path: './b' } }],
    ['pruning', 'Kustomization', { spec: { sourceRef: { name: 'a' } } }, { spec: { sourceRef: { name: 'b' } } }],
    ['pruning', 'Kustomization', { spec: { prune: false } }, { spec: { prune: true } }],
    ['pruning', 'Kustomization', { namespace: 'a' }, { namespace: 'b' }],
    ['pruning', 'HelmRelease', { spec: { targetNamespace: 'a' } }, { spec: { targetNamespace: 'b' } }],
    ['pruning', 'Application', { spec: { source: { path: 'a' } } }, { spec: { source: { path: 'b' } } }],
    ['pruning', 'Application', { spec: { sources: [{ repoURL: 'a' }] } }, { spec: { sources: [{ repoURL: 'b' }] } }],
    ['pruning', 'Application', { spec: { destination: { name: 'a' } } }, { spec: { destination: { name: 'b' } } }],
    ['pruning', 'ApplicationSet', {}, undefined],
  ])('%s: %s', (risk, kind, before, after) => {
    expect(risksOf(kind, before, after)).toContain(risk);
  });

  it.each<[string, string, Fields | undefined, Fields | undefined]>([
    ['fewer verbs', 'Role', rule({ verbs: ['get', 'delete'] }), rule({ verbs: ['get'] })],
    ['fewer rules', 'Role', rule({}), { rules: [] }],
    ['only one resource', 'Role', rule({}), rule({ resourceNames: ['a'] })],
    ['fewer names', 'Role', rule({ resourceNames: ['a', 'b'] }), rule({ resourceNames: ['a'] })],
    ['a role without wildcards', 'Role', undefined, rule({})],
    ['a role is removed', 'ClusterRole', rule({ verbs: ['*'] }), undefined],
    ['fewer subjects', 'RoleBinding', { subjects: [{ name: 'a' }] }, { subjects: [] }],
    ['fewer replicas', 'Deployment', { spec: { replicas: 3 } }, { spec: { replicas: 1 } }],
    ['from zero', 'Deployment', { spec: { replicas: 0 } }, { spec: { replicas: 1 } }],
    ['a larger volume', 'PersistentVolumeClaim', { spec: { resources: { a: 1 } } }, { spec: { resources: { a: 2 } } }],
    ['a new claim', 'PersistentVolumeClaim', undefined, { spec: {} }],
    ['a new namespace', 'Namespace', undefined, {}],
    ['another interval', 'Kustomization', { spec: { interval: '5m' } }, { spec: { interval: '10m' } }],
    ['no pruning', 'Kustomization', { spec: { prune: true } }, { spec: { prune: false } }],
    ['another revision', 'Application', { spec: { source: { a: 'b' } } }, { spec: { source: { a: 'c' } } }],
    ['a removed deployment', 'Deployment', { spec: {} }, undefined],
    ['data named selector', 'ConfigMap', { data: { selector: 'a' } }, { data: { selector: 'b' } }],
    [
      'an annotation',
      'Service',
      { metadata: { name: 'web', annotations: { selector: 'a' } } },
      { metadata: { name: 'web' } },
    ],
    ['where pods run', 'Deployment', pod({ nodeSelector: { a: 'b' } }), pod({ nodeSelector: { a: 'c' } })],
    [
      'how pods spread',
      'Deployment',
      pod({ topologySpreadConstraints: [{ topologyKey: 'zone', labelSelector: labels('a') }] }),
      pod({ topologySpreadConstraints: [{ topologyKey: 'zone', labelSelector: labels('b') }] }),
    ],
    [
      'the schema of a CRD',
      'CustomResourceDefinition',
      { spec: { versions: [{ name: 'v1', schema: { selector: 'a' } }] } },
      { spec: { versions: [{ name: 'v1', schema: { selector: 'b' } }] } },
    ],
    ['an empty field', 'PersistentVolumeClaim', { spec: { dataSource: {}, storageClassName: null } }, { spec: {} }],
    ['a default', 'Secret', {}, { type: 'Opaque' }],
    ['a default', 'StatefulSet', { spec: { podManagementPolicy: 'OrderedReady' } }, { spec: {} }],
    ['data of a ConfigMap', 'ConfigMap', { data: { a: '1' } }, { data: { a: '2' } }],
    ['replicas of a ConfigMap', 'ConfigMap', { data: { replicas: '1' } }, { data: { replicas: '0' } }],
    [
      'the image',
      'Deployment',
      pod({ containers: [{ name: 'a', image: 'a' }] }),
      pod({ containers: [{ name: 'a', image: 'b' }] }),
    ],
  ])('none: %s', (_, kind, before, after) => {
    const risks = risksOf(kind, before, after);
    expect(risks.length).toBeGreaterThan(0);
    expect(risks.filter((risk) => risk !== undefined)).toEqual([]);
  });

  it.each<[string | undefined, JsonArray, JsonArray]>([
    ['wider-access', [{ verbs: ['get'] }], [{ verbs: ['get'] }, { verbs: ['list'] }]],
    [undefined, [{ verbs: ['get'] }, { verbs: [2n ** 64n] }], [{ verbs: [2n ** 64n] }]],
  ])('%s: rules that are too many to compare one by one', (risk, before, after) => {
    const change = { operation: 'change', path: ['rules'], before, after } as const;
    expect(riskOfChange(object('Role', {}), change)).toBe(risk);
  });
});

function pod(spec: JsonObject): Fields {
  return { spec: { template: { spec } } };
}
