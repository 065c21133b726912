import { countBefore } from '../diagnostics/index.ts';
import type { Json, Location, Path, Range, SourceFile } from '../model/index.ts';
import { readMarkedDocument, readYaml } from './read-yaml.ts';
import { markOf } from './edit-sheet.ts';
import type { CollectionMark, EntryMark } from './reading.ts';
import type { MarkedDocument } from './read-yaml.ts';
import { resolvePlainKey } from './resolve-plain-scalar.ts';
import type { YamlWords } from './resolve-plain-scalar.ts';
import { getOrAdd } from '../budget/index.ts';

type Node = Pick<EntryMark, 'valueRange' | 'value' | 'decorated'>;

/** Resolves aliases to their values. */
interface Places {
  readonly text: string;
  /** In text order. */
  readonly collections: readonly CollectionMark[];
  /** By name, each in text order, because an anchor name may be reused. */
  readonly anchors: ReadonlyMap<string, readonly Node[]>;
}

const placesOf = new WeakMap<MarkedDocument, Places>();

/** The range where a value is written out, with anchor and tag; follows the aliases and merge keys that it came through. */
export function locateWritten(source: SourceFile, { document = 0, path = [], range }: Location): Range | undefined {
  if (range !== undefined) return range;
  const marked = markedOf(source, document);
  if (marked === undefined) return undefined;
  const places = getOrAdd(placesOf, marked, () => findPlaces(marked, source.text));
  let node = follow(marked.root, places);
  for (const step of path) {
    const next = node === undefined ? undefined : enter(node, step, places);
    if (next === undefined) return undefined;
    node = follow(next, places);
  }
  return node?.valueRange;
}

function findPlaces({ root, marks }: MarkedDocument, text: string): Places {
  const collections = [...marks.values()].sort((a, b) => a.range.start - b.range.start);
  const decorated = [root, ...collections.flatMap(({ entries }) => entries)].filter((node) => node.decorated);
  const anchors = new Map<string, Node[]>();
  for (const node of decorated.sort((a, b) => a.valueRange.start - b.valueRange.start)) {
    const name = anchorOf(text.slice(node.valueRange.start, node.valueRange.end));
    if (name !== undefined) getOrAdd(anchors, name, () => []).push(node);
  }
  return { text, collections, anchors };
}

/** The anchor before a value, with or without a tag. */
function anchorOf(written: string): string | undefined {
  return /^(?:!\S*\s+)?&([^\s,[\]{}]+)/.exec(written)?.[1];
}

/** The value of an alias: the last anchor with that name before it. */
function follow(node: Node, { text, anchors }: Places): Node | undefined {
  if (node.value !== 'alias') return node;
  const { start, end } = node.valueRange;
  const named = anchors.get(text.slice(start + 1, end)) ?? [];
  return named[countBefore(named, (node) => node.valueRange.start < start) - 1];
}

/** The entry of a key or an index: one of the collection itself, or else the first one merged into it. */
function enter(node: Node, step: string | number, places: Places): Node | undefined {
  const waiting = [node];
  // Objects that merge each other repeatedly would take exponential time.
  const seen = new Set<Node>();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const entries = seen.has(next) ? [] : entriesOf(next, places);
    seen.add(next);
    const entry = findEntry(entries, step, places.text);
    if (entry !== undefined) return entry;
    const merge = findEntry(entries, '<<', places.text);
    const merged = merge === undefined || isQuoted(merge, places.text) ? undefined : follow(merge, places);
    if (merged === undefined) continue;
    const sources = merged.value === 'list' ? entriesOf(merged, places) : [merged];
    for (const source of sources.toReversed()) {
      const target = follow(source, places);
      if (target !== undefined) waiting.push(target);
    }
  }
  return undefined;
}

function entriesOf({ value, valueRange }: Node, { collections }: Places): readonly EntryMark[] {
  if (value !== 'mapping' && value !== 'list') return [];
  // Only an anchor and a tag can be between the start of the value and the start of the collection.
  return collections[countBefore(collections, ({ range }) => range.start < valueRange.start)]?.entries ?? [];
}

