import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Diagnostic, Json, JsonObject, Path } from '../../model/index.ts';
import { deepest, mostValues, weigh } from '../weigh.ts';
import type { DeclaredOrigin, DeclaredValue, ValuePart } from './declared-values.ts';
import { describeValue } from './describe-value.ts';
import { listScalars } from './list-scalars.ts';
import { declaredProblems } from './problems.ts';
import { isScalar } from './same-value.ts';
import { namesIn, splitReferences } from './split-references.ts';
import type { Piece } from './split-references.ts';

export interface FillDataOptions {
  /** The value of a parameter; whoever has none says so and gives `undefined`. */
  readonly lookUp: (name: string, path: Path) => DeclaredValue | undefined;
  readonly reportAt: (diagnostic: Diagnostic, path: Path, at?: 'key') => void;
  /** What is not filled in and stays as it is. */
  readonly isLeftOut?: ((path: Path) => boolean) | undefined;
  /** Whether only a text can stand somewhere, so that the number or boolean of a parameter is taken for one. */
  readonly isTextAt?: ((path: Path) => boolean) | undefined;
}

export interface FilledData {
  readonly data: Json;
  /** The path as the author wrote it, keys with their escapes. */
  readonly authoredPath: (path: Path) => Path;
  /** The text that the author wrote, for what is inside of a value that took the place of one: `env` for `env[0].name`. */
  readonly writtenPath: (path: Path) => Path;
  /** For what is inside of a value that took the place of a reference: where that was given. */
  readonly originInside: (path: Path) => DeclaredOrigin | undefined;
  /** The parameters that made the text at a path, or the whole that it is a part of. */
  readonly referencesAt: (path: Path) => readonly string[];
  /** The values that took the place of whole texts. */
  readonly parts: () => readonly ValuePart[];
  /** Whether a text holds more than one reference, so that it is a text whatever the reference is. */
  readonly isMixedAt: (path: Path) => boolean;
}

// Far more than Kubernetes takes; parameters made of parameters would otherwise grow without end.
const mostText = 1 << 24;

/** Data with its references replaced, typed where one is a whole text. What is put in is not looked at again. */
export function fillData(data: Json, options: FillDataOptions): FilledData {
  const filling: Filling = { options, spots: new Map(), keys: new Map(), spent: { text: 0 } };
  const filled = fill(data, [], filling);
  checkGrowth(data, filled, filling);
  return {
    data: filled,
    authoredPath: (path) => authoredPath(path, filling),
    writtenPath: (path) => authoredPath(path.slice(0, spotAbove(path, filling)?.depth ?? path.length), filling),
    originInside(path) {
      const above = spotAbove(path, filling);
      return above?.spot.whole?.originAt(path.slice(above.depth));
    },
    parts: () =>
      [...filling.spots.values()].flatMap(({ path, whole }) => (whole === undefined ? [] : [{ path, value: whole }])),
    isMixedAt: (path) => filling.spots.get(keyOf(path))?.whole === undefined && filling.spots.has(keyOf(path)),
    referencesAt: (path) => (filling.spots.get(keyOf(path)) ?? spotAbove(path, filling)?.spot)?.names ?? [],
  };
}

/** Lists and mappings that are made of others are shared in memory, but not by whoever walks through them. */
function checkGrowth(before: Json, after: Json, { spots, options }: Filling): void {
  const structures = [...spots.values()].flatMap(({ whole }) => (typeof whole?.value === 'object' ? [whole.name] : []));
  if (structures[0] === undefined) return;
  const { count, depth } = weigh(after);
  if (count <= mostValues + weigh(before).count && depth <= deepest) return;
  options.reportAt(declaredProblems.create('placeholder-too-large', { reference: structures[0] }), []);
}

interface Spot {
  readonly path: Path;
  readonly names: readonly string[];
  /** The value that took the place of the whole text. */
  readonly whole: DeclaredValue | undefined;
}

interface Filling {
  readonly options: FillDataOptions;
  /** By path. */
  readonly spots: Map<string, Spot>;
  /** Keys with escapes as they were written, by path. */
  readonly keys: Map<string, string>;
  readonly spent: { text: number };
}

function keyOf(path: Path): string {
  return JSON.stringify(path);
}

