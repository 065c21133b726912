import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { nameOf } from '../../../../kube/index.ts';
import { rbac } from './rbac.ts';

function clusterRoleOf(namespace: string, name: string): string {
  if (!('render' in rbac)) throw new TypeError('expected a trait with a renderer');
  const properties = { rules: [{ resources: ['pods'], verbs: ['get'] }], clusterWide: true };
  const component = { name, serviceAccount: name };
  const input = {
    application: 'shop',
    namespace,
    component,
    properties,
    authored: properties,
    namesOf: () => [],
    siblingsOf: () => [],
    serviceOf: () => undefined,
    annotations: {},
    kubernetesMinor: () => 34,
    delivery: { engine: 'fluxcd', namespace, nameOf: (component: string) => component } as const,
    report: () => {},
  };
  const { objects = [] } = rbac.render(input);
  return nameOf(objects.find(({ kind }) => kind === 'ClusterRole')!);
}

it('names ClusterRoles so that no two components of a cluster share one', () => {
  const name = fc.stringMatching(/^[ab]([ab-]{0,4}[ab])?$/);
  fc.assert(
    fc.property(fc.tuple(name, name), fc.tuple(name, name), (one, other) => {
      expect(clusterRoleOf(...one) === clusterRoleOf(...other)).toBe(one.join('/') === other.join('/'));
    }),
  );
});
