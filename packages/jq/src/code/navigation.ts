import { isArray, type JqArray, type JqObject, type JqValue } from '../jq-value.ts';
import { isFailure, raise, step } from '../run-state.ts';
import { cannotIndex, cannotIterate, getKey, getSlice } from '../values/access.ts';
import { abbreviate } from '../values/json.ts';
import {
  type Code,
  codeOfEach,
  codeOfSingle,
  type EachPath,
  type Emit,
  type Env,
  lazily,
  type Single,
  type Path,
  type PathEmit,
  standsAt,
} from './code.ts';
import { pipe } from './flow.ts';

/** `target[key]`; as in jq, the key varies slower than the target. */
export function indexCode(target: Code, key: Code, optional = false): Code {
  if (typeof key.constant === 'string' && !optional) return pipe(target, fieldCode(key.constant));
  const singleTarget = target.single;
  const singleKey = key.single;
  const paths = lazily((): EachPath => {
    const targetPaths = target.paths();
    return (path, value, env, emit) => {
      key.each(value, env, (name) => {
        targetPaths(path, value, env, (innerPath, inner) => emitKey(innerPath, inner, name, optional, emit));
      });
    };
  });
  if (optional) {
    return codeOfEach((input, env, emit) => {
      key.each(input, env, (name) => {
        target.each(input, env, (value) => {
          const child = getKeyIfPossible(value, name);
          if (child !== undefined) emit(child);
        });
      });
    }, paths);
  }
  if (singleTarget !== undefined && singleKey !== undefined) {
    return codeOfSingle((input, env) => {
      const name = singleKey(input, env);
      return getKey(singleTarget(input, env), name);
    }, paths);
  }
  return codeOfEach((input, env, emit) => {
    key.each(input, env, (name) => {
      target.each(input, env, (value) => emit(getKey(value, name)));
    });
  }, paths);
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

/** Passes on `.[key]` of a value with its path. */
function emitKey(path: Path, value: JqValue, key: JqValue, optional: boolean, emit: PathEmit): void {
  if (!standsAt(path, value)) {
    raise(`Invalid path expression near attempt to access element ${abbreviate(key)} of ${abbreviate(value)}`);
  }
  const child = optional ? getKeyIfPossible(value, key) : getKey(value, key);
  if (child !== undefined) emit({ parent: path, key, value: child }, child);
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
  return codeOfSingle(single, () => (path, value, _env, emit) => emitKey(path, value, name, false, emit));
}

interface Bounds {
  readonly from: Code;
  readonly to: Code;
}

/** `target[from:to]` */
export function sliceCode(target: Code, { from, to }: Bounds, optional = false): Code {
  const paths = lazily((): EachPath => {
    const targetPaths = target.paths();
    return (path, value, env, emit) => {
      from.each(value, env, (start) => {
        to.each(value, env, (end) => {
          targetPaths(path, value, env, (innerPath, inner) =>
            emitKey(innerPath, inner, { start, end }, optional, emit),
          );
        });
      });
    };
  });
  const { single: singleTarget } = target;
  const { single: singleFrom } = from;
  const { single: singleTo } = to;
  if (!optional && singleTarget !== undefined && singleFrom !== undefined && singleTo !== undefined) {
    return codeOfSingle(
      (input, env) => getSlice(singleTarget(input, env), singleFrom(input, env), singleTo(input, env)),
      paths,
    );
  }
  return codeOfEach((input, env, emit) => {
    from.each(input, env, (start) => {
      to.each(input, env, (end) => {
        target.each(input, env, (value) => {
          const part = optional ? getKeyIfPossible(value, { start, end }) : getSlice(value, start, end);
          if (part !== undefined) emit(part);
        });
      });
    });
  }, paths);
}

function forEachItem(value: JqValue, emit: Emit): void {
  if (isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      step();
      emit(value[index]!);
    }
    return;
  }
  if (typeof value !== 'object' || value === null) cannotIterate(value);
  for (const key of Object.keys(value)) {
    step();
    emit(value[key]!);
  }
}

