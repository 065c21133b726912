import { DiagnosticError } from '../diagnostics/index.ts';
import { isJsonArray, isJsonObject, isSameJson, stepInto } from '../model/index.ts';
import type { Json, JsonArray, JsonObject, KubeObject, Path } from '../model/index.ts';
import { isLeaf } from './field-trace.ts';
import type { Cause, CausesOf, FieldTrace, HistoryEvent, ObjectHistory, TraceStep } from './field-trace.ts';
import { pairItems } from './find-in-document.ts';
import { formatObject } from '../kube/index.ts';
import { traceProblems } from './problems.ts';
import { insertAt, withField, withItem } from './put-at.ts';
import type { Owned } from './put-at.ts';
import type { Provenance } from './rendering.ts';

/** A value during a build with the steps of each part. Only nodes that are not shared are changed in place. */
export interface FieldNode {
  /** `undefined` after the field is removed; it may be set again. */
  readonly value: Json | undefined;
  /** Steps of a value without children. */
  readonly steps: readonly TraceStep[];
  /** Fields of an object, including removed ones. */
  readonly fields?: ReadonlyMap<string, FieldNode> | undefined;
  readonly items?: readonly FieldNode[] | undefined;
}

const nothing: FieldNode = { value: undefined, steps: [] };

/** Updates a field with a new value, or removes it. Unchanged parts that are not set again keep their steps. */
function renew(node: FieldNode | undefined, after: Json | undefined, { path, causesOf }: Renewal): FieldNode {
  const before = node ?? nothing;
  if (after === undefined) return bury(before, { path, causesOf });
  if (isJsonArray(after) && after.length > 0) return { ...renewList(before, after, { path, causesOf }), value: after };
  if (isJsonObject(after)) return renewMapping(before, after, { path, causesOf });
  return { value: after, steps: addSteps(before, after, causesOf(path, after)) };
}

export interface Renewal {
  /** Path of the field. */
  readonly path: Path;
  readonly causesOf: CausesOf;
}

function renewList(before: FieldNode, after: JsonArray, { path, causesOf }: Renewal): FieldNode {
  const old = isJsonArray(before.value) ? before.value : [];
  const pairs = pairItems(old, after);
  const items = after.map((item, index) =>
    renew(before.items?.[pairs[index]!], item, { path: [...path, index], causesOf }),
  );
  return { value: after, steps: [], items };
}

function renewMapping(before: FieldNode, after: JsonObject, { path, causesOf }: Renewal): FieldNode {
  const fields = new Map<string, FieldNode>();
  for (const [key, inner] of before.fields ?? []) {
    if (!Object.hasOwn(after, key)) fields.set(key, bury(inner, { path: [...path, key], causesOf }));
  }
  for (const [key, value] of Object.entries(after)) {
    fields.set(key, renew(before.fields?.get(key), value, { path: [...path, key], causesOf }));
  }
  const steps = isLeaf(after) ? addSteps(before, after, causesOf(path, after)) : [];
  return { value: after, steps, fields };
}

/** Removed fields are kept, so that `explain` can name what removed them. */
function bury(node: FieldNode, { path, causesOf }: Renewal): FieldNode {
  if (node.value === undefined) return node;
  const steps = isLeaf(node.value) ? addSteps(node, undefined, causesOf(path, undefined)) : [];
  const fields =
    node.fields === undefined
      ? undefined
      : new Map(Array.from(node.fields, ([key, inner]) => [key, bury(inner, { path: [...path, key], causesOf })]));
  const items = node.items?.map((item, index) => bury(item, { path: [...path, index], causesOf }));
  return { value: undefined, steps, fields, items };
}

function addSteps(
  { value: before, steps }: FieldNode,
  after: Json | undefined,
  causes: readonly Cause[],
): readonly TraceStep[] {
  const isChanged = !isSameJson(before, after);
  if (!isChanged && !causes.some(({ isExplicit }) => isExplicit)) return steps;
  let now = before;
  const added = causes.map(
    ({ kind, words, location, valueLocation, keys, parameters = [], ...cause }, index): TraceStep => {
      const then = index === causes.length - 1 ? after : (cause.after ?? after);
      const known = keys === undefined ? {} : { keys };
      const step = { kind, words, location, valueLocation, ...known, before: now, after: then, parameters };
      now = then;
      return step;
    },
  );
  return [...steps, ...added];
}

/** Copies the tree with the field at a path changed; everything else is shared. */
function changeAt(node: FieldNode | undefined, path: Path, { change, owned }: FieldChange): FieldNode {
  const [step, ...rest] = path;
  if (step === undefined) return change(node);
  const { value, fields, items } = node ?? nothing;
  if (typeof step === 'number') {
    const list = isJsonArray(value) ? value : [];
    const inner = changeAt(items?.[step], rest, { change, owned });
    return {
      value: withItem(list, step, { item: inner.value, owned }),
      steps: [],
      items: withItem(items ?? [], step, { item: inner, owned }),
    };
  }
  const mapping = isJsonObject(value) ? value : {};
  const inner = changeAt(fields?.get(step), rest, { change, owned });
  return {
    value: withField(mapping, step, { value: inner.value, owned }),
    // An object that was empty is no longer a leaf.
    steps: [],
    fields: withEntry(fields, [step, inner], owned),
  };
}

