import { isJsonArray, isJsonObject, stepInto } from '../../model/index.ts';
import type { Json, JsonArray, JsonObject, Path } from '../../model/index.ts';
import type { SchemaNode } from '../../schema/index.ts';
import { expandPath, isFlatMap } from './kind-shape.ts';
import type { ObjectPatching } from './patch-run.ts';
import { imageParts } from './prepare-field.ts';
import type { ImagePart, PlainField, PlainMatch, PlainStep, PreparedField } from './prepare-field.ts';

/** A location in an object, which may not exist yet. */
export interface Place {
  readonly path: Path;
  readonly value: Json | undefined;
  readonly node: SchemaNode | undefined;
  /** Part of the image at `path` that the patch refers to, if any. */
  readonly imagePart?: ImagePart | undefined;
}

/** Why a path could not be resolved; `step` is the one that failed. */
export type PathFailure = PathObstacle & {
  readonly step?: PlainStep | undefined;
  /** Whether the path also leads to other places, through all items of a list. */
  readonly isOneOfMany?: boolean;
};

type PathObstacle =
  | { readonly type: 'not-a-list' | 'not-an-object'; readonly path: Path; readonly value: Json | undefined }
  /** `node` is the schema of the parent, if that cannot have such a field. */
  | { readonly type: 'list-missing'; readonly path: Path; readonly node?: SchemaNode | undefined }
  | { readonly type: 'index'; readonly path: Path; readonly index: number; readonly length: number }
  | { readonly type: 'no-match'; readonly path: Path; readonly match: PlainMatch; readonly list: JsonArray }
  | { readonly type: 'nothing'; readonly path: Path }
  /** Without a schema, digits in a missing object or list may be a key or an index. */
  | { readonly type: 'index-or-key'; readonly path: Path; readonly name: string }
  /** The kind has no such field. It is set anyway, and validation reports it. */
  | { readonly type: 'unknown'; readonly path: Path };

interface PlaceSearch {
  readonly isIngress: boolean;
  /** Follows the schema of a missing value: each of its lists has one item, which stands for all. */
  readonly isSchemaOnly?: boolean;
  /** Receives the number of list items that are examined. */
  readonly examine?: (items: number) => void;
  /** Receives every failure; places that can be resolved are still returned. */
  readonly fail: (failure: PathFailure) => void;
}

/** Resolves an absolute path: to one place, or several if it goes through lists. */
export function findPlaces(
  root: { readonly value: Json | undefined; readonly node: SchemaNode | undefined; readonly path?: Path },
  steps: readonly PlainStep[],
  search: PlaceSearch,
): readonly Place[] {
  const places: Place[] = [];
  walk({ value: root.value, node: root.node, path: root.path ?? [] }, { steps, at: 0, search, places });
  return places;
}

interface Walk {
  readonly steps: readonly PlainStep[];
  readonly at: number;
  readonly search: PlaceSearch;
  readonly places: Place[];
}

function walk(place: Place, walking: Walk): void {
  const { steps, at, search, places } = walking;
  const step = steps[at];
  if (step === undefined) {
    places.push(place);
    return;
  }
  const value = place.value === null ? undefined : place.value;
  if (value === undefined) return walkMissing(place, step, walking);
  if (isJsonArray(value)) return walkList({ ...place, value }, step, walking);
  if (isJsonObject(value)) return walkMapping({ ...place, value }, step, walking);
  search.fail({ type: step.type === 'field' ? 'not-an-object' : 'not-a-list', path: place.path, value, step });
}

function walkMissing(place: Place, step: PlainStep, walking: Walk): void {
  const { path, node } = place;
  const { search } = walking;
  const isList = node?.type === 'list';
  if (search.isSchemaOnly === true && (isList || step.type !== 'field')) return walkSchema(place, step, walking);
  if (step.type === 'all') return search.fail({ type: 'nothing', path, step });
  if (step.type === 'field' && isIndex(step) && (node === undefined || node.type === 'any') && !isFlatMap(node, path)) {
    return search.fail({ type: 'index-or-key', path, name: step.name, step });
  }
  if (step.type === 'field' && !(isList && isIndex(step))) {
    // A missing list has no items to iterate over.
    if (isList) return search.fail({ type: 'nothing', path, step });
    return walkMapping({ ...place, value: {} }, step, walking);
  }
  if (step.type === 'index' && step.isNew === true) return walkList({ ...place, value: [] }, step, walking);
  search.fail({ type: 'list-missing', path, step });
}

