import type { Code, Env, FunctionInstance } from '../code/code.ts';
import { sourceError } from '../jq-error.ts';
import type { JqFunction } from '../jq-value.ts';
import type { Definition, Node } from '../syntax/syntax-tree.ts';
import { describe } from '../values/stringify.ts';

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

export function findVariable(
  scope: Scope | undefined,
  name: string,
): Extract<Binding, { kind: 'variable' }> | undefined {
  for (let at = scope; at !== undefined; at = at.parent) {
    if (at.binding.kind === 'variable' && at.binding.name === name) return at.binding;
  }
  return undefined;
}

export function findLabel(scope: Scope | undefined, name: string): Extract<Binding, { kind: 'label' }> | undefined {
  for (let at = scope; at !== undefined; at = at.parent) {
    if (at.binding.kind === 'label' && at.binding.name === name) return at.binding;
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
