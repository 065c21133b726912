import type { Json, Range } from '../model/index.ts';
import {
  BACKSLASH,
  COLON,
  DASH,
  DOUBLE_QUOTE,
  GREATER,
  HASH,
  isBreakOrEnd,
  isSpaceOrEnd,
  OPEN_BRACE,
  OPEN_BRACKET,
  PIPE,
  SINGLE_QUOTE,
  SPACE,
  STAR,
  TAB,
} from './char-codes.ts';
import { endOfName, isProperty, openAnchor, readAlias, readProperty, resolveScalar, shortenTag } from './properties.ts';
import type { Properties } from './properties.ts';
import { skipBlanks, startsPlain, startsPlainAlways } from './read-plain.ts';
import { readQuoted } from './read-scalar.ts';
import type { Reading } from './reading.ts';
import { refuse, refuseRest, refuseTemplate, report, restOfLine, refuseCharacter } from './reading.ts';
import {
  formatFloatKey,
  formatNumberKey,
  lookUpKey,
  resolvePlainKey,
  resolvePlainScalar,
} from './resolve-plain-scalar.ts';

/**
 * Reads a key on one line and its colon; the position is then right after the colon, and the range of the key is in the reading.
 * `undefined` when it is not a key; the finding is then reported.
 */
export function readBlockKey(r: Reading): string | undefined {
  const { text } = r;
  const entryStart = r.pos;
  const code = text.charCodeAt(entryStart);
  if (startsPlainAlways(code)) return readPlainKey(r, undefined);
  let properties: Properties | undefined;
  while (isProperty(text.charCodeAt(r.pos))) {
    properties = readProperty(r, properties);
    r.pos = skipBlanks(text, r.pos);
  }
  const start = r.pos;
  const first = text.charCodeAt(start);
  switch (first) {
    case DOUBLE_QUOTE:
    case SINGLE_QUOTE: {
      const { lineStart } = r;
      const key = readQuoted(r);
      setKeyPlace(r, { start, plain: false });
      passColon(r, { start: entryStart, lineStart });
      return finishKey(r, properties, { text: key, plain: false });
    }
    case STAR: {
      if (properties !== undefined) refuseRest(r, 'yaml-bad-anchor', start);
      const value = readAlias(r);
      setKeyPlace(r, { start, plain: false });
      passColon(r, { start: entryStart, lineStart: r.lineStart });
      return keyFromValue(r, value);
    }
    case OPEN_BRACE:
    case OPEN_BRACKET:
      refuseTemplate(r, start);
      return refuseBracketKey(r, restOfLine(r, start));
    default: {
      const structure = isSpaceOrEnd(text.charCodeAt(start + 1));
      if (first === DASH && structure) refuseRest(r, 'yaml-list-among-keys', start);
      if (first === COLON && structure) {
        refuseEmptyKey(r);
      }
      if (!startsPlain(text, start, false)) refuseCharacter(r);
      return readPlainKey(r, properties);
    }
  }
}

function readPlainKey(r: Reading, properties: Properties | undefined): string | undefined {
  const { text } = r;
  const start = r.pos;
  let pos = start;
  let end = start;
  for (;;) {
    const code = text.charCodeAt(pos);
    if (code === COLON) {
      if (isSpaceOrEnd(text.charCodeAt(pos + 1))) break;
      end = ++pos;
    } else if (code > HASH) {
      end = ++pos;
    } else if (code === SPACE || code === TAB) {
      pos++;
    } else if (isBreakOrEnd(code) || (code === HASH && end !== pos)) {
      refuse(r, 'yaml-missing-colon', { range: { start, end } });
    } else {
      end = ++pos;
    }
  }
  r.keyStart = start;
  r.keyEnd = end;
  r.keyPlain = properties?.tag === undefined;
  if (pos - start > longestKey) refuseLongKey(r, properties?.start ?? start);
  r.pos = pos + 1;
  r.contentEnd = pos + 1;
  const word = text.slice(start, end);
  if (properties !== undefined) return finishKey(r, properties, { text: word, plain: true });
  return lookUpKey(r.keys, word) ?? keyFromValue(r, resolvePlainScalar(word, r.words));
}

/** Stores the range of the key that ends at the position. */
export function setKeyPlace(r: Reading, { start, plain }: { readonly start: number; readonly plain: boolean }): void {
  r.keyStart = start;
  r.keyEnd = r.pos;
  r.keyPlain = plain;
}

/** The key for a scalar with its properties; also sets the value of its anchor. */
export function finishKey(
  r: Reading,
  properties: Properties | undefined,
  { text, plain }: { readonly text: string; readonly plain: boolean },
): string | undefined {
  if (properties === undefined && !plain) return text;
  if (properties === undefined)
    return resolvePlainKey(text, r.words) ?? keyFromValue(r, resolvePlainScalar(text, r.words));
  const value = resolveScalar(r, properties, { text, plain, range: { start: r.keyStart, end: r.keyEnd } });
  if (properties.anchor !== undefined) openAnchor(r, properties.anchor).value = value;
  if (shortenTag(properties.tag ?? '') === '!!float' && typeof value === 'number') return formatFloatKey(value);
  return typeof value === 'string' ? value : (resolvePlainKey(text, r.words) ?? keyFromValue(r, value));
}

