import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDuration } from '../../../kube/index.ts';
import { formatGatewayDuration } from './http-rules.ts';

describe('a Gateway API duration', () => {
  it.each([
    ['0', '0s'],
    ['250ms', '250ms'],
    ['1.5s', '1s500ms'],
    ['1500ms', '1s500ms'],
    ['30s', '30s'],
    ['60s', '1m0s'],
    ['90m', '1h30m0s'],
    ['1h0.001s', '1h0m0s1ms'],
    ['99999h59m59.999s', '99999h59m59s999ms'],
  ])('of %s is %s', (text, expected) => {
    expect(formatGatewayDuration(parseDuration(text)!)).toBe(expected);
  });

  it('is valid and as long as before', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 99_999n * 3_600_000n }), (milliseconds) => {
        const text = formatGatewayDuration(milliseconds * 1_000_000n);
        expect(text).toMatch(/^([0-9]{1,5}(h|m|s|ms)){1,4}$/);
        expect(parseDuration(text)).toBe(milliseconds * 1_000_000n);
      }),
    );
  });
});
