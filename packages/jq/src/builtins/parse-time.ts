import {
  type BrokenDown,
  brokenDownTime,
  daysFromEpoch,
  epochSeconds,
  monthNames,
  weekdayNames,
  weekdayOfDay,
} from './calendar.ts';

/** What has been read so far; parts without a directive stay 0. */
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

function nothing(): void {
  // the directive is read and carries nothing into the result
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
  apply: nothing,
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
  u: { pattern: /[1-7]/y, apply: nothing },
  w: { pattern: /[0-6]/y, apply: nothing },
  z: { pattern: /Z|[-+]\d{2}(?::?\d{2})?/y, apply: nothing },
  Z: { pattern: /[A-Za-z]+/y, apply: nothing },
  n: { pattern: /\s*/y, apply: nothing },
  t: { pattern: /\s*/y, apply: nothing },
  '%': { pattern: /%/y, apply: nothing },
};

const combined: { readonly [letter: string]: string } = {
  c: '%a %b %e %H:%M:%S %Y',
  D: '%m/%d/%y',
  F: '%Y-%m-%d',
  R: '%H:%M',
  r: '%I:%M:%S %p',
  T: '%H:%M:%S',
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
      const found = directive.pattern.exec(text)?.[0];
      if (found === undefined) return false;
      directive.apply(parts, found);
      at += found.length;
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