function spotAbove(path: Path, { spots }: Filling): { readonly spot: Spot; readonly depth: number } | undefined {
  if (spots.size === 0) return undefined;
  for (let depth = 0; depth < path.length; depth += 1) {
    const spot = spots.get(keyOf(path.slice(0, depth)));
    if (spot !== undefined) return { spot, depth };
  }
  return undefined;
}

function authoredPath(path: Path, { keys }: Filling): Path {
  return keys.size === 0 ? path : path.map((step, index) => keys.get(keyOf(path.slice(0, index + 1))) ?? step);
}

function fill(value: Json, path: Path, filling: Filling): Json {
  if (typeof value === 'string') return value.includes('${') ? fillText(value, path, filling) : value;
  if (typeof value !== 'object' || value === null || filling.options.isLeftOut?.(path) === true) return value;
  if (isJsonArray(value)) {
    const items = value.map((item, index) => fill(item, [...path, index], filling));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  return isJsonObject(value) ? fillMapping(value, path, filling) : value;
}

function fillMapping(mapping: JsonObject, path: Path, filling: Filling): Json {
  let isChanged = false;
  const entries = Object.entries(mapping).map(([key, value]): [string, Json] => {
    const name = key.includes('${') ? readKey(key, path, filling) : key;
    const filled = fill(value, [...path, name], filling);
    isChanged ||= filled !== value || name !== key;
    return [name, filled];
  });
  return isChanged ? Object.fromEntries(entries) : mapping;
}

function readKey(key: string, path: Path, { options, keys }: Filling): string {
  if (namesIn(key).length > 0) {
    options.reportAt(declaredProblems.create('placeholder-in-key', { key }), [...path, key], 'key');
    return key;
  }
  const text = literalOf(splitReferences(key));
  if (text !== key) keys.set(keyOf([...path, text]), key);
  return text;
}

function fillText(text: string, path: Path, filling: Filling): Json {
  const pieces = splitReferences(text);
  const names = namesIn(text);
  if (names.length === 0) return literalOf(pieces);
  const [only] = pieces;
  const whole = pieces.length === 1 && typeof only === 'object' ? filling.options.lookUp(only.name, path) : undefined;
  filling.spots.set(keyOf(path), { path, names, whole });
  if (whole !== undefined) return putIn(whole, path, filling.options);
  return pieces.length === 1 ? text : joinPieces(pieces, path, filling);
}

/** What is wrong with a parameter is told once, however often it stands in the text. */
function joinPieces(pieces: readonly Piece[], path: Path, filling: Filling): string {
  const refused = new Set<string>();
  return pieces
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      const text = refused.has(piece.name) ? undefined : textOf(piece.name, path, filling);
      if (text === undefined) refused.add(piece.name);
      return text;
    })
    .join('');
}

/** A value in the place of a reference, with texts for numbers and booleans of parameters where only texts can stand. */
function putIn(whole: DeclaredValue, path: Path, { isTextAt }: FillDataOptions): Json {
  if (isTextAt === undefined) return whole.value;
  return listScalars(whole)
    .filter((scalar) => isTextAt([...path, ...scalar.path]))
    .reduce((value, scalar) => putText(value, scalar.path, scalar.text()), whole.value);
}

function putText(value: Json, path: Path, text: string): Json {
  const [step, ...rest] = path;
  if (step === undefined) return isScalar(value) ? text : value;
  if (isJsonArray(value)) return value.map((item, index) => (index === step ? putText(item, rest, text) : item));
  const entries = Object.entries(isJsonObject(value) ? value : {});
  return Object.fromEntries(entries.map(([key, item]) => [key, key === step ? putText(item, rest, text) : item]));
}

/** Of a text in which there is no reference, only escapes. */
function literalOf(pieces: readonly Piece[]): string {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : '')).join('');
}

function textOf(name: string, path: Path, { options, spent }: Filling): string | undefined {
  const found = options.lookUp(name, path);
  if (found === undefined) return undefined;
  const { name: reference, value } = found;
  if (typeof value === 'object') {
    const args = { reference, found: describeValue(value) };
    options.reportAt(declaredProblems.create('placeholder-structure', args), path);
    return undefined;
  }
  const text = String(value);
  const before = spent.text;
  spent.text += text.length;
  if (spent.text <= mostText) return text;
  if (before <= mostText) options.reportAt(declaredProblems.create('placeholder-too-large', { reference }), path);
  return undefined;
}
