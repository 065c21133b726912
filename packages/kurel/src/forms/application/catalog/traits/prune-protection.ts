import { mappingAt } from '../../../../kube/index.ts';
import type { KubeObject } from '../../../../model/index.ts';
import { defineTrait } from '../define.ts';
import { scope } from '../scope.ts';

export const pruneProtection = defineTrait({
  type: 'prune-protection',
  summary: 'Keeps Flux from deleting the objects of the component when they are no longer in the package.',
  properties: { scope },
  render: () => ({ decorate: (objects) => objects.map(protect) }),
});

function protect(object: KubeObject): KubeObject {
  const annotations = {
    ...mappingAt(object['metadata'], 'annotations'),
    'kustomize.toolkit.fluxcd.io/prune': 'disabled',
  };
  return { ...object, metadata: { ...mappingAt(object, 'metadata'), annotations } };
}
