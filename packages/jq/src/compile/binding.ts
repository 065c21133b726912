import type { Env } from '../code/code.ts';
import type { Binder } from '../code/loops.ts';
import { isArray, isObject, type JqValue } from '../jq-value.ts';
import { isFailure, runState } from '../run-state.ts';
import type { Pattern, PatternField } from '../syntax/syntax-tree.ts';
import { cannotIndex, getKey } from '../values/access.ts';
import { bind, compileKey, type Scope, type Site } from './scope.ts';

interface PatternBinding extends Binder {
  /** Where the names of the patterns are in scope. */
  readonly site: Site;
}

/** Compiles the patterns between `as` and `|`; of several patterns the first match is used. */
export function compileBinding(patterns: readonly Pattern[], site: Site): PatternBinding {
  const level = site.level + 1;
  const [only] = patterns;
  if (patterns.length === 1 && only?.type === 'name') {
    const scope = bind(site.scope, { kind: 'variable', name: only.name, level, index: undefined });
    return { site: { ...site, scope, level }, run: (value, parent, body) => body({ parent, value }), simple: true };
  }
  const names = [...new Set(patterns.flatMap(namesOf))];
  const scope = names.reduce<Scope | undefined>(
    (outer, name, index) => bind(outer, { kind: 'variable', name, level, index }),
    site.scope,
  );
  const inner: Site = { ...site, scope, level };
  const alternatives = patterns.map((pattern) =>
    destructuring(pattern, { site: inner, outer: site.scope, names, bound: new Set() }),
  );
  const blank = names.map(() => null);
  const run: Binder['run'] = (value, parent, body) => {
    for (const [index, destructure] of alternatives.entries()) {
      const values: JqValue[] = [...blank];
      const { depth } = runState;
      try {
        destructure(value, { parent, value: values }, values, body);
        return;
      } catch (thrown) {
        // an error in the pattern or in the body leads to the next alternative
        if (!isFailure(thrown) || index === alternatives.length - 1) throw thrown;
        runState.depth = depth;
      }
    }
  };
  return { site: inner, run, simple: false };
}

/** Writes the matches of a pattern into `values` (the variables of `env`) and calls `done` once per way to match. */
type Destructure = (value: JqValue, env: Env, values: JqValue[], done: (env: Env) => void) => void;

function namesOf(pattern: Pattern): readonly string[] {
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

interface PatternSite {
  readonly site: Site;
  /** The scope around the pattern. */
  readonly outer: Scope | undefined;
  readonly names: readonly string[];
  /** Names that already have a slot in this pattern. */
  readonly bound: Set<string>;
}

function destructuring(pattern: Pattern, at: PatternSite): Destructure {
  switch (pattern.type) {
    case 'name':
      return bindName(pattern.name, at);
    case 'list': {
      // as in jq, the last item comes first
      const items = pattern.items.map((item, index) => ({ item, index })).toReversed();
      return inTurn(items.map(({ item, index }) => bindItem(index, destructuring(item, at))));
    }
    default:
      return inTurn(pattern.fields.map((field) => compileField(field, at)));
  }
}

/** A name that occurs twice has the value of its first occurrence. */
function bindName(name: string, { names, bound }: PatternSite): Destructure {
  const index = bound.has(name) ? -1 : names.indexOf(name);
  bound.add(name);
  return (value, env, values, done) => {
    if (index >= 0) values[index] = value;
    done(env);
  };
}

function bindItem(index: number, item: Destructure): Destructure {
  return (value, env, values, done) => {
    if (value !== null && !isArray(value)) cannotIndex(value, index);
    item(getKey(value, index), env, values, done);
  };
}

function compileField(field: PatternField, at: PatternSite): Destructure {
  // keys do not see the names of the pattern
  const key = compileKey(field.key, { ...at.site, scope: at.outer });
  const name = field.name === undefined ? undefined : bindName(field.name, at);
  const pattern = field.pattern === undefined ? undefined : destructuring(field.pattern, at);
  return (value, env, values, done) => {
    key.each(value, env, (keyValue) => {
      if (typeof keyValue !== 'string') cannotIndex(value, keyValue);
      if (value !== null && !isObject(value)) cannotIndex(value, keyValue);
      const fieldValue = getKey(value, keyValue);
      if (name !== undefined) name(fieldValue, env, values, ignore);
      if (pattern === undefined) done(env);
      else pattern(fieldValue, env, values, done);
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
