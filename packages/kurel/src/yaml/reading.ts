import { describeExhaustion } from '../budget/index.ts';
import type {
  Allowance,
  Diagnostic,
  Json,
  JsonArray,
  JsonObject,
  Location,
  Range,
  SourceFile,
} from '../model/index.ts';
import { CR, DASH, DOT, END, HASH, isBreakOrEnd, isSpaceOrEnd, LF, OPEN_BRACE, SPACE, TAB } from './char-codes.ts';
import { yamlProblems } from './problems.ts';
import type { KeyCache, WordTable } from './resolve-plain-scalar.ts';

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
  /** The source's text, or a part of it. A NUL or another document ends it. */
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
 * The state of reading one document. A NUL, which is never inside a valid text, or the marker of the next document ends it, so that no
 * loop has to check for the end. A class, because the functions that share it advance one position.
 */
export class Reading {
  readonly source: SourceFile;
  readonly text: string;
  /** Offset of the text in the source. */
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

/** Positions of the parts of one object or list in the text. All offsets count from the start of the whole file. */
export interface CollectionMark {
  readonly style: 'block' | 'flow';
  /**
   * From the first character of the collection (its bracket, its first entry) to the end of its last content, which is a
   * line break if that is a block scalar. The object in `[key: value]` is flow style but has no brackets.
   */
  readonly range: Range;
  /** Column, from 0, of the keys or dashes of a block collection; 0 in flow style. */
  readonly indent: number;
  /** In text order. */
  readonly entries: readonly EntryMark[];
}

export interface EntryMark {
  /** The key as data, or the index in a list. `<<` for a merge key. */
  readonly key: string | number;
  /**
   * From the key with its anchor and tag (or the `?` before it; the dash; in a flow list, the value) to the end of
   * the value's content, without the trailing comment.
   */
  readonly range: Range;
  /** The text of the key, including quotes; in a list the dash, in a flow list an empty range at the value. */
  readonly keyRange: Range;
  /**
   * The text of the value with its anchor and tag; a block scalar includes its header and its last line break (with `+`
   * also the blank lines after it). For a missing value (`key:`), an empty range right after the colon or dash, or right
   * after the key if no colon follows it (`{key}`).
   */
  readonly valueRange: Range;
  /** How the value is written. `missing` is the empty value of `key:`. */
  readonly value:
    | 'plain'
    | 'single-quoted'
    | 'double-quoted'
    | 'literal'
    | 'folded'
    | 'missing'
    | 'alias'
    | 'mapping'
    | 'list';
  /** The value has an anchor or a tag. */
  readonly decorated: boolean;
}

/**
 * The marks of a document, by the collection that the reader created there. Objects and lists reached through an
 * alias or a merge key are copies and have no marks of their own.
 */
export type Marks = ReadonlyMap<JsonObject | JsonArray, CollectionMark>;

/** Ends the reading of one document; never leaves this module. Not an Error, because a stack trace costs more than reading the document. */
export class RefusedDocument {
  readonly diagnostic: Diagnostic;

