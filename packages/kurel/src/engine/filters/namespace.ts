import type { Filter } from '../../model/index.ts';
import { namespaceOf } from '../../kube/index.ts';
import { requireStrings } from '../check-arguments.ts';
import { pure } from '../steps.ts';

// In the engine's design: `namespace.Filter` and `namespace.Exclude`.
export const namespaceFilters = {
  /**
   * Keeps objects in any of these namespaces; `''` stands for objects without one. Without namespaces it keeps nothing.
   * @example filters.namespace.is('shop', '')
   */
  is: (...namespaces: readonly string[]): Filter => {
    requireStrings('the filter namespace.is()', namespaces);
    return pure((object) => namespaces.includes(namespaceOf(object)));
  },

  /** Drops objects in any of these namespaces; `''` stands for objects without one. Without namespaces it keeps everything. */
  exclude: (...namespaces: readonly string[]): Filter => {
    requireStrings('the filter namespace.exclude()', namespaces);
    return pure((object) => !namespaces.includes(namespaceOf(object)));
  },
};
