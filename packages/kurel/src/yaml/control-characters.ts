/* oxlint-disable no-control-regex -- finding them is the point */
const mark = '\ufeff';

// What YAML calls not printable: control characters, a byte order mark inside the text, halves of surrogate pairs. And the
// line breaks of YAML 1.1, at which the readers of the cluster end a line: with none of them in a text, only `\n` and `\r` do.
const forbidden =
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const notPlain = /[^\t\n\r -~]/g;

/** 1 when the text starts with a byte order mark, which is no content; otherwise 0. */
export function skipByteOrderMark(text: string): number {
  return text.startsWith(mark) ? 1 : 0;
}

/** Offset of the next character that no YAML text may have, or the length of the text. */
export function findControlCharacter(text: string, from: number): number {
  // Most manifests are plain ASCII, and looking for anything else is many times as fast as the whole expression.
  notPlain.lastIndex = from;
  const start = notPlain.exec(text)?.index;
  if (start === undefined) return text.length;
  forbidden.lastIndex = start;
  return forbidden.exec(text)?.index ?? text.length;
}

/** The text with each such character replaced by a letter, so that the offsets stay and the rest can be read. */
export function blankControlCharacters(text: string): string {
  let blanked = text.slice(0, skipByteOrderMark(text));
  // Piece by piece: an expression that matches each of many million characters takes memory for each of them.
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

/** As people look it up: `U+0000`. */
export function nameCharacter(text: string, offset: number): string {
  return `U+${text.charCodeAt(offset).toString(16).toUpperCase().padStart(4, '0')}`;
}
