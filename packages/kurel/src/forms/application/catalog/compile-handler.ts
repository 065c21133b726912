import { getOrAdd } from '../../../budget/index.ts';
import type { Field } from '../../../documents/index.ts';
import type { ComponentDefinition, PolicyDefinition, TraitDefinition } from './define.ts';

type Handler = ComponentDefinition | TraitDefinition | PolicyDefinition;

/** What readers of properties need from a handler. */
export interface CompiledHandler {
  /** All its properties. */
  readonly field: Field;
  /** The names of properties with a default of a policy. */
  readonly policyKeys: readonly string[];
}

// Handlers are compiled once, because a hundred components may have the same type and the checker caches by field. The keys
// are definitions, because several can share a table. They are weak, because a library user can define new ones for each build.
const compiled = new WeakMap<Handler, CompiledHandler>();

export function compileHandler(handler: Handler): CompiledHandler {
  return getOrAdd(compiled, handler, () => compile(handler));
}

const besideProperties = Object.fromEntries(
  ['traits', 'labels', 'annotations', 'enabled'].map((name) => [name, 'move it one level up, next to "properties"']),
);

export function compileComponent(handler: ComponentDefinition): CompiledHandler {
  return getOrAdd(compiled, handler, () =>
    compile(handler, {
      instead: { ...besideProperties, ...handler.instead },
      listing: `run kurel schema show ${handler.type} for its properties`,
    }),
  );
}

function compile(handler: Handler, advice: Pick<Field, 'instead' | 'listing'> = {}): CompiledHandler {
  const { properties } = handler;
  const relations = 'relations' in handler ? handler.relations : undefined;
  return {
    field: { type: 'object', properties, ...(relations === undefined ? {} : { relations }), ...advice },
    policyKeys: Object.keys(properties).filter((key) => properties[key]!.policyDefault !== undefined),
  };
}
