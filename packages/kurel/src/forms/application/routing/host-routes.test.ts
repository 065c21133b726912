import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAllowedHost } from './host-routes.ts';

describe('a host', () => {
  it.each([
    ['shop.example.com', '*.example.com', true],
    ['*.example.com', '*.example.com', true],
    ['a.shop.example.com', '*.example.com', false],
    ['example.com', '*.example.com', false],
    ['.example.com', '*.example.com', false],
    ['shopexample.com', '*.example.com', false],
    ['shop.example.com.evil.org', '*.example.com', false],
    ['shop.example.com', 'shop.example.com', true],
    ['a.shop.example.com', 'shop.example.com', false],
  ])('%s is compared with %s', (host, allowed, expected) => {
    expect(isAllowedHost(host, allowed)).toBe(expected);
  });

  it('has exactly one more label than a wildcard', () => {
    const label = fc.stringMatching(/^[a-z0-9]{1,3}$/);
    const name = fc.array(label, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(name, name, (labels, suffix) => {
        const host = [...labels, ...suffix].join('.');
        expect(isAllowedHost(host, `*.${suffix.join('.')}`)).toBe(labels.length === 1);
      }),
    );
  });
});
