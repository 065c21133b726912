import type { JqValue } from '../jq-value.ts';
import { runState } from '../run-state.ts';
import type { NodeOf } from '../syntax/syntax-tree.ts';
import { type Code, codeOfOne, type One } from './code.ts';
import { environmentAt, findVariable, type Site } from './scope.ts';
import { unknownVariable } from './unknown-name.ts';

export function compileVariable(node: NodeOf<'variable'>, site: Site): Code {
  const binding = findVariable(site.scope, node.name);
  if (binding !== undefined) return codeOfOne(readVariable(site.level - binding.level, binding.index));
  if (node.name === 'ENV') return codeOfOne(() => runState.around.env);
  throw unknownVariable(node, site);
}

function readVariable(hops: number, index: number | undefined): One {
  const at = environmentAt(hops);
  if (index !== undefined) return (_input, env) => (at(env).value as readonly JqValue[])[index]!;
  if (hops === 0) return (_input, env) => env.value as JqValue;
  if (hops === 1) return (_input, env) => env.parent!.value as JqValue;
  return (_input, env) => at(env).value as JqValue;
}
