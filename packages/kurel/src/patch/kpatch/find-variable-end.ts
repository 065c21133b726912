import { BACKSLASH, CLOSE_BRACE, DOLLAR, DOUBLE_QUOTE, OPEN_BRACE, OPEN_BRACKET, isQuote } from './characters.ts';
import type { Span } from './characters.ts';

/**
 * Offset after the `}` of the `${…}` or `$${…}` at `from`; `from` itself when there is none, -1 when it has no `}`.
 * Braces close as they do in templates: not inside the quotes of `${a["}"]}`.
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
