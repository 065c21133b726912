import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { compareVersions, isInRange, parseRange, parseVersion } from '../registry/index.ts';
import { chooseTag, versionOfTag } from './registry-package.ts';

const tags = [
  '1',
  '1.2',
  '1.2.0',
  '1.2.9',
  '1.2.10',
  '1.3.0-rc.1',
  '1.2.10_build.2',
  'v2.0.0',
  'latest',
  'sha256-abc.sig',
];

describe('chooseTag', () => {
  it.each<[string, string | undefined]>([
    ['^1.2.0', '1.2.10_build.2'],
    ['1.2.0', '1.2.0'],
    ['1.2.10', '1.2.10'],
    ['1.2.10+build.2', '1.2.10_build.2'],
    ['~1.2', '1.2.10_build.2'],
    ['1.x', '1.2.10_build.2'],
    ['^1.3.0-0', '1.3.0-rc.1'],
    ['1.3.0-rc.1', '1.3.0-rc.1'],
    ['*', 'v2.0.0'],
    ['v2.0.0', 'v2.0.0'],
    ['2', 'v2.0.0'],
    ['>=1.2.5 <1.2.10', '1.2.9'],
    ['^3', undefined],
    ['1.3.0', undefined],
    ['latest', undefined],
  ])('%s', (range, tag) => {
    expect(chooseTag(tags, range).chosen).toBe(tag);
  });

  it('says what the newest version is', () => {
    expect(chooseTag(tags, '^9')).toEqual({ chosen: undefined, newest: 'v2.0.0' });
    expect(chooseTag(['latest', '1'], '*')).toEqual({ chosen: undefined, newest: undefined });
  });

  it('does not depend on the order of the registry, and nothing in the range is newer', () => {
    const number = fc.nat({ max: 3 });
    const version = fc
      .tuple(number, number, number, fc.constantFrom('', '-rc.1', '-rc.2', '_a', '_b'))
      .map(([a, b, c, suffix]) => `${a}.${b}.${c}${suffix}`);
    const range = fc.constantFrom('^1.0.0', '~1.2', '*', '>=1.1.0-0 <3', '1.2.3', '0.x');
    fc.assert(
      fc.property(fc.array(version), range, fc.nat(), (list, wanted, turn) => {
        const turned = [...list.slice(turn % (list.length || 1)), ...list.slice(0, turn % (list.length || 1))];
        const { chosen } = chooseTag(list, wanted);
        expect(chooseTag(turned.toReversed(), wanted).chosen).toEqual(chosen);
        const matching = list
          .map((tag) => parseVersion(tag.replaceAll('_', '+'))!)
          .filter((one) => isInRange(one, parseRange(wanted)!));
        expect(chosen === undefined).toBe(matching.length === 0);
        const parsed = chosen === undefined ? undefined : parseVersion(versionOfTag(chosen)!);
        expect(matching.filter((one) => compareVersions(one, parsed!) > 0)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});

describe('versionOfTag', () => {
  it.each([
    ['1.2.3_x', '1.2.3+x'],
    ['1.2', undefined],
    ['stable', undefined],
    ['1.2.3.4', undefined],
    ['01.2.3', undefined],
    ['1.2.3_a_b', undefined],
  ])('%s', (tag, version) => {
    expect(versionOfTag(tag)).toBe(version);
  });
});
