import { describe, expect, it } from 'vitest';
import { findFormat } from './formats.ts';

interface Words {
  readonly good: readonly string[];
  readonly bad: readonly string[];
}

const texts: Readonly<Record<string, Words>> = {
  ipv4: { good: ['0.0.0.0', '255.255.255.255'], bad: ['', '1.2.3', '1.2.3.256', '01.2.3.4', '1.2.3.4.5', ' 1.2.3.4'] },
  ipv6: {
    good: ['::', '::1', 'fe80::1', '1:2:3:4:5:6:7:8', '::ffff:10.0.0.1', '1::8', '64:ff9b::10.0.0.1'],
    bad: [
      '',
      ':',
      '1::2::3',
      '1:2:3:4:5:6:7',
      '1:2:3:4:5:6:7:8:9',
      'g::',
      '10.0.0.1',
      '10.0.0.1::',
      '12345::',
      '1:2:3:4:5:6:7::8:9',
    ],
  },
  cidr: {
    good: ['10.0.0.0/8', '::/0', 'fe80::/128'],
    bad: ['10.0.0.0', '10.0.0.0/33', '::/129', '10.0.0.0/', '10.0.0.0/08', '/8'],
  },
  'date-time': {
    good: ['2024-02-29T00:00:00Z', '2024-01-01t00:00:00.123456z', '2024-01-01T23:59:60+02:00'],
    bad: [
      '2023-02-29T00:00:00Z',
      '2024-01-01',
      '2024-01-01T24:00:00Z',
      '2024-01-01T00:00:00',
      '2024-01-01 00:00:00Z',
      '2024-00-01T00:00:00Z',
      '2100-02-29T00:00:00Z',
      '2024-04-31T00:00:00Z',
    ],
  },
  byte: {
    good: ['', 'YQ==', 'YWI=', 'YWJj', 'YW\nJj\n', '++//'],
    bad: ['YQ', 'YQ=', 'Y Q=', '-_-_', '====', 'YQ==YQ=='],
  },
  duration: { good: ['1h30m', '0', '-5s', '3 days', '10 min'], bad: ['', '1', '1 fortnight', 'soon'] },
  uuid: { good: ['123e4567-e89b-12d3-a456-426614174000', '123E4567E89B12D3A456426614174000'], bad: ['', '123'] },
  mac: { good: ['00:1b:44:11:3a:b7', '00-1B-44-11-3A-B7'], bad: ['00:1b-44:11:3a:b7', '00:1b:44:11:3a'] },
  email: { good: ['a@b', 'Jane <a@b>'], bad: ['a', '@b', 'a@b c'] },
  uri: { good: ['https://a.b/c', 'urn:a:b', '/a'], bad: ['', 'a b', 'a/b'] },
  hostname: { good: ['a', 'a.b-c.d', 'A.b.'], bad: ['', '-a', 'a..b', 'a_b', `${'a'.repeat(64)}.b`] },
};

describe('findFormat', () => {
  for (const [name, { good, bad }] of Object.entries(texts)) {
    it(name, () => {
      const format = findFormat('string', name)!;
      expect(good.filter((text) => !format.fits(text))).toEqual([]);
      expect(bad.filter((text) => format.fits(text))).toEqual([]);
    });
  }

  it('keeps integers in their range, exactly', () => {
    const int32 = findFormat('integer', 'int32')!;
    expect(
      [2_147_483_647, -2_147_483_648, 2_147_483_648, -2_147_483_649, 2n ** 60n].map((value) => int32.fits(value)),
    ).toEqual([true, true, false, false, false]);
    const int64 = findFormat('integer', undefined)!;
    expect([2n ** 63n - 1n, -(2n ** 63n), 2n ** 63n, -(2n ** 63n) - 1n].map((value) => int64.fits(value))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('ignores formats that Kubernetes does not check', () => {
    expect(findFormat('string', 'color-of-the-sky')).toBeUndefined();
  });
});
