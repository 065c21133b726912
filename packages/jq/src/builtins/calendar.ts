import { raise, spendSteps } from '../run-state.ts';

/** A moment as date and time of day; `month` and `yearday` count from 0, `weekday` from Sunday = 0. */
export interface BrokenDown {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hours: number;
  readonly minutes: number;
  /** May have a fraction. */
  readonly seconds: number;
  readonly weekday: number;
  readonly yearday: number;
}

const secondsPerDay = 86_400;

/** Days from 1970-01-01 to a day in the proleptic Gregorian calendar; months beyond the year carry over. */
export function daysFromEpoch(year: number, month: number, day: number): number {
  const years = year + Math.floor(month / 12);
  const monthInYear = ((month % 12) + 12) % 12;
  // years start in March here, so that the leap day comes last
  const shifted = monthInYear < 2 ? years - 1 : years;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * ((monthInYear + 10) % 12) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

export function epochSeconds(time: BrokenDown): number {
  const days = daysFromEpoch(Math.trunc(time.year), Math.trunc(time.month), Math.trunc(time.day));
  return days * secondsPerDay + time.hours * 3600 + time.minutes * 60 + time.seconds;
}

/** In C, a year outside the range of an int cannot be broken down. */
const lastYear = 2 ** 31 + 1899;

/** The parts of a moment in UTC, if its year is in range. */
export function brokenDownTime(epoch: number): BrokenDown {
  // as in C, seconds are truncated towards 1970, and the fraction counts from below
  const whole = Math.trunc(epoch) + 0;
  const days = Math.floor(whole / secondsPerDay);
  const inDay = whole - days * secondsPerDay;
  const { year, month, day } = dateOfDay(days);
  if (!(Math.abs(year - 1900) <= lastYear - 1900)) raise('error converting number of seconds since epoch to datetime');
  return {
    year,
    month,
    day,
    hours: Math.floor(inDay / 3600),
    minutes: Math.floor(inDay / 60) % 60,
    seconds: (inDay % 60) + (epoch - Math.floor(epoch)),
    weekday: weekdayOfDay(days),
    yearday: days - daysFromEpoch(year, 0, 1),
  };
}

export function weekdayOfDay(days: number): number {
  return (((days + 4) % 7) + 7) % 7;
}

function dateOfDay(days: number): { readonly year: number; readonly month: number; readonly day: number } {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = (fromMarch + 2) % 12;
  return {
    year: yearOfEra + era * 400 + (month < 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1,
  };
}

export const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
export const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

export const combined: { readonly [letter: string]: string } = {
  c: '%a %b %e %H:%M:%S %Y',
  D: '%m/%d/%y',
  x: '%m/%d/%y',
  F: '%Y-%m-%d',
  R: '%H:%M',
  r: '%I:%M:%S %p',
  T: '%H:%M:%S',
  X: '%H:%M:%S',
};

/** Steps for formatting one part of a date. */
const directiveSteps = 16;
/** Wider fields are cut to this, so that a short format cannot produce a long text. */
const widestField = 1000;

/** A numeric field: its minimum number of digits, and the padding. */
interface NumberField {
  readonly value: (time: BrokenDown) => number;
  readonly digits: number;
  readonly fill?: ' ';
}

/** The year and number of the ISO week, which belongs to the year of its Thursday. */
function isoWeek(time: BrokenDown): { readonly year: number; readonly week: number } {
  const today = daysFromEpoch(time.year, time.month, time.day);
  const thursday = today - ((weekdayOfDay(today) + 6) % 7) + 3;
  const { year: latest } = time;
  const year = [latest + 1, latest].find((candidate) => thursday >= daysFromEpoch(candidate, 0, 1)) ?? latest - 1;
  return { year, week: Math.floor((thursday - daysFromEpoch(year, 0, 1)) / 7) + 1 };
}

function twelveHours({ hours }: BrokenDown): number {
  return hours % 12 === 0 ? 12 : hours % 12;
}

function lastDigits(year: number): number {
  return ((year % 100) + 100) % 100;
}

const numbers: { readonly [letter: string]: NumberField } = {
  C: { value: (time) => Math.floor(time.year / 100), digits: 1 },
  d: { value: (time) => time.day, digits: 2 },
  e: { value: (time) => time.day, digits: 2, fill: ' ' },
  g: { value: (time) => lastDigits(isoWeek(time).year), digits: 2 },
  G: { value: (time) => isoWeek(time).year, digits: 1 },
  H: { value: (time) => time.hours, digits: 2 },
  I: { value: twelveHours, digits: 2 },
  j: { value: (time) => time.yearday + 1, digits: 3 },
  k: { value: (time) => time.hours, digits: 2, fill: ' ' },
  l: { value: twelveHours, digits: 2, fill: ' ' },
  m: { value: (time) => time.month + 1, digits: 2 },
  M: { value: (time) => time.minutes, digits: 2 },
  S: { value: (time) => time.seconds, digits: 2 },
  u: { value: (time) => (time.weekday === 0 ? 7 : time.weekday), digits: 1 },
  U: { value: (time) => Math.floor((time.yearday + 7 - time.weekday) / 7), digits: 2 },
  V: { value: (time) => isoWeek(time).week, digits: 2 },
  w: { value: (time) => time.weekday, digits: 1 },
  W: { value: (time) => Math.floor((time.yearday + 7 - ((time.weekday + 6) % 7)) / 7), digits: 2 },
  y: { value: (time) => lastDigits(time.year), digits: 2 },
  Y: { value: (time) => time.year, digits: 1 },
};

/** A time zone: its offset from UTC in seconds, and its name. */
export interface Zone {
  readonly offset: number;
  readonly name: string;
}

export function offsetText(seconds: number): string {
  const minutes = Math.abs(Math.trunc(seconds / 60));
  const digits = `${Math.trunc(minutes / 60) * 100 + (minutes % 60)}`;
  return `${seconds < 0 ? '-' : '+'}${digits.padStart(4, '0')}`;
}

const texts: { readonly [letter: string]: (time: BrokenDown, zone: () => Zone) => string } = {
  a: (time) => weekdayNames[time.weekday]!.slice(0, 3),
  A: (time) => weekdayNames[time.weekday]!,
  b: (time) => monthNames[time.month]!.slice(0, 3),
  B: (time) => monthNames[time.month]!,
  h: (time) => monthNames[time.month]!.slice(0, 3),
  n: () => '\n',
  p: (time) => (time.hours < 12 ? 'AM' : 'PM'),
  P: (time) => (time.hours < 12 ? 'am' : 'pm'),
  s: (time, zone) => `${Math.floor(epochSeconds(time)) - zone().offset}`,
  t: () => '\t',
  z: (_time, zone) => offsetText(zone().offset),
  Z: (_time, zone) => zone().name,
  '%': () => '%',
};

/** Letters that allow a modifier, which has no effect in the C locale. */
const modified = { E: 'cCxXyY', O: 'bBdegGhHIjklmMsSuUVwWyz' };
const directive = /%([-_0^#]*)((?:[1-9]\d*)?)([EO]?)([a-zA-Z%])/g;

/** Formats like C's `strftime` in the C locale. The time must be a date that exists. */
export function formatTime(format: string, time: BrokenDown, zone: () => Zone): string {
  return format.replace(
    directive,
    (whole: string, flags: string, digits: string, modifier: '' | 'E' | 'O', letter: string) => {
      spendSteps(directiveSteps);
      if (modifier !== '' && !modified[modifier].includes(letter)) return whole;
      const fill = /[-_0](?=[^-_0]*$)/.exec(flags)?.[0];
      const width = Math.min(Number(digits), widestField);
      const number = numbers[letter];
      if (number !== undefined) return padNumber(number, time, fill, width);
      const text = textOf(letter, time, zone);
      if (text === undefined) return whole;
      return changeCase(text, letter, flags).padStart(width, fill === '0' ? '0' : ' ');
    },
  );
}

function textOf(letter: string, time: BrokenDown, zone: () => Zone): string | undefined {
  const expansion = combined[letter];
  return expansion === undefined ? texts[letter]?.(time, zone) : formatTime(expansion, time, zone);
}

function padNumber(field: NumberField, time: BrokenDown, flag: string | undefined, width: number): string {
  const value = field.value(time);
  const shown = Math.abs(value).toString();
  const sign = value < 0 ? '-' : '';
  const least = Math.max(flag === '-' ? 1 : field.digits, width) - sign.length;
  const fill = flag === '0' || (flag === undefined && field.fill === undefined) ? '0' : ' ';
  return fill === '0' ? sign + shown.padStart(least, '0') : (sign + shown).padStart(least + sign.length);
}

function changeCase(text: string, letter: string, flags: string): string {
  if (letter === 'P') return text;
  if (flags.includes('#') && (letter === 'p' || letter === 'Z')) return text.toLowerCase();
  return flags.includes('^') || (flags.includes('#') && 'aAbBh'.includes(letter)) ? text.toUpperCase() : text;
}
