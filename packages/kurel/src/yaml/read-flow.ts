import type { Json, JsonArray, JsonObject, Range } from '../model/index.ts';
import {
  checkCollectionTag,
  isProperty,
  openAnchor,
  readAlias,
  readProperty,
  resolveScalar,
  type Properties,
  finishMissing,
  addEntry,
  enterCollection,
  markEntry,
  recordMark,
  startFilling,
  startMarking,
  type Filling,
} from './properties.ts';
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  DOUBLE_QUOTE,
  HASH,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUESTION,
  SINGLE_QUOTE,
  STAR,
  isBreakOrEnd,
  isFlowIndicator,
  isSpaceOrEnd,
} from './char-codes.ts';
import { isEndOfFlowColon, readFlowPlain, skipBlanks, startsPlain } from './read-plain.ts';
import {
  checkImplicitKey,
  finishKey,
  keyFromValue,
  refuseBracketKey,
  refuseEmptyKey,
  setKeyPlace,
} from './read-block-key.ts';
import { readQuoted } from './read-scalar.ts';
import type { Reading } from './reading.ts';
import { moveToContent, refuse, refuseTemplate, restOfLine, refuseRest, refuseCharacter } from './reading.ts';

/** Reads a list or object in brackets; the position is then right after the closing bracket. */
export function readFlowCollection(r: Reading, properties: Properties | undefined): JsonArray | JsonObject {
  refuseTemplate(r, r.pos);
  enterCollection(r);
  const isList = r.text.charCodeAt(r.pos) === OPEN_BRACKET;
  checkCollectionTag(r, properties, isList ? 'list' : 'mapping');
  r.flowDepth++;
  const value = isList ? readFlowList(r) : readFlowMapping(r);
  r.flowDepth--;
  r.depth--;
  return value;
}

function readFlowList(r: Reading): JsonArray {
  const open = r.pos;
  const items: Json[] = [];
  const entries = startMarking(r);
  r.pos++;
  while (!closes(r, open)) {
    const start = r.pos;
    const item = readFlowItem(r, open);
    entries?.push(markEntry(r, { key: items.length, start, keyRange: { start, end: start } }));
    items.push(item);
    passComma(r, open);
  }
  // As in block style: a list that has grown reserves memory for more items.
  const list = items.slice();
  recordMark(r, list, entries, open);
  return list;
}

/** One item of a list: a value, or an object with one entry and no braces. */
function readFlowItem(r: Reading, open: number): Json {
  const { text } = r;
  const start = r.pos;
  if (startsExplicitKey(text, start)) return readPair(r, open);
  if (startsFlowColon(text, start)) refuseEmptyKey(r);
  if (isFlowIndicator(text.charCodeAt(start)) && !startsCollection(text, start)) refuseFlowStart(r, open);
  const findings = r.diagnostics.length;
  const { lineStart } = r;
  const value = readFlowNode(r, open);
  const pos = skipBlanks(text, r.pos);
  const isQuoted = r.valueStyle === 'double-quoted' || r.valueStyle === 'single-quoted';
  if (text.charCodeAt(pos) !== COLON || !(isQuoted || isCollectionStyle(r) || startsFlowColon(text, pos))) return value;
  if (isCollectionStyle(r)) refuseBracketKey(r, { start, end: r.pos });
  if (r.lineStart !== lineStart) {
    // `[a, b` and a key on the next line: an unclosed bracket is far more likely than a key over two lines.
    refuseUnclosed(r, { open, range: restOfLine(r, skipBlanks(text, r.lineStart)) });
  }
  // It was a key, which is read by other rules; only its findings were kept.
  r.diagnostics.length = findings;
  r.pos = start;
  return readPair(r, open);
}

function startsCollection(text: string, pos: number): boolean {
  const code = text.charCodeAt(pos);
  return code === OPEN_BRACE || code === OPEN_BRACKET;
}

function isCollectionStyle(r: Reading): boolean {
  return r.valueStyle === 'list' || r.valueStyle === 'mapping';
}

