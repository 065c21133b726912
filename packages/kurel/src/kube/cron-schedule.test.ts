import { describe, expect, it } from 'vitest';
import { explainSchedule } from './quantity.ts';

const good = [
  '* * * * *',
  '*/5 * * * *',
  '0 0 1 1 0',
  '59 23 31 12 6',
  '0-10/2,30 1,2 ? JAN-mar sun,Sat',
  '5/15 * * * *',
  '  0   12  * * * ',
  '@hourly',
  '@every 1h30m',
];

const bad: readonly (readonly [string, string])[] = [
  ['', 'it must have 5 fields, not 0'],
  ['* * * *', 'it must have 5 fields, not 4'],
  ['* * * * * *', 'it must have 5 fields, not 6'],
  ['60 * * * *', 'minute "60" must be between 0 and 59'],
  ['* * 0 * *', 'day of month "0" must be between 1 and 31'],
  ['5-1 * * * *', 'minute "5-1" has a range that ends before it starts'],
  ['1-2-3 * * * *', 'minute "1-2-3" has more than one "-"'],
  ['*/2/3 * * * *', 'minute "*/2/3" has more than one "/"'],
  ['*-5 * * * *', 'minute "*-5" has a range that starts with a wildcard'],
  ['1,,2 * * * *', 'minute "1,,2" is not a number, a range or "*"'],
  ['-1 * * * *', 'minute "-1" is not a number, a range or "*"'],
  ['@every soon', '"soon" is not a valid duration'],
  ['CRON_TZ=UTC 0 0 * * *', 'set the time zone in "timeZone"'],
];

describe('explainSchedule', () => {
  it.each(good)('takes %j', (text) => {
    expect(explainSchedule(text)).toBeUndefined();
  });

  it.each(bad)('refuses %j', (text, reason) => {
    expect(explainSchedule(text)).toBe(reason);
  });
});
