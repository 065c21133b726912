import type { Json } from '../../model/index.ts';
import type { Place } from './find-places.ts';
import { describeValue, formatPath } from './format-path.ts';
import type { ObjectPatching } from './object-patching.ts';
import type { PreparedValue } from './prepared.ts';
import { isTraced } from './trace-values.ts';
import { typeValue } from './type-value.ts';

/** A value for a place, as the type of the field wants it. */
export function typeAndTrace(
  value: Exclude<PreparedValue, { readonly type: 'item' }>,
  { path, node }: Place,
  patching: ObjectPatching,
): Json {
  const typed = typeValue(value, { node, path });
  if (patching.trace !== undefined) {
    const isShown = isTraced(patching, path);
    const written = value.type === 'lexeme' ? JSON.stringify(value.text) : describeValue(value.data);
    const change = isShown ? `${written} → ${describeValue(typed)}` : '(hidden)';
    const reason = node === undefined ? 'the field is not known' : `the field takes ${node.type}`;
    patching.trace(`${patching.key}: ${formatPath(path)}: ${change}, ${reason}`);
  }
  return typed;
}
