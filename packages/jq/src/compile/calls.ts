import {
  type Closure,
  type Code,
  codeOfEach,
  type Each,
  type Env,
  type FunctionInstance,
  settle,
  settleEach,
  type Single,
  tailCall,
} from '../code/code.ts';
import { definedBuiltin, natives } from '../builtins/builtins.ts';
import { type Native, value } from '../builtins/native.ts';
import { JqError } from '../jq-error.ts';
import type { JqValue } from '../jq-value.ts';
import { countValues, enterCall, isFailure, isHalt, isLimitReached, raise, runState, step } from '../run-state.ts';
import type { Definition, Node, NodeOf } from '../syntax/tokens.ts';
import {
  bind,
  compileInner,
  type CompileContext,
  environmentAt,
  findCallable,
  type FunctionBinding,
  type Scope,
  type Site,
} from './scope.ts';
import { unknownFunction } from './unknown-name.ts';

/** Beyond this many pieces, functions are called instead of expanded, because expansion can grow without bound. */
const expansionLimit = 20_000;
/** Beyond this many nested guesses, functions are assumed to have any number of outputs. */
const maxAssumptions = 4;

function functionBinding(definition: Definition, outer: Scope | undefined, level: number): FunctionBinding {
  return { definition, outer, level, recursive: callsFunction(definition), instance: undefined };
}

export function defineFunction(definition: Definition, site: Site): Site {
  const target = functionBinding(definition, site.scope, site.level);
  return { ...site, scope: bindFunction(site.scope, target) };
}

function bindFunction(scope: Scope | undefined, target: FunctionBinding): Scope {
  const { name, params } = target.definition;
  return bind(scope, { kind: 'function', name, arity: params.length, target });
}

export function compileCall(node: NodeOf<'call'>, site: Site, tail: boolean): Code {
  const { name, args } = node;
  const callable = findCallable(site.scope, name, args.length);
  if (callable === undefined) return compileBuiltin(node, site, tail);
  switch (callable.kind) {
    case 'function':
      return callFunction(callable.target, args, site, tail);
    case 'argument':
      return compileInner(callable.node, { ...site, scope: callable.scope }, tail);
    default:
      return callClosure(site.level - callable.level);
  }
}

function compileBuiltin(node: NodeOf<'call'>, site: Site, tail: boolean): Code {
  const { name, args } = node;
  const { context } = site;
  const custom = customFunction(context, name, args.length);
  const key = `${name}/${args.length}`;
  const native = custom ?? (Object.hasOwn(natives, key) ? natives[key] : undefined);
  if (native !== undefined) return native(...args.map((arg) => compileInner(arg, site)));
  let defined = context.definedBuiltins.get(key);
  if (defined === undefined) {
    const definition = definedBuiltin(key);
    if (definition === undefined) throw unknownFunction(node, site);
    defined = functionBinding(definition, undefined, 0);
    context.definedBuiltins.set(key, defined);
  }
  return callFunction(defined, args, site, tail);
}

function callFunction(target: FunctionBinding, args: readonly Node[], site: Site, tail: boolean): Code {
  if (!target.recursive && site.context.pieces < expansionLimit) {
    const scope = target.definition.params.reduce<Scope>(
      (outer, name, index) => bind(outer, { kind: 'argument', name, node: args[index]!, scope: site.scope }),
      bindFunction(target.outer, target),
    );
    return compileInner(target.definition.body, { ...site, scope }, tail);
  }
  return callInstance(instanceOf(target, site), args, site, tail);
}

function instanceOf(target: FunctionBinding, site: Site): FunctionInstance {
  if (target.instance !== undefined) return target.instance;
  const { context } = site;
  const guess = context.assumptions < maxAssumptions;
  const instance: FunctionInstance = { level: target.level, body: undefined, isSingle: guess };
  target.instance = instance;
  if (guess) context.assumptions++;
  const { pieces } = context;
  instance.body = compileBody(target, site);
  if (guess) context.assumptions--;
  if (guess && instance.body.single === undefined) {
    // the guess was wrong and the compiled code relies on it, so compile again without it
    const corrected: FunctionInstance = { level: target.level, body: undefined, isSingle: false };
    target.instance = corrected;
    context.pieces = pieces;
    corrected.body = compileBody(target, site);
    return corrected;
  }
  return instance;
}

