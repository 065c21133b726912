import { isArray, isNumber, type JqArray, type JqValue } from '../jq-value.ts';
import { raise, runState, spendSteps } from '../run-state.ts';
import { toDouble } from '../values/scalars.ts';
import {
  type BrokenDown,
  brokenDownTime,
  combined,
  daysFromEpoch,
  epochSeconds,
  formatTime,
  monthNames,
  offsetText,
  weekdayNames,
  weekdayOfDay,
  type Zone,
} from './calendar.ts';
import { linear, type NativeTable, value } from './native.ts';

/** The fields of C's `struct tm`, and which of them a directive has set. */
interface Parts {
  year: number;
  month?: number | undefined;
  day?: number | undefined;
  hours: number;
  minutes: number;
  seconds: number;
  weekday?: number | undefined;
  yearday?: number | undefined;
  century?: number | undefined;
  /** Whether the year has only its last two digits. */
  shortYear: boolean;
  twelveHours: boolean;
  afternoon: boolean;
  week?: { readonly number: number; readonly firstDay: 0 | 1 };
  /** Whether weekday and day of the year follow from what was read. */
  hasDate: boolean;
}

/** A text that is read from left to right. */
interface Cursor {
  readonly text: string;
  at: number;
}

type Directive = (cursor: Cursor, parts: Parts) => boolean;

function skipSpace(cursor: Cursor): void {
  while (/[ \t\n\v\f\r]/.test(cursor.text[cursor.at] ?? '')) cursor.at++;
}

/** A number in a range: up to its maximum number of digits, after blanks. */
function number(from: number, to: number, digits: number, read: (value: number) => Partial<Parts>): Directive {
  return (cursor, parts) => {
    while (cursor.text[cursor.at] === ' ') cursor.at++;
    const isDigit = (): boolean => /\d/.test(cursor.text[cursor.at] ?? '');
    if (!isDigit()) return false;
    let value = 0;
    for (let left = digits; left > 0 && isDigit() && (left === digits || value * 10 <= to); left--) {
      value = value * 10 + Number(cursor.text[cursor.at++]);
    }
    if (value < from || value > to) return false;
    Object.assign(parts, read(value));
    return true;
  };
}

/** One of several names, in full or as its first three letters. */
function name(names: readonly string[], read: (index: number) => Partial<Parts>): Directive {
  return (cursor, parts) => {
    const rest = cursor.text.slice(cursor.at).toLowerCase();
    for (const [index, full] of names.entries()) {
      const spelling = [full, full.slice(0, 3)].find((candidate) => rest.startsWith(candidate.toLowerCase()));
      if (spelling === undefined) continue;
      cursor.at += spelling.length;
      Object.assign(parts, read(index));
      return true;
    }
    return false;
  };
}

/** Text that must match; without `read` it has no effect. */
function pattern(expression: RegExp, read: (text: string) => Partial<Parts> = () => ({})): Directive {
  return (cursor, parts) => {
    expression.lastIndex = cursor.at;
    const text = expression.exec(cursor.text)?.[0];
    if (text === undefined) return false;
    cursor.at += text.length;
    Object.assign(parts, read(text));
    return true;
  };
}

const month = name(monthNames, (index) => ({ month: index, hasDate: true }));
const weekday = name(weekdayNames, (index) => ({ weekday: index }));
const day = number(1, 31, 2, (value) => ({ day: value, hasDate: true }));
const hours = number(0, 23, 2, (value) => ({ hours: value, twelveHours: false }));
const hoursOfTwelve = number(1, 12, 2, (value) => ({ hours: value % 12, twelveHours: true }));
const space: Directive = (cursor) => {
  skipSpace(cursor);
  return true;
};

function weekOf(firstDay: 0 | 1): Directive {
  return number(0, 53, 2, (value) => ({ week: { number: value, firstDay } }));
}