/** Enters the items of a list, or the values of a free-form map; named fields have nothing in common. */
function walkSchema(place: Place, step: PlainStep, walking: Walk): void {
  const { path, node } = place;
  const next = { ...walking, at: walking.at + 1 };
  if (step.type !== 'all' || node?.type === 'list') {
    const item = { path: [...path, 0], value: undefined, node: node?.items };
    // A field of a list means that field of every item.
    walk(item, step.type === 'field' && !isIndex(step) ? walking : next);
  } else if (node?.values !== undefined || isFlatMap(node, path)) walk(childOf(place, '*'), next);
}

function walkList(place: Place & { readonly value: JsonArray }, step: PlainStep, walking: Walk): void {
  const { path, value, node } = place;
  const { search } = walking;
  const item = (index: number): Place => ({ path: [...path, index], value: value[index], node: node?.items });
  const next = { ...walking, at: walking.at + 1 };
  if (step.type === 'match') {
    search.examine?.(value.length);
    const index = findMatch(value, step);
    if (index === -1) return search.fail({ type: 'no-match', path, match: step, list: value, step });
    return walk(item(index), next);
  }
  if (step.type === 'index' || (step.type === 'field' && isIndex(step))) {
    const index = step.type === 'index' ? step.index : Number(step.name);
    const isNew = step.type === 'index' && step.isNew === true && index === value.length;
    if (index >= value.length && !isNew) return search.fail({ type: 'index', path, index, length: value.length, step });
    return walk(item(index), next);
  }
  if (value.length === 0) return search.fail({ type: 'nothing', path, step });
  // A field of a list means that field of every item.
  const onward = amongMany(step.type === 'all' ? next : walking);
  for (let index = 0; index < value.length; index += 1) walk(item(index), onward);
}

function amongMany(walking: Walk): Walk {
  const { fail } = walking.search;
  return { ...walking, search: { ...walking.search, fail: (failure) => fail({ ...failure, isOneOfMany: true }) } };
}

function walkMapping(place: Place & { readonly value: JsonObject }, step: PlainStep, walking: Walk): void {
  const { path, value, node } = place;
  const { search, steps, at } = walking;
  if (step.type === 'all') {
    const keys = Object.keys(value);
    if (keys.length === 0) return search.fail({ type: 'nothing', path, step });
    const onward = amongMany({ ...walking, at: at + 1 });
    for (const key of keys) walk(childOf(place, key), onward);
    return;
  }
  if (step.type !== 'field') return search.fail({ type: 'not-a-list', path, value, step });
  if (isFlatMap(node, path)) return walkFlatMap(place, walking);
  if (search.isIngress && step.name === 'paths' && path.at(-2) === 'rules' && path.length === 3) {
    return walk(childOf(place, 'http'), walking);
  }
  const child = childOf(place, step.name);
  const part = imagePartOf(child, steps.slice(at));
  if (part !== undefined) {
    walking.places.push({ ...child, imagePart: part });
    return;
  }
  // Unknown fields that the object already has are not the patch's problem.
  const isUnknown = child.value === undefined && child.node === undefined && node !== undefined && isClosed(node);
  if (isUnknown && search.isSchemaOnly !== true) {
    if (needsItem(steps[at + 1])) return search.fail({ type: 'list-missing', path: child.path, node, step });
    search.fail({ type: 'unknown', path: child.path, step });
  }
  walk(child, { ...walking, at: at + 1 });
}

function needsItem(step: PlainStep | undefined): boolean {
  return step?.type === 'match' || (step?.type === 'index' && step.isNew !== true);
}

