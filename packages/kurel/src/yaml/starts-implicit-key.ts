import {
  BACKSLASH,
  COLON,
  DOUBLE_QUOTE,
  GREATER,
  HASH,
  OPEN_BRACE,
  OPEN_BRACKET,
  PIPE,
  SINGLE_QUOTE,
  SPACE,
  STAR,
  TAB,
  isBreakOrEnd,
  isSpaceOrEnd,
} from './char-codes.ts';
import { endOfName, isProperty } from './properties.ts';
import { skipBlanks } from './read-plain.ts';

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

/** The place after the closing quote, or the end of the line when it has none. */
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
