import { locateExhaustion, spend } from '../budget/index.ts';
import { describeType } from '../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Budget, Diagnostic, Json, Location, Path, Report } from '../model/index.ts';
import { parameterProblems } from './problems.ts';
import { applicationSyntax, parseTemplate, wholeReference } from './references.ts';
import type { Reference, ReferenceSyntax, Template } from './references.ts';

/** The number or boolean at a path as written, `1.10` or `0755`; `undefined` if that is unknown. */
export type WrittenAt = (path: Path) => string | undefined;

/** The value of a reference. */
export interface Found {
  readonly value: Json;
  /** For paths inside the value; the empty path is the value itself. */
  readonly writtenAt?: WrittenAt | undefined;
}

/** `undefined` if there is no value, which is reported; the substitution adds the location to the finding. */
export type LookUp<Value extends Found = Found> = (reference: Reference, report: Report) => Value | undefined;

interface SubstitutionOptions<Value extends Found> {
  readonly lookUp: LookUp<Value>;
  readonly report: Report;
  /** The budget of the run, which all inserted values draw on. */
  readonly budget: Budget;
  readonly syntax?: ReferenceSyntax | undefined;
}

/** The location of a string, or of a reference in it. */
type Locate = (reference?: Reference) => Location | undefined;

interface FilledValue<Value extends Found> {
  readonly value: Json;
  /** The value of the single reference that was the whole string. */
  readonly whole?: Value | undefined;
}

export interface Substitution<Value extends Found = Found> {
  /** For names and selectors, which are always strings. `undefined` when something was reported. */
  readonly fillText: (template: Template, locate: Locate) => string | undefined;
  /** A typed value if a single reference is the whole string, otherwise a string. `undefined` when something was reported. */
  readonly fillValue: (template: Template, locate: Locate) => FilledValue<Value> | undefined;
  readonly fillTree: (data: Json, options: TreeOptions<Value>) => FilledTree<Value>;
}

interface TreeOptions<Value extends Found = Found> {
  readonly locate: (path: Path, at?: 'key', reference?: Reference) => Location;
  /** Keys are filled as strings; `refuse` reports references in them. */
  readonly keys?: 'refuse' | undefined;
  /** Parts that stay unchanged. */
  readonly isLeftOut?: ((path: Path) => boolean) | undefined;
  /** Converts a value that replaces a whole string to the type of its field. */
  readonly adapt?: ((value: Value, path: Path) => Json) | undefined;
}

/** A string or key that contained references. */
interface Spot<Value extends Found = Found> {
  /** Path in the filled data. */
  readonly path: Path;
  /** Path as written, with the references and escapes in keys. */
  readonly writtenPath: Path;
  readonly references: readonly Reference[];
  readonly isKey: boolean;
  /** The value that replaced the whole string. */
  readonly whole: Value | undefined;
}

export interface FilledTree<Value extends Found = Found> {
  /** The same data if nothing was replaced. Strings whose references have no value stay unchanged. */
  readonly data: Json;
  /** Whether nothing was reported. */
  readonly isComplete: boolean;
  readonly spots: readonly Spot<Value>[];
  /** The string at a path or around it. */
  readonly spotAt: (path: Path) => Spot<Value> | undefined;
  readonly writtenPath: (path: Path) => Path;
}

