import type { Transformer } from '../../model/index.ts';
import { withAnnotations, withoutAnnotations } from '../../kube/index.ts';
import { pure } from '../steps.ts';

/** Adds the annotations; those of the same key get the new value. */
function setAnnotations(annotations: Readonly<Record<string, string>>): Transformer {
  const added = { ...annotations };
  return pure((object) => withAnnotations(object, added));
}

function removeAnnotations(...keys: readonly string[]): Transformer {
  return pure((object) => withoutAnnotations(object, keys));
}

function removeAnnotationsIf(predicate: (key: string, value: string) => boolean): Transformer {
  return pure((object) => withoutAnnotations(object, predicate));
}

// In the engine's design: `annotations.Transform` (which it also calls `annotations.Set`), `annotations.Remove` and `annotations.RemoveIf`.
export const annotationTransformers = { set: setAnnotations, remove: removeAnnotations, removeIf: removeAnnotationsIf };
