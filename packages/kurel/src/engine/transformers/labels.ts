import type { Transformer } from '../../model/index.ts';
import { withLabels, withoutLabels } from '../../kube/index.ts';
import { pure } from '../steps.ts';

/** Adds the labels; those of the same key get the new value. */
function setLabels(labels: Readonly<Record<string, string>>): Transformer {
  const added = { ...labels };
  return pure((object) => withLabels(object, added));
}

function removeLabels(...keys: readonly string[]): Transformer {
  return pure((object) => withoutLabels(object, keys));
}

function removeLabelsIf(predicate: (key: string, value: string) => boolean): Transformer {
  return pure((object) => withoutLabels(object, predicate));
}

// In the engine's design: `labels.Transform` (which it also calls `labels.Set`), `labels.Remove` and `labels.RemoveIf`.
export const labelTransformers = { set: setLabels, remove: removeLabels, removeIf: removeLabelsIf };
