import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizeUrl } from './create-flux-source.ts';

describe('normalizeUrl', () => {
  it.each([
    ['https://a.b/c/', 'https://a.b/c'],
    ['https://a.b///', 'https://a.b'],
    ['https://A.b:443/C', 'https://a.b/C'],
    ['http://a.b:80', 'http://a.b'],
    ['oci://GHCR.io:443/team/web', 'oci://ghcr.io/team/web'],
    ['https://a.b/c/?key=V/', 'https://a.b/c?key=V/'],
    ['https://[::1]:443/x', 'https://[::1]/x'],
  ])('%s becomes %s', (url, place) => {
    expect(normalizeUrl(url)).toBe(place);
    expect(normalizeUrl(place)).toBe(place);
  });

  it.each([
    ['http://a.b', 'https://a.b'],
    ['https://a.b:80', 'https://a.b'],
    ['https://a.b:8443', 'https://a.b'],
    ['https://a.b/c', 'https://a.b/C'],
    ['https://a.b/c?d', 'https://a.b/c'],
    ['https://a.b/c//d', 'https://a.b/c/d'],
  ])('%s differs from %s', (one, other) => {
    expect(normalizeUrl(one)).not.toBe(normalizeUrl(other));
  });

  it('is idempotent', () => {
    const url = fc.tuple(
      fc.constantFrom('http', 'https', 'oci'),
      fc.stringMatching(/^[A-Za-z0-9.]{1,9}(?::[0-9]{1,3})?$/),
      fc.stringMatching(/^(?:\/[A-Za-z0-9/]{0,9})?(?:\?[a-z/]{0,4})?$/),
    );
    fc.assert(
      fc.property(url, ([scheme, host, path]) => {
        const once = normalizeUrl(`${scheme}://${host}${path}`);
        expect(normalizeUrl(once)).toBe(once);
      }),
    );
  });
});