/** Replaces references in strings and trees by the results of `lookUp`. Inserted values are not searched for references again. */
export function createSubstitution<Value extends Found>({
  lookUp,
  report,
  budget,
  syntax,
}: SubstitutionOptions<Value>): Substitution<Value> {
  const reported = new Set<string>();
  // The header of a section is filled for every entry below it, but reported only once.
  const reportOnce: Report = (diagnostic) => {
    const { code, message, location } = diagnostic;
    const key = JSON.stringify([code, message, location]);
    if (reported.has(key)) return;
    reported.add(key);
    report(diagnostic);
  };

  function refuse(diagnostic: Diagnostic, location: Location | undefined): void {
    reportOnce(location === undefined ? diagnostic : { ...diagnostic, location });
  }

  function find(reference: Reference, locate: Locate): Value | undefined {
    const value = locateExhaustion(
      () => lookUp(reference, (diagnostic) => refuse(diagnostic, locate(reference))),
      () => locate(reference),
    );
    if (value === undefined) return undefined;
    const { values, depth } = sizeOf(value.value);
    // A value that is too deep is refused where it is inserted.
    if (depth <= deepest) spend(budget, 'values', values, () => locate(reference));
    return value;
  }

  function isClosed({ text, unclosed }: Template, locate: Locate): boolean {
    if (unclosed === undefined) return true;
    const args = { text: text.slice(unclosed) };
    reportOnce(parameterProblems.create('reference-unclosed', args, { location: locate() }));
    return false;
  }

  function join(template: Template, locate: Locate): string | undefined {
    if (!isClosed(template, locate)) return undefined;
    if (template.parts[0] === template.text) return template.text;
    const pieces: string[] = [];
    for (const part of template.parts) {
      if (typeof part === 'string') {
        pieces.push(part);
        continue;
      }
      // All problems of a string are reported together, so the first one does not end the loop.
      const value = find(part, locate);
      if (value === undefined) continue;
      const piece = textOf(value);
      if (piece !== undefined) pieces.push(piece);
      else refuse(createNotScalar(part, value.value, true), locate(part));
    }
    return pieces.length < template.parts.length ? undefined : pieces.join('');
  }

  function fillText(template: Template, locate: Locate): string | undefined {
    const text = join(template, locate);
    if (text !== '__proto__') return text;
    reportOnce(parameterProblems.create('reference-unsafe', { text: template.text }, { location: locate() }));
    return undefined;
  }

  function fillValue(template: Template, locate: Locate): FilledValue<Value> | undefined {
    const reference = wholeReference(template);
    if (reference === undefined) {
      const text = join(template, locate);
      return text === undefined ? undefined : { value: text };
    }
    const whole = find(reference, locate);
    return whole === undefined ? undefined : { value: whole.value, whole };
  }

  return {
    fillText,
    fillValue,
    fillTree(data, { locate, keys, isLeftOut, adapt }) {
      // Searching for references costs less than tracking paths.
      if (!mayRefer(data)) return unfilledTree(data);
      return fillReferences(data, { locate, keys, isLeftOut, adapt, syntax, fillText, fillValue, report: reportOnce });
    },
  };
}

interface Filling<Value extends Found> extends TreeOptions<Value>, Omit<Substitution<Value>, 'fillTree'> {
  readonly syntax: ReferenceSyntax | undefined;
  readonly report: Report;
}

/** Data without references, as most data is. */
export function unfilledTree(data: Json): FilledTree<never> {
  return { data, isComplete: true, spots: noSpots, spotAt: noSpotAt, writtenPath: samePath };
}

const noSpots: readonly never[] = [];
const noSpotAt = (): undefined => undefined;
const samePath: FilledTree['writtenPath'] = (path) => path;

function fillReferences<Value extends Found>(root: Json, filling: Filling<Value>): FilledTree<Value> {
  const { locate, report, isLeftOut, adapt } = filling;
  const spots: Spot<Value>[] = [];
  /** Keys that differ from how they were written, by their filled path. */
  const writtenKeys = new Map<string, string>();
  let isComplete = true;

  function fill(value: Json, path: Path, writtenPath: Path): Json {
    if (typeof value === 'string') return value.includes('${') ? fillString(value, path, writtenPath) : value;
    if (typeof value !== 'object' || value === null || isLeftOut?.(path) === true) return value;
    if (isJsonArray(value)) {
      const items = value.map((item, index) => fill(item, [...path, index], [...writtenPath, index]));
      return items.every((item, index) => item === value[index]) ? value : items;
    }
    if (!isJsonObject(value)) return value;
    const entries = new Map<string, Json>();
    let isChanged = false;
    for (const [key, inner] of Object.entries(value)) {
      const written = [...writtenPath, key];
      const name = key.includes('${') ? fillKey(key, path, written) : key;
      if (entries.has(name)) {
        isComplete = false;
        report(parameterProblems.create('reference-key-twice', { key, name }, { location: locate(written) }));
      }
      const filled = fill(inner, [...path, name], written);
      isChanged ||= name !== key || filled !== inner;
      entries.set(name, filled);
    }
    return isChanged ? Object.fromEntries(entries) : value;
  }

  function fillKey(key: string, path: Path, writtenPath: Path): string {
    const place = (): Location => locate(writtenPath, 'key');
    const template = parseTemplate(key, filling.syntax);
    const references = listReferences(template);
    let name: string | undefined;
    if (references.length > 0 && filling.keys === 'refuse') {
      report(parameterProblems.create('reference-in-key', { key }, { location: place() }));
    } else name = filling.fillText(template, place);
    if (name === undefined) isComplete = false;
    const filled = [...path, name ?? key];
    if (references.length > 0) spots.push({ path: filled, writtenPath, references, isKey: true, whole: undefined });
    if (name !== undefined && name !== key) writtenKeys.set(keyOf(filled), key);
    return name ?? key;
  }

  function fillString(text: string, path: Path, writtenPath: Path): Json {
    const place = (reference?: Reference): Location => locate(writtenPath, undefined, reference);
    const template = parseTemplate(text, filling.syntax);
    const references = listReferences(template);
    const filled = filling.fillValue(template, place);
    if (references.length > 0) spots.push({ path, writtenPath, references, isKey: false, whole: filled?.whole });
    if (filled !== undefined && path.length + sizeOf(filled.value).depth <= deepest) {
      return filled.whole === undefined || adapt === undefined ? filled.value : adapt(filled.whole, path);
    }
    isComplete = false;
    if (filled !== undefined) {
      const args = { reference: references[0]!.text, limit: deepest };
      report(parameterProblems.create('parameter-too-deep', args, { location: place() }));
    }
    return text;
  }

  const data = fill(root, [], []);
  let byPath: ReadonlyMap<string, Spot<Value>> | undefined;
  return {
    data,
    isComplete,
    spots,
    spotAt(path) {
      if (spots.length === 0) return undefined;
      byPath ??= new Map(spots.filter(({ isKey }) => !isKey).map((spot) => [keyOf(spot.path), spot]));
      for (let depth = 0; depth <= path.length; depth += 1) {
        const spot = byPath.get(keyOf(path.slice(0, depth)));
        if (spot !== undefined) return spot;
      }
      return undefined;
    },
    writtenPath: writtenKeys.size === 0 ? samePath : createWrittenPath(writtenKeys),
  };
}

