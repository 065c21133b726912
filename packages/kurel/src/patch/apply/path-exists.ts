import { expandPath } from './expand-path.ts';
import { findPlaces } from './find-places.ts';
import type { Place } from './find-places.ts';
import type { ObjectPatching } from './patch-run.ts';
import type { PlainStep, PreparedField } from './prepared.ts';

/** Whether an object has what a path names; of list operations, the list. */
export function pathExists({ steps }: PreparedField, patching: ObjectPatching): boolean {
  const { places, isClean } = look(steps, patching);
  return isClean && places.length > 0 && places.every(({ value }) => value !== undefined && value !== null);
}

/**
 * Whether an entry for all objects is meant for this one. Metadata is everybody's. For everything else there must be a
 * mapping that it belongs into; and a kind that is known must have the field, or a `spec.replicas` would end in Services.
 */
export function isMeantGlobally({ steps }: PreparedField, patching: ObjectPatching): boolean {
  const { object, shape } = patching;
  const expanded = expandPath(steps, object, shape);
  if (expanded.type === 'ambiguous') return false;
  const [first] = expanded.steps;
  if (first?.type !== 'field') return false;
  if (first.name === 'metadata') return true;
  const isShort = expanded.steps.length > steps.length;
  // A word that no field has is not a key of every ConfigMap.
  if (isShort && first.name === shape.dataField) return false;
  const { places, isClean } = look(steps, patching);
  if (!isClean || places.length === 0) return false;
  if (expanded.steps.length === 1) return true;
  const { places: parents } = look(expanded.steps.slice(0, -1), patching);
  return parents.some(({ value }) => value !== undefined && value !== null);
}

function look(
  steps: readonly PlainStep[],
  { object, shape }: ObjectPatching,
): { readonly places: readonly Place[]; readonly isClean: boolean } {
  const expanded = expandPath(steps, object, shape);
  if (expanded.type === 'ambiguous') return { places: [], isClean: false };
  let isClean = true;
  const places = findPlaces({ value: object, node: shape.schema }, expanded.steps, {
    isIngress: shape.kind === 'Ingress',
    fail() {
      isClean = false;
    },
  });
  return { places, isClean };
}
