import { sourceError } from '../jq-error.ts';
import { isArray, isObject, type JqValue, typeOf } from '../jq-value.ts';
import { raise } from '../run-state.ts';
import type { Pattern } from '../syntax/syntax-tree.ts';
import { getKey } from '../values/access.ts';
import { describe } from '../values/stringify.ts';
import type { Env } from './code.ts';
import { compileNode } from './compile-node.ts';
import type { Site } from './scope.ts';

/** Writes what a pattern finds into `values` (the variables of `env`) and calls `done` once per way to match. */
type Destructure = (value: JqValue, env: Env, values: JqValue[], done: (env: Env) => void) => void;

export function namesOf(pattern: Pattern): readonly string[] {
  switch (pattern.type) {
    case 'name':
      return [pattern.name];
    case 'list':
      return pattern.items.flatMap(namesOf);
    default:
      return pattern.fields.flatMap((field) => [
        ...(field.name === undefined ? [] : [field.name]),
        ...(field.pattern === undefined ? [] : namesOf(field.pattern)),
      ]);
  }
}

export function compileDestructuring(pattern: Pattern, site: Site, names: readonly string[]): Destructure {
  switch (pattern.type) {
    case 'name':
      return bindName(names.indexOf(pattern.name));
    case 'list':
      return inTurn(pattern.items.map((item, index) => bindItem(index, compileDestructuring(item, site, names))));
    default:
      return inTurn(pattern.fields.map((field) => compileField(field, site, names)));
  }
}

function bindName(index: number): Destructure {
  return (value, env, values, done) => {
    values[index] = value;
    done(env);
  };
}

function bindItem(index: number, item: Destructure): Destructure {
  return (value, env, values, done) => {
    if (value !== null && !isArray(value)) raise(`Cannot index ${typeOf(value)} with ${describe(index)}`);
    item(getKey(value, index), env, values, done);
  };
}

function compileField(
  field: Extract<Pattern, { type: 'fields' }>['fields'][number],
  site: Site,
  names: readonly string[],
): Destructure {
  const key = compileNode(field.key, site);
  if (key.constant !== undefined && typeof key.constant !== 'string') {
    const reason = `Cannot use ${describe(key.constant)} as object key`;
    throw sourceError({ kind: 'compile', reason, source: site.context.source, at: field.key.at });
  }
  const name = field.name === undefined ? undefined : bindName(names.indexOf(field.name));
  const pattern = field.pattern === undefined ? undefined : compileDestructuring(field.pattern, site, names);
  return (value, env, values, done) => {
    key.each(value, env, (keyValue) => {
      if (typeof keyValue !== 'string') raise(`Cannot index ${typeOf(value)} with ${describe(keyValue)}`);
      if (value !== null && !isObject(value)) raise(`Cannot index ${typeOf(value)} with ${describe(keyValue)}`);
      const found = getKey(value, keyValue);
      if (name !== undefined) name(found, env, values, ignore);
      if (pattern === undefined) done(env);
      else pattern(found, env, values, done);
    });
  };
}

function ignore(): void {
  // the value is stored; nothing follows yet
}

function inTurn(parts: readonly Destructure[]): Destructure {
  const from = (at: number, value: JqValue, env: Env, values: JqValue[], done: (env: Env) => void): void => {
    const part = parts[at];
    if (part === undefined) done(env);
    else part(value, env, values, () => from(at + 1, value, env, values, done));
  };
  return (value, env, values, done) => from(0, value, env, values, done);
}
