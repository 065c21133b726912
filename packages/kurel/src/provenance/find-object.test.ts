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

  it.each<[text: string, message: string, hint: string | undefined]>([
    [
      'deployment.web',
      '"deployment.web" could be any of 2 objects',
      'write namespace/kind.name: shop/deployment.web, test/deployment.web',
    ],
    ['data', '"data" could be any of 2 objects', 'write kind.name: persistentvolumeclaim.data, persistentvolume.data'],
    ['shop/deployment.wbe', 'there is no object "shop/deployment.wbe"', 'did you mean shop/deployment.web?'],
    ['deploy.wbe', 'there is no object "deploy.wbe"', 'did you mean shop/deployment.web?'],
    ['deplyoment.web', 'there is no object "deplyoment.web"', 'did you mean shop/deployment.web?'],
    ['prod/service.web', 'there is no object "prod/service.web"', 'did you mean shop/service.web?'],
    ['', 'there is no object ""', undefined],
    ['.', 'there is no object "."', undefined],
    ['/', 'there is no object "/"', undefined],
    ['x.', 'there is no object "x."', undefined],
  ])('says of %j: %s', (text, message, hint) => {
    const found = findObject(objects, text);
    expect(found).toMatchObject({ problem: { message, ...(hint === undefined ? {} : { hint }) } });
  });

  it('lists what there is when nothing is near', () => {
    const few = [object('Secret', 'key')];
    expect(findObject(few, 'deployment.frontend')).toMatchObject({ problem: { hint: 'there are secret.key' } });
    expect(findObject([], 'web')).not.toHaveProperty('problem.hint');
    const many = Array.from({ length: 12 }, (_, index) => object('Secret', `key-${index}`));
    expect(findObject(many, 'deployment.frontend')).toMatchObject({
      problem: { hint: expect.stringMatching(/^there are .*secret\.key-9 and 2 more$/) },
    });
  });

  it('says which patch took an object out', () => {
    const location = { file: 'a.kpatch', range: { start: 0, end: 3 } };
    const found = findObject(objects, 'ing.web', [{ object: object('Ingress', 'web', 'shop'), location }]);
    expect(found).toMatchObject({ problem: { code: 'explain-object-removed', location } });
  });

  it('says of objects that are alike in every way that they are', () => {
    const twice = [object('Secret', 'key'), object('Secret', 'key')];
    expect(findObject(twice, 'secret.key')).toMatchObject({
      problem: { hint: 'they have the same kind, name and namespace' },
    });
  });
});
