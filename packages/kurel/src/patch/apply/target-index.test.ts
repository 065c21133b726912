import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../model/index.ts';
import { createTargetIndex } from './target-index.ts';

function object(kind: string, name: string, namespace?: string): KubeObject {
  return { apiVersion: 'v1', kind, metadata: { name, ...(namespace === undefined ? {} : { namespace }) } };
}

const index = createTargetIndex([
  object('Deployment', 'web', 'shop'),
  object('Service', 'web', 'shop'),
  object('Deployment', 'web', 'lab'),
  object('ConfigMap', 'a.b'),
  object('Policy', 'p'),
  object('Ingress', 'edge'),
  { apiVersion: 'v1', kind: 'Pod', metadata: { generateName: 'x-' } },
  object('Cm', 'odd'),
]);

describe('createTargetIndex', () => {
  it.each<[string, string, string | undefined, readonly number[]]>([
    ['deployment', 'web', undefined, [0, 2]],
    ['Deployment', 'web', 'lab', [2]],
    ['DEPLOYMENT', 'web', 'other', []],
    ['deployment', 'Web', undefined, []],
    ['deploy', 'web', 'shop', [0]],
    ['deployments', 'web', 'shop', [0]],
    ['svc', 'web', undefined, [1]],
    ['policies', 'p', undefined, [4]],
    ['ingresses', 'edge', undefined, [5]],
    ['ing', 'edge', undefined, [5]],
    ['configmap', 'a.b', undefined, [3]],
    ['pod', '', undefined, []],
    // An existing kind wins over a short name.
    ['cm', 'odd', undefined, [7]],
    ['cm', 'a.b', undefined, []],
  ])('%s.%s in %s', (kind, name, namespace, found) => {
    expect(index.byKindAndName({ kind, name, namespace })).toEqual(found);
  });

  it.each<[string, string, readonly number[]]>([
    ['*', '*', [0, 1, 2, 3, 4, 5, 6, 7]],
    ['pod', '*', [6]],
    ['deployment', '*', [0, 2]],
    ['*', 'w?b', [0, 1, 2]],
    ['*', 'w*', [0, 1, 2]],
    ['*', '*e*', [0, 1, 2, 5]],
    ['*', 'x*', []],
    ['*', '??', []],
    ['*', `${'*'.repeat(2000)}q`, []],
  ])('pattern %s.%s', (kind, name, found) => {
    expect(index.byPattern({ kind, name })).toEqual(found);
  });

  it('finds by name alone', () => {
    expect(index.byName('web')).toEqual([0, 1, 2]);
    expect(index.byName('WEB')).toEqual([]);
    expect(index.byNameInAnyCase('EDGE')).toEqual([5]);
    expect(index.byNameInAnyCase('nobody')).toEqual([]);
  });

  it('names objects', () => {
    expect(index.keys().slice(0, 4)).toEqual([
      'shop/deployment.web',
      'shop/service.web',
      'lab/deployment.web',
      'configmap.a.b',
    ]);
  });
});
