import type { Filter } from '../../model/index.ts';
import { annotationsOf } from '../../kube/index.ts';
import { pure } from '../steps.ts';
import { hasKeys, hasPairs } from './entries.ts';

/** Keeps objects that carry all the keys. None given: everything. */
function hasAnnotations(...keys: readonly string[]): Filter {
  return pure((object) => hasKeys(annotationsOf(object), keys));
}

/** Keeps objects that carry all the annotations with these values. None given: everything. */
function matchAnnotations(annotations: Readonly<Record<string, string>>): Filter {
  const pairs = Object.entries(annotations);
  return pure((object) => hasPairs(annotationsOf(object), pairs));
}

// In the engine's design: `annotations.HasAnnotation` and `annotations.MatchAnnotations`.
export const annotationFilters = { has: hasAnnotations, match: matchAnnotations };
