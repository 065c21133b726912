import type { Path } from '../model/index.ts';
import { COLON, HASH, SPACE, DASH } from './char-codes.ts';

/** Properties of a string that decide in which styles it can be written; bits of `textTraits`. */
export const HAS_BREAK = 1;
/**
 * Only escapes can represent it: control characters, line breaks that exist only in YAML 1.1; or nothing can. Overrides of the writing
 * direction could be written as they are, but would display a misleading text.
 */
export const NEEDS_ESCAPES = 2;
const NOT_PLAIN = 4;
const NOT_PLAIN_IN_FLOW = 8;
const HAS_TAB = 16;

const CHECK_NEIGHBOURS = 0x80;
const traitsOfAscii = new Uint8Array(128);
for (let code = 0; code < 0x20; code++) traitsOfAscii[code] = NEEDS_ESCAPES;
traitsOfAscii[0x7f] = NEEDS_ESCAPES;
traitsOfAscii[0x09] = HAS_TAB;
traitsOfAscii[0x0a] = HAS_BREAK;
// Older readers have trouble with `:` and `?` anywhere inside plain text in flow collections.
for (const char of ',[]{}?') traitsOfAscii[char.charCodeAt(0)] = NOT_PLAIN_IN_FLOW;
traitsOfAscii[COLON] = CHECK_NEIGHBOURS;
traitsOfAscii[HASH] = CHECK_NEIGHBOURS;

const NEVER_FIRST = 1;
const MAYBE_TYPED = 2;
const firstCharacter = new Uint8Array(128);
for (const char of ' ?:,[]{}#&*!|>\'"%@`') firstCharacter[char.charCodeAt(0)] = NEVER_FIRST;
for (const char of '0123456789+-._~<=yntfoieYNTFOIE') firstCharacter[char.charCodeAt(0)] = MAYBE_TYPED;

const TYPED_WORDS = new Set(
  ['y n yes no on off true false null ~ = << --- ...', 'inf infinity nan .inf .nan +inf -inf +.inf -.inf +.nan -.nan']
    .join(' ')
    .split(' '),
);
const LONGEST_TYPED_WORD = 8;

// Every form of number that a reader of either version is known to accept, a little wider where that causes no extra quotes
// in practice: underscores and (Ruby) commas in digits, octal and binary, hexadecimal floats, base 60, dates.
const TYPED_DIGITS = new RegExp(
  [
    String.raw`^(?=[-+_,eE]*[0-9.])[-+]?[0-9_,]*(?:\.[0-9_,]*)?(?:[eE][-+]?[0-9_]*)?$`,
    String.raw`^[-+]?0[xX][0-9a-fA-F_.]*(?:[pP][-+]?[0-9]*)?$`,
    String.raw`^[-+]?0[oObB][0-7_]*$`,
    String.raw`^[-+]?[0-9][0-9_,]*(?::[0-9]{1,2})+(?:\.[0-9_]*)?$`,
    String.raw`^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}`,
  ].join('|'),
);

const ODD_EDGE = /^[\s\u180e\u200b-\u200f\u2060]|[\s\u180e\u200b-\u200f\u2060]$/u;
const ESCAPED_BEYOND_JSON =
  /[\u007f-\u00a0\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f\u2060\u2066-\u2069\u3000\ufeff\ufffe\uffff]/gu;

export function textTraits(text: string): number {
  let traits = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x80) {
      const trait = traitsOfAscii[code]!;
      if (trait === 0) continue;
      if (trait !== CHECK_NEIGHBOURS) traits |= trait;
      else if (code === HASH) traits |= text.charCodeAt(index - 1) === SPACE ? NOT_PLAIN : 0;
      else {
        traits |= NOT_PLAIN_IN_FLOW;
        if (index + 1 === text.length || text.charCodeAt(index + 1) === SPACE) traits |= NOT_PLAIN;
      }
    } else if (code < 0xa0 || (code >= 0x2028 && isUnseen(code))) {
      traits |= NEEDS_ESCAPES;
    } else if (code >= 0xd800 && code <= 0xdfff) {
      const next = text.charCodeAt(index + 1);
      if (code <= 0xdbff && next >= 0xdc00 && next <= 0xdfff) index++;
      else traits |= NEEDS_ESCAPES;
    }
  }
  return traits;
}

function isUnseen(code: number): boolean {
  return code <= 0x202e || (code >= 0x2066 && code <= 0x2069) || code === 0xfeff || code >= 0xfffe;
}

/** The string as a scalar on one line: plain if every reader reads it as this string, otherwise quoted. */
export function writeString(
  text: string,
  place: 'block' | 'flow' = 'block',
  traits: number = textTraits(text),
): string {
  if ((traits & (NEEDS_ESCAPES | HAS_BREAK | HAS_TAB)) !== 0 || text === '' || hasOddEdge(text)) {
    return writeDoubleQuoted(text);
  }
  const first = text.charCodeAt(0);
  const kind = first < 0x80 ? firstCharacter[first]! : 0;
  // As in kubectl: double quotes mean "a string, not what it looks like", single quotes only protect indicators.
  if (kind === MAYBE_TYPED && looksTyped(text)) return writeDoubleQuoted(text);
  const fence = place === 'flow' ? NOT_PLAIN | NOT_PLAIN_IN_FLOW : NOT_PLAIN;
  if (kind === NEVER_FIRST || (traits & fence) !== 0 || isIndicatorDash(text, first) || text.endsWith(' ')) {
    return writeSingleQuoted(text);
  }
  return text;
}

