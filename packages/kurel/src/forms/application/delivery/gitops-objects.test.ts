import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizeUrl, readArtifactVersion, readChartVersion } from './gitops-objects.ts';

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

const digest = `sha256:${'0a'.repeat(32)}`;

describe('the version of something in a registry', () => {
  it.each([
    ['1.4.0', { tag: '1.4.0' }],
    ['latest', { tag: 'latest' }],
    ['_x', { tag: '_x' }],
    [digest, { digest }],
    [digest.toUpperCase(), undefined],
    ['sha256:0a', undefined],
    ['sha512:0a', undefined],
    ['1.0.0+a', undefined],
    ['^1', undefined],
    ['.a', undefined],
    ['a/b', undefined],
    ['a'.repeat(129), undefined],
    ['', undefined],
  ])('%s of an artifact', (version, meant) => {
    expect(readArtifactVersion(version)).toEqual(meant);
  });

  it.each([
    ['1.4.0', { tag: '1.4.0' }],
    ['1.4.0+a.b', { tag: '1.4.0_a.b' }],
    ['1.x', { tag: '1.x' }],
    ['^1.2', { semver: '^1.2' }],
    ['>=1 <2 || 3.x', { semver: '>=1 <2 || 3.x' }],
    ['*', { semver: '*' }],
    [digest, { digest }],
    ['a+b', undefined],
    ['sha256:0a', undefined],
    ['not a version', undefined],
  ])('%s of a chart', (version, meant) => {
    expect(readChartVersion(version)).toEqual(meant);
  });
});
