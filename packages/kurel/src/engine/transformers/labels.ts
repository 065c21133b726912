import type { Transformer } from '../../model/index.ts';
import { withLabels, withoutLabels } from '../../kube/index.ts';
import { requireFunctions, requireMap, requireStrings } from '../check-arguments.ts';
import { pure } from '../steps.ts';

// In the engine's design: `labels.Transform` (which it also calls `labels.Set`), `labels.Remove` and `labels.RemoveIf`.
export const labelTransformers = {
  /**
   * Adds labels; those with the same key get the new value. Selectors and pod templates stay as they are.
   * @example transformers.labels.set({ team: 'shop' })
   */
  set: (labels: Readonly<Record<string, string>>): Transformer => {
    requireMap('the transformer labels.set()', labels);
    requireStrings('the transformer labels.set()', Object.values(labels));
    const added = { ...labels };
    return pure((object) => withLabels(object, added));
  },

  /** Removes the labels with these keys. Selectors and pod templates stay as they are. */
  remove: (...keys: readonly string[]): Transformer => {
    requireStrings('the transformer labels.remove()', keys);
    return pure((object) => withoutLabels(object, keys));
  },

  /**
   * Removes the labels for which the predicate returns `true`. Selectors and pod templates stay as they are.
   * @example transformers.labels.removeIf((key) => key.startsWith('internal/'))
   */
  removeIf: (predicate: (key: string, value: string) => boolean): Transformer => {
    requireFunctions('the transformer labels.removeIf()', [predicate]);
    return pure((object) => withoutLabels(object, predicate));
  },
};
