import { stepInto, valueAt } from '../model/index.ts';
import type { Json, Path, Values } from '../model/index.ts';
import { findParameterOrigin } from './layers.ts';
import type { ParameterLayer } from './layers.ts';
import { readLexeme } from './read-lexeme.ts';
import { parseTemplate, wholeReference } from './references.ts';
import type { WrittenAt } from './substitute.ts';

/** Cycles are reported elsewhere, and longer chains are rejected. */
const mostReferences = 100;

/** Looks up the notation of parameters: `merged` are all layers together, with the references still in them. */
export function writtenParameters(merged: Values, layers: readonly ParameterLayer[]): WrittenAt {
  return (path) => {
    const found = follow(path, merged);
    if (found === undefined || !isTyped(found.value)) return undefined;
    const origin = findParameterOrigin(layers, found.path);
    if (origin === undefined) return undefined;
    const { layer, location } = origin;
    const given = valueAt(layer.data, found.path);
    // An assignment has typed values only if its text is their usual notation.
    return layer.kind === 'set' && typeof given !== 'string' ? undefined : readLexeme(layer.source, location, given);
  };
}

function isTyped(value: Json): value is number | bigint | boolean {
  return value !== null && typeof value !== 'object' && typeof value !== 'string';
}

/** The end of a path after following the references on it. */
function follow(path: Path, values: Values): { readonly value: Json; readonly path: Path } | undefined {
  let sought = path;
  for (let count = 0; count < mostReferences; count += 1) {
    let value: Json | undefined = values;
    let depth = 0;
    for (; depth < sought.length && typeof value === 'object' && value !== null; depth += 1) {
      value = stepInto(value, sought[depth]!);
    }
    const next = typeof value === 'string' ? wholeReference(parseTemplate(value))?.path : undefined;
    if (next === undefined) {
      return value === undefined || depth < sought.length ? undefined : { value, path: sought };
    }
    // In standalone patches, `values.x` means x.
    const isAlias = next[0] === 'values' && !Object.hasOwn(values, 'values');
    sought = [...next.slice(isAlias ? 1 : 0), ...sought.slice(depth)];
  }
  return undefined;
}
