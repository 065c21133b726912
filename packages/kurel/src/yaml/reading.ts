import type { Allowance, Diagnostic, Json, JsonArray, JsonObject, SourceFile } from '../model/index.ts';
import type { CollectionMark, EntryMark } from './marks.ts';
import type { KeyCache } from './resolve-plain-scalar.ts';
import type { WordTable } from './resolve-plain-scalar.ts';
import { CR, DASH, DOT, LF, isBreakOrEnd, isSpaceOrEnd } from './char-codes.ts';

/** Limits of the reader, to keep hostile text cheap. */
export interface YamlLimits {
  /** Nesting depth of objects and lists. */
  readonly depth: number;
  /** UTF-16 units of one text. */
  readonly length: number;
  /** Documents in one text. */
  readonly documents: number;
}

export const defaultLimits: YamlLimits = { depth: 256, length: 2 ** 28, documents: 1_000_000 };

export interface Anchor {
  /** `undefined` while the value is still being read, so an alias that finds this is inside its own value. */
  value: Json | undefined;
}

/** One document in its text. */
export interface DocumentPlace {
  readonly source: SourceFile;
  /** The source's text, or a part of it, with the NUL that ends it. */
  readonly text: string;
  /** Where that part starts. */
  readonly base: number;
  readonly limits: YamlLimits;
  /** Values that aliases may still copy; every 64 characters of text count as one value. */
  readonly values: Allowance;
  readonly document: number;
  /** Start of the content: a line, or the rest of the line of `---`. */
  readonly start: number;
  readonly lineStart: number;
  readonly keys: KeyCache;
  /** Whether there is a carriage return anywhere in the text. */
  readonly hasReturns: boolean;
  /** Root keys to read; the reading ends after the last of them. Defaults to everything. */
  readonly until?: ReadonlySet<string> | undefined;
  /** Depth up to which collections are marked, the root being 1; defaults to all. */
  readonly markedDepth?: number | undefined;
}

/**
 * The state of reading one document. The text ends in a NUL, which is never inside a valid text, so that no loop has to check
 * for the end. A class, because the functions that share it advance one position.
 */
export class Reading {
  readonly source: SourceFile;
  readonly text: string;
  /** Offset of the text in the source: not 0 when only one document is read again. */
  readonly base: number;
  readonly limits: YamlLimits;
  readonly values: Allowance;
  readonly document: number;
  pos: number;
  lineStart: number;
  /** Spaces before the content of a new line; -1 when the document has ended. */
  column = 0;
  /** Nesting depth of brackets at this position; 0 in block context. */
  flowDepth = 0;
  /** Column of the block collection around the outermost bracket; -1 if there is none. */
  flowParent = -1;
  /** Inside brackets: the leftmost column of a tab before the content of the last lines, and its position. */
  tabColumn = Infinity;
  tabAt = -1;
  /** Whether the last move to the next content skipped a comment, which ends a plain scalar. */
  passedComment = false;
  depth = 0;
  /** Some collections are nested deeper than in almost any document. */
  isDeep = false;
  /** Column of the block collection that ended last, and the position of the content that ended it. */
  closedColumn = -1;
  closedBefore = -1;
  /** End of the last content, without blanks and comments. */
  contentEnd = 0;
  /** Position and style of the last value. */
  valueStart = 0;
  valueStyle: EntryMark['value'] = 'missing';
  valueDecorated = false;
  /** The last plain value as text; `1.0` is a number as a value, but may be a different string as a key. */
  plainText = '';
  /** Position of the last key, and whether it had neither quotes nor properties, as a merge key requires. */
  keyStart = 0;
  keyEnd = 0;
  keyPlain = false;
  anchors: Map<string, Anchor> | undefined;
  /** Findings that did not stop the reading. */
  readonly diagnostics: Diagnostic[] = [];
  /** Set when a key was duplicated and the position of the first was unknown; the document is then read again with marks. */
  sawDuplicate = false;
  readonly keys: KeyCache;
  readonly words: WordTable;
  /** Only present on request; reading without marks costs nothing extra. */
  readonly marks: Map<JsonObject | JsonArray, CollectionMark> | undefined;
  readonly markedDepth: number;
  /** Whether the fast path for plain lines may be used: it leaves no marks, and expects lines to end in line feeds. */
  readonly quick: boolean;
  /** Root keys that are still to be found; the reading ends when there are none left. */
  readonly until: Set<string> | undefined;

  constructor(place: DocumentPlace, marks: boolean) {
    this.source = place.source;
    this.text = place.text;
    this.base = place.base;
    this.limits = place.limits;
    this.values = place.values;
    this.document = place.document;
    this.pos = place.start;
    this.lineStart = place.lineStart;
    this.contentEnd = place.start;
    this.keys = place.keys;
    this.words = place.keys.words;
    this.marks = marks ? new Map() : undefined;
    this.markedDepth = marks ? (place.markedDepth ?? Infinity) : 0;
    this.quick = !marks && place.until === undefined && !place.hasReturns;
    this.until = place.until === undefined ? undefined : new Set(place.until);
  }
}

/** `---` or `...` at the start of a line, followed by a blank or the end of the line. */
export function isMarker(text: string, pos: number): boolean {
  const code = text.charCodeAt(pos);
  return (
    (code === DASH || code === DOT) &&
    text.charCodeAt(pos + 1) === code &&
    text.charCodeAt(pos + 2) === code &&
    isSpaceOrEnd(text.charCodeAt(pos + 3))
  );
}

export function endOfLine(text: string, from: number): number {
  let pos = from;
  while (!isBreakOrEnd(text.charCodeAt(pos))) pos++;
  return pos;
}

/** The start of the next line; the same offset at the end of the text. */
export function passBreak(text: string, lineEnd: number): number {
  const code = text.charCodeAt(lineEnd);
  if (code === CR && text.charCodeAt(lineEnd + 1) === LF) return lineEnd + 2;
  return code === CR || code === LF ? lineEnd + 1 : lineEnd;
}
