import { definedNames } from './defined-in-jq.ts';
import { natives } from './natives.ts';

/** Every builtin as `name/arity`, without the internal ones. */
export function builtinNames(): readonly string[] {
  return [...Object.keys(natives), ...definedNames()].filter((name) => !name.startsWith('_'));
}
