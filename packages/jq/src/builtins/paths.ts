import {
  type Code,
  codeOfEach,
  codeOfSingle,
  codeOfValues,
  type Each,
  type Emit,
  type Env,
  type Path,
  rootPath,
  standsAt,
} from '../code/code.ts';
import { descend } from '../code/navigation.ts';
import { collectPaths, pathCode, pathKeys } from '../code/updates.ts';
import { isArray, isTruthy, type JqArray, type JqValue } from '../jq-value.ts';
import { countValues, raise, step } from '../run-state.ts';
import { deletePaths, getKey, getPath, type Owned, setPath } from '../values/access.ts';
import { abbreviate, describe } from '../values/json.ts';
import { type NativeTable, value, values } from './native.ts';
import { length } from './types.ts';

function getPathCode(path: Code): Code {
  const each: Each = (input, env, emit, base) =>
    path.each(input, env, (keys) => {
      if (base !== undefined && !standsAt(base, input)) {
        raise(`Invalid path expression with result ${abbreviate(input)}`);
      }
      const target = getPath(input, keys);
      let link = base;
      if (link !== undefined) for (const key of keys as JqArray) link = { parent: link, key, value: target };
      emit(target, link);
    });
  const { single } = path;
  return single === undefined
    ? codeOfEach(each)
    : codeOfSingle((input, env) => getPath(input, single(input, env)), each);
}

/** `paths`, `paths(condition)`: every path below the input whose value satisfies the condition. */
function allPaths(condition: Code | undefined): Code {
  return codeOfValues((input, env, emit) => {
    const visit: Emit = (value, path) => {
      const take = (): void => {
        if (path?.parent !== undefined) emit(pathKeys(path));
      };
      if (condition === undefined) take();
      else {
        condition.each(value, env, (outcome) => {
          if (isTruthy(outcome)) take();
        });
      }
    };
    descend.each(input, env, visit, rootPath(input));
  });
}

function pick(body: Code): Code {
  return codeOfSingle((input, env) => {
    const owned: Owned = new Set();
    let result: JqValue = null;
    for (const keys of collectPaths(body, input, env)) result = setPath(result, keys, getPath(input, keys), owned);
    return result;
  });
}

/** A container whose children are being streamed. */
interface StreamLevel {
  readonly keys: readonly (string | number)[];
  readonly value: { readonly [key: string | number]: JqValue };
  readonly path: Path;
  at: number;
}

function openLevel(value: JqValue, path: Path): StreamLevel | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const keys = isArray(value) ? value.map((_item, index) => index) : Object.keys(value);
  return keys.length === 0 ? undefined : { keys, value: value as StreamLevel['value'], path, at: 0 };
}

/** Emits the streaming form of a value: `[path, leaf]` for every leaf, `[path]` at the end of a container. */
function toStream(emit: (event: JqValue) => void, input: JqValue): void {
  const root = openLevel(input, rootPath(input));
  if (root === undefined) {
    emit([[], input]);
    return;
  }
  const levels: StreamLevel[] = [root];
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    step();
    countValues(1);
    const key = level.keys[level.at++];
    if (key === undefined) {
      emit([pathKeys({ parent: level.path, key: level.keys.at(-1)!, value: null })]);
      levels.pop();
      continue;
    }
    const child = level.value[key]!;
    const path: Path = { parent: level.path, key, value: child };
    const inner = openLevel(child, path);
    if (inner === undefined) emit([pathKeys(path), child]);
    else levels.push(inner);
  }
}

/** Rebuilds values from their streaming form. */
function fromStream(events: Code): Code {
  return codeOfValues((input, env, emit) => {
    let owned: Owned = new Set();
    let current: JqValue = null;
    let closed = false;
    events.each(input, env, (event) => {
      if (closed) {
        current = null;
        owned = new Set();
      }
      const isLeaf = length(event) === 2;
      const path = getKey(event, 0);
      closed = length(path) === (isLeaf ? 0 : 1);
      if (isLeaf) {
        if (path !== null && !isArray(path)) raise(`array (["x"]) and ${describe(path)} cannot be added`);
        current = setPath(current, path ?? [], getKey(event, 1), owned);
      }
      if (closed) emit(current);
    });
  });
}

function deleteCode(places: Code): Code {
  return codeOfSingle((input, env: Env) => deletePaths(input, collectPaths(places, input, env)));
}

export const pathNatives: NativeTable = {
  'path/1': pathCode,
  'paths/0': () => allPaths(undefined),
  'paths/1': allPaths,
  'getpath/1': getPathCode,
  'setpath/2': value((input, path, replacement) => setPath(input, path, replacement)),
  'delpaths/1': value(deletePaths),
  'del/1': deleteCode,
  'pick/1': pick,
  'tostream/0': values(toStream),
  'fromstream/1': fromStream,
};