function compileBody(target: FunctionBinding, site: Site): Code {
  const { params, body } = target.definition;
  let scope = bindFunction(target.outer, target);
  let { level } = target;
  for (const name of params) {
    level++;
    scope = bind(scope, { kind: 'closure', name, level });
  }
  return compileInner(body, { context: site.context, scope, level }, true);
}

function callInstance(instance: FunctionInstance, args: readonly Node[], site: Site, tail: boolean): Code {
  const codes = args.map((arg) => compileInner(arg, site));
  const hops = site.level - instance.level;
  const outer = environmentAt(hops);
  const enter = (env: Env): Env => {
    let inner = outer(env);
    // an argument keeps the environments of its call alive
    if (codes.length > 0) countValues(2 * codes.length + hops);
    for (const code of codes) inner = { parent: inner, value: { code, env } satisfies Closure };
    return inner;
  };
  const single: Single = tail
    ? (input, env) => tailCall(instance, input, enter(env))
    : (input, env) => {
        enterCall();
        const value = settle(instance.body!.single!(input, enter(env)));
        runState.depth--;
        return value;
      };
  const each: Each = (input, env, emit, path) => {
    if (path === undefined && instance.isSingle) return emit(settle(single(input, env)));
    if (path === undefined && tail) return tailCall(instance, input, enter(env));
    enterCall();
    const { each: bodyEach } = instance.body!;
    const result = bodyEach(input, enter(env), emit, path);
    settleEach(result, emit);
    runState.depth--;
    return undefined;
  };
  return { single: instance.isSingle ? single : undefined, each };
}

function callClosure(hops: number): Code {
  const at = environmentAt(hops);
  return codeOfEach((input, env, emit, path) => {
    step();
    const { code, env: theirs } = at(env).value as Closure;
    code.each(input, theirs, emit, path);
  });
}

/**
 * Whether a function's body mentions the function itself. A name that is redefined inside counts too: treating a function
 * as recursive is always correct, only slower.
 */
function callsFunction(definition: Definition): boolean {
  const recursive = knownRecursion.get(definition) ?? mentions(definition);
  knownRecursion.set(definition, recursive);
  return recursive;
}

/** A definition inside a function is visited again wherever the function is expanded. */
const knownRecursion = new WeakMap<Definition, boolean>();

function mentions(definition: Definition): boolean {
  const { name, params } = definition;
  const pending: unknown[] = [definition.body];
  while (pending.length > 0) {
    const part = pending.pop();
    if (typeof part !== 'object' || part === null) continue;
    if ('type' in part && part.type === 'call') {
      const call = part as unknown as { readonly name: string; readonly args: readonly unknown[] };
      if (call.name === name && call.args.length === params.length) return true;
    }
    for (const child of Object.values(part)) if (typeof child === 'object') pending.push(child);
  }
  return false;
}

function customFunction(context: CompileContext, name: string, arity: number): Native | undefined {
  const custom = Object.hasOwn(context.functions, name) ? context.functions[name] : undefined;
  if (custom === undefined) return undefined;
  const { min, max } = typeof custom.arity === 'number' ? { min: custom.arity, max: custom.arity } : custom.arity;
  if (arity < min || arity > max) return undefined;
  return value((input, ...args) => {
    try {
      return custom.call(input, args) ?? null;
    } catch (thrown) {
      return raise(errorValue(thrown));
    }
  });
}

function errorValue(thrown: unknown): JqValue {
  if (isFailure(thrown) || isHalt(thrown) || isLimitReached(thrown) || thrown instanceof RangeError) throw thrown;
  if (thrown instanceof JqError) {
    if (thrown.kind === 'limit') throw thrown;
    return thrown.value === undefined ? thrown.message : thrown.value;
  }
  return thrown instanceof Error ? thrown.message : String(thrown);
}
