import { expect, it } from 'vitest';
import type { KubeObject } from '../model/index.ts';
import { createRename, eachReference } from './index.ts';

function referencesOf(object: KubeObject): readonly string[] {
  const found: string[] = [];
  eachReference(object, ({ kind, group, name, path }) => {
    found.push(`${path().join('.')}: ${group === undefined ? '' : `${group}/`}${kind} ${name}`);
  });
  return found;
}

const role = 'rbac.authorization.k8s.io/v1';

it.each<[what: string, object: KubeObject, found: readonly string[]]>([
  [
    'dependencies of Flux objects, which have the same kind',
    { apiVersion: 'kustomize.toolkit.fluxcd.io/v1', kind: 'Kustomization', spec: { dependsOn: [{ name: 'infra' }] } },
    ['spec.dependsOn.0.name: Kustomization infra'],
  ],
  [
    'no dependencies of other objects',
    { apiVersion: 'example.com/v1', kind: 'Task', spec: { dependsOn: [{ name: 'infra' }] } },
    [],
  ],
  [
    'no complete object inside another',
    { apiVersion: 'example.com/v1', kind: 'Batch', spec: { job: { kind: 'Job', name: 'a', metadata: {} } } },
    [],
  ],
  [
    'names in rules, as far as they are strings',
    {
      apiVersion: role,
      kind: 'Role',
      rules: [{ resources: ['secrets', 1], resourceNames: ['a', 2] }, { resourceNames: ['b'] }, { resources: 'x' }],
    },
    ['rules.0.resourceNames.0: secrets a', 'rules.0.resourceNames.0: secret a'],
  ],
])('finds %s', (_, object, found) => {
  expect(referencesOf(object)).toEqual(found);
});

it('renames references to the objects of a group', () => {
  const [database, other] = ['postgresql.cnpg.io/v1', 'example.com/v1'].map((apiVersion) => ({
    apiVersion,
    kind: 'Cluster',
    metadata: { name: 'db' },
  }));
  const backup = { apiVersion: 'postgresql.cnpg.io/v1', kind: 'Backup', spec: { cluster: { name: 'db' } } };
  const renamed = (object: KubeObject): unknown => createRename([object], () => 'new')(backup)['spec'];
  expect([renamed(database!), renamed(other!)]).toEqual([{ cluster: { name: 'new' } }, { cluster: { name: 'db' } }]);
});
