import { isArray, isNumber, type JqArray, type JqValue } from '../jq-value.ts';
import { raise, runState, spendSteps } from '../run-state.ts';
import { toDouble } from '../values/numbers.ts';
import { type BrokenDown, brokenDownTime, epochSeconds } from './calendar.ts';
import { linear, type NativeTable, value } from './native.ts';
import { parseTime } from './parse-time.ts';
import { formatTime, offsetText, type Zone } from './time-formats.ts';

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
  const { clock, utcOffset: offset } = runState.capabilities;
  if (clock === undefined) return raise('local time is not available: the run has no clock');
  return offset === undefined ? 0 : offset(epoch);
}

function now(): number {
  const { clock } = runState.capabilities;
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
  'strptime/1': linear((input, format) => strptime(input, format)),
};
