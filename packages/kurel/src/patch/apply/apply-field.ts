import { getOrAdd, spend } from '../../budget/index.ts';
import { isJsonArray, isJsonObject, TreeEdits } from '../../model/index.ts';
import type { Json, JsonArray, KubeObject, Path } from '../../model/index.ts';
import type { Operation } from '../patch.ts';
import { findMatch, findPlaces } from './find-places.ts';
import type { PathFailure, Place } from './find-places.ts';
import { describeSteps, describeValue, formatPath } from './format-path.ts';
import { replaceImagePart, reportPartType, setImagePart, takeImagePart } from './image-parts.ts';
import { expandPath } from './kind-shape.ts';
import type { ExpandedPath } from './kind-shape.ts';
import type { ObjectPatching, Patching } from './patch-run.ts';
import { placeOfStep } from './prepare-field.ts';
import type {
  PlainField,
  PlainStep,
  PreparedEntry,
  PreparedField,
  PreparedOperation,
  PreparedValue,
} from './prepare-field.ts';
import { applyProblems } from './problems.ts';
import { reportFailure } from './report-failure.ts';
import { mergeJson } from '../merge/merge-json.ts';
import { recordChange, storeValue } from './store-value.ts';
import { typeAndTrace } from './trace-values.ts';
import { isNull, textOfValue } from './type-value.ts';

/** How often a patch applied across all its objects. A patch for several objects skips those without the selected item. */
export interface Reach {
  readonly isMany: boolean;
  hits: number;
  misses: number;
}

/** Applies one field patch to one object. */
export function applyField(prepared: PreparedField, patching: ObjectPatching, reach: Reach): void {
  const resolved = resolvePlaces(prepared, patching, reach);
  const { operation } = prepared;
  if (resolved === undefined) return;
  const isMany = reach.isMany || resolved.length > 1;
  spend(patching.run.budget, 'changes', resolved.length, () => prepared.patch.location);
  const places = isMany ? resolved.filter((place) => hasReference(place, operation)) : resolved;
  reach.hits += places.length;
  reach.misses += resolved.length - places.length;
  // In reverse, so that a deletion does not move the items still to be processed.
  for (const place of takesAway(operation) ? places.toReversed() : places) {
    applyAt(place, { prepared, patching });
  }
}

/** Whether the list has the item before or after which the new one is inserted. */
function hasReference({ value }: Place, operation: PreparedOperation): boolean {
  if (operation.type !== 'insert' || operation.at.type !== 'match') return true;
  if (value === undefined || value === null) return false;
  return !isJsonArray(value) || findMatch(value, operation.at) !== -1;
}

/** A deletion, or null, which deletes as well. */
function takesAway(operation: PreparedOperation): boolean {
  if (operation.type !== 'replace') return operation.type === 'delete';
  return operation.value.type !== 'item' && isNull(operation.value);
}

/** Resolves the steps of a patch, including omitted ones, in an object. */
function resolvePlaces(
  { patch, steps }: PreparedField,
  patching: ObjectPatching,
  reach: Reach,
): readonly Place[] | undefined {
  const { object, key, shape, report, run } = patching;
  const { trace } = run.options;
  const { location, text } = patch;
  const expanded = expandPath(steps, object, shape);
  if (expanded.type === 'ambiguous') {
    const { field, containers } = expanded;
    const place = { location: placeOfStep(location, steps[0]) };
    report(applyProblems.create('path-ambiguous', { field, object: key, containers }, place));
    return undefined;
  }
  if (expanded.type === 'unknown') {
    reportUnknownStart(expanded, { prepared: { patch, steps }, patching });
    return undefined;
  }
  if (trace !== undefined && expanded.steps.length > steps.length) {
    trace(`${key}: ${describeSteps(steps)} → ${describeSteps(expanded.steps)}`);
  }
  const places = findPlaces({ value: object, node: shape.schema }, expanded.steps, {
    isIngress: shape.kind === 'Ingress',
    // Looking at an item costs much less than a change, but lists can be long.
    examine: (items) => spend(patching.run.budget, 'changes', items / itemsOfChange, () => location),
    fail(failure) {
      const isOneOfMany = reach.isMany || failure.isOneOfMany === true;
      if ((isOneOfMany && isLack(failure)) || (reach.isMany && failure.type === 'nothing')) reach.misses += 1;
      else if (failure.type !== 'unknown') reportFailure(failure, patching, { location, text });
    },
  });
  if (trace !== undefined && expanded.steps.some(({ type }) => type !== 'field')) {
    for (const { path } of places) trace(`${key}: ${describeSteps(expanded.steps)} is ${formatPath(path)}`);
  }
  return places;
}

