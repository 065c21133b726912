import type { Definition } from './syntax-tree.ts';

/**
 * Whether a function's body mentions the function itself. A name defined again inside counts too: treating a function
 * as recursive is always correct, only slower.
 */
export function callsFunction(definition: Definition): boolean {
  const cached = known.get(definition);
  if (cached !== undefined) return cached;
  const found = mentions(definition);
  known.set(definition, found);
  return found;
}

/** A definition inside a function is met again wherever the function is expanded. */
const known = new WeakMap<Definition, boolean>();

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
