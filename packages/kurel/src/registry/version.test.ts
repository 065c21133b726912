import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { compareVersions, isInRange, parseRange, parseVersion } from './version.ts';

describe('parseVersion', () => {
  it.each([
    ['1.2.3', [1n, 2n, 3n], []],
    ['v1.2.3', [1n, 2n, 3n], []],
    ['1.2', [1n, 2n, 0n], []],
    ['7', [7n, 0n, 0n], []],
    ['01.002.3', [1n, 2n, 3n], []],
    ['1.2.3-rc.1', [1n, 2n, 3n], ['rc', '1']],
    ['1.2.3-rc-1.x--y+build.01', [1n, 2n, 3n], ['rc-1', 'x--y']],
    ['1.2.3+abc-def', [1n, 2n, 3n], []],
    ['20240101120000.99999999999999999999.1', [20240101120000n, 99999999999999999999n, 1n], []],
  ])('%s', (text, numbers, prerelease) => {
    expect(parseVersion(text)).toEqual({ numbers, prerelease });
  });

  it.each([
    '',
    ' 1.2.3',
    '1.2.3 ',
    '1.2.3.4',
    '1..2',
    '.1',
    '1.',
    '-1',
    '1.2.x',
    'latest',
    '1.2.3-',
    '1.2.3+',
    'V1',
    '1.2.3-a..b',
    '1.2.3-01',
    '1.2.3-ä',
    '1.2.3-a_b',
    '1.2.3+a+b',
    '^1.2.3',
    `1.2.3-${'a'.repeat(300)}`,
    '1\n',
  ])('%j is not a version', (text) => {
    expect(parseVersion(text)).toBeUndefined();
  });
});

describe('compareVersions', () => {
  // Each is older than the next. The chain from 1.0.0-alpha to 1.0.0 is from semver.org.
  const ascending = [
    '0.0.0-0',
    '0.0.0',
    '0.0.9',
    '0.0.10',
    '0.1.0',
    '1.0.0-0',
    '1.0.0-2',
    '1.0.0-10',
    '1.0.0--',
    '1.0.0-A',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    '1.0.1-0',
    '1.2.0',
    '1.10.0',
    '2.0.0',
    '9007199254740993.0.0',
    '9007199254740994.0.0',
  ];

  it.each(ascending.slice(1).map((version, index) => [ascending[index]!, version] as const))(
    '%s < %s',
    (older, newer) => {
      const [a, b] = [parseVersion(older)!, parseVersion(newer)!];
      expect([compareVersions(a, b), compareVersions(b, a)]).toEqual([-1, 1]);
    },
  );

  it.each([
    ['1.2.3', 'v1.2.3'],
    ['1.2', '1.2.0'],
    ['1.2.3+a', '1.2.3+b'],
    ['1.2.3-a.1+x', '1.2.3-a.1'],
  ])('%s = %s', (a, b) => {
    expect(compareVersions(parseVersion(a)!, parseVersion(b)!)).toBe(0);
  });

  it('sorts any order', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(ascending), (some) => {
        const sorted = some.toSorted((a, b) => compareVersions(parseVersion(a)!, parseVersion(b)!));
        expect(sorted).toEqual(ascending.filter((version) => some.includes(version)));
      }),
    );
  });
});

const versions = [
  '0.0.0',
  '0.0.1',
  '0.0.2',
  '0.1.0',
  '0.1.5',
  '0.2.0',
  '1.0.0-alpha',
  '1.0.0',
  '1.2.0',
  '1.2.3-beta.2',
  '1.2.3',
  '1.2.9',
  '1.3.0-rc.1',
  '1.3.0',
  '1.10.0',
  '2.0.0-0',
  '2.0.0',
  '2.1.0',
  '3.0.0',
  '3.1.0-beta.1',
];

