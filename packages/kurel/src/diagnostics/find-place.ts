import type { Location, Position, Range, SourceFile } from '../model/index.ts';
import { findSecrets, joinRanges } from './find-secrets.ts';
import { clampOffset, createLineIndex } from './line-index.ts';
import type { LineIndex } from './line-index.ts';

export interface PlaceOptions {
  readonly sources: readonly SourceFile[];
  /** Finds the range of a path of data; handed in, because only the YAML module can read the text again. */
  readonly locate: (source: SourceFile, location: Location) => Range | undefined;
}

/** A location as far as it could be found in a text. */
export interface Place {
  readonly file: string;
  readonly found?: {
    readonly source: SourceFile;
    readonly lines: LineIndex;
    readonly range: Range;
    readonly start: Position;
    readonly end: Position;
    /** The parts of the text around it that are not for showing. */
    readonly hidden: readonly Range[];
  };
}

/** A finding about a file as such has no line of its own, and its text may not be for showing. */
function isWholeFile({ document, path }: Location): boolean {
  return document === undefined && path === undefined;
}

/** Finds places, reading each source once for all findings in it. */
export function createPlaceFinder(options: PlaceOptions): (location: Location) => Place {
  const sources = new Map<string, SourceFile>();
  for (const source of options.sources) {
    if (!sources.has(source.path)) sources.set(source.path, source);
  }
  const indexes = new Map<SourceFile, LineIndex>();
  const secretsIn = createSecretFinder([...new Set(options.sources.flatMap(({ secrets = [] }) => secrets))]);

  // Each is asked for when the words are looked at, and again when the place is shown.
  const places = new Map<Location, Place>();

  return function findPlace(location) {
    const known = places.get(location) ?? look(location);
    places.set(location, known);
    return known;
  };

  function look(location: Location): Place {
    const { file } = location;
    const source = sources.get(file);
    if (source === undefined) return { file };
    const given = location.range ?? (isWholeFile(location) ? undefined : options.locate(source, location));
    if (given === undefined) return { file };
    let lines = indexes.get(source);
    if (lines === undefined) {
      lines = createLineIndex(source.text);
      indexes.set(source, lines);
    }
    const start = clampOffset(given.start, source.text.length);
    const range = { start, end: Math.max(start, clampOffset(given.end, source.text.length)) };
    const [first, last] = [lines.positionAt(range.start), lines.positionAt(range.end)];
    const bounds = lines.lineBounds(first.line);
    const hidden = secretsIn(source, {
      start: Math.max(bounds.start, range.start - nearby),
      end: Math.max(Math.min(bounds.end, range.start + nearby), range.end),
    });
    return { file, found: { source, lines, range, start: first, end: last, hidden } };
  }
}

// Further than an excerpt reaches: a line may be a whole file, with thousands of secrets and findings.
const nearby = 500;

// In a text of megabytes, what is further away has nothing to say about a line.
const reach = 200_000;

/** Finds the secrets that a part of a text touches. */
function createSecretFinder(words: readonly string[]): (source: SourceFile, part: Range) => readonly Range[] {
  // Findings come in numbers, and mostly near one another.
  const known = new Map<SourceFile, Map<number, readonly Range[]>>();
  const findAround = (source: SourceFile, block: number): readonly Range[] => {
    const blocks = known.get(source) ?? new Map<number, readonly Range[]>();
    known.set(source, blocks);
    const found = blocks.get(block) ?? lookAround(source.text, block);
    blocks.set(block, found);
    return found;
  };
  return (source, part) => {
    const isShort = source.text.length <= 4 * reach;
    const secrets = findAround(source, isShort ? 0 : Math.floor(part.start / reach));
    const touched: Range[] = [];
    for (let at = firstBehind(secrets, part.start); at < secrets.length && secrets[at]!.start < part.end; at += 1) {
      touched.push(secrets[at]!);
    }
    return words.length === 0 ? touched : joinRanges([...touched, ...findWords(source.text, words, part)]);
  };
}

/** Only in the part that is shown: there may be thousands of words. */
function findWords(text: string, words: readonly string[], { start, end }: Range): readonly Range[] {
  const part = text.slice(start, end);
  return words.flatMap((word) => {
    const found: Range[] = [];
    for (let at = part.indexOf(word); at !== -1; at = part.indexOf(word, at + word.length)) {
      found.push({ start: start + at, end: start + at + word.length });
    }
    return found;
  });
}

/** The secrets in a block of a text and in what is within reach of it. */
function lookAround(text: string, block: number): readonly Range[] {
  const from = Math.max(0, (block - 1) * reach);
  const near = findSecrets(text.slice(from, (block + 4) * reach));
  return from === 0 ? near : near.map(({ start, end }) => ({ start: start + from, end: end + from }));
}

/** The index of the first of some ranges, which do not overlap, that ends behind an offset. */
function firstBehind(ranges: readonly Range[], offset: number): number {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]!.end > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}
