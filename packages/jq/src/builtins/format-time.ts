import { spendSteps } from '../run-state.ts';
import { type BrokenDown, daysFromEpoch, epochSeconds, monthNames, weekdayNames, weekdayOfDay } from './calendar.ts';

/** What formatting one part of a date costs. */
const directiveSteps = 16;

function pad(value: number, width: number, fill = '0'): string {
  return Math.trunc(value).toString().padStart(width, fill);
}

/** The year and number of the ISO week, which belongs to the year of its Thursday. */
function isoWeek(time: BrokenDown): { readonly year: number; readonly week: number } {
  const today = daysFromEpoch(time.year, time.month, time.day);
  const thursday = today - ((weekdayOfDay(today) + 6) % 7) + 3;
  for (const year of [time.year + 1, time.year, time.year - 1]) {
    const first = daysFromEpoch(year, 0, 1);
    if (thursday >= first) return { year, week: Math.floor((thursday - first) / 7) + 1 };
  }
  return { year: time.year, week: 1 };
}

function twelveHours(hours: number): number {
  return hours % 12 === 0 ? 12 : hours % 12;
}

function offsetText(seconds: number): string {
  const minutes = Math.abs(Math.trunc(seconds / 60));
  return `${seconds < 0 ? '-' : '+'}${pad(minutes / 60, 2)}${pad(minutes % 60, 2)}`;
}

const combined: { readonly [letter: string]: string } = {
  c: '%a %b %e %H:%M:%S %Y',
  D: '%m/%d/%y',
  x: '%m/%d/%y',
  F: '%Y-%m-%d',
  R: '%H:%M',
  r: '%I:%M:%S %p',
  T: '%H:%M:%S',
  X: '%H:%M:%S',
};

const fields: { readonly [letter: string]: (time: BrokenDown, offset: number) => string } = {
  a: (time) => weekdayNames[time.weekday]?.slice(0, 3) ?? '?',
  A: (time) => weekdayNames[time.weekday] ?? '?',
  b: (time) => monthNames[time.month]?.slice(0, 3) ?? '?',
  B: (time) => monthNames[time.month] ?? '?',
  h: (time) => monthNames[time.month]?.slice(0, 3) ?? '?',
  C: (time) => pad(Math.floor(time.year / 100), 2),
  d: (time) => pad(time.day, 2),
  e: (time) => pad(time.day, 2, ' '),
  g: (time) => pad(isoWeek(time).year % 100, 2),
  G: (time) => pad(isoWeek(time).year, 4),
  H: (time) => pad(time.hours, 2),
  I: (time) => pad(twelveHours(time.hours), 2),
  j: (time) => pad(time.yearday + 1, 3),
  k: (time) => pad(time.hours, 2, ' '),
  l: (time) => pad(twelveHours(time.hours), 2, ' '),
  m: (time) => pad(time.month + 1, 2),
  M: (time) => pad(time.minutes, 2),
  n: () => '\n',
  p: (time) => (time.hours < 12 ? 'AM' : 'PM'),
  P: (time) => (time.hours < 12 ? 'am' : 'pm'),
  s: (time, offset) => pad(Math.floor(epochSeconds(time)) - offset, 1),
  S: (time) => pad(time.seconds, 2),
  t: () => '\t',
  u: (time) => `${time.weekday === 0 ? 7 : time.weekday}`,
  U: (time) => pad((time.yearday + 7 - time.weekday) / 7, 2),
  V: (time) => pad(isoWeek(time).week, 2),
  w: (time) => `${time.weekday}`,
  W: (time) => pad((time.yearday + 7 - ((time.weekday + 6) % 7)) / 7, 2),
  y: (time) => pad(((time.year % 100) + 100) % 100, 2),
  Y: (time) => `${time.year}`,
  z: (_time, offset) => offsetText(offset),
  Z: (_time, offset) => (offset === 0 ? 'UTC' : offsetText(offset)),
  '%': () => '%',
};

/** Formats as C's `strftime` does in the C locale. */
export function formatTime(format: string, time: BrokenDown, offset: number): string {
  const exact = withWeekday(time);
  return format.replace(/%[-_0^#]?[EO]?([a-zA-Z%])/g, (directive: string, letter: string) => {
    spendSteps(directiveSteps);
    const expansion = combined[letter];
    if (expansion !== undefined) return formatTime(expansion, exact, offset);
    const field = fields[letter];
    if (field === undefined) return directive;
    const text = field(exact, offset);
    return directive[1] === '-' ? text.replace(/^[0 ]+(?=.)/, '') : text;
  });
}

/** Weekday and day of the year follow from the date; an array given by hand need not have them right. */
function withWeekday(time: BrokenDown): BrokenDown {
  const days = daysFromEpoch(Math.trunc(time.year), Math.trunc(time.month), Math.trunc(time.day));
  return { ...time, weekday: weekdayOfDay(days), yearday: days - daysFromEpoch(Math.trunc(time.year), 0, 1) };
}
