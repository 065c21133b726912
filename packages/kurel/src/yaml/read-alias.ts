import { nearest } from '../diagnostics/index.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject, type Range } from '../model/index.ts';
import { commonDepth } from './count-levels.ts';
import { endOfName, endsName, isAnchorName } from './properties.ts';
import type { Anchor, Reading } from './reading.ts';
import { wordIn, refuse, refuseCopy, report } from './refuse.ts';

/** Makes the name known before its value is read, so that an alias inside the value is seen as such. */
export function openAnchor(r: Reading, name: string): Anchor {
  const anchor: Anchor = { value: undefined };
  r.anchors ??= new Map();
  r.anchors.set(name, anchor);
  return anchor;
}

/** Reads `*name` and gives a copy that nobody else holds; the position is then right after the name. */
export function readAlias(r: Reading): Json {
  const start = r.pos;
  const end = endOfName(r.text, start + 1);
  const range = { start, end };
  const name = r.text.slice(start + 1, end);
  if (!isAnchorName(name) || !endsName(r.text.charCodeAt(end))) {
    refuse(r, 'yaml-bad-anchor', { word: wordIn(r, range) }, { range });
  }
  const anchor = r.anchors?.get(name);
  r.pos = end;
  r.contentEnd = end;
  if (anchor === undefined) {
    report(r, 'yaml-unknown-anchor', { name, near: nearest(name, r.anchors?.keys() ?? []) }, { range });
    return null;
  }
  if (anchor.value === undefined) {
    report(r, 'yaml-recursive-alias', { name }, { range });
    return null;
  }
  return copy(r, anchor.value, { range, depth: r.depth });
}

interface Alias {
  readonly range: Range;
  /** Of the place where the copy goes. */
  readonly depth: number;
}

function copy(r: Reading, value: Json, alias: Alias): Json {
  r.values.left -= typeof value === 'string' ? 1 + (value.length >> 6) : 1;
  if (r.values.left < 0) refuseCopy(r, alias.range);
  if (typeof value !== 'object' || value === null) return value;
  const inner = { ...alias, depth: alias.depth + 1 };
  if (inner.depth > commonDepth) r.isDeep = true;
  // Aliases inside aliases can be deeper than any one text is.
  if (inner.depth > r.limits.depth) refuse(r, 'yaml-too-deep', { limit: r.limits.depth }, { range: alias.range });
  if (isJsonArray(value)) return value.map((item) => copy(r, item, inner));
  const result: Record<string, Json> = {};
  for (const key in value) result[key] = copy(r, value[key]!, inner);
  return result;
}

/**
 * What a merge key brings, the first of several mappings winning. An alias has copied already; the parts of a mapping
 * written in place are copied too when there are marks, since they do not stand where the marks say.
 */
export function copyMerged(r: Reading, value: Json, range: Range): JsonObject {
  const merged: Record<string, Json> = {};
  for (const source of isJsonArray(value) ? value : [value]) {
    if (!isJsonObject(source)) {
      report(r, 'yaml-merge-not-mapping', { word: wordIn(r, range) }, { range });
      break;
    }
    for (const key in source) {
      if (Object.hasOwn(merged, key)) continue;
      const inner = source[key]!;
      merged[key] = r.marks === undefined ? inner : copy(r, inner, { range, depth: r.depth });
    }
  }
  return merged;
}
