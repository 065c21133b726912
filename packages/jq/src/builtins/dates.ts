import { isArray, isNumber, type JqValue } from '../jq-value.ts';
import { raise, runState, spendSteps } from '../run-state.ts';
import { toDouble } from '../values/numbers.ts';
import { type BrokenDown, brokenDownTime, epochSeconds } from './calendar.ts';
import { linear, type NativeTable, value } from './native.ts';
import { formatTime, parseTime } from './time-formats.ts';

function asArray(time: BrokenDown): JqValue {
  return [time.year, time.month, time.day, time.hours, time.minutes, time.seconds, time.weekday, time.yearday];
}

/** Reads the array form `[year, month, day, hours, minutes, seconds, weekday, day of year]`; what is missing is 0. */
function fromArray(input: JqValue, name: string): BrokenDown {
  if (!isArray(input) || input.length < 1 || !input.every(isNumber)) {
    return raise(`${name} requires parsed datetime inputs`);
  }
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0, weekday = 0, yearday = 0] = input.map(
    (part) => toDouble(part as number),
  );
  return { year, month, day, hours, minutes, seconds, weekday, yearday };
}

function timeOf(input: JqValue, name: string, local: boolean): BrokenDown {
  if (isNumber(input)) return local ? localTime(toDouble(input)) : brokenDownTime(toDouble(input));
  return fromArray(input, name);
}

function localTime(epoch: number): BrokenDown {
  return brokenDownTime(epoch + utcOffset(epoch));
}

/** Local time is granted together with the clock; where it lies is UTC unless the caller says otherwise. */
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
  return isNumber(input) ? asArray(brokenDownTime(toDouble(input))) : raise('gmtime() requires a number');
}

function mktime(input: JqValue): JqValue {
  if (!isArray(input)) return raise('mktime requires array of 6 numbers');
  return Math.floor(epochSeconds(fromArray(input, 'mktime')));
}

function strftime(input: JqValue, format: JqValue, name: string, local: boolean): JqValue {
  if (!isNumber(input) && !isArray(input)) return raise(`${name}/1 requires parsed datetime inputs`);
  if (typeof format !== 'string') return raise(`${name}/1 requires a string format`);
  if (!isNumber(input)) fromArray(input, `${name}/1`);
  if (format === '') return '';
  const time = timeOf(input, `${name}/1`, local);
  return formatTime(format, time, local ? utcOffset(epochSeconds(time)) : 0);
}

function strptime(input: JqValue, format: JqValue): JqValue {
  if (typeof input !== 'string' || typeof format !== 'string') {
    return raise('strptime/1 requires string inputs and arguments');
  }
  spendSteps(2 * format.length);
  const time = parseTime(input, format);
  return time === undefined ? raise(`date "${input}" does not match format "${format}"`) : asArray(time);
}

export const dateNatives: NativeTable = {
  'now/0': value(now),
  'gmtime/0': value(gmtime),
  'localtime/0': value((input) =>
    isNumber(input) ? asArray(localTime(toDouble(input))) : raise('localtime() requires a number'),
  ),
  'mktime/0': linear(mktime),
  'strftime/1': linear((input, format) => strftime(input, format, 'strftime', false)),
  'strflocaltime/1': linear((input, format) => strftime(input, format, 'strflocaltime', true)),
  'strptime/1': linear((input, format) => strptime(input, format)),
};
