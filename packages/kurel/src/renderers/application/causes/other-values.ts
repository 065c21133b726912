import type { Json, Path } from '../../../model/index.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Field, Fields } from '../documents/field.ts';
import type { InputLeaf } from './input-leaf.ts';

/**
 * Other values that could stand where one stands, the likeliest to be fine first. A number in a text is raised: versions,
 * quantities, durations, hosts and times stay what they are.
 */
export function otherValues({ value, path }: InputLeaf, catalog: Catalog): readonly Json[] {
  switch (typeof value) {
    case 'boolean':
      return [!value];
    case 'number':
      return [value + 1, value - 1, value * 2];
    case 'bigint':
      return [value + 1n];
    case 'string': {
      const raised = value.replace(/\d+(?!.*\d)/s, (digits) => `${BigInt(digits) + 1n}`);
      const others = wordsAt(path, catalog).filter((word) => word !== value);
      return [...others, ...(raised === value ? [] : [raised]), `${value}x`, `x${value}`];
    }
    default:
      // An empty list or mapping: as if it were not there.
      return value === null ? [] : [null];
  }
}

/** The words that a property may be, when they are few: nothing else would be read. */
function wordsAt(path: Path, catalog: Catalog): readonly string[] {
  const start = path.findIndex((step) => step === 'properties' || step === 'rendering');
  if (start === -1) return [];
  const handlers = [...catalog.components.values(), ...catalog.traits.values()];
  const words = handlers.flatMap(({ properties }) => wordsIn(properties, path.slice(start + 1)));
  return [...new Set(words)];
}

function wordsIn(fields: Fields, path: Path): readonly string[] {
  let field: Field | undefined = { type: 'object', properties: fields };
  for (const step of path) {
    if (field === undefined) return [];
    const { items, open }: Field = field;
    const properties: Fields | undefined = field.properties;
    const isNamed: boolean = properties !== undefined && Object.hasOwn(properties, step);
    field = typeof step === 'number' ? items : isNamed ? properties![step] : open;
  }
  return field?.enum ?? [];
}
