import { JqError } from '../jq-error.ts';
import { isArray, isObject, type JqValue, typeOf, writeKey } from '../jq-value.ts';
import { checkStringLength, countString, countValues, raise, spendKeys, spendLength, step } from '../run-state.ts';
import { maxValueDepth } from './compare.ts';
import { formatNumber, readNumber, simpleEscapes, utf8Length } from './scalars.ts';

// DEL is escaped too, as jq does
// oxlint-disable-next-line no-control-regex -- control characters are what has to be found
const needsEscape = /[\u0000-\u001f"\\\u007f\ud800-\udfff]/;
const loneSurrogate = /\p{Surrogate}/gu;

function quoteString(text: string): string {
  if (!needsEscape.test(text)) return `"${text}"`;
  return JSON.stringify(text.replace(loneSurrogate, '\ufffd')).replaceAll('\u007f', '\\u007f');
}

interface Level {
  readonly closing: string;
  readonly keys: readonly string[] | undefined;
  readonly value: { readonly [key: string | number]: JqValue };
  readonly length: number;
  next: number;
}

/** One line of JSON, as `jq -c` prints it. Stops early once more than `enough` characters are written. */
export function stringify(value: JqValue, enough = Infinity): string {
  let text = '';
  const levels: Level[] = [];
  let current = value;
  for (;;) {
    const opened = openLevel(current, levels.length, enough);
    if (typeof opened === 'string') text += opened;
    else {
      text += opened.keys === undefined ? '[' : '{';
      levels.push(opened);
    }
    if (text.length > enough) return text;
    checkStringLength(text.length);
    let level = levels.at(-1);
    while (level !== undefined && level.next >= level.length) {
      text += level.closing;
      levels.pop();
      level = levels.at(-1);
    }
    if (level === undefined) return text;
    step();
    if (level.next > 0) text += ',';
    if (level.keys === undefined) current = level.value[level.next]!;
    else {
      const key = level.keys[level.next]!;
      text += `${quoteString(key)}:`;
      current = level.value[key]!;
    }
    level.next++;
  }
}

function openLevel(value: JqValue, depth: number, enough: number): string | Level {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') {
    const shown = value.length > enough ? value.slice(0, enough) : value;
    spendLength(shown.length);
    return quoteString(shown);
  }
  if (typeof value === 'number' || typeof value === 'bigint') return formatNumber(value);
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (depth > maxValueDepth) return '"<skipped: too deep>"';
  if (isArray(value)) {
    return { closing: ']', keys: undefined, value: value as never, length: value.length, next: 0 };
  }
  const keys = Object.keys(value);
  spendKeys(keys.length);
  return { closing: '}', keys, value, length: keys.length, next: 0 };
}

export function toText(input: JqValue): string {
  return typeof input === 'string' ? input : stringify(input);
}

/** jq shows at most 29 bytes of a value in a message. */
const shownBytes = 29;

/** The value as JSON, shortened like jq does. */
export function abbreviate(value: JqValue): string {
  const text = stringify(value, 2 * shownBytes);
  if (text.length <= shownBytes && utf8Length(text) <= shownBytes) return text;
  const ending = `...${typeof value === 'string' ? '"' : isArray(value) ? ']' : isObject(value) ? '}' : ''}`;
  let kept = '';
  let bytes = ending.length;
  for (const character of text) {
    bytes += utf8Length(character);
    if (bytes > shownBytes) break;
    kept += character;
  }
  return kept + ending;
}

/** `number (1)`: the name of a value in messages. */
export function describe(value: JqValue): string {
  return `${typeOf(value)} (${abbreviate(value)})`;
}

/** Fails with a message about one value: `number (1) cannot be …`. */
export function refuse(value: JqValue, why: string): never {
  return raise(`${describe(value)} ${why}`);
}

