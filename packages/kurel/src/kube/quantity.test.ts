import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareQuantities, formatDuration, formatQuantity, parseDuration, parseQuantity } from './index.ts';
import { explainSchedule } from './quantity.ts';

describe('quantities', () => {
  it.each([
    ['0', '0'],
    ['0Ki', '0'],
    ['100m', '100m'],
    ['0.1', '100m'],
    ['1.500', '1500m'],
    ['1000m', '1'],
    ['1000', '1k'],
    ['1024', '1024'],
    ['1024Ki', '1Mi'],
    ['1.5Gi', '1536Mi'],
    ['0.5Ki', '512'],
    ['1.1Ki', '1126400m'],
    ['12e2', '1200'],
    ['1e3', '1e3'],
    ['1e-10', '1e-9'],
    ['0.5n', '1n'],
    ['-0.5n', '-1n'],
    ['9007199254740993', '9007199254740993'],
    ['8Ei', '9223372036854775807'],
    ['1000E', '1000E'],
    ['1e-99999999', '1e-9'],
    ['0e-99999999', '0'],
  ])('%s is %s', (text, canonical) => {
    expect(formatQuantity(parseQuantity(text)!)).toBe(canonical);
  });

  it.each([
    '',
    '.',
    'm',
    '1 Gi',
    '1gi',
    '1K',
    '1MB',
    '1e',
    'e3',
    '1e3k',
    '--1',
    '0x10',
    '1e99999999',
    '9'.repeat(1000),
  ])('%j is rejected', (text) => {
    expect(parseQuantity(text)).toBeUndefined();
  });

  it.each([
    ['1Gi', '1G', 1],
    ['1000m', '1', 0],
    ['1024Mi', '1Gi', 0],
    ['9007199254740992', '9007199254740993', -1],
    ['-1', '1m', -1],
  ])('%s compared with %s is %d', (a, b, expected) => {
    expect(compareQuantities(parseQuantity(a)!, parseQuantity(b)!)).toBe(expected);
    expect(compareQuantities(parseQuantity(b)!, parseQuantity(a)!)).toBe(0 - expected);
  });

  it('round-trip through their canonical form', () => {
    const suffix = fc.constantFrom(
      '',
      'n',
      'u',
      'm',
      'k',
      'M',
      'G',
      'T',
      'P',
      'E',
      'Ki',
      'Mi',
      'Gi',
      'Ti',
      'Pi',
      'Ei',
      'e3',
      'E-2',
    );
    const number = fc
      .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.nat(999_999))
      .map(([a, b]) => `${a}.${b}`);
    fc.assert(
      fc.property(number, suffix, (number, suffix) => {
        const quantity = parseQuantity(`${number}${suffix}`)!;
        const text = formatQuantity(quantity);
        expect(parseQuantity(text)!.nanos).toBe(quantity.nanos);
        expect(formatQuantity(parseQuantity(text)!)).toBe(text);
      }),
    );
  });
});

describe('durations', () => {
  it.each([
    ['0', 0n, '0s'],
    ['1ns', 1n, '1ns'],
    ['1.5us', 1500n, '1.5µs'],
    ['2µs', 2000n, '2µs'],
    ['2μs', 2000n, '2µs'],
    ['250ms', 250_000_000n, '250ms'],
    ['1000ms', 1_000_000_000n, '1s'],
    ['1.5s', 1_500_000_000n, '1.5s'],
    ['90s', 90_000_000_000n, '1m30s'],
    ['1h30m', 5_400_000_000_000n, '1h30m0s'],
    ['-1.5h', -5_400_000_000_000n, '-1h30m0s'],
    ['.5m', 30_000_000_000n, '30s'],
    ['-9223372036854775808ns', -(2n ** 63n), '-2562047h47m16.854775808s'],
  ])('%s', (text, nanoseconds, formatted) => {
    expect(parseDuration(text)).toBe(nanoseconds);
    expect(formatDuration(nanoseconds)).toBe(formatted);
  });

  it.each(['', '1', '5 s', '1d', 's', '.s', '1h-1m', '9223372036854775808ns', '1S', '1s'.repeat(100_000)])(
    '%j is rejected',
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );

  it('round-trip through text', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (nanoseconds) => {
        expect(parseDuration(formatDuration(nanoseconds))).toBe(nanoseconds);
      }),
    );
  });
});

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