function isQuoted({ keyRange }: EntryMark, text: string): boolean {
  return text.charAt(keyRange.start) !== '<';
}

/** What was already read of a text to find places in it, because there may be many findings in one text. */
interface Located {
  readonly ranges: Partial<Record<YamlWords, ReadonlyMap<number, Range>>>;
  readonly marked: Map<number, MarkedDocument>;
}

const located = new WeakMap<SourceFile, Located>();

/**
 * The range of a value or key in its text; the range of the nearest ancestor when the path does not exist, or when it came
 * through an alias or merge key. `undefined` when the document cannot be read. Works for both sets of boolean words.
 */
export function locateInYaml(source: SourceFile, location: Location): Range | undefined {
  if (location.range !== undefined) return location.range;
  const marked = markedOf(source, location.document ?? 0);
  if (marked === undefined) return undefined;
  return findPlace(marked, { path: location.path ?? [], at: location.at ?? 'value', text: source.text });
}

/** A document with marks; `undefined` when it cannot be read. */
function markedOf(source: SourceFile, index: number): MarkedDocument | undefined {
  const readings = getOrAdd(located, source, () => ({ ranges: {}, marked: new Map<number, MarkedDocument>() }));
  const marked = readings.marked.get(index) ?? mark(source, index, readings);
  if (marked !== undefined) readings.marked.set(index, marked);
  return marked;
}

/** `{y: 1, yes: 2}` is valid only with the booleans of YAML 1.2, and `{y: 1, "y": 2}` only with those of YAML 1.1. */
function mark(source: SourceFile, index: number, { ranges }: Located): MarkedDocument | undefined {
  for (const words of ['kubernetes', 'core'] as const) {
    const all = (ranges[words] ??= new Map(
      readYaml(source, { words }).documents.map((entry) => [entry.index, entry.range]),
    ));
    const range = all.get(index);
    if (range !== undefined) return readMarkedDocument(source, range, { words });
  }
  return undefined;
}

interface Sought {
  readonly path: Path;
  readonly at: 'key' | 'value';
  readonly text: string;
}

function findPlace(marked: MarkedDocument, { path, at, text }: Sought): Range {
  let value: Json = marked.data;
  let place = { keyRange: marked.root.valueRange, valueRange: marked.root.valueRange };
  for (const step of path) {
    const entry = findEntry(markOf(marked.marks, value)?.entries ?? [], step, text);
    // The key shows better than the whole value where something is missing.
    if (entry === undefined) return place.keyRange;
    place = entry;
    value = (value as { readonly [key in string | number]: Json })[entry.key]!;
  }
  return at === 'key' ? place.keyRange : place.valueRange;
}

function findEntry(entries: readonly EntryMark[], step: string | number, text: string): EntryMark | undefined {
  const exact = entryOf(entries, step);
  if (exact !== undefined || typeof step === 'number') return exact;
  // A document that is valid both ways is marked as Kubernetes reads it, so a plain `y` is found under `true`.
  const meant = resolvePlainKey(step);
  const entry = meant === 'true' || meant === 'false' ? entryOf(entries, meant) : undefined;
  return entry !== undefined && text.slice(entry.keyRange.start, entry.keyRange.end) === step ? entry : undefined;
}

function entryOf(entries: readonly EntryMark[], step: string | number): EntryMark | undefined {
  return entries.length > fewEntries ? indexOf(entries).get(step) : entries.find(({ key }) => key === step);
}

const fewEntries = 16;
const indexes = new WeakMap<readonly EntryMark[], ReadonlyMap<string | number, EntryMark>>();

/** Avoids a linear search for each key, because an object may have a hundred thousand keys. */
function indexOf(entries: readonly EntryMark[]): ReadonlyMap<string | number, EntryMark> {
  // Reversed, so that the first of two duplicates wins.
  return getOrAdd(indexes, entries, () => new Map(entries.toReversed().map((entry) => [entry.key, entry])));
}