const directives: { readonly [letter: string]: Directive } = {
  a: weekday,
  A: weekday,
  b: month,
  B: month,
  h: month,
  C: number(0, 99, 2, (value) => ({ century: value, hasDate: true })),
  d: day,
  e: day,
  g: number(0, 99, 2, () => ({})),
  G: pattern(/\d+/y),
  H: hours,
  k: hours,
  I: hoursOfTwelve,
  l: hoursOfTwelve,
  j: number(1, 366, 3, (value) => ({ yearday: value - 1 })),
  m: number(1, 12, 2, (value) => ({ month: value - 1, hasDate: true })),
  M: number(0, 59, 2, (value) => ({ minutes: value })),
  n: space,
  p: pattern(/[ap]m/iy, (text) => ({ afternoon: text.toLowerCase() === 'pm' })),
  s: pattern(/\d+/y, (text) => ({
    ...brokenDownTime(Number(text)),
    weekday: undefined,
    yearday: undefined,
    hasDate: true,
  })),
  S: number(0, 61, 2, (value) => ({ seconds: value })),
  t: space,
  u: number(1, 7, 1, (value) => ({ weekday: value % 7 })),
  U: weekOf(0),
  V: number(0, 53, 2, () => ({})),
  w: number(0, 6, 1, (value) => ({ weekday: value })),
  W: weekOf(1),
  y: number(0, 99, 2, (value) => ({ year: value >= 69 ? 1900 + value : 2000 + value, shortYear: true, hasDate: true })),
  Y: number(0, 9999, 4, (value) => ({ year: value, shortYear: false, hasDate: true })),
  z: pattern(/[ \t\n\v\f\r]*(?:Z|[-+]\d{2}(?::?[0-5]\d|(?![:\d])))/y),
  Z: pattern(/[ \t\n\v\f\r]*[^ \t\n\v\f\r]*/y),
  '%': pattern(/%/y),
};

/** Reads like C's `strptime` in the C locale, up to a blank; `undefined` if the text does not match the format. */
function parseTime(text: string, format: string) {
  const parts: Parts = {
    year: 1900,
    hours: 0,
    minutes: 0,
    seconds: 0,
    shortYear: false,
    twelveHours: false,
    afternoon: false,
    hasDate: false,
  };
  const cursor: Cursor = { text, at: 0 };
  if (!readParts(cursor, format, parts)) return undefined;
  const rest = text.slice(cursor.at);
  return rest === '' || /^[ \t\n\v\f\r]/.test(rest) ? { time: complete(parts), rest } : undefined;
}

