import { describe, expect, it } from 'vitest';
import { DiagnosticError } from '../diagnostics/index.ts';
import { bundledSchemas } from '../host/index.ts';
import { parseGroupVersionKind } from '../kube/index.ts';
import type { GroupVersionKind, Json, KubeObject } from '../model/index.ts';
import { createSchemaStore, nearestKind, shippedKubernetesVersions } from './index.ts';

const files = bundledSchemas();
const store = createSchemaStore({ files });

describe('createSchemaStore', () => {
  it('defaults to the newest Kubernetes version', () => {
    expect(shippedKubernetesVersions(files)).toEqual(['1.37', '1.36', '1.35', '1.34', '1.33', '1.32', '1.31']);
    expect(store.kubernetesVersion).toBe('1.37');
    for (const kubernetesVersion of ['1.34', 'v1.34', '1.34.0', 'v1.34.99']) {
      expect(createSchemaStore({ files, kubernetesVersion }).kubernetesVersion).toBe('1.34');
    }
  });

  it.each(['1.30', '1.99', '2.31', 'latest', '', '1.34-rc'])(
    'rejects Kubernetes %j and lists the versions',
    (version) => {
      expect(() => createSchemaStore({ files, kubernetesVersion: version })).toThrow(DiagnosticError);
      try {
        createSchemaStore({ files, kubernetesVersion: version });
      } catch (error) {
        const [problem] = (error as DiagnosticError).diagnostics;
        expect(problem).toMatchObject({ code: 'kubernetes-version-unknown' });
        expect(problem?.hint).toBe('use one of 1.37, 1.36, 1.35, 1.34, 1.33, 1.32, 1.31');
      }
    },
  );

  it('reads no more than a kind needs', () => {
    const read: string[] = [];
    const watched = createSchemaStore({
      files: {
        read(name) {
          read.push(name);
          return files.read(name);
        },
      },
    });
    expect(watched.kinds().length).toBeGreaterThan(200);
    expect(watched.find(kind('v1/Nothing'))).toBeUndefined();
    expect(read).toEqual(['manifest.json']);
    watched.find(kind('v1/Pod'));
    watched.find(kind('apps/v1/Deployment'));
    expect(read).toEqual(['manifest.json', 'kubernetes.jsonl']);
    watched.find(kind('cert-manager.io/v1/Issuer'))?.schema.property('metadata');
    expect(read).toEqual(['manifest.json', 'kubernetes.jsonl', 'cert-manager.jsonl']);
  });

  it.each([
    ['apps/v1/Deployment', 'Namespaced', 'Kubernetes 1.37'],
    ['v1/Namespace', 'Cluster', 'Kubernetes 1.37'],
    ['cert-manager.io/v1/ClusterIssuer', 'Cluster', /^cert-manager 1\.\d+\.\d+$/],
    ['helm.toolkit.fluxcd.io/v2/HelmRelease', 'Namespaced', /^Flux helm-controller 1\./],
    ['barmancloud.cnpg.io/v1/ObjectStore', 'Namespaced', /^Barman Cloud plugin 0\./],
    ['gateway.networking.k8s.io/v1/HTTPRoute', 'Namespaced', /^Gateway API 1\.\d+\.\d+ \(experimental channel\)$/],
    ['metallb.io/v1beta1/IPAddressPool', 'Namespaced', 'MetalLB'],
  ])('knows %s', (text, scope, source) => {
    const found = store.find(kind(text));
    expect(found).toMatchObject({ gvk: kind(text), scope });
    expect(found?.source).toMatch(source);
    expect(store.find(kind(text))).toBe(found);
  });

  it('loads descriptions on request', () => {
    const described = createSchemaStore({ files, descriptions: true });
    const replicas = described.find(kind('apps/v1/Deployment'))?.schema.property('spec')?.property('replicas');
    expect(replicas?.description).toMatch(/^Number of desired pods/);
    const certificate = described.find(kind('cert-manager.io/v1/Certificate'))?.schema;
    expect(certificate?.property('spec')?.property('dnsNames')?.description).toContain('DNS');
    expect(certificate?.property('metadata')?.property('labels')?.description).toContain('Map of string keys');
    expect(store.find(kind('apps/v1/Deployment'))?.schema.property('spec')?.description).toBeUndefined();
  });

  it('has two Gateway API channels', () => {
    const standard = createSchemaStore({ files, gatewayChannel: 'standard' });
    const route = kind('gateway.networking.k8s.io/v1/HTTPRoute');
    const fieldsOf = (from: typeof store): readonly string[] | undefined =>
      from.find(route)?.schema.property('spec')?.property('rules')?.items?.propertyNames;
    expect(standard.find(route)?.source).toContain('(standard channel)');
    expect(fieldsOf(store)).toContain('sessionPersistence');
    expect(fieldsOf(standard)).not.toContain('sessionPersistence');
    expect(standard.find(kind('gateway.networking.x-k8s.io/v1alpha1/XMesh'))).toBeUndefined();
    expect(store.find(kind('gateway.networking.x-k8s.io/v1alpha1/XMesh'))).toBeDefined();
  });
});

