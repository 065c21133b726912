import { describe, expect, it } from 'vitest';
import type { Json, KubeObject } from '../model/index.ts';
import { parseGroupVersionKind, scopeOf } from './index.ts';
import { builtInKinds, wellKnownKinds } from './scope.ts';

describe('scopeOf', () => {
  it.each([
    ['v1/Namespace', 'Cluster'],
    ['v1/Service', 'Namespaced'],
    ['v1/PersistentVolume', 'Cluster'],
    ['v1/PersistentVolumeClaim', 'Namespaced'],
    ['apps/v1/Deployment', 'Namespaced'],
    ['rbac.authorization.k8s.io/v1/ClusterRole', 'Cluster'],
    ['rbac.authorization.k8s.io/v1/Role', 'Namespaced'],
    ['apiextensions.k8s.io/v1/CustomResourceDefinition', 'Cluster'],
    ['networking.k8s.io/v1/IngressClass', 'Cluster'],
    ['policy/v1beta1/PodSecurityPolicy', 'Cluster'],
    ['cert-manager.io/v1/ClusterIssuer', 'Cluster'],
    ['gateway.networking.k8s.io/v1/GatewayClass', 'Cluster'],
    ['gateway.networking.k8s.io/v1/HTTPRoute', 'Namespaced'],
    ['external-secrets.io/v1/ClusterSecretStore', 'Cluster'],
    ['cilium.io/v2/CiliumClusterwideNetworkPolicy', 'Cluster'],
    ['cilium.io/v2/CiliumNetworkPolicy', 'Namespaced'],
    ['metallb.io/v1beta1/IPAddressPool', 'Namespaced'],
    ['kustomize.toolkit.fluxcd.io/v1/Kustomization', 'Namespaced'],
    ['postgresql.cnpg.io/v1/Cluster', 'Namespaced'],
    ['argoproj.io/v1alpha1/AnalysisTemplate', 'Namespaced'],
    ['argoproj.io/v1alpha1/ClusterAnalysisTemplate', 'Cluster'],
    ['templates.gatekeeper.sh/v1/ConstraintTemplate', 'Cluster'],
    ['networking.istio.io/v1/Gateway', 'Namespaced'],
    ['example.com/v1/Namespace', undefined],
    ['v1/Unknown', undefined],
  ])('%s is %s', (text, scope) => {
    expect(scopeOf(parseGroupVersionKind(text)!)).toBe(scope);
  });

  it('has every kind of a group once', () => {
    for (const { cluster = '', namespaced = '' } of [
      ...Object.values(builtInKinds),
      ...Object.values(wellKnownKinds),
    ]) {
      const kinds = `${cluster} ${namespaced}`.trim().split(' ');
      expect(new Set(kinds).size).toBe(kinds.length);
      for (const kind of kinds) expect(kind).toMatch(/^[A-Z][A-Za-z0-9]+$/);
    }
  });

  it('is sorted, so that a kind is found and added in one place', () => {
    for (const table of [builtInKinds, wellKnownKinds]) {
      expect(Object.keys(table)).toEqual(Object.keys(table).toSorted());
      for (const kinds of Object.values(table).flatMap(({ cluster = '', namespaced = '' }) => [cluster, namespaced])) {
        expect(kinds.split(' ')).toEqual(kinds.split(' ').toSorted());
      }
    }
  });

  it('learns from CustomResourceDefinitions, and from nothing else', () => {
    const define = (spec: Json): KubeObject => ({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      spec,
    });
    const names = { kind: 'Widget' };
    const definitions = [
      define({ group: 'a.example', names, scope: 'Cluster' }),
      define({ group: 'b.example', names, scope: 'Namespaced' }),
      define({ group: 'c.example', names, scope: 'Other' }),
      define({ group: 'd.example', scope: 'Cluster' }),
      define(null),
      { apiVersion: 'v1', kind: 'CustomResourceDefinition', spec: { group: 'e.example', names, scope: 'Cluster' } },
    ];
    const scopes = ['a', 'b', 'c', 'd', 'e'].map((letter) =>
      scopeOf({ group: `${letter}.example`, kind: 'Widget' }, definitions),
    );
    expect(scopes).toEqual(['Cluster', 'Namespaced', undefined, undefined, undefined]);
    expect(scopeOf({ group: '', kind: 'Node' }, definitions)).toBe('Cluster');
    expect(scopeOf({ group: 'a.example', kind: 'Widget' })).toBeUndefined();
  });
});