/** The remaining names form one key, because a flat map has no nested keys. */
function walkFlatMap(place: Place, { steps, at, search, places }: Walk): void {
  const rest = steps.slice(at);
  const names = rest.filter((step): step is PlainField => step.type === 'field');
  const [first, second] = names;
  if (first?.quoted === true && second !== undefined) {
    // A quoted name is a complete key without anything nested below it.
    const { path, value } = childOf(place, first.name);
    return search.fail({ type: 'not-an-object', path, value: value ?? '', step: second });
  }
  const child = childOf(place, names.map(({ name }) => name).join('.'));
  if (names.length < rest.length)
    return search.fail({ type: 'not-a-list', path: child.path, value: child.value ?? '' });
  places.push(child);
}

function childOf({ path, value, node }: Place, key: string): Place {
  return { path: [...path, key], value: stepInto(value, key), node: node?.property(key) };
}

function imagePartOf({ path, value, node }: Place, steps: readonly PlainStep[]): ImagePart | undefined {
  if (path.at(-1) !== 'image' || steps.length !== 2) return undefined;
  const last = steps[1]!;
  const isText = typeof value === 'string' || ((value ?? undefined) === undefined && node?.type === 'string');
  return isText && last.type === 'field' ? imageParts.find((part) => part === last.name) : undefined;
}

/** Whether an object has no other fields than those of its schema. */
export function isClosed({ type, open, values }: SchemaNode): boolean {
  return type === 'object' && open !== true && values === undefined;
}

/** Whether a name after a dot is an index if it is applied to a list. */
function isIndex({ name, quoted }: PlainField): boolean {
  return !quoted && /^[0-9]{1,9}$/.test(name);
}

/** Index of the first item that satisfies all conditions; -1 if there is none. */
export function findMatch(list: JsonArray, { conditions }: PlainMatch): number {
  return list.findIndex((item) =>
    conditions.every(({ path, value }) => {
      const actual = valueInside(item, path);
      return actual !== undefined && typeof actual !== 'object' && String(actual) === value;
    }),
  );
}

/** Value of an item at the (dotted) key of a condition. */
export function valueInside(item: Json, path: readonly string[]): Json | undefined {
  let value: Json | undefined = item;
  for (const [index, name] of path.entries()) {
    if (!isJsonObject(value)) return undefined;
    // A key may contain dots itself.
    const whole = path.slice(index).join('.');
    if (Object.hasOwn(value, whole)) return value[whole];
    value = Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value;
}

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
  if (expanded.type === 'unknown') return false;
  const [first] = expanded.steps;
  if (first?.type !== 'field') return false;
  const { places, failures } = look(steps, patching);
  if (failures.some(saysNoField)) return false;
  return (
    (places.length === 0 && shape.kindSchema !== undefined) ||
    places.some(({ node, value }) => node !== undefined || (value !== undefined && value !== null)) ||
    (first.name === 'metadata' && shape.schema === undefined)
  );
}

function saysNoField(failure: PathFailure): boolean {
  if (failure.type === 'list-missing') return failure.node !== undefined;
  return failure.type === 'unknown' || failure.type === 'not-a-list' || failure.type === 'not-an-object';
}

/**
 * Whether an entry for all objects applies to this one. Metadata applies to every object. Any other field follows the
 * rules of a header for every kind, and its parent must exist.
 */
export function isMeantGlobally(prepared: PreparedField, patching: ObjectPatching): boolean {
  const { steps } = prepared;
  const { object, shape } = patching;
  const expanded = expandPath(steps, object, shape);
  if (expanded.type !== 'path') return false;
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
  if (expanded.type !== 'path') return { places: [], failures: [], isClean: false };
  const failures: PathFailure[] = [];
  const places = findPlaces({ value: object, node: shape.schema }, expanded.steps, {
    isIngress: shape.kind === 'Ingress',
    fail(failure) {
      failures.push(failure);
    },
  });
  return { places, failures, isClean: failures.length === 0 };
}
