import {
  BACKSLASH,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  DOLLAR,
  DOT,
  DOUBLE_QUOTE,
  EQUALS,
  HASH,
  OPEN_BRACKET,
  isBlank,
  isBlankOrEnd,
  isQuote,
} from './characters.ts';
import type { Span } from './characters.ts';
import { findVariableEnd } from './find-variable-end.ts';

export interface Separator {
  readonly colon: number;
  /** False when no blank follows the colon, and no other colon of the line has one. */
  readonly isSpaced: boolean;
}

/**
 * The colon that ends the key: the first one outside of quotes, brackets and variables with a blank after it, else the first.
 * Nothing when the line has no such colon, or something in front of it is not closed.
 */
export function findSeparator(text: string, { from, to }: Span): Separator | undefined {
  let first: number | undefined;
  let pos = from;
  /** Whether a quote here would open a name or a value, and is no part of one. */
  let isOpening = true;
  while (pos < to) {
    const code = text.charCodeAt(pos);
    if (code === HASH && pos > from && isBlank(text.charCodeAt(pos - 1))) break;
    if (code === COLON) {
      if (pos + 1 >= to || isBlankOrEnd(text.charCodeAt(pos + 1))) return { colon: pos, isSpaced: true };
      first ??= pos;
    }
    const next = passAtom(text, { from: pos, to, isOpening });
    if (next === -1) return undefined;
    isOpening = code === DOT || code === COLON;
    pos = next;
  }
  return first === undefined ? undefined : { colon: first, isSpaced: false };
}

/** Offset after the character, quoted text, variable or bracket at `from`; -1 when it is not closed. */
function passAtom(text: string, { from, to, isOpening }: Span & { readonly isOpening: boolean }): number {
  const code = text.charCodeAt(from);
  if (code === DOLLAR) {
    const end = findVariableEnd(text, { from, to });
    return end === from ? from + 1 : end;
  }
  if (isOpening && isQuote(code)) return passQuoted(text, { from, to });
  return code === OPEN_BRACKET ? passBracket(text, { from, to }) : from + 1;
}

function passBracket(text: string, { from, to }: Span): number {
  let isOpening = true;
  let pos = from + 1;
  while (pos < to) {
    const code = text.charCodeAt(pos);
    if (code === CLOSE_BRACKET) return pos + 1;
    // Brackets do not nest here: a `[` in a selector's value is a part of it.
    pos = code === OPEN_BRACKET ? pos + 1 : passAtom(text, { from: pos, to, isOpening });
    if (pos === -1) return -1;
    if (!isBlank(code)) isOpening = code === EQUALS || code === COMMA;
  }
  return -1;
}

function passQuoted(text: string, { from, to }: Span): number {
  const quote = text.charCodeAt(from);
  for (let pos = from + 1; pos < to; pos += 1) {
    const code = text.charCodeAt(pos);
    if (code === BACKSLASH && quote === DOUBLE_QUOTE) pos += 1;
    else if (code === quote) {
      if (quote === DOUBLE_QUOTE || text.charCodeAt(pos + 1) !== quote) return pos + 1;
      pos += 1;
    }
  }
  return -1;
}
