import type { Filter } from '../../model/index.ts';
import { labelsOf, parseLabelSelector } from '../../kube/index.ts';
import { pure } from '../steps.ts';
import { hasKeys, hasPairs } from './entries.ts';

/** Keeps objects that carry all the keys. None given: everything. */
function hasLabels(...keys: readonly string[]): Filter {
  return pure((object) => hasKeys(labelsOf(object), keys));
}

/** Keeps objects that carry all the labels with these values. None given: everything. */
function matchLabels(labels: Readonly<Record<string, string>>): Filter {
  const pairs = Object.entries(labels);
  return pure((object) => hasPairs(labelsOf(object), pairs));
}

/** Keeps objects that match a selector as `kubectl -l` takes it. Throws at once when the text is not a selector. */
function selectLabels(text: string): Filter {
  const selector = parseLabelSelector(text);
  return pure((object) => selector.matches(labelsOf(object)));
}

// In the engine's design: `labels.HasLabel`, `labels.MatchLabels` and `labels.Selector`.
export const labelFilters = { has: hasLabels, match: matchLabels, selector: selectLabels };
