// Longer than most files: nodes, objects and lists of the block context call each other and only make sense together.
import type { Json, JsonArray, JsonObject } from '../model/index.ts';
import {
  checkCollectionTag,
  isProperty,
  openAnchor,
  readAlias,
  readProperty,
  resolveScalar,
  type Properties,
  finishMissing,
  MERGE,
  addEntry,
  enterCollection,
  markEntry,
  recordMark,
  startFilling,
  startMarking,
  type Filling,
} from './properties.ts';
import {
  COLON,
  DASH,
  DOUBLE_QUOTE,
  GREATER,
  HASH,
  OPEN_BRACE,
  OPEN_BRACKET,
  PIPE,
  QUESTION,
  SINGLE_QUOTE,
  SPACE,
  STAR,
  TAB,
  isBreakOrEnd,
  isSpaceOrEnd,
} from './char-codes.ts';
import { keyFromValue, readBlockKey, refuseBracketKey, startsImplicitKey } from './read-block-key.ts';
import { lookUpKey, resolvePlainKey, resolvePlainScalar } from './resolve-plain-scalar.ts';
import { readBlockScalar, readQuoted } from './read-scalar.ts';
import { readFlowCollection } from './read-flow.ts';
import {
  passEntryLine,
  passItemLine,
  readBlockPlain,
  readLineScalar,
  skipBlanks,
  startsPlain,
  startsPlainAlways,
} from './read-plain.ts';
import type { Reading } from './reading.ts';
import {
  moveToContent,
  refuseTab,
  refuse,
  refuseRest,
  refuseTemplate,
  restOfLine,
  wordAt,
  refuseCharacter,
} from './reading.ts';

/** The owner of a node, which decides what may start on the same line and which columns belong to the node. */
type Owner = 'document' | 'key' | 'dash' | 'explicit';

/**
 * Reads the value of a key, dash or document from right after its indicator, and moves on to the next content. It is
 * empty when no content is to the right of `parent`, the column of its owner.
 */
export function readBlockNode(r: Reading, parent: number, owner: Owner): Json {
  const { text } = r;
  const indicatorEnd = r.contentEnd;
  const nestsInLine = owner === 'dash' || owner === 'explicit';
  let fresh = owner === 'document' && r.column >= 0;
  let atContent = fresh;
  let properties: Properties | undefined;
  let propertiesOnLine = false;
  for (;;) {
    if (!atContent) {
      const pos = skipBlanks(text, r.pos);
      const code = text.charCodeAt(pos);
      // After a dash, and after the `?` and `:` of an explicit key, kubectl and kustomize accept only spaces.
      if (nestsInLine && properties === undefined) refuseTabBetween(r, r.pos, pos);
      if (isBreakOrEnd(code) || (code === HASH && isSpaceOrEnd(text.charCodeAt(pos - 1)))) {
        moveToContent(r);
        if (!isOwn(r, parent, owner)) return finishMissing(r, properties, indicatorEnd);
        fresh = true;
        propertiesOnLine = false;
      } else {
        r.pos = pos;
      }
    }
    if (!isProperty(text.charCodeAt(r.pos))) break;
    if (!propertiesOnLine && (fresh || nestsInLine) && startsImplicitKey(text, r.pos)) break;
    properties = readProperty(r, properties);
    propertiesOnLine = true;
    atContent = false;
  }
  const mayNest = (fresh || nestsInLine) && !propertiesOnLine;
  const start = properties?.start ?? r.pos;
  const anchor = properties?.anchor === undefined ? undefined : openAnchor(r, properties.anchor);
  const value = readContent(r, { parent, properties, mayNest });
  if (anchor !== undefined) anchor.value = value;
  r.valueStart = start;
  r.valueDecorated = properties !== undefined;
  return value;
}

function refuseTabBetween(r: Reading, from: number, to: number): void {
  for (let pos = from; pos < to; pos++) if (r.text.charCodeAt(pos) === TAB) refuseTab(r, pos);
}

/** Whether the content on a further line still belongs to the node. */
function isOwn(r: Reading, parent: number, owner: Owner): boolean {
  if (r.column > parent) return true;
  // A list may start at the column of its key.
  return (owner === 'key' || owner === 'explicit') && r.column === parent && startsItem(r);
}