function readPair(r: Reading, open: number): JsonObject {
  enterCollection(r);
  const start = r.pos;
  const filling = startFilling(r);
  readFlowEntry(r, filling, open);
  recordMark(r, filling.data, filling.entries, start);
  r.valueStart = start;
  r.valueStyle = 'mapping';
  r.valueDecorated = false;
  r.depth--;
  return filling.data;
}

function readFlowMapping(r: Reading): JsonObject {
  const open = r.pos;
  const filling = startFilling(r);
  r.pos++;
  while (!closes(r, open)) {
    readFlowEntry(r, filling, open);
    passComma(r, open);
  }
  recordMark(r, filling.data, filling.entries, open);
  return filling.data;
}

function readFlowEntry(r: Reading, filling: Filling, open: number): void {
  const { text } = r;
  const start = r.pos;
  const explicit = startsExplicitKey(text, start);
  if (explicit) {
    r.pos++;
    skipFlowSpace(r, open);
  }
  const { lineStart } = r;
  const key = readFlowKey(r, open);
  const { keyStart, keyEnd, keyPlain } = r;
  const value = readFlowValue(r, open, explicit ? undefined : { start, lineStart });
  const keyRange = { start: keyStart, end: keyEnd };
  if (key !== undefined) addEntry(r, filling, { key, value, keyRange, plain: keyPlain });
  filling.entries?.push(markEntry(r, { key: key ?? '', start, keyRange }));
}

function readFlowKey(r: Reading, open: number): string | undefined {
  const { text } = r;
  let properties: Properties | undefined;
  while (isProperty(text.charCodeAt(r.pos))) {
    properties = readProperty(r, properties);
    skipFlowSpace(r, open);
  }
  const start = r.pos;
  const code = text.charCodeAt(start);
  switch (code) {
    case DOUBLE_QUOTE:
    case SINGLE_QUOTE: {
      const key = readQuoted(r);
      setKeyPlace(r, { start, plain: false });
      return finishKey(r, properties, { text: key, plain: false });
    }
    case STAR: {
      const value = readAlias(r);
      setKeyPlace(r, { start, plain: false });
      return keyFromValue(r, value);
    }
    case OPEN_BRACE:
    case OPEN_BRACKET:
      readFlowCollection(r, properties);
      return refuseBracketKey(r, { start, end: r.pos });
    default: {
      if (startsFlowColon(text, start)) refuseEmptyKey(r);
      if (!startsPlain(text, start, true)) refuseFlowStart(r, open);
      const key = readFlowPlain(r);
      setKeyPlace(r, { start, plain: properties?.tag === undefined });
      return finishKey(r, properties, { text: key, plain: true });
    }
  }
}

function startsExplicitKey(text: string, pos: number): boolean {
  return text.charCodeAt(pos) === QUESTION && isSpaceOrEnd(text.charCodeAt(pos + 1));
}

function startsFlowColon(text: string, pos: number): boolean {
  return text.charCodeAt(pos) === COLON && isEndOfFlowColon(text.charCodeAt(pos + 1));
}

/** Reads the colon and value after a key; both are optional. `implicit` is the start of a key without `?`. */
function readFlowValue(
  r: Reading,
  open: number,
  implicit: { readonly start: number; readonly lineStart: number } | undefined,
): Json {
  const { text } = r;
  const keyEnd = r.pos;
  skipFlowSpace(r, open);
  const afterQuote = text.charCodeAt(r.keyStart) === DOUBLE_QUOTE || text.charCodeAt(r.keyStart) === SINGLE_QUOTE;
  if (text.charCodeAt(r.pos) === COLON && (afterQuote || isEndOfFlowColon(text.charCodeAt(r.pos + 1)))) {
    if (implicit !== undefined) checkImplicitKey(r, { ...implicit, colon: r.pos });
    r.pos++;
    r.contentEnd = r.pos;
    return readFlowNode(r, open);
  }
  return finishMissing(r, undefined, keyEnd);
}

