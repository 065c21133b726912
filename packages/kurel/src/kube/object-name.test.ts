import { describe, expect, it } from 'vitest';
import { kindsNamed } from './index.ts';
import { formatObjects, parseObjectName, pluralOf } from './object-name.ts';

const web = { group: 'apps', kind: 'Deployment', namespace: 'shop', name: 'web' };
const dotted = { group: '', kind: 'ConfigMap', namespace: '', name: 'a.b' };

describe('parseObjectName', () => {
  it.each([
    ['deployment/web', web],
    ['Deployment/web', web],
    ['deploy/web', web],
    ['deployments/web', web],
    ['deployment.apps/web', web],
    ['deployment.v1.apps/web', web],
    ['shop/deployment/web', web],
    ['deployment.web', web],
    ['shop/deployment.web', web],
    ['deployment@apps/web', web],
    ['shop/deploy@apps/web', web],
    ['configmap@core/a.b', dotted],
    ['cm/a.b', dotted],
    ['configmap.a.b', dotted],
  ])('%s matches', (text, name) => {
    expect(parseObjectName(text)?.(name)).toBe(true);
  });

  it.each([
    'deployment/api',
    'other/deployment/web',
    'deployment.batch/web',
    'deployment@batch/web',
    'deployment@core/web',
    'other/deployment@apps/web',
    'statefulset/web',
    'other/deployment.web',
  ])('%s does not match', (text) => {
    expect(parseObjectName(text)?.(web)).toBe(false);
  });

  it.each(['', 'web', '/', 'deployment/', '/web', 'a/b/c/d', '.web', 'deployment.'])('%j names no object', (text) => {
    expect(parseObjectName(text)).toBeUndefined();
  });
});

describe('formatObjects', () => {
  it('names the group where two groups share a name', () => {
    const metadata = { name: 'web', namespace: 'shop' };
    const objects = [
      { apiVersion: 'v1', kind: 'Service', metadata },
      { apiVersion: 'serving.knative.dev/v1', kind: 'Service', metadata },
      { apiVersion: 'apps/v1', kind: 'Deployment', metadata },
      { apiVersion: 'apps/v1beta1', kind: 'Deployment', metadata },
    ];
    expect(formatObjects(objects)).toEqual([
      'shop/service@core/web',
      'shop/service@serving.knative.dev/web',
      'shop/deployment.web',
      'shop/deployment.web',
    ]);
  });
});

describe('the kinds that a word names', () => {
  it.each([
    ['Deployment', ['deployment']],
    ['deploy', ['deploy', 'deployment']],
    ['pods', ['pods', 'pod']],
    ['ingresses', ['ingresses', 'ingress', 'ingresse']],
    ['NetworkPolicies', ['networkpolicies', 'networkpolicy', 'networkpolici', 'networkpolicie']],
    ['ds', ['ds', 'daemonset', 'd']],
    ['constructor', ['constructor']],
    ['', ['']],
  ])('%s', (word, kinds) => {
    expect(kindsNamed(word)).toEqual(kinds);
  });
});

it.each([
  ['Service', 'Services'],
  ['Ingress', 'Ingresses'],
  ['NetworkPolicy', 'NetworkPolicies'],
  ['Gateway', 'Gateways'],
  ['StorageClass', 'StorageClasses'],
  ['Batch', 'Batches'],
  ['Box', 'Boxes'],
  ['Endpoints', 'Endpoints'],
])('%s: %s', (kind, plural) => {
  expect(pluralOf(kind)).toBe(plural);
});
