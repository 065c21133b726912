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

/** Reports that something at a path of the patch is malformed. */
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

/** The operations with their pointers taken apart, without those that are refused. */
export function readOperations(patch: Json, refuse: Refuse): readonly JsonPatchOperation[] {
  if (!isJsonArray(patch)) {
    const hint = isJsonObject(patch)
      ? `put "- " in front of the operation: \`- ${pattern}\``
      : `write a list of operations: \`- ${pattern}\``;
    refuse([], { reason: `a JSON Patch is a list of operations, but this is ${describeJson(patch)}`, hint });
    return [];
  }
  return patch
    .map((operation, index) => readOperation(operation, (path, problem) => refuse([index, ...path], problem)))
    .filter((operation) => operation !== undefined);
}

function readOperation(operation: Json, refuse: Refuse): JsonPatchOperation | undefined {
  if (!isJsonObject(operation)) {
    const reason = `an operation of a JSON Patch is a mapping, but this is ${describeJson(operation)}`;
    refuse([], { reason, hint: `write \`${pattern}\`` });
    return undefined;
  }
  const op = readOp(operation, refuse);
  if (op === undefined) return undefined;
  const missing = members[op].filter((member) => !has(operation, member));
  for (const member of missing) {
    const hint = nearMember(operation, op, member) ?? explainMember(member);
    refuse([], { reason: `the operation ${quote(op)} has no ${quote(member)}`, hint });
  }
  const path = readPointer(operation, 'path', refuse);
  const from = op === 'move' || op === 'copy' ? readPointer(operation, 'from', refuse) : undefined;
  if (missing.length > 0 || path === undefined) return undefined;
  if (op === 'remove') return { op, path };
  if (op !== 'move' && op !== 'copy') return { op, path, value: operation['value']! };
  if (from === undefined) return undefined;
  if (op === 'move' && from.length < path.length && isWithin(path, from)) {
    const reason = `${nameOf(from)} cannot be moved into itself`;
    refuse(['path'], { reason, hint: 'move it to a place outside of it, or copy it' });
    return undefined;
  }
  return { op, path, from };
}

function readOp(operation: JsonObject, refuse: Refuse): Op | undefined {
  const known = `an operation is one of ${ops.join(', ')}`;
  if (!has(operation, 'op')) {
    const near = nearest('op', otherKeys(operation), { maxDistance: 1 }) ?? nearest('operation', otherKeys(operation));
    const hint = near === undefined ? known : `did you mean \`op\` instead of ${quote(near)}?`;
    refuse([], { reason: 'the operation has no "op"', hint });
    return undefined;
  }
  const op = operation['op']!;
  if (typeof op === 'string' && Object.hasOwn(members, op)) return op as Op;
  if (typeof op === 'string') {
    const near = nearest(op, ops);
    const hint = near === undefined ? known : `did you mean \`${near}\`?`;
    refuse(['op'], { reason: `JSON Patch has no operation ${quote(op)}`, hint });
  } else {
    refuse(['op'], { reason: `"op" is the name of an operation, but this is ${describeJson(op)}`, hint: known });
  }
  return undefined;
}

function readPointer(operation: JsonObject, member: 'path' | 'from', refuse: Refuse): Pointer | undefined {
  if (!has(operation, member)) return undefined;
  const text = operation[member]!;
  if (typeof text !== 'string') {
    const reason = `${quote(member)} is a text such as "/spec/replicas", but this is ${describeJson(text)}`;
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

/** Members that no operation knows are ignored, as the RFC demands; one of them may be a slip. */
function nearMember(operation: JsonObject, op: Op, member: string): string | undefined {
  const unused = otherKeys(operation).filter((key) => !(members[op] as readonly string[]).includes(key));
  const near = nearest(member, unused, { maxDistance: 2 });
  return near === undefined ? undefined : `did you mean \`${member}\` instead of ${quote(near)}?`;
}

function otherKeys(operation: JsonObject): string[] {
  return Object.keys(operation).filter((key) => key !== 'op');
}

function explainMember(member: 'path' | 'from' | 'value'): string {
  if (member === 'value') return 'add `value:`; for null write `value: null`';
  const what = member === 'path' ? 'the place to change' : 'the place to take the value from';
  return `\`${member}\` is a JSON Pointer to ${what}: \`${member}: /spec/replicas\``;
}
