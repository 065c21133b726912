import { describe, expect, it } from 'vitest';
import { createOriginTable, createRenderContext } from '../engine/index.ts';
import type { KubeObject } from '../model/index.ts';
import { putInNamespace } from './begin-rendering.ts';

const account = (name: string, namespace?: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
});

const binding = (kind: string, subjects: KubeObject['subjects']): KubeObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind,
  metadata: { name: 'b' },
  ...(subjects === undefined ? {} : { subjects }),
});

async function place(objects: readonly KubeObject[], which: 'all' | 'those-without' = 'all') {
  const origins = createOriginTable();
  for (const object of objects) origins.set(object, { renderer: 'test', source: 'here' });
  const placed = putInNamespace(objects, { namespace: 'new', which }, createRenderContext({ origins }));
  expect(placed.map((object) => origins.get(object)?.source)).toEqual(objects.map(() => 'here'));
  return placed;
}

describe('subjects of bindings', () => {
  const subject = (name: string, namespace?: string, kind = 'ServiceAccount') => ({
    kind,
    name,
    ...(namespace === undefined ? {} : { namespace }),
  });

  it.each([
    ['an account that moves', account('a', 'old'), subject('a', 'old'), 'new'],
    ['an account that had no namespace', account('a'), subject('a', 'old'), 'new'],
    ['neither with a namespace', account('a'), subject('a'), 'new'],
    ['an account of another namespace', account('a', 'old'), subject('a', 'other'), 'other'],
    ['an account that is not among the objects', account('b', 'old'), subject('a', 'old'), 'old'],
    ['a user of the same name', account('a', 'old'), subject('a', 'old', 'User'), 'old'],
  ])('%s', async (_, moved, given, expected) => {
    for (const kind of ['RoleBinding', 'ClusterRoleBinding']) {
      const bound = binding(kind, [given, { kind: 'Group', name: 'g' }]);
      const before = structuredClone(bound);
      const [, placed] = await place([moved, bound]);
      expect(placed!['subjects']).toEqual([
        { ...given, namespace: expected },
        { kind: 'Group', name: 'g' },
      ]);
      expect(bound).toEqual(before);
    }
  });

  it('stay where objects keep their own namespaces', async () => {
    const bound = binding('ClusterRoleBinding', [subject('a', 'old')]);
    expect(await place([account('a', 'old'), bound], 'those-without')).toEqual([account('a', 'old'), bound]);
  });

  it('may be anything at all', async () => {
    for (const subjects of [
      'x',
      [null, 1, { kind: 'ServiceAccount' }, { kind: 'ServiceAccount', name: 'a', namespace: 1 }],
    ]) {
      const bound = binding('ClusterRoleBinding', subjects);
      expect((await place([account('a'), bound]))[1]).toBe(bound);
    }
  });
});
