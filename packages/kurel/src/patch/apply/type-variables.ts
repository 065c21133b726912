import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json, Path } from '../../model/index.ts';
import { parseTemplate, wholeReference } from '../../parameters/index.ts';
import type { SchemaNode } from '../../schema/index.ts';
import { typeForField } from '../type-for-field.ts';

/**
 * A document whose variables are replaced, with the values of those that were a whole value as their fields take them. What was
 * written out stays exactly as it was written.
 */
export function typeVariables(
  { written, filled }: { readonly written: Json; readonly filled: Json },
  node: SchemaNode | undefined,
  path: Path = [],
): Json {
  if (written === filled || node === undefined) return filled;
  if (typeof written === 'string') {
    return wholeReference(parseTemplate(written)) === undefined ? filled : typeForField(filled, node, path);
  }
  if (isJsonArray(written) && isJsonArray(filled)) {
    return filled.map((item, index) =>
      typeVariables({ written: written[index]!, filled: item }, node.items, [...path, index]),
    );
  }
  if (!isJsonObject(written) || !isJsonObject(filled)) return filled;
  // Keys may have had variables too, so they are paired by their position.
  const before = Object.values(written);
  const entries = Object.entries(filled).map(([key, value], index): [string, Json] => [
    key,
    typeVariables({ written: before[index] ?? value, filled: value }, node.property(key), [...path, key]),
  ]);
  return Object.fromEntries(entries);
}
