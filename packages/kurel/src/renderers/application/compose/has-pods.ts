import { gvkOf, podSiteOf } from '../../../kube/index.ts';
import type { KubeObject } from '../../../model/index.ts';

export function hasPods(object: KubeObject): boolean {
  const gvk = gvkOf(object);
  return gvk !== undefined && podSiteOf(object, gvk) !== undefined;
}
