import type { Filter } from '../../model/index.ts';
import { labelsOf, parseLabelSelector } from '../../kube/index.ts';
import { requireMap, requireStrings } from '../check-arguments.ts';
import { pure } from '../steps.ts';
import { hasKeys, hasPairs } from './entries.ts';

// In the engine's design: `labels.HasLabel`, `labels.MatchLabels` and `labels.Selector`.
export const labelFilters = {
  /** Keeps objects that have labels with all of these keys. Without keys it keeps everything. */
  has: (...keys: readonly string[]): Filter => {
    requireStrings('the filter labels.has()', keys);
    return pure((object) => hasKeys(labelsOf(object), keys));
  },

  /**
   * Keeps objects that have all of these labels with these values. Without labels it keeps everything.
   * @example filters.labels.match({ app: 'web' })
   */
  match: (labels: Readonly<Record<string, string>>): Filter => {
    requireMap('the filter labels.match()', labels);
    requireStrings('the filter labels.match()', Object.values(labels));
    const pairs = Object.entries(labels);
    return pure((object) => hasPairs(labelsOf(object), pairs));
  },

  /**
   * Keeps objects that match a selector as `kubectl -l` takes it. Throws at once when the string is not a selector.
   * @example filters.labels.selector('app=web, tier in (front, back), !legacy')
   */
  selector: (text: string): Filter => {
    requireStrings('the filter labels.selector()', [text]);
    const selector = parseLabelSelector(text);
    return pure((object) => selector.matches(labelsOf(object)));
  },
};
