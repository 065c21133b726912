import { raise } from '../run-state.ts';

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

export function isValidDay(day: number): boolean {
  return day >= 1 && day <= 31;
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
