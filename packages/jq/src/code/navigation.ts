import { isArray, type JqArray, type JqObject, type JqValue } from '../jq-value.ts';
import { isFailure, raise, step } from '../run-state.ts';
import { cannotIndex, cannotIterate, getKey, getSlice } from '../values/access.ts';
import { abbreviate } from '../values/json.ts';
import {
  type Code,
  codeOfEach,
  codeOfSingle,
  type Each,
  type Emit,
  type Env,
  type Path,
  type Single,
  standsAt,
} from './code.ts';
import { pipe } from './flow.ts';

/** `target[key]`; as in jq, the key varies slower than the target. */
export function indexCode(target: Code, key: Code, optional = false): Code {
  if (typeof key.constant === 'string' && !optional) return pipe(target, fieldCode(key.constant));
  const singleTarget = target.single;
  const singleKey = key.single;
  const each: Each = (input, env, emit, path) =>
    key.each(input, env, (name) =>
      target.each(input, env, (value, at) => emitKey(value, name, optional, emit, at), path),
    );
  if (optional || singleTarget === undefined || singleKey === undefined) return codeOfEach(each);
  return codeOfSingle((input, env) => {
    const name = singleKey(input, env);
    return getKey(singleTarget(input, env), name);
  }, each);
}

/** `.[key]?`: `undefined` for values without such keys. */
function getKeyIfPossible(value: JqValue, key: JqValue): JqValue | undefined {
  try {
    return getKey(value, key);
  } catch (thrown) {
    if (!isFailure(thrown)) throw thrown;
    return undefined;
  }
}

/** Passes on `.[key]` of a value, with its path if the value has one. */
function emitKey(value: JqValue, key: JqValue, optional: boolean, emit: Emit, path: Path | undefined): void {
  if (path !== undefined && !standsAt(path, value)) {
    raise(`Invalid path expression near attempt to access element ${abbreviate(key)} of ${abbreviate(value)}`);
  }
  const child = optional ? getKeyIfPossible(value, key) : getKey(value, key);
  if (child !== undefined) emit(child, path && { parent: path, key, value: child });
}

/** `.name` with a constant name: an own property or null. */
function fieldCode(name: string): Code {
  const inherited = name in Object.prototype;
  const single: Single = (input) => {
    if (typeof input !== 'object' || Array.isArray(input)) return input === undefined ? null : cannotIndex(input, name);
    if (input === null || (inherited && !Object.hasOwn(input, name))) return null;
    const value = (input as JqObject)[name];
    return value === undefined ? null : value;
  };
  return codeOfSingle(single, (input, _env, emit, path) => emitKey(input, name, false, emit, path));
}

/** `target[from:to]` */
export function sliceCode(target: Code, from: Code, to: Code, optional = false): Code {
  const each: Each = (input, env, emit, path) =>
    from.each(input, env, (start) =>
      to.each(input, env, (end) =>
        target.each(input, env, (value, at) => emitKey(value, { start, end }, optional, emit, at), path),
      ),
    );
  const { single: singleTarget } = target;
  const { single: singleFrom } = from;
  const { single: singleTo } = to;
  if (optional || singleTarget === undefined || singleFrom === undefined || singleTo === undefined) {
    return codeOfEach(each);
  }
  return codeOfSingle(
    (input, env) => getSlice(singleTarget(input, env), singleFrom(input, env), singleTo(input, env)),
    each,
  );
}

function emitItems(optional: boolean): Each {
  return (value, _env, emit, path) => {
    if (path !== undefined && !standsAt(path, value)) {
      raise(`Invalid path expression near attempt to iterate through ${abbreviate(value)}`);
    }
    if (isArray(value)) {
      for (let key = 0; key < value.length; key++) {
        step();
        emit(value[key]!, path && { parent: path, key, value: value[key]! });
      }
      return undefined;
    }
    if (typeof value !== 'object' || value === null) return optional ? undefined : cannotIterate(value);
    for (const key of Object.keys(value)) {
      step();
      emit(value[key]!, path && { parent: path, key, value: value[key]! });
    }
    return undefined;
  };
}

/** `.[]` */
export const iterate: Code = codeOfEach(emitItems(false));

/** `.[]?` */
export const iterateOptional: Code = codeOfEach(emitItems(true));

/** `..` with an explicit stack: the depth of the data must not be the depth of the calls. */
export const descend: Code = codeOfEach((input, env, emit, path) => {
  if (path !== undefined) return descendPaths(input, env, emit, path);
  const pending: JqValue[] = [input];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    step();
    emit(value);
    if (typeof value !== 'object' || value === null) continue;
    const children = isArray(value) ? value : Object.values(value);
    for (let index = children.length - 1; index >= 0; index--) pending.push(children[index]!);
  }
  return undefined;
});

function descendPaths(input: JqValue, env: Env, emit: Emit, path: Path): void {
  step();
  emit(input, path);
  if (typeof input !== 'object' || input === null) return;
  const pending: Path[] = [];
  const queue = (parent: Path, value: JqObject | JqArray): void => {
    const keys = isArray(value) ? value.map((_item, index) => index) : Object.keys(value);
    for (const key of keys.reverse()) pending.push({ parent, key, value: (value as JqObject)[key]! });
  };
  if (!standsAt(path, input)) iterate.each(input, env, emit, path);
  queue(path, input);
  for (let here = pending.pop(); here !== undefined; here = pending.pop()) {
    step();
    const { value } = here;
    emit(value, here);
    if (typeof value === 'object' && value !== null) queue(here, value);
  }
}

/** Down to this depth, children are produced one by one, on demand. */
const lazyDepth = 200;

/**
 * `recurse(body)`. Below the lazy depth, all outputs of the body are produced before the first is visited, because the
 * nesting then needs no stack.
 */
export function recurse(body: Code): Code {
  return codeOfEach((input, env, emit, path) => {
    const visit = (value: JqValue, at: Path | undefined, depth: number): void => {
      step();
      emit(value, at);
      if (depth < lazyDepth) body.each(value, env, (child, childAt) => visit(child, childAt, depth + 1), at);
      else visitDeep(value, at);
    };
    const visitDeep = (value: JqValue, at: Path | undefined): void => {
      const pending: Place[] = [];
      const queue = (from: JqValue, fromAt: Path | undefined): void => {
        const children: Place[] = [];
        body.each(from, env, (child, childAt) => void children.push({ value: child, path: childAt }), fromAt);
        for (const child of children.reverse()) pending.push(child);
      };
      queue(value, at);
      for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
        step();
        emit(next.value, next.path);
        queue(next.value, next.path);
      }
    };
    visit(input, path, 0);
  });
}

/** A value, with its path if paths are needed. */
interface Place {
  readonly value: JqValue;
  readonly path: Path | undefined;
}
