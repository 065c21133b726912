import type { Location, Position, Range, SourceFile } from '../model/index.ts';
import { clampOffset, createLineIndex } from './line-index.ts';
import type { LineIndex } from './line-index.ts';

export interface PlaceOptions {
  readonly sources: readonly SourceFile[];
  /** Finds the range of a path of data; handed in, because only the YAML room can read the text again. */
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

  return function findPlace(location) {
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
    return {
      file,
      found: { source, lines, range, start: lines.positionAt(range.start), end: lines.positionAt(range.end) },
    };
  };
}
