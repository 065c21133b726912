// The reader works on code units, not on one-character strings: this is the hottest loop of the program.
export const END = 0;
export const TAB = 0x09;
export const LF = 0x0a;
export const CR = 0x0d;
export const SPACE = 0x20;
export const BANG = 0x21;
export const DOUBLE_QUOTE = 0x22;
export const HASH = 0x23;
export const PERCENT = 0x25;
export const AMPERSAND = 0x26;
export const SINGLE_QUOTE = 0x27;
export const STAR = 0x2a;
export const PLUS = 0x2b;
export const COMMA = 0x2c;
export const DASH = 0x2d;
export const DOT = 0x2e;
export const DIGIT_0 = 0x30;
export const DIGIT_9 = 0x39;
export const COLON = 0x3a;
export const LESS = 0x3c;
export const GREATER = 0x3e;
export const QUESTION = 0x3f;
export const OPEN_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
export const PIPE = 0x7c;
export const CLOSE_BRACE = 0x7d;
export const TILDE = 0x7e;

/** A blank, a line break or the end: required after `-`, `?` and `:` for them to be indicators. */
export function isSpaceOrEnd(code: number): boolean {
  return code === SPACE || code === LF || code === TAB || code === CR || code === END;
}

export function isBreakOrEnd(code: number): boolean {
  return code === LF || code === CR || code === END;
}

/** `, [ ] { }`: the characters that end a plain scalar inside brackets. */
export function isFlowIndicator(code: number): boolean {
  return (
    code === COMMA || code === OPEN_BRACKET || code === CLOSE_BRACKET || code === OPEN_BRACE || code === CLOSE_BRACE
  );
}

/* oxlint-disable no-control-regex -- finding them is the point */
const mark = '\ufeff';

// Characters that are not printable in YAML: control characters, a byte order mark inside the text, halves of surrogate pairs. Also
// the line breaks of YAML 1.1, because kubectl and kustomize end lines there; without them, only `\n` and `\r` end a line.
const forbidden =
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const notPlain = /[^\t\n\r -~]/g;

/** 1 when the text starts with a byte order mark, which is not content; otherwise 0. */
export function skipByteOrderMark(text: string): number {
  return text.startsWith(mark) ? 1 : 0;
}

/** Offset of the next character that YAML does not allow, or the length of the text. */
export function findControlCharacter(text: string, from: number): number {
  // Most manifests are plain ASCII, and a search for anything else is many times as fast as the full expression.
  notPlain.lastIndex = from;
  const start = notPlain.exec(text)?.index;
  if (start === undefined) return text.length;
  forbidden.lastIndex = start;
  return forbidden.exec(text)?.index ?? text.length;
}

/** The text with each such character replaced by a letter, which keeps the offsets and makes the rest readable. */
export function blankControlCharacters(text: string): string {
  let blanked = text.slice(0, skipByteOrderMark(text));
  // In chunks, because an expression that matches many million characters needs memory for each of them.
  for (let start = blanked.length; start < text.length;) {
    const end = start + pieceLength;
    const next = isHighSurrogate(text.charCodeAt(end - 1)) ? end + 1 : end;
    blanked += text.slice(start, next).replaceAll(forbidden, 'x');
    start = next;
  }
  return blanked;
}

const pieceLength = 65_536;

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** Whether kubectl and kustomize end a line at this character. */
export function isClusterBreak(text: string, offset: number): boolean {
  const code = text.charCodeAt(offset);
  return code === 0x85 || code === 0x2028 || code === 0x2029;
}

/** The common notation: `U+0000`. */
export function nameCharacter(text: string, offset: number): string {
  return `U+${text.charCodeAt(offset).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Whether a string looks like `key:value` without the space that would make it a key. URLs do not. */
export function lacksColonSpace(text: string): boolean {
  return /^[^\s:]+:(?!\/\/)[^\s:]/.test(text);
}
