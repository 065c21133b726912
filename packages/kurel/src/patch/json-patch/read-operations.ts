import { nearest, quote } from '../../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject, Path } from '../../model/index.ts';
import { describeJson, isWithin, parsePointer } from './parse-pointer.ts';
import { nameOf } from './find-place.ts';
import type { Pointer } from './parse-pointer.ts';

export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: Pointer; readonly value: Json }
  | { readonly op: 'remove'; readonly path: Pointer }
  | { readonly op: 'move' | 'copy'; readonly path: Pointer; readonly from: Pointer };

/** Reports a malformed part at a path of the patch. */
type Refuse = (path: Path, problem: { readonly reason: string; readonly hint?: string | undefined }) => void;

const members = {
  add: ['path', 'value'],
  remove: ['path'],
  replace: ['path', 'value'],
  move: ['from', 'path'],
  copy: ['from', 'path'],
  test: ['path', 'value'],
} as const;

type Op = keyof typeof members;

const ops = Object.keys(members);
const pattern = '{ op: …, path: … }';

/** Parses the operations and their pointers; leaves out invalid ones. */
export function readOperations(patch: Json, refuse: Refuse): readonly JsonPatchOperation[] {
  if (!isJsonArray(patch)) {
    const hint = isJsonObject(patch)
      ? `put "- " before the operation: \`- ${pattern}\``
      : `use a list of operations: \`- ${pattern}\``;
    refuse([], { reason: `a JSON Patch must be a list of operations, got ${describeJson(patch)}`, hint });
    return [];
  }
  return patch
    .map((operation, index) => readOperation(operation, (path, problem) => refuse([index, ...path], problem)))
    .filter((operation) => operation !== undefined);
}

function readOperation(operation: Json, refuse: Refuse): JsonPatchOperation | undefined {
  if (!isJsonObject(operation)) {
    const reason = `a JSON Patch operation must be an object, got ${describeJson(operation)}`;
    refuse([], { reason, hint: `use \`${pattern}\`` });
    return undefined;
  }
  const op = readOp(operation, refuse);
  if (op === undefined) return undefined;
  const missing = members[op].filter((member) => !has(operation, member));
  for (const member of missing) {
    const hint = nearMember(operation, op, member) ?? explainMember(member);
    refuse([], { reason: `required field ${quote(member)} is missing in the operation ${quote(op)}`, hint });
  }
  const path = readPointer(operation, 'path', refuse);
  const from = op === 'move' || op === 'copy' ? readPointer(operation, 'from', refuse) : undefined;
  if (missing.length > 0 || path === undefined) return undefined;
  if (op === 'remove') return { op, path };
  if (op !== 'move' && op !== 'copy') return { op, path, value: operation['value']! };
  if (from === undefined) return undefined;
  if (op === 'move' && from.length < path.length && isWithin(path, from)) {
    const reason = `${nameOf(from)} cannot be moved into itself`;
    refuse(['path'], { reason, hint: 'move it to a path outside it, or copy it' });
    return undefined;
  }
  return { op, path, from };
}

function readOp(operation: JsonObject, refuse: Refuse): Op | undefined {
  const known = `use one of ${ops.join(', ')}`;
  if (!has(operation, 'op')) {
    const near = nearest('op', otherKeys(operation), { maxDistance: 1 }) ?? nearest('operation', otherKeys(operation));
    const hint = near === undefined ? known : `did you mean \`op\` instead of ${quote(near)}?`;
    refuse([], { reason: 'required field "op" is missing in the operation', hint });
    return undefined;
  }
  const op = operation['op']!;
  if (typeof op === 'string' && Object.hasOwn(members, op)) return op as Op;
  if (typeof op === 'string') {
    const near = nearest(op, ops);
    const hint = near === undefined ? known : `did you mean \`${near}\`?`;
    refuse(['op'], { reason: `unknown operation ${quote(op)} in a JSON Patch`, hint });
  } else {
    refuse(['op'], { reason: `op must be the name of an operation, got ${describeJson(op)}`, hint: known });
  }
  return undefined;
}

function readPointer(operation: JsonObject, member: 'path' | 'from', refuse: Refuse): Pointer | undefined {
  if (!has(operation, member)) return undefined;
  const text = operation[member]!;
  if (typeof text !== 'string') {
    const reason = `${member} must be a string such as "/spec/replicas", got ${describeJson(text)}`;
    refuse([member], { reason, hint: explainMember(member) });
    return undefined;
  }
  const pointer = parsePointer(text);
  if (!('reason' in pointer)) return pointer;
  refuse([member], { reason: `the ${quote(member)} ${quote(text)} ${pointer.reason}`, hint: pointer.hint });
  return undefined;
}

function has(operation: JsonObject, member: string): boolean {
  return Object.hasOwn(operation, member) && operation[member] !== undefined;
}

/** The RFC requires unknown members to be ignored, but one of them may be a typo. */
function nearMember(operation: JsonObject, op: Op, member: string): string | undefined {
  const unused = otherKeys(operation).filter((key) => !(members[op] as readonly string[]).includes(key));
  const near = nearest(member, unused, { maxDistance: 2 });
  return near === undefined ? undefined : `did you mean \`${member}\` instead of ${quote(near)}?`;
}

function otherKeys(operation: JsonObject): string[] {
  return Object.keys(operation).filter((key) => key !== 'op');
}

function explainMember(member: 'path' | 'from' | 'value'): string {
  if (member === 'value') return 'add `value:`, or `value: null` for null';
  const what = member === 'path' ? 'the field to change' : 'the value to use';
  return `use a JSON Pointer to ${what}: \`${member}: /spec/replicas\``;
}
