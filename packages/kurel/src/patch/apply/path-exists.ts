import { expandPath } from './expand-path.ts';
import { findPlaces } from './find-places.ts';
import type { PathFailure, Place } from './find-places.ts';
import type { KindShape } from './kind-shape.ts';
import type { ObjectPatching } from './patch-run.ts';
import type { PlainStep, PreparedField } from './prepared.ts';

/** Whether an object has the field at the path; for list operations, the list. */
export function pathExists({ steps }: PreparedField, patching: ObjectPatching): boolean {
  const { places, isClean } = look(steps, patching);
  return isClean && places.length > 0 && places.every(({ value }) => value !== undefined && value !== null);
}

/**
 * Whether a patch for every kind applies to this object: its kind must have the field, otherwise `spec.replicas` would be
 * set on Services. Without a schema, the object itself must have the field. A missing list item does not matter, because
 * the kind could have it.
 */
export function isReached(prepared: PreparedField, patching: ObjectPatching): boolean {
  // A deletion for all objects applies to those that have the field.
  if (prepared.operation.type === 'delete') return pathExists(prepared, patching);
  const { steps } = prepared;
  const { object, shape } = patching;
  const expanded = expandPath(steps, object, shape);
  if (expanded.type === 'ambiguous') return true;
  const [first] = expanded.steps;
  if (first?.type !== 'field' || isDataKey(expanded.steps, steps, shape)) return false;
  const { places, failures } = look(steps, patching);
  if (failures.some(saysNoField)) return false;
  return (
    (places.length === 0 && shape.known !== undefined) ||
    places.some(({ node, value }) => node !== undefined || (value !== undefined && value !== null)) ||
    (first.name === 'metadata' && shape.schema === undefined)
  );
}

function saysNoField(failure: PathFailure): boolean {
  if (failure.type === 'list-missing') return failure.node !== undefined;
  return failure.type === 'unknown' || failure.type === 'not-a-list' || failure.type === 'not-an-object';
}

/** An unknown name must not become a data key of every ConfigMap. */
function isDataKey(expanded: readonly PlainStep[], steps: readonly PlainStep[], { dataField }: KindShape): boolean {
  const [first] = expanded;
  return expanded.length > steps.length && first?.type === 'field' && first.name === dataField;
}

/**
 * Whether an entry for all objects applies to this one. Metadata applies to every object. Any other field follows the
 * rules of a header for every kind, and its parent must exist.
 */
export function isMeantGlobally(prepared: PreparedField, patching: ObjectPatching): boolean {
  const { steps } = prepared;
  const { object, shape } = patching;
  const expanded = expandPath(steps, object, shape);
  if (expanded.type === 'ambiguous') return false;
  const [first] = expanded.steps;
  if (first?.type !== 'field') return false;
  if (first.name === 'metadata') return true;
  if (!isReached(prepared, patching)) return false;
  const { places, isClean } = look(steps, patching);
  if (!isClean || places.length === 0) return false;
  if (expanded.steps.length === 1) return true;
  const { places: parents } = look(expanded.steps.slice(0, -1), patching);
  return parents.some(({ value }) => value !== undefined && value !== null);
}

function look(
  steps: readonly PlainStep[],
  { object, shape }: ObjectPatching,
): { readonly places: readonly Place[]; readonly failures: readonly PathFailure[]; readonly isClean: boolean } {
  const expanded = expandPath(steps, object, shape);
  if (expanded.type === 'ambiguous') return { places: [], failures: [], isClean: false };
  const failures: PathFailure[] = [];
  const places = findPlaces({ value: object, node: shape.schema }, expanded.steps, {
    isIngress: shape.kind === 'Ingress',
    fail(failure) {
      failures.push(failure);
    },
  });
  return { places, failures, isClean: failures.length === 0 };
}
