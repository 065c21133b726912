import type { Filter } from '../../model/index.ts';
import { namespaceOf } from '../../kube/index.ts';
import { pure } from '../steps.ts';

/** Keeps objects of any of the namespaces; `''` stands for objects without one. None given: nothing. */
function isNamespace(...namespaces: readonly string[]): Filter {
  return pure((object) => namespaces.includes(namespaceOf(object)));
}

/** Drops objects of any of the namespaces; `''` stands for objects without one. None given: keeps everything. */
function excludeNamespace(...namespaces: readonly string[]): Filter {
  return pure((object) => !namespaces.includes(namespaceOf(object)));
}

// In the engine's design: `namespace.Filter` and `namespace.Exclude`.
export const namespaceFilters = { is: isNamespace, exclude: excludeNamespace };
