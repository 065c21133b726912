import type { Json, Path } from '../../../model/index.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Field, Fields } from '../documents/field.ts';
import type { InputLeaf } from './input-leaf.ts';

/** Longer texts have no number that anybody would raise. */
const longest = 10_000;

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
      const raised = value.length > longest ? value : raiseLastNumber(value);
      const others = wordsAt(path, catalog).filter((word) => word !== value);
      return [...others, ...(raised === value ? [] : [raised]), `${value}x`, `x${value}`];
    }
    default:
      // An empty list or mapping: as if it were not there.
      return value === null ? [] : [null];
  }
}

/** An expression would try the end of the text again for every digit. */
function raiseLastNumber(text: string): string {
  const isDigit = (at: number): boolean => at >= 0 && text[at]! >= '0' && text[at]! <= '9';
  let end = text.length;
  while (end > 0 && !isDigit(end - 1)) end -= 1;
  let start = end;
  while (isDigit(start - 1)) start -= 1;
  return start === end ? text : `${text.slice(0, start)}${BigInt(text.slice(start, end)) + 1n}${text.slice(end)}`;
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
