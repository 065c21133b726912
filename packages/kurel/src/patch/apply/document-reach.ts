import { isJsonArray, isJsonObject, stepInto } from '../../model/index.ts';
import type { Json, JsonObject } from '../../model/index.ts';
import type { SchemaNode } from '../../schema/index.ts';
import { parsePointer } from '../json-patch/read-operations.ts';
import type { DocumentPatch } from '../patch.ts';
import { isClosed } from './find-places.ts';
import type { ObjectPatching } from './patch-run.ts';

interface Part {
  readonly value: Json | undefined;
  readonly node: SchemaNode | undefined;
}

/**
 * Whether a document for every kind applies to this object: its kind must have all fields that the document names. Without a
 * schema, the object itself must have them.
 */
export function isDocumentReached(
  type: DocumentPatch['type'],
  document: Json,
  { object, shape }: Pick<ObjectPatching, 'object' | 'shape'>,
): boolean {
  const root = { value: object, node: shape.schema };
  if (type === 'json') return isJsonArray(document) && document.every((operation) => reachesOperation(root, operation));
  return isJsonObject(document) && reachesFields(root, document, type === 'strategic');
}

function reachesFields(part: Part, fields: JsonObject, hasDirectives: boolean): boolean {
  return Object.entries(fields).every(([key, value]) => {
    if (hasDirectives && key.startsWith('$')) return true;
    const inner = enter(part, key);
    if (inner === undefined) return false;
    // A deletion applies to the objects that have the field.
    if (value === null) return inner.value !== undefined;
    return !isJsonObject(value) || reachesFields(inner, value, hasDirectives);
  });
}

/** The part at a key; `undefined` if the kind, or without a schema the object, has no such field. */
function enter({ value, node }: Part, key: string): Part | undefined {
  const inner = { value: inside(value, key), node: isJsonArray(value) ? node?.items : node?.property(key) };
  if (inner.value !== undefined || inner.node !== undefined) return inner;
  const isFree = node !== undefined && node.type !== 'any' && !isClosed(node);
  return isFree ? inner : undefined;
}

/** `add` creates the last field; every other operation needs it. */
function reachesOperation(root: Part, operation: Json): boolean {
  if (!isJsonObject(operation)) return true;
  const { op, path, from } = operation;
  const steps = pointerSteps(path);
  const isNew = op === 'add' || op === 'move' || op === 'copy';
  return (
    (isNew ? reachesParent(root, steps) : hasValue(root, steps)) &&
    (from === undefined || hasValue(root, pointerSteps(from)))
  );
}

function pointerSteps(pointer: Json | undefined): readonly string[] {
  const steps = typeof pointer === 'string' ? parsePointer(pointer) : [];
  return Array.isArray(steps) ? steps : [];
}

/** The digits of a pointer are an index in a list, and a key in an object. */
function inside(value: Json | undefined, step: string): Json | undefined {
  return stepInto(value, isJsonArray(value) && /^[0-9]+$/.test(step) ? Number(step) : step);
}

function reachesParent(root: Part, steps: readonly string[]): boolean {
  const holder = steps.slice(0, -1).reduce<Part | undefined>((part, step) => part && enter(part, step), root);
  const last = steps.at(-1);
  if (holder?.value === undefined) return false;
  return last === undefined || isJsonArray(holder.value) || enter(holder, last) !== undefined;
}

function hasValue(root: Part, steps: readonly string[]): boolean {
  return steps.reduce<Json | undefined>((value, step) => inside(value, step), root.value) !== undefined;
}
