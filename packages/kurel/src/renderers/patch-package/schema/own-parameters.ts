import { isJsonObject } from '../../../model/index.ts';
import type { Json, JsonObject, Path, Values } from '../../../model/index.ts';
import { findParameterOrigin } from '../../../parameters/index.ts';
import type { ParameterLayer } from '../../../parameters/index.ts';
import { createCommentReader } from './read-comments.ts';

/** The parameters that a package defines, and those that only its local extension does. Earlier layers say what a value is. */
export function ownParameters(layers: readonly ParameterLayer[]): Values {
  let own: JsonObject = {};
  for (const { data } of layers) own = withMissing(own, data);
  return own;
}

function withMissing(known: JsonObject, more: JsonObject): JsonObject {
  const joined = new Map<string, Json>(Object.entries(known));
  for (const [key, value] of Object.entries(more)) {
    const before = joined.get(key);
    if (before === undefined) joined.set(key, value);
    else if (isJsonObject(before) && isJsonObject(value)) joined.set(key, withMissing(before, value));
  }
  return Object.fromEntries(joined);
}

/** Gives the comment above a parameter in the file that defines it. */
export function createOwnComments(layers: readonly ParameterLayer[]): (path: Path) => string | undefined {
  const readers = new Map(layers.map((layer) => [layer, createCommentReader(layer.source)]));
  // The first layer that has a parameter is the one that says what it is.
  const ranked = layers.toReversed();
  return (path) => {
    const origin = findParameterOrigin(ranked, path);
    return origin === undefined ? undefined : readers.get(origin.layer)?.(path);
  };
}
