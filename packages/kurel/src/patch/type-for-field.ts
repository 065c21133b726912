import type { Json, Path } from '../model/index.ts';
import type { SchemaNode } from '../schema/index.ts';
import { typeValue } from './apply/type-value.ts';

/** A value as a field takes it: a number becomes text, as it was written, where only text can be. What does not fit stays as it is. */
export function typeForField(
  value: Json,
  destination: { readonly node: SchemaNode | undefined; readonly path: Path },
  lexemeAt: (path: Path) => string | undefined,
): Json {
  return typeValue({ type: 'data', data: value, merges: false, lexemeAt }, destination);
}
