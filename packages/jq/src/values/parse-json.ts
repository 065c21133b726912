import { JqError } from '../jq-error.ts';
import { type JqValue, writeKey } from '../jq-value.ts';
import { countString, countValues, spendLength, step } from '../run-state.ts';
import { maxValueDepth } from './compare.ts';
import { parseNumber } from './numbers.ts';
import { simpleEscapes } from './strings.ts';

const numberPattern = /[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/y;
const wordPattern = /-?[A-Za-z0-9_]+/y;
const blank = /[ \t\r\n]*/y;
const plainString = /[^"\\]*/y;
const loneSurrogate = /\p{Surrogate}/gu;
const words: { readonly [word: string]: JqValue } = {
  null: null,
  true: true,
  false: false,
  nan: Number.NaN,
  NaN: Number.NaN,
  '-nan': Number.NaN,
  '-NaN': Number.NaN,
  Infinity: Infinity,
  '-Infinity': -Infinity,
  infinity: Infinity,
  '-infinity': -Infinity,
};

/** Where reading stands: a cursor over one text. */
interface Reader {
  readonly text: string;
  at: number;
}

/** The message of a syntax error, with its line and column. */
interface Complaint {
  readonly complaint: string;
}

type Container = { readonly list: JqValue[] } | { readonly object: { [key: string]: JqValue }; key: string };

/** Reads one JSON text. Integers beyond 2^53 come back as `bigint`; NaN and Infinity are accepted as jq accepts them. */
export function parseJson(text: string): JqValue {
  const result = tryParseJson(text);
  if ('complaint' in result) throw new JqError('runtime', result.complaint, { value: result.complaint });
  return result.value;
}

export function tryParseJson(text: string): { readonly value: JqValue } | Complaint {
  spendLength(text.length);
  const reader: Reader = { text, at: text.startsWith('\ufeff') ? 1 : 0 };
  try {
    const value = readValue(reader);
    skipBlank(reader);
    if (reader.at < text.length) complain(reader, 'Unexpected extra JSON values', reader.at);
    return { value };
  } catch (thrown) {
    if (typeof thrown === 'object' && thrown !== null && 'complaint' in thrown) return thrown as Complaint;
    throw thrown;
  }
}

function complain(reader: Reader, message: string, at: number): never {
  let line = 1;
  let start = 0;
  for (let end = reader.text.indexOf('\n'); end >= 0 && end < at; end = reader.text.indexOf('\n', start)) {
    line++;
    start = end + 1;
  }
  const column = at - start;
  if (message.endsWith('JSON values') || message.endsWith('JSON value')) {
    // oxlint-disable-next-line typescript/only-throw-error -- caught in tryParseJson, never seen outside
    throw { complaint: `${message} (while parsing '${reader.text}')` } satisfies Complaint;
  }
  const end = at >= reader.text.length ? ' at EOF' : '';
  const complaint = `${message}${end} at line ${line}, column ${column} (while parsing '${reader.text}')`;
  // oxlint-disable-next-line typescript/only-throw-error -- caught in tryParseJson, never seen outside
  throw { complaint } satisfies Complaint;
}

function skipBlank(reader: Reader): void {
  blank.lastIndex = reader.at;
  blank.test(reader.text);
  reader.at = blank.lastIndex;
}

/** Reads iteratively: the nesting of the text must not be the nesting of the stack. */
function readValue(reader: Reader): JqValue {
  const open: Container[] = [];
  for (;;) {
    step();
    let value = openOrRead(reader, open);
    if (value === undefined) continue;
    for (;;) {
      const container = open.at(-1);
      if (container === undefined) return value;
      countValues(1);
      if ('list' in container) container.list.push(value);
      else writeKey(container.object, container.key, value);
      skipBlank(reader);
      const mark = reader.text[reader.at];
      reader.at++;
      if (mark === ',') {
        if (!('list' in container)) readKeyOf(reader, container);
        break;
      }
      const closing = 'list' in container ? ']' : '}';
      if (mark !== closing) complainAbout(reader, mark, closing);
      open.pop();
      value = 'list' in container ? container.list : container.object;
    }
  }
}

function complainAbout(reader: Reader, mark: string | undefined, closing: string): never {
  if (mark === undefined) complain(reader, 'Unfinished JSON term', reader.text.length);
  if (mark === ']' || mark === '}') complain(reader, `Unmatched '${mark}'`, reader.at);
  if (mark === ':') complain(reader, "':' not as part of an object", reader.at);
  return complain(reader, `Expected separator between values, or '${closing}'`, reader.at);
}

function openOrRead(reader: Reader, open: Container[]): JqValue | undefined {
  skipBlank(reader);
  const mark = reader.text[reader.at];
  if (mark === undefined)
    complain(reader, open.length === 0 ? 'Expected JSON value' : 'Unfinished JSON term', reader.at);
  if (mark === '"') return readString(reader);
  if (mark !== '[' && mark !== '{') return readScalar(reader);
  if (open.length >= maxValueDepth) complain(reader, 'Exceeds depth limit for parsing', reader.at + 1);
  reader.at++;
  skipBlank(reader);
  const closing = mark === '[' ? ']' : '}';
  if (reader.text[reader.at] === closing) {
    reader.at++;
    countValues(1);
    return mark === '[' ? [] : {};
  }
  if (mark === '[') {
    countValues(1);
    open.push({ list: [] });
    return undefined;
  }
  const container = { object: {}, key: '' };
  readKeyOf(reader, container);
  open.push(container);
  return undefined;
}

function readKeyOf(reader: Reader, container: { key: string }): void {
  skipBlank(reader);
  const mark = reader.text[reader.at];
  if (mark === undefined) complain(reader, 'Unfinished JSON term', reader.at);
  if (mark === "'") complainQuote(reader);
  if (mark !== '"') complain(reader, 'Object keys must be strings', reader.at + 1);
  container.key = readString(reader);
  skipBlank(reader);
  if (reader.text[reader.at] !== ':') {
    complain(reader, 'Objects must consist of key:value pairs', Math.min(reader.at + 1, reader.text.length));
  }
  reader.at++;
}

function complainQuote(reader: Reader): never {
  const closing = reader.text.indexOf("'", reader.at + 1);
  const at = closing < 0 ? reader.text.length : closing + 2;
  return complain(reader, `Invalid string literal; expected ", but got '`, Math.min(at, reader.text.length));
}

function readScalar(reader: Reader): JqValue {
  const start = reader.at;
  if (reader.text[start] === "'") complainQuote(reader);
  wordPattern.lastIndex = start;
  const word = wordPattern.exec(reader.text)?.[0];
  if (word !== undefined && Object.hasOwn(words, word)) {
    reader.at += word.length;
    return words[word]!;
  }
  numberPattern.lastIndex = start;
  const number = numberPattern.exec(reader.text)?.[0];
  const after = reader.text[start + (number?.length ?? 0)];
  if (number === undefined || (after !== undefined && /[^\s,\]}:"[{]/.test(after))) {
    let end = start;
    while (end < reader.text.length && !/[\s,\]}:"[{]/.test(reader.text[end]!)) end++;
    const kind = /^[tf]/.test(reader.text.slice(start, end)) ? 'literal' : 'numeric literal';
    complain(reader, `Invalid ${kind}`, end === start ? end + 1 : end);
  }
  reader.at += number.length;
  return parseNumber(number.startsWith('+') ? number.slice(1) : number);
}

function readString(reader: Reader): string {
  const start = reader.at;
  let text = '';
  let escaped = false;
  reader.at++;
  for (;;) {
    plainString.lastIndex = reader.at;
    const plain = plainString.exec(reader.text)?.[0] ?? '';
    text += plain;
    reader.at += plain.length;
    const mark = reader.text[reader.at];
    if (mark === undefined) {
      reader.at = start;
      complain(reader, 'Unfinished string', reader.text.length);
    }
    reader.at++;
    if (mark === '"') countString(text.length);
    if (mark === '"') return escaped ? text.replace(loneSurrogate, '\ufffd') : text;
    escaped = true;
    text += readEscape(reader);
  }
}

function readEscape(reader: Reader): string {
  const letter = reader.text[reader.at] ?? '';
  reader.at++;
  const simple = simpleEscapes[letter];
  if (simple !== undefined) return simple;
  const hex = reader.text.slice(reader.at, reader.at + 4);
  if (letter !== 'u' || !/^[\da-fA-F]{4}$/.test(hex)) complain(reader, 'Invalid escape', reader.at);
  reader.at += 4;
  return String.fromCharCode(Number.parseInt(hex, 16));
}