/** The range, and the version that Helm 3.22 chose from a repository with exactly those versions. */
const taken: readonly (readonly [range: string, newest: string | undefined])[] = [
  ['*', '3.0.0'],
  ['x', '3.0.0'],
  ['1', '1.10.0'],
  ['1.x', '1.10.0'],
  ['1.X.x', '1.10.0'],
  ['1.*', '1.10.0'],
  ['1.2', '1.2.9'],
  ['1.2.x', '1.2.9'],
  ['1.2.*', '1.2.9'],
  ['v1.2', '1.2.9'],
  ['1.2.3', '1.2.3'],
  ['=1.2.3', '1.2.3'],
  ['= 1.2.3', '1.2.3'],
  ['v1.2.3', '1.2.3'],
  ['1.2.4', undefined],
  ['^1', '1.10.0'],
  ['^1.2', '1.10.0'],
  ['^1.2.3', '1.10.0'],
  ['^1.2.x', '1.10.0'],
  ['^0', '0.2.0'],
  ['^0.1', '0.1.5'],
  ['^0.1.0', '0.1.5'],
  ['^0.0', '0.0.2'],
  ['^0.0.1', '0.0.1'],
  ['^0.0.0', '0.0.0'],
  ['^v1.2', '1.10.0'],
  ['~1', '1.10.0'],
  ['~1.2', '1.2.9'],
  ['~1.2.0', '1.2.9'],
  ['~1.2.3', '1.2.9'],
  ['~> 1.2', '1.2.9'],
  ['~>1.2.0', '1.2.9'],
  ['~0.0.0', '3.0.0'],
  ['~0', '0.2.0'],
  ['~0.0', '0.0.2'],
  ['~1.x', '1.10.0'],
  ['>=1 <2', '1.10.0'],
  ['>=1, <2', '1.10.0'],
  ['>=1,<2', '1.10.0'],
  ['>= 1.0.0 < 1.3', '1.2.9'],
  ['>1', '3.0.0'],
  ['>1.2', '3.0.0'],
  ['>1.2.3 <1.10', '1.3.0'],
  ['>1.x <3', '2.1.0'],
  ['>=1.2.x <1.3', '1.2.9'],
  ['<1', '0.2.0'],
  ['<=1', '1.10.0'],
  ['<=1.2', '1.2.9'],
  ['<=1.2.3', '1.2.3'],
  ['<=1.x', '1.10.0'],
  ['=<1.2', '1.2.9'],
  ['=>1.2 <1.3', '1.2.9'],
  ['<2', '1.10.0'],
  ['!=3.0.0', '2.1.0'],
  ['!=3', '2.1.0'],
  ['!=3.x', '2.1.0'],
  ['!=3.0', '2.1.0'],
  ['1.2 - 1.3', '1.3.0'],
  ['1.2.0 - 2', '2.1.0'],
  ['1 - 2.0.0', '2.0.0'],
  ['^1 || ^0.1', '1.10.0'],
  ['^5 || ~1.2', '1.2.9'],
  ['1.0.0 || 1.2.0', '1.2.0'],
  ['^1.0.0-0', '1.10.0'],
  ['>=1.2.3-beta.1 <1.2.3', '1.2.3-beta.2'],
  ['>=1.2.3-beta.1 <1.3.0', '1.3.0-rc.1'],
  ['~1.2.3-alpha', '1.2.9'],
  ['^2.0.0-0', '2.1.0'],
  ['>2.0.0-0', '3.1.0-beta.1'],
  ['>=0-0', '3.1.0-beta.1'],
  ['>0.0.0-0', '3.1.0-beta.1'],
  ['^3-0', '3.1.0-beta.1'],
  ['~3.0.0-0', '3.0.0'],
  ['3.x-0', '3.1.0-beta.1'],
  ['1.0.0-alpha', '1.0.0-alpha'],
  ['2.0.0-0', '2.0.0-0'],
  ['1.3.0-rc.1 || 1.2.3', '1.3.0-rc.1'],
  ['>=1.3.0-0 <1.3.0', '1.3.0-rc.1'],
  ['>=1.3.0-0 !=3.1.0-beta.1', '3.0.0'],
  ['1.2.3+build.5', '1.2.3'],
  ['4', undefined],
  ['^4', undefined],
  ['>3', undefined],
  ['>=3.0.1', undefined],
  ['<0.0.0', undefined],
  ['>*', '3.0.0'],
  ['>=*', '3.0.0'],
  ['~*', '3.0.0'],
  ['01.2.3', '1.2.3'],
  ['1.02', '1.2.9'],
  [' 1.2.3 ', '1.2.3'],
  ['1 2', undefined],
  ['1.x.3', '1.10.0'],
  ['1-2', '1.10.0'],
];

describe('isInRange', () => {
  it.each(taken)('%j', (text, newest) => {
    const range = parseRange(text);
    expect(range).toBeDefined();
    expect(versions.findLast((version) => isInRange(parseVersion(version)!, range!))).toBe(newest);
  });

  it('matches every version by itself and by its own caret and tilde', () => {
    const number = fc.nat({ max: 30 });
    const version = fc.tuple(number, number, number, fc.constantFrom('', '-0', '-alpha.1', '-rc-2.x'));
    fc.assert(
      fc.property(version, ([major, minor, patch, suffix]) => {
        const text = `${major}.${minor}.${patch}${suffix}`;
        for (const operator of ['', '=', '^', '~', '>=', '<=']) {
          expect(isInRange(parseVersion(text)!, parseRange(`${operator}${text}`)!)).toBe(true);
        }
        for (const operator of ['!=', '>', '<']) {
          expect(isInRange(parseVersion(text)!, parseRange(`${operator}${text}`)!)).toBe(false);
        }
      }),
    );
  });
});

describe('parseRange', () => {
  it.each([
    '',
    ' ',
    'abc',
    '1.2.3.4',
    '>',
    '>1<2',
    '1.2.',
    '^^1',
    '1..2',
    '>=1 &&<2',
    'latest',
    '||',
    '^1 ||',
    '1.2.3 -',
    '1.2 ,',
    ',1.2',
    '-1',
    '>=1.2 - 1.3',
    '1'.repeat(300),
    '>1 '.repeat(80),
  ])('rejects %j', (text) => {
    expect(parseRange(text)).toBeUndefined();
  });

  it('accepts any string as input', () => {
    const characters = fc.constantFrom(...Array.from('0123.x*-+v^~<>=!|, a'));
    fc.assert(
      fc.property(fc.string({ unit: characters, maxLength: 40 }), (text) => {
        const range = parseRange(text);
        if (range !== undefined) expect(range.flat().length).toBeGreaterThan(0);
      }),
    );
  });
});
