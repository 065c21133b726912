import { quote } from '../diagnostics/index.ts';
import { parseDuration } from './duration.ts';

interface CronField {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly words?: readonly string[];
}

const fields: readonly CronField[] = [
  { name: 'minute', least: 0, most: 59 },
  { name: 'hour', least: 0, most: 23 },
  { name: 'day of month', least: 1, most: 31 },
  {
    name: 'month',
    least: 1,
    most: 12,
    words: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  { name: 'day of week', least: 0, most: 6, words: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];
const descriptors = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];

/** Why the API server would refuse a schedule; `undefined` when it would not. */
export function explainSchedule(text: string): string | undefined {
  if (/^(?:CRON_)?TZ=/.test(text) || text.includes('TZ=')) return 'a time zone goes into "timeZone"';
  if (text.startsWith('@')) return explainDescriptor(text);
  const parts = text.trim() === '' ? [] : text.trim().split(/\s+/);
  if (parts.length !== fields.length) return `it has ${parts.length} fields, not 5`;
  for (const [index, part] of parts.entries()) {
    const reason = explainField(part, fields[index]!);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function explainDescriptor(text: string): string | undefined {
  if (descriptors.includes(text)) return undefined;
  const every = /^@every (.*)$/.exec(text)?.[1];
  if (every === undefined) return `${quote(text)} is none of ${descriptors.join(', ')} and "@every 1h"`;
  return parseDuration(every) === undefined ? `${quote(every)} is no duration` : undefined;
}

function explainField(text: string, field: CronField): string | undefined {
  for (const item of text.split(',')) {
    const reason = explainItem(item, field);
    if (reason !== undefined) return `${field.name} ${quote(text)} ${reason}`;
  }
  return undefined;
}

function explainItem(item: string, field: CronField): string | undefined {
  const [range = '', step, ...more] = item.split('/');
  if (more.length > 0) return 'has more than one "/"';
  const [first = '', last, ...rest] = range.split('-');
  if (rest.length > 0) return 'has more than one "-"';
  if (step !== undefined && (!/^\d+$/.test(step) || Number(step) === 0))
    return `has the step ${quote(step)}, which must be 1 or more`;
  if (first === '*' || first === '?') return last === undefined ? undefined : 'has a range that begins with a wildcard';
  const start = readValue(first, field);
  const end = last === undefined ? start : readValue(last, field);
  if (start === undefined || end === undefined) return 'is not a number, a range or "*"';
  if (start < field.least || end > field.most) return `is outside of ${field.least} to ${field.most}`;
  return start > end ? 'has a range that ends before it begins' : undefined;
}

function readValue(text: string, { least, words = [] }: CronField): number | undefined {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const index = words.indexOf(text.toLowerCase());
  return index === -1 ? undefined : index + least;
}
