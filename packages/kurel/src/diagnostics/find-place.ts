import type { Location, Position, Range, SourceFile } from '../model/index.ts';
import { findSecrets, joinRanges } from './find-secrets.ts';

export interface PlaceOptions {
  readonly sources: readonly SourceFile[];
  /** Finds the range of a path in the data; injected, because only the YAML module can read the text again. */
  readonly locate: (source: SourceFile, location: Location) => Range | undefined;
}

/** A location, resolved as far as its text allows. */
export interface Place {
  readonly file: string;
  readonly found?: {
    readonly source: SourceFile;
    readonly lines: LineIndex;
    readonly range: Range;
    readonly start: Position;
    readonly end: Position;
    /** The parts of the surrounding text that must not be shown. */
    readonly hidden: readonly Range[];
  };
}

/** A finding about a whole file has no line, and its text may be secret. */
function isWholeFile({ document, path }: Location): boolean {
  return document === undefined && path === undefined;
}

/** Resolves locations and reads each source once for all findings in it. */
export function createPlaceFinder(options: PlaceOptions): (location: Location) => Place {
  // The first source with a path counts.
  const sources = new Map(options.sources.toReversed().map((source) => [source.path, source]));
  const indexes = new Map<SourceFile, LineIndex>();
  const secretsIn = createSecretFinder([...new Set(options.sources.flatMap(({ secrets = [] }) => secrets))]);

  // Each place is looked up twice: for hiding secrets in the message, and for showing the excerpt.
  const places = new Map<Location, Place>();

  return function findPlace(location) {
    const place = places.get(location) ?? look(location);
    places.set(location, place);
    return place;
  };

  function look(location: Location): Place {
    const { file } = location;
    const source = sources.get(file);
    if (source === undefined) return { file };
    const wanted = location.range ?? (isWholeFile(location) ? undefined : options.locate(source, location));
    if (wanted === undefined) return { file };
    const lines = indexes.get(source) ?? createLineIndex(source.text);
    indexes.set(source, lines);
    const start = clampOffset(wanted.start, source.text.length);
    const range = { start, end: Math.max(start, clampOffset(wanted.end, source.text.length)) };
    const [first, last] = [lines.positionAt(range.start), lines.positionAt(range.end)];
    const bounds = lines.lineBounds(first.line);
    const hidden = secretsIn(source, {
      start: Math.max(bounds.start, range.start - nearby),
      end: Math.max(Math.min(bounds.end, range.start + nearby), range.end),
    });
    return { file, found: { source, lines, range, start: first, end: last, hidden } };
  }
}

// More than an excerpt shows. A line may be a whole file, with thousands of secrets and findings.
const nearby = 500;

// In a text of megabytes, anything further away is irrelevant to a line.
const reach = 200_000;

/** Finds the secrets that a part of a text touches. */
function createSecretFinder(words: readonly string[]): (source: SourceFile, part: Range) => readonly Range[] {
  // There may be many findings, mostly close together.
  const secretsBySource = new Map<SourceFile, Map<number, readonly Range[]>>();
  const findAround = (source: SourceFile, block: number): readonly Range[] => {
    const blocks = secretsBySource.get(source) ?? new Map<number, readonly Range[]>();
    secretsBySource.set(source, blocks);
    const secrets = blocks.get(block) ?? lookAround(source.text, block);
    blocks.set(block, secrets);
    return secrets;
  };
  return (source, part) => {
    const isShort = source.text.length <= 4 * reach;
    const secrets = findAround(source, isShort ? 0 : Math.floor(part.start / reach));
    // They do not overlap.
    const from = countBefore(secrets, ({ end }) => end <= part.start);
    const touched = secrets.slice(
      from,
      countBefore(secrets, ({ start }) => start < part.end),
    );
    return words.length === 0 ? touched : joinRanges([...touched, ...findWords(source.text, words, part)]);
  };
}

/** Searches only the part that is shown, because there may be thousands of words. */
function findWords(text: string, words: readonly string[], { start, end }: Range): readonly Range[] {
  const part = text.slice(start, end);
  return words.flatMap((word) => {
    const ranges: Range[] = [];
    for (let at = part.indexOf(word); at !== -1; at = part.indexOf(word, at + word.length)) {
      ranges.push({ start: start + at, end: start + at + word.length });
    }
    return ranges;
  });
}

/** The secrets in a block of a text and within reach of it. */
function lookAround(text: string, block: number): readonly Range[] {
  const from = Math.max(0, (block - 1) * reach);
  const near = findSecrets(text.slice(from, (block + 4) * reach));
  return from === 0 ? near : near.map(({ start, end }) => ({ start: start + from, end: end + from }));
}

/** Converts offsets to positions: one pass over the text, then logarithmic time per offset. */
interface LineIndex {
  positionAt(offset: number): Position;
  /** Offsets of the line's first character and of the end of its last, without the line break; lines count from 1. */
  lineBounds(line: number): { readonly start: number; readonly end: number };
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const byteOrderMark = 0xfeff;

/** Lines end with LF, CR LF or CR, as in YAML. A byte order mark belongs to no line. */
function createLineIndex(text: string): LineIndex {
  const starts = [text.charCodeAt(0) === byteOrderMark ? 1 : 0];
  const ends: number[] = [];
  // Characters of two units, by the offset of the second unit: subtracted from columns, which count characters.
  const pairs: number[] = [];
  for (let offset = starts[0]!; offset < text.length; offset += 1) {
    const unit = text.charCodeAt(offset);
    if (unit === lineFeed || unit === carriageReturn) {
      ends.push(offset);
      if (unit === carriageReturn && text.charCodeAt(offset + 1) === lineFeed) offset += 1;
      starts.push(offset + 1);
    } else if (isHighSurrogate(unit) && isLowSurrogate(text.charCodeAt(offset + 1))) {
      offset += 1;
      pairs.push(offset);
    }
  }
  ends.push(text.length);

  return {
    positionAt(offset) {
      const clamped = clampOffset(offset, text.length);
      const line = Math.max(1, countUpTo(starts, clamped));
      const start = starts[line - 1]!;
      const within = Math.max(start, Math.min(clamped, ends[line - 1]!));
      return { line, column: within - start - (countUpTo(pairs, within) - countUpTo(pairs, start)) + 1 };
    },
    lineBounds(line) {
      const index = Math.max(0, Math.min(line, starts.length) - 1);
      return { start: starts[index]!, end: ends[index]! };
    },
  };
}

let latest: { readonly text: string; readonly index: LineIndex } | undefined;

/** Line and column of an offset. The index of the latest text is cached, so many offsets in one text cost one pass. */
export function positionAt(text: string, offset: number): Position {
  if (latest?.text !== text) latest = { text, index: createLineIndex(text) };
  return latest.index.positionAt(offset);
}

/** Clamps any number to a valid index of the text. */
function clampOffset(offset: number, length: number): number {
  return Number.isNaN(offset) ? 0 : Math.max(0, Math.min(Math.trunc(offset), length));
}

export function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

export function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Binary search: how many elements at the start of an ordered list satisfy the condition. */
export function countBefore<Item>(ordered: readonly Item[], isBefore: (item: Item) => boolean): number {
  let [low, high] = [0, ordered.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(ordered[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function countUpTo(sorted: readonly number[], limit: number): number {
  return countBefore(sorted, (number) => number <= limit);
}
