import { spendSteps } from '../run-state.ts';
import {
  type BrokenDown,
  brokenDownTime,
  daysFromEpoch,
  epochSeconds,
  monthNames,
  weekdayNames,
  weekdayOfDay,
} from './calendar.ts';

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

/** The steps that formatting one part of a date counts as. */
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

/** The parts read so far; parts without a directive stay 0. */
interface Parts {
  year: number;
  month: number;
  day: number;
  hours: number;
  minutes: number;
  seconds: number;
  afternoon: boolean | undefined;
  yearday: number | undefined;
  epoch: number | undefined;
}

interface Directive {
  readonly pattern: RegExp;
  readonly apply: (parts: Parts, text: string) => void;
}

function numeric(pattern: RegExp, apply: (parts: Parts, value: number) => void): Directive {
  return { pattern, apply: (parts, text) => apply(parts, Number(text)) };
}

function ignore(): void {
  // the directive is read and carries ignore into the result
}

function indexOfName(names: readonly string[], text: string): number {
  return names.findIndex((name) => name.slice(0, 3).toLowerCase() === text.slice(0, 3).toLowerCase());
}

const months: Directive = {
  pattern: new RegExp(`(?:${monthNames.map((name) => `${name}|${name.slice(0, 3)}`).join('|')})`, 'iy'),
  apply: (parts, text) => {
    parts.month = indexOfName(monthNames, text);
  },
};
const weekdays: Directive = {
  pattern: new RegExp(`(?:${weekdayNames.map((name) => `${name}|${name.slice(0, 3)}`).join('|')})`, 'iy'),
  apply: ignore,
};
const day = numeric(/\s*\d{1,2}/y, (parts, value) => {
  parts.day = value;
});
const hours = numeric(/\s*\d{1,2}/y, (parts, value) => {
  parts.hours = value;
});

const directives: { readonly [letter: string]: Directive } = {
  Y: numeric(/[-+]?\d{1,4}/y, (parts, value) => {
    parts.year = value;
  }),
  y: numeric(/\d{1,2}/y, (parts, value) => {
    parts.year = value < 69 ? 2000 + value : 1900 + value;
  }),
  m: numeric(/\d{1,2}/y, (parts, value) => {
    parts.month = value - 1;
  }),
  b: months,
  B: months,
  h: months,
  a: weekdays,
  A: weekdays,
  d: day,
  e: day,
  H: hours,
  k: hours,
  I: hours,
  l: hours,
  M: numeric(/\d{1,2}/y, (parts, value) => {
    parts.minutes = value;
  }),
  S: numeric(/\d{1,2}/y, (parts, value) => {
    parts.seconds = value;
  }),
  j: numeric(/\d{1,3}/y, (parts, value) => {
    parts.yearday = value - 1;
  }),
  p: {
    pattern: /[ap]m/iy,
    apply: (parts, text) => {
      parts.afternoon = text.toLowerCase() === 'pm';
    },
  },
  s: numeric(/-?\d+/y, (parts, value) => {
    parts.epoch = value;
  }),
  u: { pattern: /[1-7]/y, apply: ignore },
  w: { pattern: /[0-6]/y, apply: ignore },
  z: { pattern: /Z|[-+]\d{2}(?::?\d{2})?/y, apply: ignore },
  Z: { pattern: /[A-Za-z]+/y, apply: ignore },
  n: { pattern: /\s*/y, apply: ignore },
  t: { pattern: /\s*/y, apply: ignore },
  '%': { pattern: /%/y, apply: ignore },
};

/** Reads as C's `strptime` does in the C locale; `undefined` if the text does not fit the format. */
export function parseTime(text: string, format: string): BrokenDown | undefined {
  const parts: Parts = {
    year: 1900,
    month: 0,
    day: 0,
    hours: 0,
    minutes: 0,
    seconds: 0,
    afternoon: undefined,
    yearday: undefined,
    epoch: undefined,
  };
  const expanded = format.replace(/%([cDFRrT])/g, (_whole, letter: string) => combined[letter]!);
  return readParts(text, expanded, parts) && inRange(parts) ? complete(parts) : undefined;
}

function readParts(text: string, format: string, parts: Parts): boolean {
  let at = 0;
  for (const [piece] of format.matchAll(/%[EO]?[a-zA-Z%]|\s+|[^]/g)) {
    if (/^\s/.test(piece)) {
      while (/\s/.test(text[at] ?? '')) at++;
    } else if (piece.startsWith('%') && piece.length > 1) {
      const directive = directives[piece.at(-1)!];
      if (directive === undefined) return false;
      directive.pattern.lastIndex = at;
      const match = directive.pattern.exec(text)?.[0];
      if (match === undefined) return false;
      directive.apply(parts, match);
      at += match.length;
    } else if (text[at] === piece) at++;
    else return false;
  }
  return at === text.length;
}

function inRange(parts: Parts): boolean {
  return (
    parts.month >= 0 &&
    parts.month < 12 &&
    parts.day <= 31 &&
    parts.hours < 24 &&
    parts.minutes < 60 &&
    parts.seconds <= 60
  );
}

function complete(parts: Parts): BrokenDown {
  if (parts.epoch !== undefined) return brokenDownTime(parts.epoch);
  const { year, month, minutes, seconds, afternoon, yearday } = parts;
  const hours = afternoon === undefined ? parts.hours : (parts.hours % 12) + (afternoon ? 12 : 0);
  if (yearday !== undefined && parts.day === 0) {
    const time = { year, month: 0, day: yearday + 1, hours, minutes, seconds, weekday: 0, yearday };
    return brokenDownTime(epochSeconds(time));
  }
  const days = daysFromEpoch(year, month, parts.day);
  const start = daysFromEpoch(year, 0, 1);
  return { year, month, day: parts.day, hours, minutes, seconds, weekday: weekdayOfDay(days), yearday: days - start };
}
