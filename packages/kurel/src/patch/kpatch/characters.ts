const TAB = 0x09;
export const LF = 0x0a;
export const CR = 0x0d;
export const SPACE = 0x20;
export const DOUBLE_QUOTE = 0x22;
export const HASH = 0x23;
export const DOLLAR = 0x24;
export const SINGLE_QUOTE = 0x27;
export const STAR = 0x2a;
export const PLUS = 0x2b;
export const COMMA = 0x2c;
export const DASH = 0x2d;
export const DOT = 0x2e;
export const SLASH = 0x2f;
export const COLON = 0x3a;
export const EQUALS = 0x3d;
export const QUESTION = 0x3f;
export const AT = 0x40;
export const OPEN_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

export function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

/** A space or tab, or the end of the line or of the text, where `charCodeAt` returns NaN. */
export function isBlankOrEnd(code: number): boolean {
  return isBlank(code) || code === LF || code === CR || Number.isNaN(code);
}

export function isQuote(code: number): boolean {
  return code === DOUBLE_QUOTE || code === SINGLE_QUOTE;
}

export function isDigits(text: string): boolean {
  return /^[0-9]+$/.test(text);
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Offset of the first character that is not a space or tab, at most `to`. */
export function skipBlanks(text: string, { from, to }: Span): number {
  let offset = from;
  while (offset < to && isBlank(text.charCodeAt(offset))) offset += 1;
  return offset;
}

/** Offset after the last character that is not a space or tab, at least `from`. */
export function trimBlanks(text: string, { from, to }: Span): number {
  let offset = to;
  while (offset > from && isBlank(text.charCodeAt(offset - 1))) offset -= 1;
  return offset;
}

/**
 * Offset after the `}` of the `${…}` or `$${…}` at `from`; `from` itself if there is none, -1 if it is not closed.
 * A brace inside the quotes of `${a["}"]}` does not close it, as in templates.
 */
export function findVariableEnd(text: string, { from, to }: Span): number {
  let open = from + 1;
  if (text.charCodeAt(open) === DOLLAR) open += 1;
  if (text.charCodeAt(from) !== DOLLAR || open >= to || text.charCodeAt(open) !== OPEN_BRACE) return from;
  let quote = 0;
  for (let offset = open + 1; offset < to; offset += 1) {
    const code = text.charCodeAt(offset);
    if (quote !== 0) {
      if (code === BACKSLASH && quote === DOUBLE_QUOTE) offset += 1;
      else if (code === quote) quote = 0;
    } else if (code === CLOSE_BRACE) return offset + 1;
    else if (isQuote(code) && text.charCodeAt(offset - 1) === OPEN_BRACKET) quote = code;
  }
  return -1;
}

/** Offset after the quote that closes the one at `start`; the end of the text if it is not closed. */
export function findQuoteEnd(text: string, start: number): number {
  const quote = text[start];
  for (let offset = start + 1; offset < text.length; offset += 1) {
    if (text[offset] === '\\' && quote === '"') offset += 1;
    else if (text[offset] === quote) {
      if (quote === '"' || text[offset + 1] !== quote) return offset + 1;
      offset += 1;
    }
  }
  return text.length;
}