/** Shows both spellings: of the field that the path resembles, and of the name as it is written. */
function reportUnknownStart(
  { name, parent, near }: Extract<ExpandedPath, { readonly type: 'unknown' }>,
  {
    prepared: { patch, steps },
    patching,
  }: { readonly prepared: Pick<PreparedField, 'patch' | 'steps'>; readonly patching: ObjectPatching },
): void {
  const { shape, key, reportOnce } = patching;
  const [first, ...rest] = steps;
  const isData = parent !== undefined && parent === shape.dataField;
  const args = {
    field: name,
    object: key,
    literal: isData ? `${parent}${describeSteps([joinNames(steps)])}` : spellInFull(name, rest, parent),
    near: near === undefined ? undefined : describeSteps([field(near), ...rest]),
    parent: isData ? 'data' : parent,
  };
  reportOnce(applyProblems.create('path-unclear', args, { location: placeOfStep(patch.location, first) }));
}

/** Quotes tell a new field of the object from a mistyped one; brackets would begin a header. */
function spellInFull(name: string, rest: readonly PlainStep[], parent: string | undefined): string {
  if (parent !== undefined) return describeSteps([field(parent), field(name), ...rest]);
  return `${JSON.stringify(name)}${describeSteps([field(''), ...rest])}`;
}

function field(name: string): PlainField {
  return { type: 'field', name, quoted: false };
}

// Keys of data are never nested.
function joinNames(steps: readonly PlainStep[]): PlainStep {
  const end = steps.findIndex(({ type }) => type !== 'field');
  const names = (end === -1 ? steps : steps.slice(0, end)).map((step) => (step as PlainField).name);
  return { type: 'field', name: names.join('.'), quoted: true };
}

const itemsOfChange = 64;

function isLack({ type }: PathFailure): boolean {
  return type === 'no-match' || type === 'list-missing' || type === 'index';
}

function applyAt(place: Place, context: Patching): void {
  const { operation } = context.prepared;
  switch (operation.type) {
    case 'replace':
      return replace(place, operation.value, context);
    case 'append':
      return append(place, operation.value, context);
    case 'insert':
      return insert(place, operation, context);
    case 'delete':
      return remove(place, operation.what, context);
  }
}

function replace(place: Place, value: PreparedValue, context: Patching): void {
  if (value.type === 'item') return;
  if (place.imagePart !== undefined) return replaceImagePart(place, value, context);
  const typed = typeAndTrace(value, place, context.patching);
  if (typed === null) {
    if (place.value === undefined) return reportNothing(place.path, context);
    return storeValue(place, undefined, context);
  }
  if (value.type !== 'data' || !value.merges) warnOfLostSection(place, typed, context);
  storeValue(place, mergeTyped(place, typed, value), context);
}

/** An object that comes from a single reference is merged into the existing one. */
function mergeTyped(place: Place, typed: Json, value: PreparedEntry['value']): Json {
  return value.type === 'data' && value.merges && isJsonObject(place.value) ? mergeJson(place.value, typed) : typed;
}

/** A nested object for the whole spec was most likely meant to be merged. */
function warnOfLostSection({ path, value }: Place, typed: Json, { prepared, patching }: Patching): void {
  const [field] = path;
  if (path.length !== 1 || (field !== 'spec' && field !== 'metadata') || !isJsonObject(value)) return;
  const kept = isJsonObject(typed) ? typed : {};
  const lost = Object.keys(value).filter((key) => !Object.hasOwn(kept, key));
  if (lost.length === 0) return;
  const args = { field, object: patching.key, lost };
  patching.report(applyProblems.create('patch-replaces-section', args, prepared.patch));
}