function readFlowNode(r: Reading, open: number): Json {
  const { text } = r;
  const before = r.contentEnd;
  skipFlowSpace(r, open);
  let properties: Properties | undefined;
  while (isProperty(text.charCodeAt(r.pos))) {
    properties = readProperty(r, properties);
    skipFlowSpace(r, open);
  }
  const code = text.charCodeAt(r.pos);
  if (
    code === COMMA ||
    code === CLOSE_BRACE ||
    code === CLOSE_BRACKET ||
    (properties !== undefined && startsFlowColon(text, r.pos))
  ) {
    return finishMissing(r, properties, before);
  }
  const start = r.pos;
  const anchor = properties?.anchor === undefined ? undefined : openAnchor(r, properties.anchor);
  const value = readFlowContent(r, properties, open);
  if (anchor !== undefined) anchor.value = value;
  r.valueStart = properties?.start ?? start;
  r.valueDecorated = properties !== undefined;
  return value;
}

function readFlowContent(r: Reading, properties: Properties | undefined, open: number): Json {
  const { text } = r;
  const start = r.pos;
  const code = text.charCodeAt(start);
  switch (code) {
    case DOUBLE_QUOTE:
    case SINGLE_QUOTE: {
      const value = readQuoted(r);
      r.valueStyle = code === DOUBLE_QUOTE ? 'double-quoted' : 'single-quoted';
      return properties === undefined
        ? value
        : resolveScalar(r, properties, { text: value, plain: false, range: { start, end: r.pos } });
    }
    case OPEN_BRACE:
    case OPEN_BRACKET: {
      const value = readFlowCollection(r, properties);
      r.valueStyle = code === OPEN_BRACKET ? 'list' : 'mapping';
      return value;
    }
    case STAR: {
      if (properties !== undefined) refuseRest(r, 'yaml-bad-anchor', start);
      const value = readAlias(r);
      r.valueStyle = 'alias';
      return value;
    }
    default: {
      if (!startsPlain(text, start, true)) refuseFlowStart(r, open);
      const value = readFlowPlain(r);
      r.valueStyle = 'plain';
      return resolveScalar(r, properties, { text: value, plain: true, range: { start, end: r.contentEnd } });
    }
  }
}

/** Moves to the next content and, if it is the closing bracket, past it. */
function closes(r: Reading, open: number): boolean {
  skipFlowSpace(r, open);
  const code = r.text.charCodeAt(r.pos);
  if (code !== (r.text.charCodeAt(open) === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET)) return false;
  r.pos++;
  r.contentEnd = r.pos;
  return true;
}

function passComma(r: Reading, open: number): void {
  skipFlowSpace(r, open);
  const code = r.text.charCodeAt(r.pos);
  if (code === COMMA) {
    r.pos++;
    return;
  }
  if (code === (r.text.charCodeAt(open) === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET)) return;
  const range = restOfLine(r, r.pos);
  refuse(r, 'yaml-missing-comma', { range, related: [openedHere(open)], close: closing(r, open) });
}

function closing(r: Reading, open: number): string {
  return r.text.charCodeAt(open) === OPEN_BRACE ? '}' : ']';
}

function openedHere(open: number) {
  return { message: 'the bracket is opened here', range: { start: open, end: open + 1 } };
}

/** Moves over blanks, line breaks and comments inside brackets. */
function skipFlowSpace(r: Reading, open: number): void {
  const { text } = r;
  const pos = skipBlanks(text, r.pos);
  r.pos = pos;
  const code = text.charCodeAt(pos);
  if (isBreakOrEnd(code) || (code === HASH && isSpaceOrEnd(text.charCodeAt(pos - 1)))) {
    moveToContent(r);
    if (r.column < 0) refuseUnclosed(r, { open, range: { start: r.pos, end: r.pos } });
  }
}

function refuseUnclosed(r: Reading, { open, range }: { readonly open: number; readonly range: Range }): never {
  const related = [{ message: 'it must be closed before this', range }];
  const bracket = { start: open, end: open + 1 };
  refuse(r, 'yaml-unclosed-bracket', { range: bracket, related, open: r.text.charAt(open), close: closing(r, open) });
}

function refuseFlowStart(r: Reading, open: number): never {
  const code = r.text.charCodeAt(r.pos);
  if (code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET) {
    refuse(r, 'yaml-missing-value', { range: { start: r.pos, end: r.pos + 1 }, related: [openedHere(open)] });
  }
  refuseCharacter(r);
}