function startsItem(r: Reading): boolean {
  return r.text.charCodeAt(r.pos) === DASH && isSpaceOrEnd(r.text.charCodeAt(r.pos + 1));
}

interface ContentOptions {
  readonly parent: number;
  readonly properties: Properties | undefined;
  /** Whether an object or list in block style may start here. */
  readonly mayNest: boolean;
}

function readContent(r: Reading, options: ContentOptions): Json {
  const { text } = r;
  const { parent, properties, mayNest } = options;
  const start = r.pos;
  const code = text.charCodeAt(start);
  if (startsStructure(text, start) || (mayNest && startsImplicitKey(text, start))) {
    if (!mayNest) refuseRest(r, code === DASH ? 'yaml-list-in-line' : 'yaml-nested-mapping', start);
    return code === DASH && isSpaceOrEnd(text.charCodeAt(start + 1))
      ? readBlockList(r, start - r.lineStart, properties)
      : readBlockMapping(r, start - r.lineStart, properties);
  }
  switch (code) {
    case PIPE:
    case GREATER: {
      const value = readBlockScalar(r, parent);
      r.valueStyle = code === PIPE ? 'literal' : 'folded';
      return properties === undefined
        ? value
        : resolveScalar(r, properties, { text: value, plain: false, range: { start, end: r.contentEnd } });
    }
    case DOUBLE_QUOTE:
    case SINGLE_QUOTE: {
      const value = readQuoted(r);
      endValue(r, start);
      r.valueStyle = code === DOUBLE_QUOTE ? 'double-quoted' : 'single-quoted';
      return properties === undefined
        ? value
        : resolveScalar(r, properties, { text: value, plain: false, range: { start, end: r.contentEnd } });
    }
    case OPEN_BRACKET:
    case OPEN_BRACE: {
      r.flowParent = parent;
      const value = readFlowCollection(r, properties);
      refuseCollectionKey(r, start);
      endValue(r, start);
      r.valueStyle = code === OPEN_BRACKET ? 'list' : 'mapping';
      return value;
    }
    case STAR: {
      if (properties !== undefined) refuseRest(r, 'yaml-bad-anchor', start);
      const value = readAlias(r);
      endValue(r, start);
      r.valueStyle = 'alias';
      return value;
    }
    default: {
      if (!startsPlain(text, start, false)) refuseCharacter(r);
      const value = readBlockPlain(r, parent);
      r.valueStyle = 'plain';
      r.plainText = value;
      return resolveScalar(r, properties, { text: value, plain: true, range: { start, end: r.contentEnd } });
    }
  }
}

/** `- `, `? ` or `: `. */
function startsStructure(text: string, pos: number): boolean {
  const code = text.charCodeAt(pos);
  return (code === DASH || code === QUESTION || code === COLON) && isSpaceOrEnd(text.charCodeAt(pos + 1));
}

/** Checks that nothing follows a value on its line, and moves on to the next content. */
function endValue(r: Reading, start: number): void {
  const { text } = r;
  const pos = skipBlanks(text, r.pos);
  const code = text.charCodeAt(pos);
  if (!isBreakOrEnd(code) && !(code === HASH && pos > r.pos)) {
    if (code === COLON && isSpaceOrEnd(text.charCodeAt(pos + 1))) {
      if (start < r.lineStart) refuse(r, 'yaml-multi-line-key', { range: { start, end: r.contentEnd } });
      refuseRest(r, 'yaml-nested-mapping', start);
    }
    const range = restOfLine(r, pos);
    // A quote forgotten some lines above ends here by accident, so its start is more useful than its end.
    const related = start < r.lineStart ? [{ message: 'the value starts here', range: { start, end: start + 1 } }] : [];
    refuse(r, 'yaml-unexpected-text', { range, related });
  }
  r.pos = pos;
  moveToContent(r);
}

function refuseCollectionKey(r: Reading, start: number): void {
  const pos = skipBlanks(r.text, r.pos);
  if (r.text.charCodeAt(pos) !== COLON || !isSpaceOrEnd(r.text.charCodeAt(pos + 1))) return;
  refuseBracketKey(r, { start, end: r.pos });
}

