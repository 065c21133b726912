import type { Allowance, Diagnostic, Json, JsonArray, JsonObject, SourceFile } from '../model/index.ts';
import type { CollectionMark, EntryMark } from './marks.ts';
import type { KeyCache } from './resolve-plain-scalar.ts';
import type { WordTable } from './resolve-plain-scalar.ts';
import { CR, DASH, DOT, LF, isBreakOrEnd, isSpaceOrEnd } from './char-codes.ts';

/** What the reader does not go beyond, so that hostile text costs little. */
export interface YamlLimits {
  /** Mappings and lists inside one another. */
  readonly depth: number;
  /** UTF-16 units of one text. */
  readonly length: number;
  /** Documents in one text. */
  readonly documents: number;
}

export const defaultLimits: YamlLimits = { depth: 256, length: 2 ** 28, documents: 1_000_000 };

export interface Anchor {
  /** `undefined` while the value is still being read: an alias that finds this stands inside its own value. */
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
  /** Values that aliases may still copy, text counted as one value for every 64 characters. */
  readonly values: Allowance;
  readonly document: number;
  /** Where the content starts: a line, or the rest of the line of `---`. */
  readonly start: number;
  readonly lineStart: number;
  readonly keys: KeyCache;
  /** Whether there is a carriage return anywhere in the text. */
  readonly hasReturns: boolean;
  /** Keys of the root that are asked for; the reading ends behind the last of them. Everything is read without this. */
  readonly until?: ReadonlySet<string> | undefined;
  /** How deep collections are marked, the root being 1; all of them without this. */
  readonly markedDepth?: number | undefined;
}

/**
 * Where one document is being read. The text ends in a NUL, which no valid text has inside, so that no loop has to check
 * for the end. A class, because the functions that share it move one position along.
 */
export class Reading {
  readonly source: SourceFile;
  readonly text: string;
  /** Where the text starts in the source: not at 0 when only one document is read again. */
  readonly base: number;
  readonly limits: YamlLimits;
  readonly values: Allowance;
  readonly document: number;
  pos: number;
  lineStart: number;
  /** Spaces in front of the content of a fresh line; -1 when the document has ended. */
  column = 0;
  /** Brackets inside one another at this place; 0 in block context. */
  flowDepth = 0;
  /** Column of the block collection around the outermost bracket; -1 when there is none. */
  flowParent = -1;
  /** The leftmost column of a tab in front of the content of the lines passed last, inside brackets, and its place. */
  tabColumn = Infinity;
  tabAt = -1;
  /** Whether the last step to the next content passed a comment, which ends a plain scalar. */
  passedComment = false;
  depth = 0;
  /** Some collections are nested deeper than nearly all documents have them. */
  isDeep = false;
  /** Column of the block collection that ended last, and the place of the content that ended it. */
  closedColumn = -1;
  closedBefore = -1;
  /** End of the last content read, without blanks and comments. */
  contentEnd = 0;
  /** Where and how the last value was written. */
  valueStart = 0;
  valueStyle: EntryMark['value'] = 'missing';
  valueDecorated = false;
  /** The last plain value as text; `1.0` as a value is a number, but as a key it may not be. */
  plainText = '';
  /** Where the last key stands, and whether it had neither quotes nor properties, as a merge key must. */
  keyStart = 0;
  keyEnd = 0;
  keyPlain = false;
  anchors: Map<string, Anchor> | undefined;
  /** Findings that did not stop the reading. */
  readonly diagnostics: Diagnostic[] = [];
  /** Set when a key stood twice and the first place was not known; the document is then read again with marks. */
  sawDuplicate = false;
  readonly keys: KeyCache;
  readonly words: WordTable;
  /** Filled only when asked for; reading without marks pays nothing for them. */
  readonly marks: Map<JsonObject | JsonArray, CollectionMark> | undefined;
  readonly markedDepth: number;
  /** Whether plain lines may be read as such: they leave no marks, and only line feeds end them. */
  readonly quick: boolean;
  /** Keys of the root that the reading has still to find; once there are none, it is over. */
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

/** The start of the next line; the same place at the end of the text. */
export function passBreak(text: string, lineEnd: number): number {
  const code = text.charCodeAt(lineEnd);
  if (code === CR && text.charCodeAt(lineEnd + 1) === LF) return lineEnd + 2;
  return code === CR || code === LF ? lineEnd + 1 : lineEnd;
}
