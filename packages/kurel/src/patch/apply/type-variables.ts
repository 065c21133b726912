import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json } from '../../model/index.ts';
import { parseTemplate, wholeReference } from '../../parameters/index.ts';
import type { SchemaNode } from '../../schema/index.ts';
import { typeForField } from '../type-for-field.ts';
import type { Destination } from './type-value.ts';
import type { Substitution } from './substitute.ts';

/**
 * A document whose variables are replaced, with the values of those that were a whole value as their fields take them. What was
 * written out stays exactly as it was written.
 */
export function typeVariables(
  { written, filled }: { readonly written: Json; readonly filled: Json },
  { node, path }: Destination,
  substitution: Pick<Substitution, 'writtenIn'>,
): Json {
  if (written === filled || node === undefined) return filled;
  if (typeof written === 'string') {
    const template = parseTemplate(written);
    if (wholeReference(template) === undefined) return filled;
    return typeForField(filled, { node, path }, (inside) => substitution.writtenIn(template, inside));
  }
  const inside = (step: string | number, child: SchemaNode | undefined): Destination => ({
    node: child,
    path: [...path, step],
  });
  if (isJsonArray(written) && isJsonArray(filled)) {
    return filled.map((item, index) =>
      typeVariables({ written: written[index]!, filled: item }, inside(index, node.items), substitution),
    );
  }
  if (!isJsonObject(written) || !isJsonObject(filled)) return filled;
  // Keys may have had variables too, so they are paired by their position.
  const before = Object.values(written);
  const entries = Object.entries(filled).map(([key, value], index): [string, Json] => [
    key,
    typeVariables({ written: before[index] ?? value, filled: value }, inside(key, node.property(key)), substitution),
  ]);
  return Object.fromEntries(entries);
}