function emitItems(path: Path, value: JqValue, emit: PathEmit): void {
  if (!standsAt(path, value)) raise(`Invalid path expression near attempt to iterate through ${abbreviate(value)}`);
  if (isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      step();
      emit({ parent: path, key: index, value: value[index]! }, value[index]!);
    }
    return;
  }
  if (typeof value !== 'object' || value === null) cannotIterate(value);
  for (const key of Object.keys(value)) {
    step();
    emit({ parent: path, key, value: value[key]! }, value[key]!);
  }
}

/** `.[]` */
export const iterate: Code = codeOfEach(
  (input, _env, emit) => forEachItem(input, emit),
  () => (path, value, _env, emit) => emitItems(path, value, emit),
);

/** `.[]?` */
export const iterateOptional: Code = codeOfEach(
  (input, _env, emit) => {
    if (typeof input === 'object' && input !== null) forEachItem(input, emit);
  },
  () => (path, value, _env, emit) => {
    if (!standsAt(path, value) || (typeof value === 'object' && value !== null)) emitItems(path, value, emit);
  },
);

/** `..` with an explicit stack: the depth of the data must not be the depth of the calls. */
export const descend: Code = codeOfEach(
  (input, _env, emit) => {
    const pending: JqValue[] = [input];
    for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
      step();
      emit(value);
      if (typeof value !== 'object' || value === null) continue;
      const children = isArray(value) ? value : Object.values(value);
      for (let index = children.length - 1; index >= 0; index--) pending.push(children[index]!);
    }
  },
  () => (path, input, _env, emit) => {
    step();
    emit(path, input);
    if (typeof input !== 'object' || input === null) return;
    const pending: Path[] = [];
    const queue = (parent: Path, value: JqObject | JqArray): void => {
      const keys = isArray(value) ? value.map((_item, index) => index) : Object.keys(value);
      for (const key of keys.reverse()) pending.push({ parent, key, value: (value as JqObject)[key]! });
    };
    if (!standsAt(path, input)) emitItems(path, input, emit);
    queue(path, input);
    for (let here = pending.pop(); here !== undefined; here = pending.pop()) {
      step();
      const { value } = here;
      emit(here, value);
      if (typeof value === 'object' && value !== null) queue(here, value);
    }
  },
);

/** A value, with its path if paths are needed. */
interface Place {
  readonly value: JqValue;
  readonly path: Path | undefined;
}

type Visit = (place: Place) => void;
type Children = (place: Place, visit: Visit) => void;

/** Down to this depth, children are produced one by one, on demand. */
const lazyDepth = 200;

/**
 * Visits a value and, recursively, its `children`. Below the lazy depth, all children of a value are produced before
 * the first is visited, because the nesting then needs no stack.
 */
function visitAll(place: Place, depth: number, children: Children, visit: Visit): void {
  step();
  visit(place);
  if (depth < lazyDepth) {
    children(place, (child) => visitAll(child, depth + 1, children, visit));
    return;
  }
  const pending: Place[] = [];
  const queue = (from: Place): void => {
    const offspring: Place[] = [];
    children(from, (child) => offspring.push(child));
    for (const child of offspring.reverse()) pending.push(child);
  };
  queue(place);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    step();
    visit(next);
    queue(next);
  }
}

/** `recurse(body)` */
export function recurse(body: Code): Code {
  return codeOfEach(
    (input, env: Env, emit) => {
      const children: Children = ({ value }, visit) => {
        body.each(value, env, (child) => visit({ value: child, path: undefined }));
      };
      visitAll({ value: input, path: undefined }, 0, children, ({ value }) => emit(value));
    },
    lazily(() => {
      const bodyPaths = body.paths();
      return (path, input, env, emit) => {
        const children: Children = (place, visit) => {
          bodyPaths(place.path!, place.value, env, (childPath, child) => visit({ value: child, path: childPath }));
        };
        visitAll({ value: input, path }, 0, children, (place) => emit(place.path!, place.value));
      };
    }),
  );
}
