import { pluralOf } from '../kube/index.ts';
import { describe, expect, it } from 'vitest';
import { fileStemOf } from './one-file-each.ts';
import { phaseFileOf } from './phases.ts';

describe('fileStemOf', () => {
  it.each<[readonly string[], string]>([
    [['deployment', 'web', 'shop'], 'deployment-web-shop'],
    [['clusterrole', 'system:node'], 'clusterrole-system%3Anode'],
    [['secret', '..'], 'secret-%2E%2E'],
    [['../../etc/passwd'], '%2E%2E%2F..%2Fetc%2Fpasswd'],
    [['.git'], '%2Egit'],
    [['a.b'], 'a.b'],
    [['con'], '%63on'],
    [['NUL.txt'], '%4EUL.txt'],
    [['com1', 'x'], 'com1-x'],
    [['console'], 'console'],
    [['kustomization'], '%6Bustomization'],
    [['Kustomization'], '%4Bustomization'],
    [['kustomizations'], 'kustomizations'],
    [['😀'], '%F0%9F%98%80'],
    [['a\0b'], 'a%00b'],
    [['a%2Eb'], 'a%252Eb'],
  ])('%j', (parts, expected) => {
    expect(fileStemOf(...parts)).toBe(expected);
  });

  it('cuts long names, and tells them apart', () => {
    const stems = ['a', 'b'].map((end) => fileStemOf('x'.repeat(300) + end));
    expect(stems.map((stem) => stem.length)).toEqual([200, 200]);
    expect(new Set(stems).size).toBe(2);
  });

  it('gives all cut names the same length', () => {
    const stems = Array.from({ length: 500 }, (_, index) => fileStemOf(`${index}${'x'.repeat(300)}`));
    expect(new Set(stems.map((stem) => stem.length))).toEqual(new Set([200]));
    expect(stems.every((stem) => /-[0-9a-f]{8}$/.test(stem))).toBe(true);
  });
});

describe('pluralOf', () => {
  it.each([
    ['Deployment', 'Deployments'],
    ['Ingress', 'Ingresses'],
    ['NetworkPolicy', 'NetworkPolicies'],
    ['Gateway', 'Gateways'],
    ['Endpoints', 'Endpoints'],
    ['StorageClass', 'StorageClasses'],
    ['Prefix', 'Prefixes'],
    ['Topaz', 'Topazes'],
    ['Batch', 'Batches'],
    ['Mesh', 'Meshes'],
    ['Y', 'Ys'],
  ])('%s', (kind, expected) => {
    expect(pluralOf(kind)).toBe(expected);
  });
});

describe('phaseFileOf', () => {
  it.each([
    ['apps/v1', 'Deployment', 'deployments'],
    ['v1', 'ServiceAccount', 'rbac'],
    ['rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', 'rbac'],
    ['iam.example.com/v1', 'Role', 'roles'],
    ['apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'crds'],
    ['monitoring.coreos.com/v1', 'Probe', 'monitoring'],
    ['chaos.example.com/v1', 'Probe', 'probes'],
    ['monitoring.coreos.com/v1', 'PrometheusRule', 'monitoring'],
    ['postgresql.cnpg.io/v1', 'ScheduledBackup', 'backups'],
    ['velero.io/v1', 'Schedule', 'backups'],
    ['chaos-mesh.org/v1alpha1', 'Schedule', 'schedules'],
    ['v1', 'constructor', 'constructors'],
    ['v1', '../x', '%2E%2E%2Fxes'],
    ['a/b/c', 'Role', 'roles'],
  ])('%s %s', (apiVersion, kind, expected) => {
    expect(phaseFileOf({ apiVersion, kind })).toBe(expected);
  });
});