/** In double quotes, with the escapes that JSON and YAML share, so the result is also a JSON string. */
export function writeDoubleQuoted(text: string): string {
  // UTF-8 cannot contain half a surrogate pair, and readers reject or replace its escape.
  if (HALF_PAIR.test(text)) refuseData(text);
  return JSON.stringify(text).replace(
    ESCAPED_BEYOND_JSON,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** For strings on one line that need no escapes. */
export function writeSingleQuoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function looksTyped(text: string): boolean {
  if (text.length <= LONGEST_TYPED_WORD && TYPED_WORDS.has(text.toLowerCase())) return true;
  return TYPED_DIGITS.test(text);
}

function isIndicatorDash(text: string, first: number): boolean {
  if (first !== DASH && first !== 0x2e) return false;
  return text === '-' || text.startsWith('- ') || text.startsWith('---') || text.startsWith('... ');
}

function hasOddEdge(text: string): boolean {
  return (text.charCodeAt(0) > 0x7f || text.charCodeAt(text.length - 1) > 0x7f) && ODD_EDGE.test(text);
}

export interface LiteralPlace {
  /** Column of the object or the dash that the text belongs to; -1 at the root. */
  readonly parent: number;
  readonly column: number;
  /** Whether trailing line breaks may be part of the text (`|+`); not at the end of a document, where they are lost. */
  readonly keep: boolean;
}

interface LiteralParts {
  /** Columns from the parent to the text, if the text itself does not show them. */
  readonly indicator: string;
  readonly chomping: '' | '-' | '+';
  /** Including the line break that ends the last line. */
  readonly lines: string;
}

/**
 * Whether all readers agree on the text as a literal block: it must not need escapes, and
 * its last line must not be blank, because readers disagree on whether that is text or the end of it.
 */
export function canBeLiteral(text: string, traits: number): boolean {
  return (traits & NEEDS_ESCAPES) === 0 && !/(?:^|\n)[ \t]*$/u.test(trimBreaks(text));
}

/** `|` with the text on the lines after it; undefined if the text needs one line or quotes. */
export function writeLiteral(text: string, traits: number, place: LiteralPlace): string | undefined {
  if ((traits & HAS_BREAK) === 0 || !canBeLiteral(text, traits)) return undefined;
  const parts = literalParts(text, place);
  return parts && `|${parts.indicator}${parts.chomping}\n${parts.lines}`;
}

export function literalParts(text: string, place: LiteralPlace): LiteralParts | undefined {
  const body = trimBreaks(text);
  const breaks = text.length - body.length;
  if (breaks > 1 && !place.keep) return undefined;
  const width = place.column - place.parent;
  // The first line shows the indentation of the text, unless it starts with white space or is blank. At the root,
  // readers disagree on what the indicator is relative to.
  const needsIndicator = /^[ \t\n]/u.test(body);
  if (needsIndicator && (place.parent < 0 || width > 9)) return undefined;
  return {
    indicator: needsIndicator ? String(width) : '',
    chomping: breaks === 0 ? '-' : breaks === 1 ? '' : '+',
    lines: `${indentLines(body, ' '.repeat(place.column))}${'\n'.repeat(Math.max(breaks, 1))}`,
  };
}

function indentLines(text: string, pad: string): string {
  return (text.charCodeAt(0) === 0x0a ? '' : pad) + text.replaceAll(/\n(?=[^\n])/gu, `\n${pad}`);
}

function trimBreaks(text: string): string {
  let end = text.length;
  while (text.charCodeAt(end - 1) === 0x0a) end--;
  return text.slice(0, end);
}

/** Maximum nesting depth of written data; far beyond any manifest, and safe for the stack. */
export const DEEPEST = 1000;

/** With the `u` flag, this matches only surrogates without their other half. */
const HALF_PAIR = /\p{Surrogate}/u;

/**
 * Throws for data that is not JSON, which untyped code can pass in: `undefined`, `NaN`, functions, cycles, broken strings.
 * Searches for the first such value, so that the message can name its path.
 */
export function refuseData(data: unknown, cause?: unknown): never {
  const refused = findRefused(data);
  if (refused === undefined) throw cause instanceof Error ? cause : new TypeError('The data cannot be written.');
  const place = refused.path.length === 0 ? 'The data' : `The value at ${formatPath(refused.path)}`;
  throw new TypeError(`${place} cannot be written: it is ${refused.reason}.`);
}

function findRefused(data: unknown): { readonly path: Path; readonly reason: string } | undefined {
  const open: { readonly value: unknown; readonly path: Path }[] = [{ value: data, path: [] }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path } = next;
    const reason = reasonToRefuse(value, path.length);
    if (reason !== undefined) return { path, reason };
    if (typeof value !== 'object' || value === null) continue;
    const isList = Array.isArray(value);
    for (const [key, item] of Object.entries(value).reverse() as [string, unknown][]) {
      if (HALF_PAIR.test(key)) return { path, reason: 'an object with half a surrogate pair in a key' };
      open.push({ value: item, path: [...path, isList ? Number(key) : key] });
    }
  }
  return undefined;
}

function reasonToRefuse(value: unknown, depth: number): string | undefined {
  if (typeof value === 'object' && depth >= DEEPEST && value !== null) return `nested deeper than ${DEEPEST} levels`;
  if (typeof value === 'number' && !Number.isFinite(value)) return `${value}, which Kubernetes cannot read`;
  if (typeof value === 'string' && HALF_PAIR.test(value)) return 'a string with half a surrogate pair';
  if (value === undefined || typeof value === 'function' || typeof value === 'symbol')
    return `${typeof value}, not data`;
  return undefined;
}

function formatPath(path: Path): string {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return text.length > 200 ? `${text.slice(0, 200)}…` : text.replace(/^\./u, '');
}