describe('versions of kinds', () => {
  it.each([
    ['autoscaling', 'HorizontalPodAutoscaler', ['v2', 'v1']],
    ['metallb.io', 'BGPPeer', ['v1beta2', 'v1beta1']],
    ['example.com', 'Widget', []],
  ])('of %s %s', (group, name, versions) => {
    expect(store.versionsOf({ group, kind: name })).toEqual(versions);
  });

  it.each([
    [
      'extensions/v1beta1/Ingress',
      '1.37',
      { since: '1.14', removedIn: '1.22', replacement: 'networking.k8s.io/v1 Ingress' },
    ],
    [
      'policy/v1beta1/PodDisruptionBudget',
      '1.31',
      { since: '1.21', removedIn: '1.25', replacement: 'policy/v1 PodDisruptionBudget' },
    ],
    ['batch/v1beta1/CronJob', '1.37', { since: '1.21', removedIn: '1.25', replacement: 'batch/v1 CronJob' }],
    [
      'autoscaling/v2beta2/HorizontalPodAutoscaler',
      '1.37',
      { since: '1.23', removedIn: '1.26', replacement: 'autoscaling/v2 HorizontalPodAutoscaler' },
    ],
    ['policy/v1beta1/PodSecurityPolicy', '1.37', { since: '1.21', removedIn: '1.25' }],
    [
      'apiextensions.k8s.io/v1beta1/CustomResourceDefinition',
      '1.37',
      { since: '1.16', removedIn: '1.22', replacement: 'apiextensions.k8s.io/v1 CustomResourceDefinition' },
    ],
    [
      'flowcontrol.apiserver.k8s.io/v1beta3/FlowSchema',
      '1.37',
      { since: '1.29', removedIn: '1.32', replacement: 'flowcontrol.apiserver.k8s.io/v1 FlowSchema' },
    ],
    // Served by 1.31 but not later; alpha versions have no planned removal, so only the shipped versions show it.
    ['coordination.k8s.io/v1alpha1/LeaseCandidate', '1.37', { removedIn: '1.32' }],
    ['flowcontrol.apiserver.k8s.io/v1beta3/FlowSchema', '1.31', undefined],
    ['apps/v1/Deployment', '1.37', undefined],
    ['v1/Nothing', '1.37', undefined],
    ['example.com/v1/Widget', '1.37', undefined],
  ])('%s is gone from %s: %o', (text, kubernetesVersion, removed) => {
    const found = createSchemaStore({ files, kubernetesVersion }).removed(kind(text));
    if (removed === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(removed);
  });

  it('reports deprecations from the version that deprecated them', () => {
    const old = createSchemaStore({ files, kubernetesVersion: '1.32' });
    expect(store.find(kind('v1/Endpoints'))?.deprecation).toEqual({
      since: '1.33',
      replacement: 'discovery.k8s.io/v1 EndpointSlice',
    });
    expect(old.find(kind('v1/Endpoints'))?.deprecation).toBeUndefined();
    expect(store.find(kind('metallb.io/v1beta1/BGPPeer'))?.deprecation).toEqual({
      warning: 'v1beta1 is deprecated, please use v1beta2',
    });
  });

  it('reports when a kind is added', () => {
    const old = createSchemaStore({ files, kubernetesVersion: '1.31' });
    expect(old.addedIn(kind('resource.k8s.io/v1/ResourceClaim'))).toBe('1.34');
    expect(store.addedIn(kind('resource.k8s.io/v1/ResourceClaim'))).toBeUndefined();
    expect(old.removed(kind('resource.k8s.io/v1/ResourceClaim'))).toBeUndefined();
  });
});

describe('with', () => {
  const versions = [
    { name: 'v1', served: true, schema: { openAPIV3Schema: { properties: { spec: { type: 'object' } } } } },
    { name: 'v1beta1', served: true, deprecated: true },
    { name: 'v1alpha1', served: false },
  ];
  const widget = define({ group: 'example.com', names: { kind: 'Widget' }, scope: 'Cluster', versions });

  it('adds the kinds of definitions', () => {
    const more = store.with([widget, { apiVersion: 'v1', kind: 'Pod' }], () => 'crds/widget.yaml');
    const found = more.find(kind('example.com/v1/Widget'));
    expect(found).toMatchObject({ scope: 'Cluster', source: 'crds/widget.yaml' });
    expect(found?.schema.propertyNames).toEqual(['apiVersion', 'kind', 'metadata', 'spec']);
    expect(found?.schema.property('metadata')?.property('labels')?.values?.type).toBe('string');
    expect(found?.schema.property('metadata')?.property('lables')).toBeUndefined();
    expect(more.versionsOf({ group: 'example.com', kind: 'Widget' })).toEqual(['v1', 'v1beta1']);
    expect(more.find(kind('example.com/v1beta1/Widget'))).toMatchObject({
      schema: { open: true },
      deprecation: { warning: 'example.com/v1beta1 Widget is deprecated' },
    });
    expect(more.find(kind('apps/v1/Deployment'))).toBeDefined();
    expect(store.find(kind('example.com/v1/Widget'))).toBeUndefined();
  });

  it('lets a later definition replace an earlier one completely', () => {
    const shipped = kind('metallb.io/v1beta1/BGPPeer');
    const peer = define({
      group: 'metallb.io',
      names: { kind: 'BGPPeer' },
      scope: 'Namespaced',
      versions: [{ name: 'v2' }],
    });
    const more = store.with([widget], () => 'first').with([peer, widget], () => 'second');
    expect(store.find(shipped)).toBeDefined();
    expect(more.find(shipped)).toBeUndefined();
    expect(more.versionsOf(shipped)).toEqual(['v2']);
    expect(more.find(kind('example.com/v1/Widget'))?.source).toBe('second');
  });

  it('reads v1beta1 definitions', () => {
    const old = define({
      group: 'example.com',
      names: { kind: 'Old' },
      scope: 'Namespaced',
      version: 'v1',
      validation: { openAPIV3Schema: { properties: { spec: { type: 'string' } } } },
      preserveUnknownFields: true,
    });
    const schema = store.with([old], () => '').find(kind('example.com/v1/Old'))?.schema;
    expect(schema?.open).toBe(true);
    expect(schema?.property('spec')?.type).toBe('string');
  });

  it.each<Json>([
    null,
    {},
    { group: 1, names: { kind: 'A' }, scope: 'Cluster', versions },
    { group: 'a', names: {}, scope: 'Cluster', versions },
    { group: 'a', names: { kind: 'A' }, scope: 'Elsewhere', versions },
    { group: 'a', names: { kind: 'A' }, scope: 'Cluster', versions: [{}, null, 1, { name: 1 }] },
    { group: 'a', names: { kind: 'A' }, scope: 'Cluster' },
  ])('ignores %j', (spec) => {
    expect(store.with([define(spec)], () => '').kinds()).toEqual(store.kinds());
  });
});

describe('nearestKind', () => {
  it.each([
    ['apps/v1beta1/Deployment', 'apps/v1/Deployment'],
    ['extensions/v1beta1/Ingress', 'networking.k8s.io/v1/Ingress'],
    ['apps/v1/Deploymnet', 'apps/v1/Deployment'],
    ['v1/Deployement', 'apps/v1/Deployment'],
    ['cert-manager.io/v1/Certficate', 'cert-manager.io/v1/Certificate'],
    ['autoscaling/v3/HorizontalPodAutoscaler', 'autoscaling/v2/HorizontalPodAutoscaler'],
    ['example.com/v1/Xyzzy', undefined],
  ])('suggests for %s: %s', (text, near) => {
    expect(nearestKind(store, kind(text))).toEqual(near === undefined ? undefined : kind(near));
  });
});

function kind(text: string): GroupVersionKind {
  return parseGroupVersionKind(text)!;
}

function define(spec: Json): KubeObject {
  return { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', spec };
}