/** Apart from the rest, because the function may be kept for longer than the substitution. */
function createWrittenPath(writtenKeys: ReadonlyMap<string, string>): FilledTree['writtenPath'] {
  return (path) => path.map((step, index) => writtenKeys.get(keyOf(path.slice(0, index + 1))) ?? step);
}

/** Whether a string or a key of the value has a reference. */
export function mayRefer(value: Json): boolean {
  if (typeof value === 'string') return value.includes('${');
  if (isJsonArray(value)) return value.some(mayRefer);
  if (!isJsonObject(value)) return false;
  for (const key of Object.keys(value)) if (key.includes('${') || mayRefer(value[key]!)) return true;
  return false;
}

function keyOf(path: Path): string {
  return JSON.stringify(path);
}

/** Each once. */
function listReferences({ parts }: Template): readonly Reference[] {
  const references = parts.filter((part) => typeof part !== 'string');
  return [...new Map(references.map((reference) => [reference.text, reference])).values()];
}

/** A value as part of a longer string: in its original notation. `undefined` if it is not a scalar. */
function textOf({ value, writtenAt }: Found): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'object' ? undefined : (writtenAt?.([]) ?? String(value));
}

/** A string of an application with its references replaced, without findings; `undefined` if one of them has no suitable value. */
export function fillWherePossible(
  text: string,
  lookUp: (reference: Reference) => Found | undefined,
): string | undefined {
  let filled = '';
  for (const part of parseTemplate(text, applicationSyntax).parts) {
    const value = typeof part === 'string' ? { value: part } : lookUp(part);
    const piece = value && textOf(value);
    if (piece === undefined) return undefined;
    filled += piece;
  }
  return filled;
}

/** `isPart`: the reference is in a longer string; on its own it would be valid. */
export function createNotScalar({ text }: Reference, value: Json, isPart = false): Diagnostic {
  return parameterProblems.create('reference-not-scalar', { reference: text, actual: describeType(value), isPart });
}

/** The same limit as for a file. */
export const deepest = 256;

interface Size {
  /** As the budget counts values: 64 characters are one. */
  readonly values: number;
  /** Nesting depth of objects and lists. */
  readonly depth: number;
}

const charactersOfValue = 64;
const sizes = new WeakMap<object, Size>();

/** Data that does not come from a text may be nested deeper than the call stack allows. */
const bottomless: Size = { values: Infinity, depth: Infinity };

/** The size of a value that does not change, counting shared parts each time. Values deeper than `deepest` are infinite. */
export function sizeOf(value: Json, level = 0): Size {
  if (typeof value !== 'object' || value === null) {
    return { values: String(value).length / charactersOfValue, depth: 0 };
  }
  const before = sizes.get(value);
  if (before !== undefined) return before;
  if (level >= deepest) return bottomless;
  let [values, depth] = [1, 0];
  for (const item of isJsonArray(value) ? value : Object.values(value)) {
    const inner = sizeOf(item, level + 1);
    values += typeof item === 'object' && item !== null ? inner.values : 1 + inner.values;
    depth = Math.max(depth, inner.depth);
  }
  const size = { values, depth: depth + 1 };
  if (depth < Infinity) sizes.set(value, size);
  return size;
}
