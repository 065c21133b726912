import { isJsonArray, isJsonObject, isSameJson, stepInto } from '../../model/index.ts';
import type { Json, JsonArray, Path, Report } from '../../model/index.ts';
import { isDirective, withChanges } from './merging.ts';
import type { Locate } from './merging.ts';
import { mergeProblems } from './problems.ts';

/** Called for each list that another list replaces, with its path and previous value. */
type OnListReplaced = (path: Path, before: JsonArray) => void;

/** JSON merge patch (RFC 7386): objects merge, null removes, everything else replaces. Untouched parts are shared. */
export function mergeJson(
  target: Json | undefined,
  patch: Json,
  onListReplaced?: OnListReplaced,
  path: Path = [],
): Json {
  if (!isJsonObject(patch)) return target !== undefined && isSameJson(target, patch) ? target : patch;
  const before = isJsonObject(target) ? target : {};
  const changes = new Map<string, Json | undefined>();
  for (const [key, value] of Object.entries(patch)) {
    const old = stepInto(before, key);
    const inside = [...path, key];
    const merged = value === null ? undefined : mergeJson(old, value, onListReplaced, inside);
    if (merged === old) continue;
    if (isJsonArray(old) && isJsonArray(merged)) onListReplaced?.(inside, old);
    changes.set(key, merged);
  }
  return withChanges(before, changes);
}

/**
 * Rejects strategic merge directives, which would otherwise become fields of the object. Returns whether there are any.
 */
export function reportDirectives(patch: Json, { report, locate }: DirectiveOptions): boolean {
  let hasDirectives = false;
  const search = (value: Json, path: Path): void => {
    const key = path.at(-1);
    if (typeof key === 'string' && isDirective(key)) {
      hasDirectives = true;
      const location = locate(path, 'key');
      report(mergeProblems.create('smp-directive-unsupported', { directive: key }, { location }));
    }
    if (isJsonArray(value)) value.forEach((item, index) => search(item, [...path, index]));
    else if (isJsonObject(value)) for (const name of Object.keys(value)) search(value[name]!, [...path, name]);
  };
  search(patch, []);
  return hasDirectives;
}

interface DirectiveOptions {
  readonly report: Report;
  readonly locate: Locate;
}
