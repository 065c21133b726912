import { isJsonArray } from '../model/index.ts';
import type { Json } from '../model/index.ts';

// Most texts are plain ASCII and need no further check.
const plain = /^[\x20-\x7E]*$/;

/** Makes all unsafe characters visible, so that a user's string can neither control a terminal nor hide anything. */
export function escapeControls(text: string): string {
  return plain.test(text) ? text : replaceUnsafe(text, showCharacter);
}

/** JSON with unsafe characters as escapes, which JSON parsers decode to the same strings. */
export function escapeControlsInJson(json: string): string {
  return replaceUnsafe(json, (character) =>
    character === '\n'
      ? character
      : Array.from({ length: character.length }, (_, index) => escapeUnit(character.charCodeAt(index))).join(''),
  );
}

/**
 * Replaces characters that control a terminal or that a reader cannot see: control characters, escapes, overrides of the
 * writing direction, zero-width characters, line separators, and halves of surrogate pairs. The two presentation selectors
 * of emoji are allowed because they only change the look of the character before them.
 */
function replaceUnsafe(text: string, replace: (character: string) => string): string {
  return text.replace(
    /(?![\u{FE0E}\u{FE0F}])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{FFF9}-\u{FFFB}]/gu,
    replace,
  );
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

function showCharacter(character: string): string {
  const code = character.codePointAt(0)!;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `\\u{${code.toString(16)}}`;
}

const longest = 80;
const named = new Map([
  ['"', '\\"'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** A user's string as messages show it: quoted, on one line, with nothing hidden, and cut to the length of a line. */
export function quote(text: string): string {
  return quoteUpTo(longest, text);
}

/** The same, cut to another length. */
export function quoteUpTo(most: number, text: string): string {
  return `"${escapeControls(shorten(text, most).replace(/["\n\r\t]/g, (character) => named.get(character)!))}"`;
}

/** The first characters of a text that is too long. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const start = Array.from(text.slice(0, 2 * (most + 1)));
  return start.length <= most ? text : `${start.slice(0, most - 1).join('')}…`;
}

interface Bounds {
  readonly minimum?: number | bigint | undefined;
  readonly maximum?: number | bigint | undefined;
}

/** `from 1 to 5`, `at least 1`; `undefined` if there are no bounds. */
export function describeRange({ minimum, maximum }: Bounds): string | undefined {
  if (minimum === undefined) return maximum === undefined ? undefined : `at most ${maximum}`;
  return maximum === undefined ? `at least ${minimum}` : `from ${minimum} to ${maximum}`;
}

/** The type of a value in a message: `an object`, `a string`. */
export function describeType(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (isJsonArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string') return 'a string';
  return typeof value === 'boolean' ? 'a boolean' : 'a number';
}

const longestNumber = 40;

/** A value in a message, as written if it is short: `"80"`, `80`, `true`, `null`, `a list`. */
export function describeValue(value: Json): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'object') return describeType(value);
  const text = String(value);
  return text.length > longestNumber ? `${text.slice(0, longestNumber)}…` : text;
}
