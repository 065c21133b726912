import type { Transformer } from '../../model/index.ts';
import { withAnnotations, withoutAnnotations } from '../../kube/index.ts';
import { requireFunctions, requireMap, requireStrings } from '../check-arguments.ts';
import { pure } from '../steps.ts';

// In the engine's design: `annotations.Transform` (which it also calls `annotations.Set`), `annotations.Remove` and `annotations.RemoveIf`.
export const annotationTransformers = {
  /**
   * Adds annotations; those with the same key get the new value.
   * @example transformers.annotations.set({ 'example.com/owner': 'shop' })
   */
  set: (annotations: Readonly<Record<string, string>>): Transformer => {
    requireMap('the transformer annotations.set()', annotations);
    requireStrings('the transformer annotations.set()', Object.values(annotations));
    const added = { ...annotations };
    return pure((object) => withAnnotations(object, added));
  },

  /** Removes the annotations with these keys. */
  remove: (...keys: readonly string[]): Transformer => {
    requireStrings('the transformer annotations.remove()', keys);
    return pure((object) => withoutAnnotations(object, keys));
  },

  /**
   * Removes the annotations for which the predicate returns `true`.
   * @example transformers.annotations.removeIf((key) => key.startsWith('internal/'))
   */
  removeIf: (predicate: (key: string, value: string) => boolean): Transformer => {
    requireFunctions('the transformer annotations.removeIf()', [predicate]);
    return pure((object) => withoutAnnotations(object, predicate));
  },
};