interface FieldChange {
  readonly change: (node: FieldNode | undefined) => FieldNode;
  readonly owned: Owned;
}

function withEntry(
  fields: ReadonlyMap<string, FieldNode> | undefined,
  [key, node]: readonly [string, FieldNode],
  owned: Owned,
): ReadonlyMap<string, FieldNode> {
  const own = fields !== undefined && owned.has(fields) ? (fields as Map<string, FieldNode>) : new Map(fields);
  owned.add(own);
  return own.set(key, node);
}

/** Inserts an item into a list; the items after it shift. */
function insertItem(
  list: FieldNode | undefined,
  index: number,
  { item, owned }: { readonly item: FieldNode; readonly owned: Owned },
): FieldNode {
  const values = isJsonArray(list?.value) ? list.value : [];
  return {
    value: insertAt(values, index, { item: item.value ?? null, owned }),
    steps: [],
    items: insertAt(list?.items ?? [], index, { item, owned }),
  };
}

/** Removes an item from a list. A list without items is a leaf that the removal created. */
function removeItem(list: FieldNode | undefined, index: number, { path, causesOf }: Renewal): FieldNode {
  const values = (isJsonArray(list?.value) ? list.value : []).toSpliced(index, 1);
  const items = (list?.items ?? []).toSpliced(index, 1);
  const steps = values.length > 0 ? [] : addSteps(list ?? nothing, values, causesOf(path, values));
  return { value: values, steps, items };
}

/** Fields without children, in object order; removed ones come last. */
function listFields(node: FieldNode, object: Json): readonly FieldTrace[] {
  const [here, gone]: FieldTrace[][] = [[], []];
  collect(node, { path: [], value: object, here: here!, gone: gone! });
  return [...here!, ...gone!];
}

interface Collecting {
  readonly path: Path;
  readonly value: Json | undefined;
  readonly here: FieldTrace[];
  readonly gone: FieldTrace[];
}

function collect(node: FieldNode, { path, value, here, gone }: Collecting): void {
  if (value !== undefined && isLeaf(value)) here.push({ path, value, steps: node.steps });
  else if (value === undefined && node.steps.length > 0) gone.push({ path, value, steps: node.steps });
  const inside = (step: string | number, inner: FieldNode): void =>
    collect(inner, { path: [...path, step], value: stepInto(value, step), here, gone });
  if (isJsonArray(value)) {
    for (const index of value.keys()) inside(index, node.items?.[index] ?? nothing);
    return;
  }
  const keys = isJsonObject(value) ? Object.keys(value) : [];
  for (const key of new Set([...keys, ...(node.fields?.keys() ?? [])])) inside(key, node.fields?.get(key) ?? nothing);
  if (value === undefined) for (const [index, item] of (node.items ?? []).entries()) inside(index, item);
}

// A field needs memory for its steps and for its path, which grows with its depth.
const weightOfField = 10;
const mostWeight = 2_600_000;

function weigh(value: Json | undefined, depth = 0): number {
  if (typeof value !== 'object' || value === null) return weightOfField + depth;
  let weight = weightOfField;
  for (const inner of Object.values(value) as readonly Json[]) weight += weigh(inner, depth + 1);
  return weight;
}

/** Source of each field of an object. */
export function traceOf(object: KubeObject, provenance: Provenance): readonly FieldTrace[] {
  return traceFields(object, provenance.historyOf(object));
}

/** Whether an object is small enough to trace each of its fields. */
export function canTrace(object: KubeObject, { start }: Pick<ObjectHistory, 'start'>): boolean {
  return weigh(start) + weigh(object) <= 2 * mostWeight;
}

/** Source of every field of an object. List items are followed when they move. */
export function traceFields(object: KubeObject, { start, causesOf, events }: ObjectHistory): readonly FieldTrace[] {
  if (!canTrace(object, { start })) {
    throw new DiagnosticError([traceProblems.create('explain-too-large', { object: formatObject(object) })]);
  }
  let tree = renew(undefined, start, { path: [], causesOf });
  const owned: Owned = new WeakSet();
  for (const event of events) tree = applyEvent(tree, event, owned);
  return listFields(tree, object);
}

function applyEvent(tree: FieldNode, { operation, path, after, causesOf }: HistoryEvent, owned: Owned): FieldNode {
  const index = path.at(-1);
  const parent = path.slice(0, -1);
  if (operation === 'insert' && typeof index === 'number') {
    const item = renew(undefined, after, { path, causesOf });
    return changeAt(tree, parent, { change: (list) => insertItem(list, index, { item, owned }), owned });
  }
  if (operation === 'remove' && typeof index === 'number') {
    return changeAt(tree, parent, {
      change: (list) => removeItem(list, index, { path: parent, causesOf }),
      owned,
    });
  }
  return changeAt(tree, path, { change: (node) => renew(node, after, { path, causesOf }), owned });
}
