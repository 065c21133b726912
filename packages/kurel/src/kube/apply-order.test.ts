import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diagnosticsOf } from '../diagnostics/index.ts';
import type { KubeObject } from '../model/index.ts';
import { compareApplyOrder, describeObject, sortByApplyOrder } from './index.ts';
import type { ApplyOrderOptions } from './index.ts';

function make(
  kind: string,
  options: { readonly apiVersion?: string; readonly name?: string; readonly namespace?: string } = {},
): KubeObject {
  const { apiVersion = 'v1', ...metadata } = options;
  return { apiVersion, kind, metadata };
}

function sortKinds(kinds: readonly string[], options?: ApplyOrderOptions): readonly string[] {
  return sortByApplyOrder(
    kinds.map((kind) => make(kind)),
    options,
  ).map(({ kind }) => kind);
}

const listed = [
  'Namespace',
  'ResourceQuota',
  'StorageClass',
  'CustomResourceDefinition',
  'ServiceAccount',
  'PodSecurityPolicy',
  'Role',
  'ClusterRole',
  'RoleBinding',
  'ClusterRoleBinding',
  'ConfigMap',
  'Secret',
  'Endpoints',
  'Service',
  'LimitRange',
  'PriorityClass',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'Deployment',
  'StatefulSet',
  'CronJob',
  'PodDisruptionBudget',
  'Other',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
];

describe('sortByApplyOrder', () => {
  it('follows the table for any input order', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(listed, { minLength: listed.length }), (kinds) => {
        expect(sortKinds(kinds)).toEqual(listed);
      }),
    );
  });

  it('breaks ties by group, version, kind, namespace, name', () => {
    const sorted = [
      make('Service', { name: 'b' }),
      make('Service', { namespace: 'a', name: 'a' }),
      make('Service', { namespace: 'a', name: 'b' }),
      make('Service', { namespace: 'b', name: 'a' }),
      make('Service', { apiVersion: 'v2', name: 'a' }),
      make('Service', { apiVersion: 'serving.knative.dev/v1', name: 'a' }),
      make('Zebra'),
      make('Ingress', { apiVersion: 'networking.k8s.io/v1' }),
      make('NetworkPolicy', { apiVersion: 'networking.k8s.io/v1' }),
    ];
    expect(sortByApplyOrder(sorted.toReversed()).map(describeObject)).toEqual(sorted.map(describeObject));
  });

  it('keeps the order of equals and does not change the input', () => {
    const twins = [make('Secret', { name: 'a' }), make('Secret', { name: 'a' })] as const;
    const input = Object.freeze([make('Service'), ...twins]);
    const sorted = sortByApplyOrder(input);
    expect(sorted[0]).toBe(twins[0]);
    expect(sorted[1]).toBe(twins[1]);
  });

  it.each<[string, ApplyOrderOptions, readonly string[], readonly string[]]>([
    [
      'after',
      { after: { Service: ['Certificate', 'Issuer'] } },
      ['Issuer', 'Deployment', 'Certificate', 'Service'],
      ['Service', 'Certificate', 'Issuer', 'Deployment'],
    ],
    [
      'before',
      { before: { Deployment: ['Certificate'] } },
      ['Deployment', 'Certificate', 'Service'],
      ['Service', 'Certificate', 'Deployment'],
    ],
    [
      'moves a known kind',
      { after: { Deployment: ['ConfigMap'] } },
      ['ConfigMap', 'Deployment'],
      ['Deployment', 'ConfigMap'],
    ],
    [
      'next to a kind that is itself placed by an option',
      { after: { B: ['C'], Secret: ['B'] } },
      ['Service', 'C', 'B', 'Secret'],
      ['Secret', 'B', 'C', 'Service'],
    ],
  ])('%s', (_, options, kinds, expected) => {
    expect(sortKinds(kinds, options)).toEqual(expected);
    expect(sortKinds(['ConfigMap', 'Deployment'])).toEqual(['ConfigMap', 'Deployment']);
  });

  it('rejects positions next to kinds without a fixed position', () => {
    const attempt = () => sortKinds([], { after: { Servce: ['A'], A: ['A'] } });
    expect(attempt).toThrow('kind "Servce" has no fixed position in the apply order');
    try {
      attempt();
    } catch (error) {
      expect(diagnosticsOf(error)!.map(({ code, hint }) => [code, hint])).toEqual([
        ['apply-order-unknown-kind', 'did you mean "Service"?'],
        ['apply-order-unknown-kind', expect.stringContaining('use one of Namespace')],
      ]);
    }
  });
});

describe('compareApplyOrder', () => {
  it('is a total order', () => {
    const text = fc.constantFrom('', 'a', 'b');
    const object = fc
      .record({
        kind: fc.constantFrom('Namespace', 'Service', 'A', 'B'),
        apiVersion: fc.constantFrom('v1', 'a/v1', 'a/b/c'),
        name: text,
        namespace: text,
      })
      .map(({ kind, ...options }) => make(kind, options));
    fc.assert(
      fc.property(object, object, object, (a, b, c) => {
        expect(Math.sign(compareApplyOrder(a, b))).toBe(0 - Math.sign(compareApplyOrder(b, a)));
        expect(compareApplyOrder(a, b) === 0).toBe(JSON.stringify(a) === JSON.stringify(b));
        if (compareApplyOrder(a, b) <= 0 && compareApplyOrder(b, c) <= 0)
          expect(compareApplyOrder(a, c)).toBeLessThanOrEqual(0);
      }),
    );
  });
});
