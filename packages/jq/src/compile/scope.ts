import type { Code, Env, FunctionInstance } from '../code/code.ts';
import type { Binder } from '../code/flow.ts';
import { sourceError } from '../jq-error.ts';
import { isArray, isObject, type JqFunction, type JqValue } from '../jq-value.ts';
import { isFailure, runState } from '../run-state.ts';
import type { Definition, Node, Pattern, PatternField } from '../syntax/tokens.ts';
import { cannotIndex, getKey } from '../values/access.ts';
import { describe } from '../values/json.ts';

/** State shared by all parts of one compilation. */
export interface CompileContext {
  readonly source: string;
  /** Compiles any node; passed to the compilers of calls, patterns and updates, which it calls itself. */
  readonly compile: (node: Node, site: Site, tail: boolean) => Code;
  readonly functions: { readonly [name: string]: JqFunction };
  /** Builtins written in jq that this program uses. */
  readonly definedBuiltins: Map<string, FunctionBinding>;
  /** Pieces compiled so far; functions are no longer expanded once there are too many. */
  pieces: number;
  /** How many functions are being compiled on the assumption that they have one output. */
  assumptions: number;
}

export type Binding =
  | { readonly kind: 'variable'; readonly name: string; readonly level: number; readonly index: number | undefined }
  | { readonly kind: 'label'; readonly name: string; readonly level: number }
  | { readonly kind: 'function'; readonly name: string; readonly arity: number; readonly target: FunctionBinding }
  /** A parameter of an expanded function: its argument is compiled wherever the parameter is used. */
  | { readonly kind: 'argument'; readonly name: string; readonly node: Node; readonly scope: Scope | undefined }
  /** A parameter of a called function: its argument arrives at run time. */
  | { readonly kind: 'closure'; readonly name: string; readonly level: number };

export interface FunctionBinding {
  readonly definition: Definition;
  /** The number of environments where the function is defined. */
  readonly level: number;
  /** The names that the body sees, without the function itself. */
  readonly outer: Scope | undefined;
  readonly recursive: boolean;
  instance: FunctionInstance | undefined;
}

/** Names in scope, innermost first. */
export interface Scope {
  readonly parent: Scope | undefined;
  readonly binding: Binding;
}

/** Where a piece of program is compiled: the names it sees and the number of environments around it. */
export interface Site {
  readonly context: CompileContext;
  readonly scope: Scope | undefined;
  readonly level: number;
}

export function bind(scope: Scope | undefined, binding: Binding): Scope {
  return { parent: scope, binding };
}

/** The innermost variable or label with a name. */
export function findBinding<Kind extends 'variable' | 'label'>(
  kind: Kind,
  scope: Scope | undefined,
  name: string,
): Extract<Binding, { kind: Kind }> | undefined {
  for (let at = scope; at !== undefined; at = at.parent) {
    if (at.binding.kind === kind && at.binding.name === name) return at.binding as Extract<Binding, { kind: Kind }>;
  }
  return undefined;
}

type Callable = Extract<Binding, { kind: 'function' | 'argument' | 'closure' }>;

export function findCallable(scope: Scope | undefined, name: string, arity: number): Callable | undefined {
  for (let at = scope; at !== undefined; at = at.parent) {
    const { binding } = at;
    if (binding.name !== name) continue;
    if (binding.kind === 'function' && binding.arity === arity) return binding;
    if ((binding.kind === 'argument' || binding.kind === 'closure') && arity === 0) return binding;
  }
  return undefined;
}

/** Compiles a node inside another; in tail position (`tail`), a call may be left to the caller's loop. */
export function compileInner(node: Node, site: Site, tail = false): Code {
  return site.context.compile(node, site, tail);
}

/** Compiles the key of an object or of a pattern, which must be a string. */
export function compileKey(node: Node, site: Site): Code {
  const key = compileInner(node, site);
  if (key.constant === undefined || typeof key.constant === 'string') return key;
  const reason = `Cannot use ${describe(key.constant)} as object key`;
  throw sourceError({ kind: 'compile', reason, source: site.context.source, at: node.at });
}

/** A reader for the environment `hops` levels up; unrolled, because variables are read here. */
export function environmentAt(hops: number): (env: Env) => Env {
  switch (hops) {
    case 0:
      return (env) => env;
    case 1:
      return (env) => env.parent!;
    case 2:
      return (env) => env.parent!.parent!;
    case 3:
      return (env) => env.parent!.parent!.parent!;
    default:
      return (env) => {
        let at = env;
        for (let left = hops; left > 0; left--) at = at.parent!;
        return at;
      };
  }
}

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
