import { isArray, isObject, type JqValue, typeOf } from '../jq-value.ts';
import { checkStringLength, raise, spendKeys, spendLength, step } from '../run-state.ts';
import { maxValueDepth } from './compare.ts';
import { formatNumber } from './numbers.ts';
import { utf8Length } from './strings.ts';

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
