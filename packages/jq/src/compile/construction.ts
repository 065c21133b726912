import { sourceError } from '../jq-error.ts';
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
import type { NodeOf } from '../syntax/syntax-tree.ts';
import { describe } from '../values/stringify.ts';
import { type Code, codeOfEach, codeOfOne, type Emit, type Env, type One } from './code.ts';
import { compileNode, formatterAt } from './compile-node.ts';
import type { Site } from './scope.ts';

export function compileArray(node: NodeOf<'array'>, site: Site): Code {
  // a new array every time: an output belongs to whoever asked for it
  if (node.body === undefined) {
    return codeOfOne(() => {
      countValues(1);
      return [];
    });
  }
  return collect(compileNode(node.body, site));
}

/** All outputs as one array. */
export function collect(body: Code): Code {
  const { one } = body;
  if (one !== undefined) {
    return codeOfOne((input, env) => {
      countValues(1);
      return [one(input, env)];
    });
  }
  return codeOfOne((input, env) => collectOutputs(body, input, env));
}

export function collectOutputs(body: Code, input: JqValue, env: Env): JqValue[] {
  const items: JqValue[] = [];
  body.each(input, env, (value) => {
    items.push(value);
    if ((items.length & 0xff) !== 0) return;
    checkArrayLength(items.length);
    countValues(0x40);
  });
  countArray(items.length & 0xff);
  // an array that grew has room for more than it holds
  return items.length < 16 ? items.slice() : items;
}

interface Entry {
  readonly key: Code;
  readonly value: Code;
}

export function compileObject(node: NodeOf<'object'>, site: Site): Code {
  const entries = node.entries.map((entry): Entry => {
    const key = compileNode(entry.key, site);
    if (key.constant !== undefined && typeof key.constant !== 'string') {
      const reason = `Cannot use ${describe(key.constant)} as object key`;
      throw sourceError({ kind: 'compile', reason, source: site.context.source, at: entry.key.at });
    }
    return { key, value: compileNode(entry.value, site) };
  });
  const simple = entries.map(({ key, value }) => ({ key: key.one, value: value.one }));
  if (
    simple.every((entry): entry is { key: One; value: One } => entry.key !== undefined && entry.value !== undefined)
  ) {
    return codeOfOne((input, env) => {
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
export function compileString(node: NodeOf<'string'>, site: Site): Code {
  const format = formatterAt(node.format ?? '@text', node.at, site);
  const parts = node.parts.map((part) => (typeof part === 'string' ? part : compileNode(part, site)));
  const simple = parts.map((part) => (typeof part === 'string' ? part : part.one));
  if (simple.every((part) => part !== undefined)) {
    return codeOfOne((input, env) => {
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
  // from the last part to the first: the first interpolation turns fastest
  return codeOfEach((input, env, emit) => prepend(parts.length - 1, '', input, env, emit));
}
