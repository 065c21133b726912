import type { CompileContext } from './compile/compile-context.ts';
import { compileNode } from './compile/compile-node.ts';
import { bind, type Scope } from './compile/scope.ts';
import { JqError } from './jq-error.ts';
import { asJqError, createProgram, type JqFunction, type JqProgram } from './program.ts';
import { parseProgram } from './syntax/parse-program.ts';

export interface CompileOptions {
  /** Names of variables whose values each run gives, with or without the leading `$`. */
  readonly variables?: readonly string[] | undefined;
  /** Functions a program may call besides the builtins; they hide builtins of the same name and arity. */
  readonly functions?: { readonly [name: string]: JqFunction } | undefined;
}

const variableName = /^[A-Za-z_]\w*$/;

/** Compiles a program once, to be run any number of times. */
export function compile(source: string, options: CompileOptions = {}): JqProgram {
  const variables = (options.variables ?? []).map(bareName);
  const context: CompileContext = {
    source,
    functions: options.functions ?? {},
    definedBuiltins: new Map(),
    pieces: 0,
    assumptions: 0,
  };
  try {
    const scope = variables.reduce<Scope | undefined>(
      (outer, name, index) => bind(outer, { kind: 'variable', name, level: index + 1, index: undefined }),
      undefined,
    );
    const code = compileNode(parseProgram(source), { context, scope, level: variables.length });
    return createProgram(code, variables);
  } catch (thrown) {
    throw asJqError(thrown) ?? thrown;
  }
}

function bareName(name: string): string {
  const bare = name.startsWith('$') ? name.slice(1) : name;
  if (!variableName.test(bare)) throw new JqError('compile', `${JSON.stringify(name)} is not the name of a variable`);
  return bare;
}
