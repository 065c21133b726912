import { isArray, isNumber, type JqValue } from '../jq-value.ts';
import { checkArrayLength, checkStringLength, raise, spendSteps } from '../run-state.ts';
import { itemsOf } from '../values/access.ts';
import { addTo, splitString } from '../values/arithmetic.ts';
import { toDouble } from '../values/numbers.ts';
import { describe, refuse, stringify } from '../values/stringify.ts';
import { countCodePoints, stringIndices } from '../values/strings.ts';
import { linear, type NativeTable, value } from './native.ts';

function text(input: JqValue, message: string): string {
  return typeof input === 'string' ? input : raise(message);
}

/** Both the input and the argument must be strings. */
function affix(name: string, input: JqValue, part: JqValue): readonly [string, string] {
  if (typeof input !== 'string' || typeof part !== 'string') return raise(`${name}() requires string inputs`);
  return [input, part];
}

function trimStart(input: JqValue, prefix: JqValue): string {
  const [whole, part] = affix('startswith', input, prefix);
  return whole.startsWith(part) ? whole.slice(part.length) : whole;
}

function trimEnd(input: JqValue, suffix: JqValue): string {
  const [whole, part] = affix('endswith', input, suffix);
  return whole.endsWith(part) ? whole.slice(0, whole.length - part.length) : whole;
}

// Unicode's White_Space, which unlike `\s` includes U+0085 but not U+FEFF
const leadingSpace = /^\p{White_Space}+/u;
const isSpace = /\p{White_Space}/u;

function trimRight(input: string): string {
  let end = input.length;
  while (end > 0 && isSpace.test(input[end - 1]!)) end--;
  return input.slice(0, end);
}

const beyondAscii = /[\u0080-\uffff]/;

function shiftAscii(input: string, upper: boolean): string {
  if (!beyondAscii.test(input)) return upper ? input.toUpperCase() : input.toLowerCase();
  spendSteps(input.length);
  return upper
    ? input.replace(/[a-z]+/g, (letters) => letters.toUpperCase())
    : input.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

const replacement = 0xfffd;

function implode(input: JqValue): JqValue {
  if (!isArray(input)) return raise('implode input must be an array');
  let result = '';
  for (const item of input) {
    if (!isNumber(item) || Number.isNaN(item)) {
      return refuse(item, "can't be imploded, unicode codepoint needs to be numeric");
    }
    const point = Math.trunc(toDouble(item));
    const valid = point >= 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
    result += String.fromCodePoint(valid ? point : replacement);
  }
  return result;
}

function join(input: JqValue, separator: JqValue): JqValue {
  let result: JqValue = null;
  for (const item of itemsOf(input)) {
    spendSteps(1);
    const start: JqValue = result === null ? '' : addTo(result, separator);
    result = addTo(
      start,
      typeof item === 'number' || typeof item === 'bigint' || typeof item === 'boolean'
        ? stringify(item)
        : (item ?? ''),
    );
    if (typeof result === 'string') checkStringLength(result.length);
  }
  return result ?? '';
}

function split(input: JqValue, separator: JqValue): JqValue {
  if (typeof input !== 'string' || typeof separator !== 'string')
    return raise('split input and separator must be strings');
  return splitString(input, separator);
}

function searchIndices(input: JqValue, wanted: JqValue): JqValue {
  if (typeof input !== 'string') return refuse(input, 'cannot be searched, as it is not a string');
  if (typeof wanted !== 'string') return raise(`${describe(wanted)} is not a string`);
  return stringIndices(input, wanted);
}

export const stringNatives: NativeTable = {
  '_strindices/1': linear((input, wanted) => searchIndices(input, wanted)),
  'startswith/1': linear((input, prefix) => {
    const [whole, part] = affix('startswith', input, prefix);
    return whole.startsWith(part);
  }),
  'endswith/1': linear((input, suffix) => {
    const [whole, part] = affix('endswith', input, suffix);
    return whole.endsWith(part);
  }),
  'ltrimstr/1': linear((input, prefix) => trimStart(input, prefix)),
  'rtrimstr/1': linear((input, suffix) => trimEnd(input, suffix)),
  'trimstr/1': linear((input, part) => trimEnd(trimStart(input, part), part)),
  'trim/0': linear((input) => trimRight(text(input, 'trim input must be a string').replace(leadingSpace, ''))),
  'ltrim/0': linear((input) => text(input, 'trim input must be a string').replace(leadingSpace, '')),
  'rtrim/0': linear((input) => trimRight(text(input, 'trim input must be a string'))),
  'ascii_downcase/0': linear((input) => shiftAscii(text(input, 'explode input must be a string'), false)),
  'ascii_upcase/0': linear((input) => shiftAscii(text(input, 'explode input must be a string'), true)),
  'explode/0': linear((input) => {
    const whole = text(input, 'explode input must be a string');
    checkArrayLength(countCodePoints(whole));
    return Array.from(whole, (character) => character.codePointAt(0)!);
  }),
  'implode/0': linear(implode),
  'ascii/0': value((input) => implode([input])),
  'split/1': linear((input, separator) => split(input, separator)),
  'join/1': linear((input, separator) => join(input, separator)),
};