/** Reads the items from the first dash on; all are at the same column. */
function readBlockList(r: Reading, column: number, properties: Properties | undefined): JsonArray {
  enterCollection(r);
  checkCollectionTag(r, properties, 'list');
  const start = r.pos;
  const items: Json[] = [];
  const entries = startMarking(r);
  do {
    const plain = r.quick ? readPlainItem(r, column) : undefined;
    if (plain !== undefined) {
      items.push(plain);
      continue;
    }
    const dash = r.pos;
    r.pos = dash + 1;
    r.contentEnd = dash + 1;
    const value = readBlockNode(r, column, 'dash');
    entries?.push(markEntry(r, { key: items.length, start: dash, keyRange: { start: dash, end: dash + 1 } }));
    items.push(value);
  } while (r.column === column && startsItem(r));
  closeCollection(r, column);
  // A list that has grown reserves memory for more items; its copy does not.
  const list = items.slice();
  recordMark(r, list, entries, start, column);
  r.valueStyle = 'list';
  return list;
}

/** Reads an item on a plain line; undefined if it is not that simple, and nothing is consumed then. */
function readPlainItem(r: Reading, column: number): Json | undefined {
  const { text } = r;
  const dash = r.pos;
  if (text.charCodeAt(dash + 1) !== SPACE) return undefined;
  const lineEnd = text.indexOf('\n', dash);
  if (passEntryLine(text, dash + 2, lineEnd) !== -1) {
    r.pos = dash + 2;
    return readBlockMapping(r, dash + 2 - r.lineStart, undefined);
  }
  const next = passItemLine(text, dash, lineEnd);
  const nextColumn = columnAt(text, next, lineEnd);
  // A line that is indented further continues the value, or is a mistake.
  if (next === -1 || nextColumn > column) return undefined;
  enterPlainLine(r, lineEnd, next, nextColumn);
  return readLineScalar(text, dash + 2, lineEnd, r.words);
}

/**
 * Reads the entries that are plain lines, with the lines below them that are their values, up to the first one that is not that
 * simple. Returns whether the object ends there.
 */
function readPlainEntries(r: Reading, filling: Filling, column: number): boolean {
  const { text, keys, words } = r;
  const { data } = filling;
  for (;;) {
    const start = r.pos;
    const lineEnd = text.indexOf('\n', start);
    const next = passEntryLine(text, start, lineEnd);
    if (next === -1) return false;
    const nextColumn = columnAt(text, next, lineEnd);
    const colon = text.indexOf(':', start);
    const isHead = colon + 1 === lineEnd;
    const isList = isHead && nextColumn >= column && text.charCodeAt(next) === DASH;
    const isMapping = isHead && !isList && nextColumn > column;
    // A line that is indented further than a value continues it, or is a mistake.
    if (!isHead && nextColumn > column) return false;
    if (isList && text.charCodeAt(next + 1) !== SPACE) return false;
    if (isMapping && passEntryLine(text, next, text.indexOf('\n', next)) === -1) return false;
    const key = lookUpKey(keys, text.slice(start, colon));
    if (key === undefined) return false;
    enterPlainLine(r, lineEnd, next, nextColumn);
    const value = isList
      ? readBlockList(r, nextColumn, undefined)
      : isMapping
        ? readBlockMapping(r, nextColumn, undefined)
        : isHead
          ? null
          : readLineScalar(text, colon + 2, lineEnd, words);
    if (data[key] === undefined) data[key] = value;
    else addEntry(r, filling, { key, value, keyRange: { start, end: colon }, plain: true });
    if (r.column !== column) return true;
  }
}

/** The column of the content after a plain line; -1 if it is the marker that ends the document. */
function columnAt(text: string, next: number, lineEnd: number): number {
  const column = next - lineEnd - 1;
  return column === 0 && text.charCodeAt(next) === DASH && text.charCodeAt(next + 1) === DASH ? -1 : column;
}

/** Moves from the end of a plain line to the content of the next one. Positional arguments for speed, because most lines come here. */
function enterPlainLine(r: Reading, lineEnd: number, next: number, column: number): void {
  r.contentEnd = lineEnd;
  r.pos = next;
  r.lineStart = lineEnd + 1;
  r.column = column;
  r.passedComment = false;
}