  constructor(diagnostic: Diagnostic) {
    this.diagnostic = diagnostic;
  }
}

function refuseWith(diagnostic: Diagnostic): never {
  // oxlint-disable-next-line typescript/only-throw-error -- see above
  throw new RefusedDocument(diagnostic);
}

type Code = keyof typeof yamlProblems.definitions;
type Args<C extends Code> = Parameters<(typeof yamlProblems.definitions)[C]['message']>[0];

/** The findings that need only a word. */
type WordCode = { [C in Code]: { readonly word: string } extends Args<C> ? C : never }[Code];

interface Place {
  readonly range: Range;
  readonly related?: readonly { readonly message: string; readonly range: Range }[];
  /** Defaults to the text in the range. */
  readonly word?: string;
}

/** The place of a finding, and what else its message needs. */
type Finding<C extends Code> = Place & Omit<Args<C>, 'word'>;

function makeDiagnostic<C extends Code>(r: Reading, code: C, finding: Finding<C>): Diagnostic {
  const related = finding.related?.map(({ message, range }) => ({ message, location: locate(r, range) }));
  return yamlProblems.create(code, { word: wordIn(r, finding.range), ...finding } as never, {
    location: locate(r, finding.range),
    ...(related === undefined ? {} : { related }),
  });
}

function locate(r: Reading, { start, end }: Range): Location {
  return { file: r.source.path, document: r.document, range: { start: start + r.base, end: end + r.base } };
}

export function refuse<C extends Code>(r: Reading, code: C, finding: Finding<C>): never {
  refuseWith(makeDiagnostic(r, code, finding));
}

/** Ends a document whose aliases copy more than the budget allows. */
export function refuseCopy(r: Reading, range: Range): never {
  refuseWith(describeExhaustion('values', r.values.limit, locate(r, range)));
}

/** Every line of a text can be wrong; more findings than this per document help no reader. */
export const mostFindings = 100;

/** Reports a finding without stopping the reading, so that the others in the document are found too. */
export function report<C extends Code>(r: Reading, code: C, finding: Finding<C>): void {
  const diagnostic = makeDiagnostic(r, code, finding);
  if (r.diagnostics.length + 1 >= mostFindings) refuseWith(diagnostic);
  r.diagnostics.push(diagnostic);
}

const longestWord = 40;

/** The user's text in a range, as a message can quote it: one line, not too long. */
export function wordIn(r: Reading, { start, end }: Range): string {
  const [line = ''] = r.text.slice(start, Math.min(end, start + longestWord + 1)).split(/[\r\n\0]/, 1);
  return line.length <= longestWord ? line.trimEnd() : `${line.slice(0, longestWord - 1)}…`;
}

/** The rest of the line from an offset, without trailing comment and blanks. */
export function restOfLine(r: Reading, start: number): Range {
  const line = r.text.slice(start, endOfLine(r.text, start));
  const comment = line.search(/\s#/);
  const rest = (comment < 0 ? line : line.slice(0, comment)).trimEnd();
  return { start, end: start + rest.length };
}

/** The text from an offset to the next blank: a word in the sense of messages. */
export function wordAt(r: Reading, start: number): Range {
  const rest = restOfLine(r, start);
  const blank = r.text.slice(rest.start, rest.end).search(/\s/);
  return blank < 0 ? rest : { start, end: start + blank };
}

// An object whose first key is an object starts the same way, but its braces do not close together.
const template = /\{\{[^{}\r\n\0]*(?:\}\}|(?=[\r\n\0]))/y;

/** Double braces start a template expression, for which a YAML error would be misleading. */
export function refuseTemplate(r: Reading, start: number): void {
  if (r.text.charCodeAt(start + 1) !== OPEN_BRACE || r.text.charCodeAt(start) !== OPEN_BRACE) return;
  template.lastIndex = start;
  const match = template.exec(r.text);
  if (match === null) return;
  refuse(r, 'yaml-template', { range: { start, end: start + match[0].trimEnd().length } });
}

export function refuseRest(r: Reading, code: WordCode, start: number): never {
  refuse(r, code, { range: restOfLine(r, start) });
}

/** For a character that cannot start an unquoted value. */
export function refuseCharacter(r: Reading): never {
  refuse(r, 'yaml-unexpected-character', { range: restOfLine(r, r.pos), character: r.text.charAt(r.pos) });
}

/** Moves from the blank rest of a line over blank lines and comments to the next content. */
export function moveToContent(r: Reading): void {
  const { text } = r;
  let pos = r.pos;
  let code = text.charCodeAt(pos);
  while (code === SPACE || code === TAB) code = text.charCodeAt(++pos);
  const comment = code === HASH;
  if (comment) {
    do code = text.charCodeAt(++pos);
    while (code !== LF && code !== CR && code !== END);
  }
  if (code === LF) pos++;
  else if (code === CR) pos += text.charCodeAt(pos + 1) === LF ? 2 : 1;
  r.passedComment = comment;
  enterLine(r, pos);
}

/** Moves from the start of a line to the next content. */
export function enterLine(r: Reading, start: number): void {
  const { text } = r;
  let pos = start;
  r.tabColumn = Infinity;
  for (;;) {
    const lineStart = pos;
    let code = text.charCodeAt(pos);
    while (code === SPACE) code = text.charCodeAt(++pos);
    let column = pos - lineStart;
    const hasTab = code === TAB;
    if (hasTab) {
      passTab(r, pos, column);
      while (code === SPACE || code === TAB) code = text.charCodeAt(++pos);
    }
    if (code === HASH) {
      r.passedComment = true;
      do code = text.charCodeAt(++pos);
      while (code !== LF && code !== CR && code !== END);
    }
    if (code === LF) {
      pos++;
      continue;
    }
    if (code === CR) {
      pos += text.charCodeAt(pos + 1) === LF ? 2 : 1;
      continue;
    }
    if (code === END) column = -1;
    else if (column === 0 && !hasTab && (code === DASH || code === DOT) && isMarker(text, pos)) column = -1;
    r.pos = pos;
    r.lineStart = lineStart;
    r.column = column;
    return;
  }
}

/** Outside brackets, kubectl and kustomize reject a tab at the start of any line, even a blank one or a comment. */
function passTab(r: Reading, pos: number, column: number): void {
  if (r.flowDepth === 0) refuseTab(r, pos);
  if (column >= r.tabColumn) return;
  r.tabColumn = column;
  r.tabAt = pos;
}

export function refuseTab(r: Reading, tab: number): never {
  const word = wordIn(r, restOfLine(r, tab)).trimStart();
  refuse(r, 'yaml-tab-indentation', { range: { start: tab, end: tab + 1 }, word });
}

/** Documents with deeper nesting are examined more closely. */
export const commonDepth = 40;

/** Limit for the sum of the depths of all values of such a document. */
export const mostLevels = 4_000_000;

/**
 * The sum of the depths of all values. The length of every path and every indentation grows with depth: 250,000 values
 * that are 250 levels deep would take hundreds of megabytes.
 */
export function countLevels(data: Json): number {
  let levels = 0;
  const walk = (value: Json, depth: number): void => {
    levels += depth;
    if (typeof value !== 'object' || value === null) return;
    for (const inner of Object.values(value) as readonly Json[]) walk(inner, depth + 1);
  };
  walk(data, 0);
  return levels;
}
