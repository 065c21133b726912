import type { PostRenderer } from '../model/index.ts';
import { sortByApplyOrder } from '../kube/index.ts';
import type { ApplyOrderOptions } from '../kube/index.ts';
import { pure } from './purity.ts';

/** The order in which a cluster can take the objects: namespaces and definitions first, webhooks last. */
function applyOrder(options?: ApplyOrderOptions): PostRenderer {
  // Kinds that have no place are refused here, not in the middle of a render.
  sortByApplyOrder([], options);
  return pure((objects) => sortByApplyOrder(objects, options));
}

/** Changes of the whole list of objects. */
export const postRenderers = { applyOrder } as const;
