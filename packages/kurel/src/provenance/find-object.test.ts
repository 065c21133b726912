import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../model/index.ts';
import { formatObject } from '../kube/index.ts';
import { findObject } from './find-object.ts';

function object(kind: string, name: string, namespace?: string): KubeObject {
  return { apiVersion: 'v1', kind, metadata: { name, ...(namespace === undefined ? {} : { namespace }) } };
}

const objects = [
  object('Deployment', 'web', 'shop'),
  object('Deployment', 'web', 'test'),
  object('Service', 'web', 'shop'),
  object('ServiceAccount', 'web', 'shop'),
  object('ServiceAccount', 'robot', 'shop'),
  object('ConfigMap', 'a.b'),
  object('NetworkPolicy', 'deny'),
  object('PersistentVolumeClaim', 'data'),
  object('PersistentVolume', 'data'),
  object('CustomResourceDefinition', 'things.example.com'),
  object('Thing', 'example.com'),
];

describe('findObject', () => {
  it.each<[text: string, found: string]>([
    ['shop/deployment.web', 'shop/deployment.web'],
    ['shop/Deployment.web', 'shop/deployment.web'],
    ['test/deploy.web', 'test/deployment.web'],
    ['test/web', 'test/deployment.web'],
    ['test/deployment/web', 'test/deployment.web'],
    ['test/deploy/web', 'test/deployment.web'],
    ['service/web', 'shop/service.web'],
    ['services/web', 'shop/service.web'],
    ['cm/a.b', 'configmap.a.b'],
    ['shop/service@core/web', 'shop/service.web'],
    ['crd/things.example.com', 'customresourcedefinition.things.example.com'],
    ['service.web', 'shop/service.web'],
    ['services.web', 'shop/service.web'],
    ['svc.web', 'shop/service.web'],
    ['sa.web', 'shop/serviceaccount.web'],
    ['sa.robot', 'shop/serviceaccount.robot'],
    ['robot', 'shop/serviceaccount.robot'],
    ['cm.a.b', 'configmap.a.b'],
    ['a.b', 'configmap.a.b'],
    ['netpol.deny', 'networkpolicy.deny'],
    ['networkpolicies.deny', 'networkpolicy.deny'],
    ['pvc.data', 'persistentvolumeclaim.data'],
    ['pv.data', 'persistentvolume.data'],
    ['things.example.com', 'thing.example.com'],
    ['crd.things.example.com', 'customresourcedefinition.things.example.com'],
  ])('takes %s for %s', (text, expected) => {
    const found = findObject(objects, text);
    expect('object' in found ? formatObject(found.object) : found.problem.message).toBe(expected);
  });

  it.each([
    ['sa.x', 'serviceaccount.x'],
    ['staccount.x', 'statefulaccount.x'],
    ['sset.x', 'statefulset.x'],
  ])('takes %s for %s, not for a kind with a shorter name', (text, expected) => {
    const similar = ['StatefulAccount', 'StatefulSet', 'ServiceAccount'].map((kind) => object(kind, 'x'));
    const match = findObject(similar, text);
    expect('object' in match ? formatObject(match.object) : match.problem.message).toBe(expected);
  });

  it.each<[text: string, message: string, hint: string | undefined]>([
    [
      'deployment.web',
      '"deployment.web" is ambiguous: it matches 2 objects',
      'use namespace/kind.name: shop/deployment.web, test/deployment.web',
    ],
    [
      'data',
      '"data" is ambiguous: it matches 2 objects',
      'use kind.name: persistentvolumeclaim.data, persistentvolume.data',
    ],
    ['shop/deployment.wbe', 'object "shop/deployment.wbe" does not exist', 'did you mean shop/deployment.web?'],
    ['deploy.wbe', 'object "deploy.wbe" does not exist', 'did you mean shop/deployment.web?'],
    ['deplyoment.web', 'object "deplyoment.web" does not exist', 'did you mean shop/deployment.web?'],
    ['prod/service.web', 'object "prod/service.web" does not exist', 'did you mean shop/service.web?'],
    ['', 'object "" does not exist', undefined],
    ['.', 'object "." does not exist', undefined],
    ['/', 'object "/" does not exist', undefined],
    ['x.', 'object "x." does not exist', undefined],
  ])('says of %j: %s', (text, message, hint) => {
    const found = findObject(objects, text);
    expect(found).toMatchObject({ problem: { message, ...(hint === undefined ? {} : { hint }) } });
  });

  it('lists the objects if no name is similar', () => {
    const few = [object('Secret', 'key')];
    expect(findObject(few, 'deployment.frontend')).toMatchObject({ problem: { hint: 'use secret.key' } });
    expect(findObject([], 'web')).not.toHaveProperty('problem.hint');
    const many = Array.from({ length: 12 }, (_, index) => object('Secret', `key-${index}`));
    expect(findObject(many, 'deployment.frontend')).toMatchObject({
      problem: { hint: expect.stringMatching(/^use one of .*secret\.key-9 and 2 more$/) },
    });
  });

  it('says which patch took an object out', () => {
    const location = { file: 'a.kpatch', range: { start: 0, end: 3 } };
    const found = findObject(objects, 'ing.web', [{ object: object('Ingress', 'web', 'shop'), location }]);
    expect(found).toMatchObject({ problem: { code: 'explain-object-removed', location } });
  });

  it('reports objects with the same kind, name and namespace as duplicates', () => {
    const twice = [object('Secret', 'key'), object('Secret', 'key')];
    expect(findObject(twice, 'secret.key')).toMatchObject({
      problem: { hint: 'rename one of them: they have the same kind, name and namespace' },
    });
  });
});
