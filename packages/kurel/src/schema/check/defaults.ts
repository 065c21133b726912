import { spend, getOrAdd } from '../../budget/index.ts';
import { isJsonArray } from '../../model/index.ts';
import type { Budget, Json, JsonObject } from '../../model/index.ts';
import type { SchemaNode } from '../schema-node.ts';

export interface Default {
  readonly name: string;
  readonly value: Json;
  readonly isNullable: boolean;
}

const defaultsOf = new WeakMap<SchemaNode, readonly Default[]>();

/** The defaults of fields that an object does not have. A null counts as present only if it is allowed. */
export function missingDefaults(mapping: JsonObject, node: SchemaNode): readonly Default[] {
  const defaults = getOrAdd(defaultsOf, node, () =>
    node.propertyNames.flatMap((name) => {
      const child = node.property(name);
      return child?.default === undefined ? [] : [{ name, value: child.default, isNullable: child.nullable === true }];
    }),
  );
  return defaults.filter(
    ({ name, isNullable }) => !Object.hasOwn(mapping, name) || (mapping[name] === null && !isNullable),
  );
}

/**
 * Fills in defaults. Results for parts of a value are cached: schemas with alternatives may be nested, and each
 * of them needs everything below it.
 */
export type DefaultFiller = (value: Json, node: SchemaNode | undefined) => Json;

const stepsOfValue = 4;
const stepsOfDefault = 32;

export function createDefaultFiller(budget: Budget): DefaultFiller {
  const kept = new WeakMap<object, { readonly node: SchemaNode; readonly filled: Json }>();
  return fill;

  /** The value with the defaults of its schema filled in, as an API server does before it evaluates rules and alternatives. */
  function fill(value: Json, node: SchemaNode | undefined): Json {
    if (node === undefined || typeof value !== 'object' || value === null) return value;
    const earlier = kept.get(value);
    if (earlier?.node === node) return earlier.filled;
    const filled = isJsonArray(value) ? fillItems(value, node.items) : fillMapping(value, node);
    kept.set(value, { node, filled });
    return filled;
  }

  function fillItems(list: readonly Json[], node: SchemaNode | undefined): Json {
    spend(budget, 'patternSteps', list.length * stepsOfValue);
    const items = list.map((item) => fill(item, node));
    return items.some((item, index) => item !== list[index]) ? items : list;
  }

  function fillMapping(mapping: JsonObject, node: SchemaNode): Json {
    const missing = missingDefaults(mapping, node);
    const entries = Object.entries(mapping).map(([name, field]) => [name, fill(field, node.property(name))] as const);
    spend(budget, 'patternSteps', entries.length * stepsOfValue + missing.length * stepsOfDefault);
    if (missing.length === 0 && entries.every(([name, field]) => field === mapping[name])) return mapping;
    const filled = missing.map(({ name, value }) => [name, fill(value, node.property(name))] as const);
    return Object.fromEntries([...entries, ...filled]);
  }
}