/** Reads the entries from the first key on; all keys are at the same column. */
function readBlockMapping(r: Reading, column: number, properties: Properties | undefined): JsonObject {
  enterCollection(r);
  checkCollectionTag(r, properties, 'mapping');
  const { text } = r;
  const start = r.pos;
  const filling = startFilling(r);
  const { data } = filling;
  do {
    if (r.quick && readPlainEntries(r, filling, column)) break;
    const entryStart = r.pos;
    const explicit = text.charCodeAt(entryStart) === QUESTION && isSpaceOrEnd(text.charCodeAt(entryStart + 1));
    const key = explicit ? readExplicitKey(r, column) : readBlockKey(r);
    const { keyStart, keyEnd, keyPlain } = r;
    const value = explicit ? readExplicitValue(r, column) : readValue(r, column);
    if (key !== undefined) {
      // No property with this name exists yet, not even on Object.prototype: the common case needs no further check.
      if (data[key] === undefined && key !== MERGE) data[key] = value;
      else addEntry(r, filling, { key, value, keyRange: { start: keyStart, end: keyEnd }, plain: keyPlain });
    }
    filling.entries?.push(
      markEntry(r, { key: key ?? '', start: entryStart, keyRange: { start: keyStart, end: keyEnd } }),
    );
    if (r.until !== undefined && r.depth === 1 && isFound(r.until, key)) break;
  } while (r.column === column);
  closeCollection(r, column);
  recordMark(r, data, filling.entries, start, column);
  r.valueStyle = 'mapping';
  return filling.data;
}

/** Whether this was the last of the requested keys. */
function isFound(until: Set<string>, key: string | undefined): boolean {
  return key !== undefined && until.delete(key) && until.size === 0;
}

/** Reads the value after a colon. Plain values on the line of their key are the most common, so they come first. */
function readValue(r: Reading, column: number): Json {
  const { text } = r;
  let pos = r.pos;
  let code = text.charCodeAt(pos);
  while (code === SPACE || code === TAB) code = text.charCodeAt(++pos);
  if (!startsPlainAlways(code)) return readBlockNode(r, column, 'key');
  r.pos = pos;
  const plain = readBlockPlain(r, column);
  r.valueStart = pos;
  r.valueStyle = 'plain';
  r.valueDecorated = false;
  const value = resolvePlainScalar(plain, r.words);
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return resolveScalar(r, undefined, { text: plain, plain: true, range: { start: pos, end: r.contentEnd } });
  }
  return value;
}

/** `? key`, whose value may follow on a further line. */
function readExplicitKey(r: Reading, column: number): string | undefined {
  r.pos++;
  r.contentEnd = r.pos;
  const value = readBlockNode(r, column, 'explicit');
  r.keyStart = r.valueStart;
  r.keyEnd = r.contentEnd;
  r.keyPlain = r.valueStyle === 'plain' && !r.valueDecorated;
  if (!r.keyPlain) {
    // An anchor does not keep a merge key from merging; a tag does.
    const isMerge = value === MERGE && r.valueStyle === 'plain' && !r.text.slice(r.keyStart, r.keyEnd).includes('!');
    r.keyPlain = isMerge;
    return keyFromValue(r, value);
  }
  return resolvePlainKey(r.plainText, r.words) ?? keyFromValue(r, value);
}

function readExplicitValue(r: Reading, column: number): Json {
  const hasValue =
    r.column === column && r.text.charCodeAt(r.pos) === COLON && isSpaceOrEnd(r.text.charCodeAt(r.pos + 1));
  if (!hasValue) return finishMissing(r, undefined, r.contentEnd);
  r.pos++;
  r.contentEnd = r.pos;
  return readBlockNode(r, column, 'explicit');
}

/** Rejects content that is indented further than the collection at `column` but belongs to nothing inside it. */
export function refuseIndentation(r: Reading, column: number): never {
  refuseTemplate(r, r.pos);
  const levels = r.closedBefore === r.pos ? [r.closedColumn] : [];
  if (column >= 0) levels.unshift(column);
  if (levels.length === 0) refuseRest(r, 'yaml-unexpected-text', r.pos);
  refuse(r, 'yaml-bad-indentation', { range: wordAt(r, r.pos), column: r.column, levels });
}

/** Remembers which collection ended where, for the message if the indentation of the next line matches nothing. */
function closeCollection(r: Reading, column: number): void {
  if (r.column > column) refuseIndentation(r, column);
  r.depth--;
  r.closedColumn = column;
  r.closedBefore = r.pos;
}
