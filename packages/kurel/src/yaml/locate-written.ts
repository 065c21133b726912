import type { Location, Range, SourceFile } from '../model/index.ts';
import { findEntry, markedOf } from './locate-in-yaml.ts';
import type { CollectionMark, EntryMark } from './marks.ts';
import type { MarkedDocument } from './read-marked-document.ts';

type Node = Pick<EntryMark, 'valueRange' | 'value' | 'decorated'>;

/** What leads from an alias to what it stands for. */
interface Places {
  readonly text: string;
  /** In the order of the text. */
  readonly collections: readonly CollectionMark[];
  /** By name, each in the order of the text: a name may be given again. */
  readonly anchors: ReadonlyMap<string, readonly Node[]>;
}

const placesOf = new WeakMap<MarkedDocument, Places>();

/** The place where a value is written out, anchor and tag included: behind aliases and merge keys, where these brought it. */
export function locateWritten(source: SourceFile, { document = 0, path = [], range }: Location): Range | undefined {
  if (range !== undefined) return range;
  const marked = markedOf(source, document);
  if (marked === undefined) return undefined;
  const places = placesOf.get(marked) ?? findPlaces(marked, source.text);
  placesOf.set(marked, places);
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
    if (name === undefined) continue;
    const same = anchors.get(name);
    if (same === undefined) anchors.set(name, [node]);
    else same.push(node);
  }
  return { text, collections, anchors };
}

/** In front of a value, with or without a tag beside it. */
function anchorOf(written: string): string | undefined {
  return /^(?:!\S*\s+)?&([^\s,[\]{}]+)/.exec(written)?.[1];
}

/** What an alias stands for: the last that had the name before it. */
function follow(node: Node, { text, anchors }: Places): Node | undefined {
  if (node.value !== 'alias') return node;
  const { start, end } = node.valueRange;
  const named = anchors.get(text.slice(start + 1, end)) ?? [];
  return named[countBefore(named, (one) => one.valueRange.start < start) - 1];
}

/** What a key or an index leads to: an entry of the collection, or else of what is merged into it, the first that has it. */
function enter(node: Node, step: string | number, places: Places): Node | undefined {
  const waiting = [node];
  // Mappings that merge one another twice would be looked through more often than anyone can wait for.
  const seen = new Set<Node>();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const entries = seen.has(next) ? [] : entriesOf(next, places);
    seen.add(next);
    const found = findEntry(entries, step, places.text);
    if (found !== undefined) return found;
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
  // Between the start of the value and that of the collection are at most an anchor and a tag.
  return collections[countBefore(collections, ({ range }) => range.start < valueRange.start)]?.entries ?? [];
}

function isQuoted({ keyRange }: EntryMark, text: string): boolean {
  return text.charAt(keyRange.start) !== '<';
}

/** How many at the front of an ordered list are so. */
function countBefore<T>(ordered: readonly T[], isBefore: (one: T) => boolean): number {
  let [low, high] = [0, ordered.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(ordered[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}
