import { describe, expect, it } from 'vitest';
import { readArtifactVersion, readChartVersion } from './create-flux-source.ts';

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
