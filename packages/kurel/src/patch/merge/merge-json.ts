import { pathTo } from '../../kube/index.ts';
import type { Place } from '../../kube/index.ts';
import { isJsonArray, isJsonObject, stepInto } from '../../model/index.ts';
import type { Json, JsonArray, JsonObject, Path, Report } from '../../model/index.ts';
import { findDifference } from '../json-patch/find-difference.ts';
import { isDirective, withChanges } from './merging.ts';
import type { Locate } from './merging.ts';
import { mergeProblems } from './problems.ts';

interface JsonMergeOptions {
  /** Called for each list that another list replaces, with its path and previous value. */
  readonly onListReplaced?: (path: Path, before: JsonArray) => void;
}

/** An object being merged. */
interface Frame {
  readonly old: Json | undefined;
  readonly before: JsonObject;
  readonly patch: JsonObject;
  readonly keys: readonly string[];
  readonly changes: Map<string, Json | undefined>;
  readonly above: Frame | undefined;
  /** The key in the object above. */
  readonly step: string | undefined;
  next: number;
}

/**
 * JSON merge patch (RFC 7386): objects merge, null removes, everything else replaces. Untouched parts are shared. Uses its own
 * stack, because data that does not come from a reader may be nested deeper than the call stack allows.
 */
export function mergeJson(target: Json, patch: Json, { onListReplaced }: JsonMergeOptions = {}): Json {
  if (!isJsonObject(patch)) return replaceValue(target, patch)!;
  let frame = openFrame(target, patch);
  for (;;) {
    const key = frame.keys[frame.next];
    if (key === undefined) {
      const merged = withChanges(frame.before, frame.changes);
      const { above } = frame;
      if (above === undefined) return merged;
      if (merged !== frame.old) above.changes.set(frame.step!, merged);
      frame = above;
      continue;
    }
    frame.next += 1;
    const value = frame.patch[key];
    const old = stepInto(frame.before, key);
    if (isJsonObject(value)) {
      frame = openFrame(old, value, { above: frame, step: key });
      continue;
    }
    const replaced = value === undefined ? old : replaceValue(old, value);
    if (replaced === old && value !== null) continue;
    if (isJsonArray(old) && isJsonArray(value)) onListReplaced?.([...pathTo(frame), key], old);
    if (old !== undefined || value !== null) frame.changes.set(key, value === null ? undefined : replaced);
  }
}

function openFrame(old: Json | undefined, patch: JsonObject, inside?: { above: Frame; step: string }): Frame {
  return {
    old,
    before: isJsonObject(old) ? old : {},
    patch,
    keys: Object.keys(patch),
    changes: new Map(),
    above: inside?.above,
    step: inside?.step,
    next: 0,
  };
}

function replaceValue(old: Json | undefined, value: Json): Json | undefined {
  return old !== undefined && findDifference(old, value) === undefined ? old : value;
}

/**
 * Rejects strategic merge directives, which would otherwise become fields of the object. Returns whether there are any.
 */
export function reportDirectives(patch: Json, { report, locate }: DirectiveOptions): boolean {
  let hasDirectives = false;
  const open: Place[] = [{ value: patch }];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (typeof at.step === 'string' && isDirective(at.step)) {
      hasDirectives = true;
      const location = locate(pathTo(at), 'key');
      report(mergeProblems.create('smp-directive-unsupported', { directive: at.step }, { location }));
    }
    if (typeof at.value !== 'object' || at.value === null) continue;
    const above = at;
    const inner: Place[] = isJsonArray(at.value)
      ? at.value.map((value, step) => ({ value, step, above }))
      : Object.entries(at.value).map(([step, value]) => ({ value, step, above }));
    for (let index = inner.length - 1; index >= 0; index -= 1) open.push(inner[index]!);
  }
  return hasDirectives;
}

interface DirectiveOptions {
  readonly report: Report;
  readonly locate: Locate;
}