function append(place: Place, value: PreparedValue, context: Patching): void {
  const { prepared, patching } = context;
  const list = place.value ?? [];
  if (place.value === undefined && patching.run.options.createLists === false) return reportNoList(place, context);
  if (!isJsonArray(list) || place.imagePart !== undefined) return reportWrongType(place, 'not-a-list', context);
  insertItem(place, list, { prepared, patching, at: list.length, operation: 'append', value });
}

function insert(
  place: Place,
  { where, at, value }: Extract<PreparedOperation, { readonly type: 'insert' }>,
  context: Patching,
): void {
  const { path, value: list } = place;
  const { prepared, patching } = context;
  if (list === undefined) return reportNoList(place, context);
  if (!isJsonArray(list)) return reportWrongType(place, 'not-a-list', context);
  const index = at.type === 'index' ? at.index : findMatch(list, at);
  if (at.type === 'match' && index === -1) {
    return reportFailure({ type: 'no-match', path, match: at, list, step: at }, patching, prepared.patch);
  }
  if (index > list.length) return reportIndex(String(index), place, context);
  const [target, operation] =
    where === 'before'
      ? ([index, 'insertBefore'] as const)
      : ([Math.min(index + 1, list.length), 'insertAfter'] as const);
  insertItem(place, list, { prepared, patching, at: target, operation, value });
}

function insertItem(
  place: Place,
  list: JsonArray,
  insertion: Patching & { readonly at: number; readonly operation: Operation; readonly value: PreparedValue },
): void {
  const { at, operation, value, prepared, patching } = insertion;
  const itemPlace = { path: [...place.path, at], value: undefined, node: place.node?.items };
  /** For each entry, the paths that it sets. */
  const inItem: Path[][] = [];
  const item =
    value.type === 'item'
      ? buildItem(value.entries, itemPlace, { prepared, patching, inItem })
      : typeAndTrace(value, itemPlace, patching);
  if (item === undefined) return;
  const misfit = item === null ? 'non-null items' : value.type === 'item' ? scalarTypeOf(place) : undefined;
  if (misfit !== undefined) {
    const isSection = value.type === 'item' && item !== null;
    const args = { value: describeValue(item), field: formatPath(place.path), type: misfit, isSection };
    patching.report(applyProblems.create('type-mismatch', args, prepared.patch));
    return;
  }
  const { edits, object } = patching;
  patching.object = edits.editAt(object, place.path, () => edits.insertItem(list, at, item)) as KubeObject;
  const source =
    value.type === 'item'
      ? getOrAdd(value.sources, itemPlace.node, () => ({ ...prepared.source, places: inItem }))
      : prepared.source;
  recordChange({ operation, path: itemPlace.path, before: undefined, after: item, source }, patching);
}

/** Type of the list items, if they cannot be objects. */
function scalarTypeOf({ node }: Place): string | undefined {
  const type = node?.items?.type;
  return type === undefined || type === 'object' || type === 'any' || type === 'list'
    ? undefined
    : `items of type ${type}`;
}

function remove(
  place: Place,
  what: Extract<PreparedOperation, { readonly type: 'delete' }>['what'],
  context: Patching,
): void {
  const { path, value } = place;
  if (what === undefined) {
    if (place.imagePart !== undefined) return takeImagePart(place, context);
    return value === undefined ? reportNothing(path, context) : storeValue(place, undefined, context);
  }
  if (isJsonObject(value) && (what.type === 'field' || what.type === 'index')) {
    const key = what.type === 'field' ? what.name : String(what.index);
    const inner = [...path, key];
    if (!Object.hasOwn(value, key)) return reportNothing(inner, context);
    return storeValue({ path: inner, value: value[key], node: undefined }, undefined, context);
  }
  if (value === undefined) return reportNothing(path, context);
  if (!isJsonArray(value)) return reportWrongType(place, 'not-a-list', context);
  if (what.type === 'field') return reportWrongType(place, 'not-an-object', context);
  const index =
    what.type === 'match' ? findMatch(value, what) : what.type === 'from-end' ? value.length - what.count : what.index;
  if (what.type === 'match' && index === -1) return reportNothing(path, context, `[${describeSteps([what]).slice(1)}`);
  if (index < 0 || index >= value.length) {
    const shown = what.type === 'from-end' ? `-${what.count}` : String(index);
    return reportIndex(shown, place, context);
  }
  storeValue({ path: [...path, index], value: value[index], node: undefined }, undefined, context);
}

