import { type JqValue, writeKey } from '../jq-value.ts';
import {
  checkArrayLength,
  checkStringLength,
  countArray,
  countObject,
  countString,
  countValues,
  raise,
} from '../run-state.ts';
import { describe } from '../values/stringify.ts';
import {
  type Code,
  codeOfEach,
  codeOfSingle,
  type EachPath,
  type Emit,
  type Env,
  lazily,
  type Single,
} from './code.ts';

/** `[]`: a new array every time, because the caller owns its outputs. */
export const emptyArray: Code = codeOfSingle(() => {
  countValues(1);
  return [];
});

/** `[body]`: all outputs as one array. */
export function collect(body: Code): Code {
  const { single } = body;
  // as in jq, the items are part of the path, though the array is not
  const paths = lazily((): EachPath => {
    const bodyPaths = body.paths();
    return (path, value, env, emit) => {
      emit(
        path,
        gather((take) => bodyPaths(path, value, env, (_path, item) => take(item))),
      );
    };
  });
  if (single !== undefined) {
    return codeOfSingle((input, env) => {
      countValues(1);
      return [single(input, env)];
    }, paths);
  }
  return codeOfSingle((input, env) => collectOutputs(body, input, env), paths);
}

export function collectOutputs(body: Code, input: JqValue, env: Env): JqValue[] {
  return gather((take) => body.each(input, env, take));
}

function gather(run: (take: Emit) => unknown): JqValue[] {
  const items: JqValue[] = [];
  run((value) => {
    items.push(value);
    if ((items.length & 0xff) !== 0) return;
    checkArrayLength(items.length);
    countValues(0x40);
  });
  countArray(items.length & 0xff);
  // an array that grew has spare capacity
  return items.length < 16 ? items.slice() : items;
}

export interface Entry {
  readonly key: Code;
  readonly value: Code;
}

/** `{key: value, …}`, for every combination of keys and values. */
export function objectCode(entries: readonly Entry[]): Code {
  const simple = entries.map(({ key, value }) => ({ key: key.single, value: value.single }));
  if (
    simple.every(
      (entry): entry is { key: Single; value: Single } => entry.key !== undefined && entry.value !== undefined,
    )
  ) {
    return codeOfSingle((input, env) => {
      countObject(simple.length);
      const object: { [key: string]: JqValue } = {};
      for (const { key, value } of simple) writeKey(object, asKey(key(input, env)), value(input, env));
      return object;
    });
  }
  return codeOfEach((input, env, emit) => addEntries(entries, 0, {}, input, env, emit));
}

function asKey(key: JqValue): string {
  return typeof key === 'string' ? key : raise(`Cannot use ${describe(key)} as object key`);
}

function addEntries(
  entries: readonly Entry[],
  at: number,
  soFar: { readonly [key: string]: JqValue },
  input: JqValue,
  env: Env,
  emit: Emit,
): void {
  const entry = entries[at];
  if (entry === undefined) {
    emit(soFar);
    return;
  }
  entry.key.each(input, env, (key) => {
    entry.value.each(input, env, (value) => {
      countObject(at + 1);
      const object = { ...soFar };
      writeKey(object, asKey(key), value);
      addEntries(entries, at + 1, object, input, env, emit);
    });
  });
}

/** `"a\(b)c"`, with every interpolated value passed through the string's format. */
export function stringCode(parts: readonly (string | Code)[], format: Single): Code {
  const simple = parts.map((part) => (typeof part === 'string' ? part : part.single));
  if (simple.every((part) => part !== undefined)) {
    return codeOfSingle((input, env) => {
      let text = '';
      for (const part of simple) {
        text += typeof part === 'string' ? part : (format(part(input, env), env) as string);
        checkStringLength(text.length);
      }
      countString(text.length);
      return text;
    });
  }
  const prepend = (at: number, tail: string, input: JqValue, env: Env, emit: Emit): void => {
    const part = parts[at];
    if (part === undefined) emit(tail);
    else if (typeof part === 'string') prepend(at - 1, part + tail, input, env, emit);
    else {
      part.each(input, env, (value) => {
        checkStringLength(tail.length);
        countString(tail.length);
        prepend(at - 1, (format(value, env) as string) + tail, input, env, emit);
      });
    }
  };
  // from the last part to the first: the first interpolation varies fastest
  return codeOfEach((input, env, emit) => prepend(parts.length - 1, '', input, env, emit));
}