/** The key for the value of an alias. */
export function keyFromValue(r: Reading, value: Json): string | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') {
    const key = formatNumberKey(value);
    if (key !== undefined) return key;
  } else if (value !== null && typeof value !== 'object') return String(value);
  const kind =
    value === null
      ? 'null'
      : Array.isArray(value)
        ? 'a list'
        : typeof value === 'object'
          ? 'an object'
          : 'a large number';
  report(r, 'yaml-key-not-text', { range: { start: r.keyStart, end: r.keyEnd }, kind });
  return undefined;
}

/** How many characters from the start of a key without `?` kubectl and kustomize look for its colon. */
const longestKey = 1024;

function refuseLongKey(r: Reading, start: number): never {
  refuse(r, 'yaml-long-key', { range: { start, end: r.keyEnd }, limit: longestKey });
}

/** The start of a key without `?`, with its anchor and tag, and of its line. */
interface KeyStart {
  readonly start: number;
  readonly lineStart: number;
}

/** Rejects a key without `?` whose colon kubectl and kustomize would not find. */
export function checkImplicitKey(r: Reading, { start, lineStart, colon }: KeyStart & { readonly colon: number }): void {
  if (r.lineStart !== lineStart) {
    refuse(r, 'yaml-multi-line-key', { range: { start: r.keyStart, end: r.keyEnd } });
  }
  if (colon - start > longestKey) refuseLongKey(r, start);
}

function passColon(r: Reading, key: KeyStart): void {
  const { text } = r;
  const pos = skipBlanks(text, r.pos);
  if (text.charCodeAt(pos) !== COLON || !isSpaceOrEnd(text.charCodeAt(pos + 1))) {
    refuse(r, 'yaml-missing-colon', { range: { start: r.keyStart, end: Math.max(restOfLine(r, r.pos).end, r.pos) } });
  }
  checkImplicitKey(r, { ...key, colon: pos });
  r.pos = pos + 1;
  r.contentEnd = pos + 1;
}

export function refuseEmptyKey(r: Reading): never {
  refuse(r, 'yaml-key-not-text', { range: { start: r.pos, end: r.pos + 1 }, word: ':', kind: 'an empty key' });
}

export function refuseBracketKey(r: Reading, range: Range): never {
  const kind = r.text.charCodeAt(range.start) === OPEN_BRACE ? 'an object' : 'a list';
  refuse(r, 'yaml-key-not-text', { range, kind });
}

/** Looks ahead whether a key with its colon starts here: anchors and tags, a scalar or alias on this line, `: `. */
export function startsImplicitKey(text: string, from: number): boolean {
  let pos = from;
  while (isProperty(text.charCodeAt(pos))) pos = skipBlanks(text, endOfName(text, pos + 1));
  const code = text.charCodeAt(pos);
  switch (code) {
    case DOUBLE_QUOTE:
    case SINGLE_QUOTE:
      pos = endOfQuotedLine(text, pos);
      break;
    case STAR:
      pos = endOfName(text, pos + 1);
      break;
    case OPEN_BRACE:
    case OPEN_BRACKET:
    case PIPE:
    case GREATER:
    case HASH:
      return false;
    default:
      return hasKeyColon(text, pos);
  }
  pos = skipBlanks(text, pos);
  return text.charCodeAt(pos) === COLON && isSpaceOrEnd(text.charCodeAt(pos + 1));
}

function hasKeyColon(text: string, from: number): boolean {
  let pos = from;
  for (;;) {
    const code = text.charCodeAt(pos);
    if (code === COLON) {
      if (isSpaceOrEnd(text.charCodeAt(pos + 1))) return true;
    } else if (code <= HASH) {
      if (isBreakOrEnd(code)) return false;
      if (code === HASH && pos > from) {
        const before = text.charCodeAt(pos - 1);
        if (before === SPACE || before === TAB) return false;
      }
    }
    pos++;
  }
}

/** The offset after the closing quote, or the end of the line if there is none. */
function endOfQuotedLine(text: string, from: number): number {
  const quote = text.charCodeAt(from);
  let pos = from + 1;
  for (;;) {
    const code = text.charCodeAt(pos);
    if (isBreakOrEnd(code)) return pos;
    if (code === quote) {
      if (quote === DOUBLE_QUOTE || text.charCodeAt(pos + 1) !== SINGLE_QUOTE) return pos + 1;
      pos++;
    } else if (code === BACKSLASH && quote === DOUBLE_QUOTE && !isBreakOrEnd(text.charCodeAt(pos + 1))) {
      pos++;
    }
    pos++;
  }
}
