import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isInRange, parseRange } from './version-range.ts';
import { parseVersion } from './version.ts';

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
