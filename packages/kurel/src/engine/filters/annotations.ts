import type { Filter } from '../../model/index.ts';
import { annotationsOf } from '../../kube/index.ts';
import { requireMap, requireStrings } from '../check-arguments.ts';
import { pure } from '../steps.ts';
import { hasKeys, hasPairs } from './entries.ts';

// In the engine's design: `annotations.HasAnnotation` and `annotations.MatchAnnotations`.
export const annotationFilters = {
  /** Keeps objects that have annotations with all of these keys. Without keys it keeps everything. */
  has: (...keys: readonly string[]): Filter => {
    requireStrings('the filter annotations.has()', keys);
    return pure((object) => hasKeys(annotationsOf(object), keys));
  },

  /**
   * Keeps objects that have all of these annotations with these values. Without annotations it keeps everything.
   * @example filters.annotations.match({ 'example.com/owner': 'shop' })
   */
  match: (annotations: Readonly<Record<string, string>>): Filter => {
    requireMap('the filter annotations.match()', annotations);
    requireStrings('the filter annotations.match()', Object.values(annotations));
    const pairs = Object.entries(annotations);
    return pure((object) => hasPairs(annotationsOf(object), pairs));
  },
};
