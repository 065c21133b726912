import type { Json, Path } from '../model/index.ts';
import type { SchemaNode } from '../schema/index.ts';
import { typeValue } from './apply/type-value.ts';

/** Converts a value for a field: a number becomes a string, as written, if the field only accepts strings. Other values are kept. */
export function typeForField(
  value: Json,
  destination: { readonly node: SchemaNode | undefined; readonly path: Path },
  lexemeAt: (path: Path) => string | undefined,
): Json {
  return typeValue({ type: 'data', data: value, merges: false, lexemeAt }, destination);
}