function reportIndex(index: string, { path, value }: Place, { prepared, patching }: Patching): void {
  const does = prepared.operation.type === 'insert' ? 'insert' : 'delete';
  const args = { index, path: formatPath(path), length: (value as JsonArray).length, does } as const;
  patching.report(applyProblems.create('index-out-of-range', args, prepared.patch));
}

function reportNoList({ path }: Place, { prepared, patching }: Patching): void {
  const args = { path: formatPath(path), object: patching.key, near: undefined };
  patching.report(applyProblems.create('list-not-found', args, prepared.patch));
}

function reportNothing(path: Path, { prepared, patching }: Patching, after = ''): void {
  const args = { path: `${formatPath(path)}${after}`, object: patching.key };
  patching.report(applyProblems.create('delete-nothing', args, prepared.patch));
}

function reportWrongType(
  { path, value }: Place,
  type: 'not-a-list' | 'not-an-object',
  { prepared, patching }: Patching,
): void {
  reportFailure({ type, path, value }, patching, prepared.patch);
}

/** Builds one new list item from all entries of an insertion; `undefined` if a problem was reported. */
function buildItem(
  entries: readonly PreparedEntry[],
  itemPlace: Place,
  { prepared, patching, inItem }: Patching & { readonly inItem: Path[][] },
): Json | undefined {
  let item: Json = {};
  const edits = new TreeEdits();
  let isComplete = true;
  for (const position of repositoriesFirst(entries)) {
    const { steps, value, location } = entries[position]!;
    const places = findPlaces({ value: item, node: itemPlace.node, path: itemPlace.path }, steps, {
      isIngress: false,
      fail(failure) {
        if (failure.type === 'unknown') return;
        isComplete = false;
        reportFailure(failure, patching, { location, text: prepared.patch.text });
      },
    });
    const inside = places.map(({ path }) => path.slice(itemPlace.path.length));
    inItem[position] = inside;
    for (const [at, place] of places.entries()) {
      const typed = valueFor(place, value, { patching, location });
      if (typed === undefined) isComplete = false;
      else if (typed !== null) item = edits.editAt(item, inside[at]!, () => typed);
    }
  }
  return isComplete ? item : undefined;
}

function valueFor(
  place: Place,
  value: PreparedEntry['value'],
  { patching, location }: Pick<Patching, 'patching'> & Pick<PreparedEntry, 'location'>,
): Json | undefined {
  const { imagePart } = place;
  if (imagePart === undefined) return mergeTyped(place, typeAndTrace(value, place, patching), value);
  const text = textOfValue(value);
  if (text === undefined) {
    reportPartType(place, value, { patching, location });
    return undefined;
  }
  const image = setImagePart(typeof place.value === 'string' ? place.value : undefined, imagePart, text);
  if (image === undefined) {
    const args = { part: `${formatPath(place.path.slice(-1))}.${imagePart}`, object: patching.key };
    patching.report(applyProblems.create('image-incomplete', args, { location }));
  }
  return image;
}

/** Positions of the entries in the order of their application: a tag can only be set on an existing image. */
function repositoriesFirst(entries: readonly PreparedEntry[]): readonly number[] {
  const waits = (position: number): boolean => {
    const [image, part] = entries[position]!.steps.slice(-2);
    return image?.type === 'field' && image.name === 'image' && part?.type === 'field' && part.name !== 'repository';
  };
  const positions = [...entries.keys()];
  return [...positions.filter((position) => !waits(position)), ...positions.filter(waits)];
}
