import type { Json, Location } from '../../model/index.ts';
import type { Place } from './find-places.ts';
import { describeValue, formatPath } from './format-path.ts';
import type { Patching } from './object-patching.ts';
import type { PreparedField, PreparedValue } from './prepared.ts';
import { adviseWord, applyProblems } from './problems.ts';
import { isTraced } from './trace-values.ts';
import { typeValue } from './type-value.ts';

/** A value for a place, with a warning where it does not fit. */
export function typeAndReport(
  value: Exclude<PreparedValue, { readonly type: 'item' }>,
  { path, node }: Place,
  { prepared, patching, location = placeOfValue(prepared) }: Patching & { readonly location?: Location },
): Json {
  const { value: typed, mismatches } = typeValue(value, { node, path });
  for (const { path: wrong, value: shown, type } of mismatches) {
    const args = { value: shown, field: formatPath(wrong), type };
    // Whoever writes `no` means false, and a text would be taken for neither.
    const isWord = type === 'true or false' && adviseWord(shown) !== undefined;
    const inside = location.path === undefined ? {} : { path: [...location.path, ...wrong.slice(path.length)] };
    const place = { location: { ...location, ...inside }, ...(isWord ? { severity: 'error' as const } : {}) };
    patching.reportOnce(applyProblems.create('type-mismatch', args, place));
  }
  if (patching.trace !== undefined) {
    const isShown = isTraced(patching, path);
    const written = value.type === 'lexeme' ? JSON.stringify(value.text) : describeValue(value.data);
    const said = isShown ? `${written} → ${describeValue(typed)}` : '(hidden)';
    const reason = node === undefined ? 'the field is not known' : `the field takes ${node.type}`;
    patching.trace(`${patching.key}: ${formatPath(path)}: ${said}, ${reason}`);
  }
  return typed;
}

function placeOfValue({ patch }: PreparedField): Location {
  const { value, location } = patch;
  return value.type === 'scalar' || value.type === 'data' ? value.location : location;
}
