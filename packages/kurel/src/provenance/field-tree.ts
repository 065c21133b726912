import { formatObject } from '../kube/index.ts';
import { isJsonArray, isJsonObject, isSameJson, stepInto, TreeEdits } from '../model/index.ts';
import type { Json, JsonArray, JsonObject, KubeObject, Path } from '../model/index.ts';
import { isLeaf } from './field-trace.ts';
import type { Cause, CausesOf, FieldTrace, HistoryEvent, ObjectHistory, TraceStep } from './field-trace.ts';
import { pairItems } from './pair-items.ts';
import { traceProblems } from './problems.ts';

/** A value during a build with the steps of each part. Only nodes that are not shared are changed in place. */
interface FieldNode {
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
  if (after === undefined) return markRemoved(before, { path, causesOf });
  if (isJsonArray(after) && after.length > 0) return renewList(before, after, { path, causesOf });
  if (isJsonObject(after)) return renewMapping(before, after, { path, causesOf });
  return { value: after, steps: addSteps(before, after, causesOf(path, after)) };
}

interface Renewal {
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
    if (!Object.hasOwn(after, key)) fields.set(key, markRemoved(inner, { path: [...path, key], causesOf }));
  }
  for (const [key, value] of Object.entries(after)) {
    fields.set(key, renew(before.fields?.get(key), value, { path: [...path, key], causesOf }));
  }
  const steps = isLeaf(after) ? addSteps(before, after, causesOf(path, after)) : [];
  return { value: after, steps, fields };
}

/** Removed fields are kept, so that `explain` can name what removed them. */
function markRemoved(node: FieldNode, { path, causesOf }: Renewal): FieldNode {
  if (node.value === undefined) return node;
  const steps = isLeaf(node.value) ? addSteps(node, undefined, causesOf(path, undefined)) : [];
  const fields =
    node.fields === undefined
      ? undefined
      : new Map(
          Array.from(node.fields, ([key, inner]) => [key, markRemoved(inner, { path: [...path, key], causesOf })]),
        );
  const items = node.items?.map((item, index) => markRemoved(item, { path: [...path, index], causesOf }));
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
      const places = { location, valueLocation, ...(keys === undefined ? {} : { keys }) };
      const step = { kind, words, ...places, before: now, after: then, parameters };
      now = then;
      return step;
    },
  );
  return [...steps, ...added];
}

/** Fields without children, in object order; removed ones come last. */
function listFields(root: FieldNode, object: Json): readonly FieldTrace[] {
  const present: FieldTrace[] = [];
  const removed: FieldTrace[] = [];
  collect(root, [], object);
  return [...present, ...removed];

  function collect(node: FieldNode, path: Path, value: Json | undefined): void {
    if (value !== undefined && isLeaf(value)) present.push({ path, value, steps: node.steps });
    else if (value === undefined && node.steps.length > 0) removed.push({ path, value, steps: node.steps });
    const enter = (step: string | number, inner: FieldNode): void =>
      collect(inner, [...path, step], stepInto(value, step));
    if (isJsonArray(value)) {
      for (const index of value.keys()) enter(index, node.items?.[index] ?? nothing);
      return;
    }
    const keys = isJsonObject(value) ? Object.keys(value) : [];
    for (const key of new Set([...keys, ...(node.fields?.keys() ?? [])])) enter(key, node.fields?.get(key) ?? nothing);
    if (value === undefined) for (const [index, item] of (node.items ?? []).entries()) enter(index, item);
  }
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

/** Whether an object is small enough to trace each of its fields. */
export function canTrace(object: KubeObject, { start }: Pick<ObjectHistory, 'start'>): boolean {
  return weigh(start) + weigh(object) <= 2 * mostWeight;
}

/** Source of every field of an object. List items are followed when they move. */
export function traceFields(object: KubeObject, { start, causesOf, events }: ObjectHistory): readonly FieldTrace[] {
  if (!canTrace(object, { start })) throw traceProblems.error('explain-too-large', { object: formatObject(object) });
  const edits = new TreeEdits();
  let tree = renew(undefined, start, { path: [], causesOf });
  for (const event of events) tree = applyEvent(tree, event);
  return listFields(tree, object);

  function applyEvent(root: FieldNode, { operation, path, from, after, causesOf: causes }: HistoryEvent): FieldNode {
    const index = path.at(-1);
    const parent = path.slice(0, -1);
    if (typeof index === 'string' && after === undefined) {
      return changeAt(root, parent, (node) => removeField(node, index, { path: parent, causesOf: causes }));
    }
    if (typeof index !== 'number' || operation === 'set') {
      return changeAt(root, path, (node) => renew(node, after, { path, causesOf: causes }));
    }
    return changeAt(root, parent, (list) => {
      const values = isJsonArray(list.value) ? list.value : [];
      const items = list.items ?? [];
      if (operation === 'insert') {
        const item = renew(undefined, after, { path, causesOf: causes });
        const value = edits.insertItem(values, index, item.value ?? null);
        return { value, steps: [], items: edits.insertItem(items, index, item) };
      }
      const change = <Item>(all: readonly Item[]): readonly Item[] =>
        operation === 'move' ? all.toSpliced(from!, 1).toSpliced(index, 0, all[from!]!) : all.toSpliced(index, 1);
      const left = change(values);
      // A list without items is a leaf that the removal created.
      const steps = left.length > 0 ? [] : addSteps(list, left, causes(parent, left));
      return { value: left, steps, items: change(items) };
    });
  }

  function removeField(node: FieldNode, key: string, { path, causesOf: causes }: Renewal): FieldNode {
    const last = stepInto(node.value, key);
    const left = changeAt(node, [key], (field) => markRemoved(field, { path: [...path, key], causesOf: causes }));
    if (last === undefined || left.value === undefined || !isLeaf(left.value)) return left;
    // An object without fields is a leaf that the removal created.
    return { ...left, value: {}, steps: addSteps({ ...node, value: { [key]: last } }, {}, causes(path, {})) };
  }

  /** Copies the tree with the field at a path changed; everything else is shared. */
  function changeAt(node: FieldNode | undefined, path: Path, change: (node: FieldNode) => FieldNode): FieldNode {
    const [step, ...rest] = path;
    if (step === undefined) return change(node ?? nothing);
    const { value, fields, items } = node ?? nothing;
    // An object that was empty is no longer a leaf, so it has no steps.
    if (typeof step === 'number') {
      const inner = changeAt(items?.[step], rest, change);
      const list = edits.putItem(isJsonArray(value) ? value : [], step, inner.value);
      return { value: list, steps: [], items: edits.putItem(items ?? [], step, inner) };
    }
    const inner = changeAt(fields?.get(step), rest, change);
    const mapping = edits.putField(isJsonObject(value) ? value : {}, step, inner.value);
    const before = fields ?? new Map<string, FieldNode>();
    const own = edits.own(before, () => new Map(before)) as Map<string, FieldNode>;
    return { value: mapping, steps: [], fields: own.set(step, inner) };
  }
}