function readParts(cursor: Cursor, format: string, parts: Parts): boolean {
  for (const [piece] of format.matchAll(/%[-_0^#]*[EO]?[a-zA-Z%]|%$|[ \t\n\v\f\r]+|[^]/g)) {
    if (/^[ \t\n\v\f\r]/.test(piece)) skipSpace(cursor);
    else if (piece.startsWith('%')) {
      if (!isDirective(piece)) return false;
      const letter = piece.at(-1)!;
      const expansion = combined[letter];
      const fits = expansion === undefined ? directives[letter]?.(cursor, parts) : readParts(cursor, expansion, parts);
      if (fits !== true) return false;
    } else if (cursor.text[cursor.at] === piece) cursor.at++;
    else return false;
  }
  return true;
}

/** Only some letters allow a modifier: `%Ey`, `%Od`. */
function isDirective(piece: string): boolean {
  if (piece.length === 1) return false;
  if (/E.$/.test(piece)) return /[cCxXyY]$/.test(piece);
  return !/O.$/.test(piece) || /[deHImMSUWVwy]$/.test(piece);
}

/** jq's values for an unknown weekday and day of the year. */
const unknownWeekday = 8;
const unknownYearday = 367;

function complete(parts: Parts): BrokenDown {
  const { minutes, seconds } = parts;
  const hours = parts.hours + (parts.twelveHours && parts.afternoon ? 12 : 0);
  const year = yearOf(parts);
  const { month, day, weekday: fixedWeekday, yearday: counted } = dateOf(parts, year);
  const days = daysFromEpoch(year, month, day);
  // jq can derive the rest only if it has a day of the month
  const isDate = parts.hasDate || day > 0;
  const weekday = fixedWeekday ?? (isDate ? weekdayOfDay(days) : unknownWeekday);
  const yearday = counted ?? (isDate ? days - daysFromEpoch(year, 0, 1) : unknownYearday);
  return { year, month, day, hours, minutes, seconds, weekday, yearday };
}

function yearOf({ year, century, shortYear }: Parts): number {
  if (century === undefined) return year;
  return century * 100 + (shortYear ? year % 100 : 0);
}

/** Month and day, possibly derived from the day of the year or from a week and its day. */
function dateOf(parts: Parts, year: number) {
  const { month, day, weekday, week, hasDate } = parts;
  const newYear = daysFromEpoch(year, 0, 1);
  let { yearday } = parts;
  const isPartial = month === undefined || day === undefined;
  let derived = hasDate && weekday === undefined && isPartial && yearday !== undefined;
  if (week !== undefined && weekday !== undefined) {
    const offset = (7 - (weekdayOfDay(newYear) - week.firstDay)) % 7;
    yearday ??= offset + (week.number - 1) * 7 + ((weekday - week.firstDay + 7) % 7);
    derived = isPartial;
  }
  if (!derived || yearday === undefined) return { month: month ?? 0, day: day ?? 0, weekday, yearday };
  const date = brokenDownTime((newYear + yearday) * 86_400);
  return { month: month ?? date.month, day: day ?? date.day, weekday, yearday };
}

function asArray(time: BrokenDown): JqArray {
  return [time.year, time.month, time.day, time.hours, time.minutes, time.seconds, time.weekday, time.yearday];
}

/** Reads the array form `[year, month, day, hours, minutes, seconds, weekday, day of year]`; missing parts are 0. */
function fromArray(input: JqValue, name: string): BrokenDown {
  if (!isArray(input) || !input.every(isNumber)) {
    return raise(`${name} requires parsed datetime inputs`);
  }
  const [year = 1900, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = input.map((part) =>
    Math.trunc(toDouble(part as number)),
  );
  // as in C, a day that does not exist carries over into the next month
  return brokenDownTime(epochSeconds({ year, month, day, hours, minutes, seconds, weekday: 0, yearday: 0 }));
}

function localTime(epoch: number): BrokenDown {
  return brokenDownTime(epoch + utcOffset(epoch));
}

/** Local time requires the clock; its zone is UTC unless the caller sets another offset. */
function utcOffset(epoch: number): number {
  const { clock, utcOffset: offset } = runState.options;
  if (clock === undefined) return raise('local time is not available: the run has no clock');
  return offset === undefined ? 0 : offset(epoch);
}

function now(): number {
  const { clock } = runState.options;
  return clock === undefined ? raise('now is not available: the run has no clock') : clock();
}

function gmtime(input: JqValue): JqValue {
  return isNumber(input) ? asArray(brokenDownTime(toDouble(input))) : raise('gmtime() requires numeric inputs');
}

function mktime(input: JqValue): JqValue {
  if (!isArray(input)) return raise('mktime requires array inputs');
  const seconds = epochSeconds(fromArray(input, 'mktime'));
  // C uses this value to report a failure
  return seconds === -1 ? raise('invalid gmtime representation') : seconds;
}

function strftime(input: JqValue, format: JqValue, name: string, local: boolean): JqValue {
  if (!isNumber(input) && !isArray(input)) return raise(`${name}/1 requires parsed datetime inputs`);
  if (!isNumber(input) && typeof format !== 'string') return raise(`${name}/1 requires a string format`);
  const utc = isNumber(input) ? brokenDownTime(toDouble(input)) : fromArray(input, `${name}/1`);
  if (typeof format !== 'string') return raise(`${name}/1 requires a string format`);
  if (!format.includes('%')) return format;
  const time = local && isNumber(input) ? localTime(toDouble(input)) : utc;
  const zone = (): Zone => (local ? localZone(utcOffset(epochSeconds(time))) : { offset: 0, name: 'GMT' });
  return formatTime(format, { ...time, seconds: Math.trunc(time.seconds) }, zone);
}

function localZone(offset: number): Zone {
  return { offset, name: offset === 0 ? 'UTC' : offsetText(offset) };
}

function strptime(input: JqValue, format: JqValue): JqValue {
  if (typeof input !== 'string' || typeof format !== 'string') {
    return raise('strptime/1 requires string inputs and arguments');
  }
  spendSteps(2 * format.length);
  // as in C, a string ends at NUL
  const [text = ''] = input.split('\0', 1);
  const [wanted = ''] = format.split('\0', 1);
  const parsed = parseTime(text, wanted);
  if (parsed === undefined) return raise(`date "${text}" does not match format "${wanted}"`);
  const parts = asArray(parsed.time);
  return parsed.rest === '' ? parts : [...parts, parsed.rest];
}

export const dateNatives: NativeTable = {
  'now/0': value(now),
  'gmtime/0': value(gmtime),
  'localtime/0': value((input) =>
    isNumber(input) ? asArray(localTime(toDouble(input))) : raise('localtime() requires numeric inputs'),
  ),
  'mktime/0': linear(mktime),
  'strftime/1': linear((input, format) => strftime(input, format, 'strftime', false)),
  'strflocaltime/1': linear((input, format) => strftime(input, format, 'strflocaltime', true)),
  'strptime/1': linear(strptime),
};
