import { COLON, DASH, QUESTION, isFlowIndicator, isSpaceOrEnd } from './char-codes.ts';

const indicators = '-?:,[]{}#&*!|>\'"%@`';

/** By code: 1 when the character starts a plain scalar whatever follows. */
const startsAlways = Uint8Array.from({ length: 128 }, (_, code) =>
  code > 0x20 && code < 0x7f && !indicators.includes(String.fromCodePoint(code)) ? 1 : 0,
);

export function startsPlainAlways(code: number): boolean {
  return code < 128 ? startsAlways[code] === 1 : true;
}

/** Whether a plain scalar starts here: `-`, `?` and `:` do so when something other than a blank follows. */
export function startsPlain(text: string, pos: number, inFlow: boolean): boolean {
  const code = text.charCodeAt(pos);
  if (startsPlainAlways(code)) return true;
  if (code !== DASH && code !== QUESTION && code !== COLON) return false;
  const next = text.charCodeAt(pos + 1);
  // Inside brackets, the cluster takes every `?` and `:` for structure.
  return !isSpaceOrEnd(next) && !(inFlow && (code !== DASH || isFlowIndicator(next)));
}