const blank = /[ \t\r\n]+/y;
const literal = /[^ \t\r\n"[\]{}:,]+/y;
// oxlint-disable-next-line no-control-regex -- control characters must be escaped in strings
const plainString = /[^"\\\u0000-\u001f]*/y;

/** A list or object that is not closed yet; `key` is set between a colon and the end of its value. */
type Container =
  | { readonly list: JqValue[] }
  | { readonly object: { [key: string]: JqValue }; key: string | undefined };

/** The state of reading. */
interface Reader {
  readonly text: string;
  at: number;
  readonly open: Container[];
  /** A complete value that is not in its container yet. */
  next: JqValue | undefined;
  /** The value outside all containers. */
  result: JqValue | undefined;
}

/** The message of a syntax error, with its line and column. */
interface Complaint {
  readonly complaint: string;
}

/** Reads one JSON text. Integers beyond 2^53 become `bigint`; NaN and Infinity are accepted as in jq. */
export function parseJson(text: string): JqValue {
  const result = tryParseJson(text);
  if ('complaint' in result) throw new JqError('runtime', result.complaint, { value: result.complaint });
  return result.value;
}

export function tryParseJson(text: string): { readonly value: JqValue } | Complaint {
  spendLength(text.length);
  const reader: Reader = {
    text,
    at: text.startsWith('\ufeff') ? 1 : 0,
    open: [],
    next: undefined,
    result: undefined,
  };
  try {
    return { value: readText(reader) };
  } catch (thrown) {
    if (typeof thrown === 'object' && thrown !== null && 'complaint' in thrown) return thrown as Complaint;
    throw thrown;
  }
}

/** In C, a string ends at NUL. */
function beforeNul(text: string): string {
  const end = text.indexOf('\0');
  return end < 0 ? text : text.slice(0, end);
}

/** Reports an error about the whole text. */
function refuseText({ text }: Reader, message: string): never {
  // oxlint-disable-next-line typescript/only-throw-error -- caught in tryParseJson, never seen outside
  throw { complaint: `${message} (while parsing '${beforeNul(text)}')` } satisfies Complaint;
}

/** Reports an error at the current position; columns count bytes, as in jq. */
function complain(reader: Reader, message: string): never {
  const read = reader.text.slice(0, reader.at);
  const line = read.split('\n').length;
  const column = utf8Length(read.slice(read.lastIndexOf('\n') + 1).replace('\ufeff', ''));
  return refuseText(reader, `${message} at line ${line}, column ${column}`);
}

/** Reads iteratively: the nesting of the text must not be the nesting of the stack. */
function readText(reader: Reader): JqValue {
  const { text, open } = reader;
  while (reader.at < text.length) {
    const mark = text[reader.at]!;
    blank.lastIndex = reader.at;
    if (blank.test(text)) reader.at = blank.lastIndex;
    else if (mark === '"') take(reader, readString(reader));
    else {
      literal.lastIndex = reader.at;
      const word = literal.exec(text)?.[0];
      if (word === undefined) readMark(reader, mark);
      else readWord(reader, word);
    }
  }
  if (open.length > 0) complain(reader, 'Unfinished JSON term at EOF');
  return reader.result === undefined ? refuseText(reader, 'Expected JSON value') : reader.result;
}

/** A value is complete. */
function take(reader: Reader, value: JqValue): void {
  step();
  if (reader.open.length > 0) {
    countValues(1);
    if (reader.next !== undefined) complain(reader, 'Expected separator between values');
    reader.next = value;
  } else if (reader.result === undefined) reader.result = value;
  else refuseText(reader, 'Unexpected extra JSON values');
}

/** A word ends before the next character, where jq reports errors about it. */
function readWord(reader: Reader, word: string): void {
  const end = reader.at + word.length;
  const atEnd = end === reader.text.length;
  const value = valueOfWord(word);
  reader.at = atEnd ? end : end + 1;
  if (typeof value === 'object' && value !== null) complain(reader, value.complaint + (atEnd ? ' at EOF' : ''));
  take(reader, value);
  reader.at = end;
}

function valueOfWord(word: string): number | bigint | boolean | null | Complaint {
  const [first, second] = word;
  if (first === "'") return { complaint: `Invalid string literal; expected ", but got '` };
  if (first === 't' || first === 'f' || (first === 'n' && second === 'u')) {
    if (word === 'null') return null;
    return word === 'true' || word === 'false' ? word === 'true' : { complaint: 'Invalid literal' };
  }
  return readNumber(beforeNul(word)) ?? { complaint: 'Invalid numeric literal' };
}

/** One of `[]{}:,`. */
function readMark(reader: Reader, mark: string): void {
  const { open } = reader;
  const container = open.at(-1);
  reader.at++;
  switch (mark) {
    case '[':
    case '{':
      if (open.length >= maxValueDepth) complain(reader, 'Exceeds depth limit for parsing');
      if (reader.next !== undefined) complain(reader, 'Expected separator between values');
      open.push(mark === '[' ? { list: [] } : { object: {}, key: undefined });
      return;
    case ':':
      readColon(reader, container);
      return;
    case ',':
      if (reader.next === undefined) complain(reader, "Expected value before ','");
      putNext(reader, container);
      return;
    default:
      closeContainer(reader, container, mark);
  }
}

function readColon(reader: Reader, container: Container | undefined): void {
  const { next } = reader;
  if (next === undefined) complain(reader, "Expected string key before ':'");
  if (container === undefined || 'list' in container || container.key !== undefined) {
    complain(reader, "':' not as part of an object");
  }
  if (typeof next !== 'string') complain(reader, 'Object keys must be strings');
  container.key = next;
  reader.next = undefined;
}

/** Puts the current value into its container. */
function putNext(reader: Reader, container: Container | undefined): void {
  if (container === undefined || reader.next === undefined) return;
  if ('list' in container) container.list.push(reader.next);
  else if (container.key === undefined) complain(reader, 'Objects must consist of key:value pairs');
  else {
    writeKey(container.object, container.key, reader.next);
    container.key = undefined;
  }
  reader.next = undefined;
}

function closeContainer(reader: Reader, container: Container | undefined, mark: string): void {
  const isList = container !== undefined && 'list' in container;
  if (container === undefined || (mark === ']' && !isList)) return complain(reader, `Unmatched '${mark}'`);
  if (reader.next !== undefined) {
    if (mark === '}' && isList) complain(reader, 'Objects must consist of key:value pairs');
    putNext(reader, container);
  } else if (isList) {
    if (mark === '}') complain(reader, `Unmatched '}'`);
    if (container.list.length > 0) complain(reader, 'Expected another array element');
  } else {
    if (container.key !== undefined) complain(reader, `Unmatched '}'`);
    for (const _key in container.object) complain(reader, 'Expected another key-value pair');
  }
  reader.open.pop();
  countValues(1);
  take(reader, isList ? container.list : (container as { readonly object: JqValue }).object);
}

const controlCharacter = 'Invalid string: control characters from U+0000 through U+001F must be escaped';

/** Reads to the closing quote, where jq reports errors about the content. */
function readString(reader: Reader): string {
  const { text } = reader;
  let result = '';
  let complaint: string | undefined;
  reader.at++;
  for (;;) {
    plainString.lastIndex = reader.at;
    const plain = plainString.exec(text)?.[0] ?? '';
    result += plain;
    reader.at += plain.length;
    const mark = text[reader.at];
    if (mark === undefined) complain(reader, 'Unfinished string at EOF');
    reader.at++;
    if (mark === '"') break;
    if (mark === '\\') {
      const escape = readEscape(text, reader.at);
      reader.at = Math.min(reader.at + escape.length, text.length);
      if ('complaint' in escape) complaint ??= escape.complaint;
      else result += escape.value;
    } else complaint ??= controlCharacter;
  }
  if (complaint !== undefined) complain(reader, complaint);
  countString(result.length);
  return result;
}

type Escape = ({ readonly value: string } | Complaint) & { readonly length: number };

/** Reads an escape after the backslash. */
function readEscape(text: string, at: number): Escape {
  const letter = text[at] ?? '';
  const simple = simpleEscapes[letter];
  if (simple !== undefined) return { value: simple, length: 1 };
  if (letter !== 'u') return { complaint: 'Invalid escape', length: 1 };
  const digits = text.slice(at + 1, at + 5);
  if (digits.includes('"')) return { complaint: 'Invalid \\uXXXX escape', length: 1 };
  if (!/^[\da-fA-F]{4}$/.test(digits)) return { complaint: 'Invalid characters in \\uXXXX escape', length: 1 };
  const unit = Number.parseInt(digits, 16);
  if (unit >= 0xdc00 && unit <= 0xdfff) return { value: '\ufffd', length: 5 };
  if (unit < 0xd800 || unit > 0xdfff) return { value: String.fromCharCode(unit), length: 5 };
  const low = /^\\u(d[c-f][\da-f]{2})/i.exec(text.slice(at + 5, at + 11))?.[1];
  if (low === undefined) return { complaint: 'Invalid \\uXXXX\\uXXXX surrogate pair escape', length: 5 };
  return { value: String.fromCharCode(unit, Number.parseInt(low, 16)), length: 11 };
}
