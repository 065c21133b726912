import { countNoun, didYouMean, nearest, quote } from '../../diagnostics/index.ts';
import { isJsonArray, isJsonObject, isPathBelow, stepInto, valueAt } from '../../model/index.ts';
import type { Json, JsonArray, JsonObject, Path } from '../../model/index.ts';

/** Unescaped steps of a JSON Pointer (RFC 6901); whether a step is a key or an index depends on the data. */
export type Pointer = readonly string[];

/** `/a~1b/0` → `['a/b', '0']`; the empty string is the whole document. */
export function parsePointer(text: string): Pointer | Obstacle {
  if (text === '') return [];
  if (!text.startsWith('/')) {
    return { reason: 'does not start with "/"', hint: `did you mean \`${suggestPointer(text)}\`?` };
  }
  if (/~(?![01])/.test(text)) {
    return { reason: 'has a "~" that is not followed by 0 or 1', hint: 'use ~0 for a "~" in a key, and ~1 for a "/"' };
  }
  const steps = text.slice(1).split('/').map(unescapeStep);
  if (steps.includes('__proto__')) {
    return { reason: 'contains the key "__proto__", which is not allowed', hint: 'use another key' };
  }
  return steps;
}

export function formatPointer(steps: readonly (string | number)[]): string {
  return steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function unescapeStep(step: string): string {
  return step.includes('~') ? step.replaceAll('~1', '/').replaceAll('~0', '~') : step;
}

/** Recognises `spec.replicas`, `spec/replicas`, `$.spec.list[0]` and `#/spec` as `/spec/replicas`. */
function suggestPointer(text: string): string {
  const path = text.replace(/^[#$]/, '').replace(/^[./]/, '');
  const separator = path.includes('/') ? /\// : /[.[\]]+/;
  return `/${path.split(separator).filter(Boolean).join('/')}`;
}

/** A value in a message: scalars literally, collections by type. */
export function describeJson(value: Json): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (!isJsonArray(value)) return Object.keys(value).length === 0 ? 'an empty object' : 'an object';
  return value.length === 0 ? 'an empty list' : `a list of ${countNoun(value.length, 'item')}`;
}

/** A location in a collection. `value` is `undefined` after the last item of a list and for a new key. */
export interface Place {
  readonly path: Path;
  readonly value: Json | undefined;
}

export interface Obstacle {
  readonly reason: string;
  readonly hint?: string | undefined;
}

const mostListed = 8;

/** Resolves a pointer; all steps but the last must exist. */
export function findPlace(root: Json, pointer: Pointer): Place | Obstacle {
  const path: (string | number)[] = [];
  let value: Json | undefined = root;
  for (const text of pointer) {
    if (value === undefined) return missing(root, path, text);
    const step = stepIn(value, text, path);
    if (typeof step === 'object') return step;
    value = stepInto(value, step);
    path.push(step);
  }
  return { path, value };
}

/** Explains why the location that an operation needs does not exist. */
export function explainMissing(root: Json, path: Path): Obstacle {
  const holderPath = path.slice(0, -1);
  const step = path.at(-1)!;
  const holder = valueAt(root, holderPath);
  if (isJsonArray(holder)) return beyond(holder, holderPath, String(step));
  const keys = Object.keys(holder as JsonObject);
  const hint = nearHint(holderPath, String(step), keys) ?? listHint(keys);
  return { reason: `${nameOf(holderPath)} has no key ${quote(String(step))}`, hint };
}

/** Name of a location in messages. */
export function nameOf(path: Path): string {
  return path.length === 0 ? 'the document' : quote(formatPointer(path));
}

function stepIn(value: Json, text: string, path: Path): string | number | Obstacle {
  if (isJsonArray(value)) return indexIn(value, text, path);
  if (isJsonObject(value)) return text;
  return { reason: `${nameOf(path)} must be an object or a list, got ${describeJson(value)}` };
}

function indexIn(list: JsonArray, text: string, path: Path): number | Obstacle {
  if (text === '-') return list.length;
  if (/^(?:0|[1-9][0-9]*)$/.test(text)) {
    const index = Number(text);
    return index <= list.length ? index : beyond(list, path, text);
  }
  const reason = `${nameOf(path)} is a list, and ${quote(text)} is not a valid index`;
  if (/^0[0-9]+$/.test(text)) return { reason, hint: `remove the leading zeros: \`${Number(text)}\`` };
  if (/^-[0-9]+$/.test(text)) {
    return {
      reason,
      hint: 'use `-` to append; JSON Patch does not count from the end',
    };
  }
  return { reason, hint: 'use an index, counting from 0, or `-` to append; JSON Patch does not select items by name' };
}

function beyond(list: JsonArray, path: Path, index: string): Obstacle {
  const has = `${nameOf(path)} has ${countNoun(list.length, 'item')}`;
  if (index === String(list.length)) {
    const hint = list.length === 0 ? undefined : `use ${list.length - 1} for the last item`;
    return { reason: `${has}, and the path points after the last one`, hint };
  }
  return { reason: `${has}, so index ${index} is out of range`, hint: 'use `-` to append' };
}

function missing(root: Json, path: Path, next: string): Obstacle {
  const { reason, hint } = explainMissing(root, path);
  const holder = valueAt(root, path.slice(0, -1));
  if (isJsonArray(holder)) return { reason, hint };
  const near = nearHint(path.slice(0, -1), String(path.at(-1)), Object.keys(holder as JsonObject));
  const empty = next === '-' || next === '0' ? '[]' : '{}';
  const add = `add \`${formatPointer(path)}\` with the value ${empty} first; JSON Patch does not create parents`;
  return { reason, hint: near ?? add };
}

function nearHint(holder: Path, key: string, keys: readonly string[]): string | undefined {
  return didYouMean(nearest(key, keys), (near) => `\`${formatPointer([...holder, near])}\``);
}

function listHint(keys: readonly string[]): string | undefined {
  if (keys.length === 0) return undefined;
  if (keys.length === 1) return `use ${quote(keys[0]!)}`;
  const more = keys.length > mostListed ? ', …' : '';
  return `use one of ${keys.slice(0, mostListed).map(quote).join(', ')}${more}`;
}

export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: Pointer; readonly value: Json }
  | { readonly op: 'remove'; readonly path: Pointer }
  | { readonly op: 'move' | 'copy'; readonly path: Pointer; readonly from: Pointer };

/** Reports a malformed part at a path of the patch. */
type Refuse = (path: Path, problem: Obstacle) => void;

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
  const missing = members[op].filter((member) => stepInto(operation, member) === undefined);
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
  if (op === 'move' && from.length < path.length && isPathBelow(path, from)) {
    const reason = `${nameOf(from)} cannot be moved into itself`;
    refuse(['path'], { reason, hint: 'move it to a path outside it, or copy it' });
    return undefined;
  }
  return { op, path, from };
}

function readOp(operation: JsonObject, refuse: Refuse): Op | undefined {
  const listOps = `use one of ${ops.join(', ')}`;
  const op = stepInto(operation, 'op');
  if (op === undefined) {
    const near = nearest('op', otherKeys(operation), { maxDistance: 1 }) ?? nearest('operation', otherKeys(operation));
    const hint = near === undefined ? listOps : `did you mean \`op\` instead of ${quote(near)}?`;
    refuse([], { reason: 'required field "op" is missing in the operation', hint });
    return undefined;
  }
  if (typeof op === 'string' && Object.hasOwn(members, op)) return op as Op;
  if (typeof op === 'string') {
    const hint = didYouMean(nearest(op, ops), (near) => `\`${near}\``) ?? listOps;
    refuse(['op'], { reason: `unknown operation ${quote(op)} in a JSON Patch`, hint });
  } else {
    refuse(['op'], { reason: `op must be the name of an operation, got ${describeJson(op)}`, hint: listOps });
  }
  return undefined;
}

function readPointer(operation: JsonObject, member: 'path' | 'from', refuse: Refuse): Pointer | undefined {
  const text = stepInto(operation, member);
  if (text === undefined) return undefined;
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
