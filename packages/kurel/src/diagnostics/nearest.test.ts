import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearest, quote } from './index.ts';

const fields = ['name', 'namespace', 'labels', 'annotations', 'replicas', 'containers', 'initContainers', 'nodePort'];

describe('nearest', () => {
  it.each([
    ['Name', fields, 'name'],
    ['nodeport', fields, 'nodePort'],
    ['node_port', fields, 'nodePort'],
    ['relpicas', fields, 'replicas'],
    ['replcias', fields, 'replicas'],
    ['replica', fields, 'replicas'],
    ['lables', fields, 'labels'],
    ['names', fields, 'name'],
    ['anno', fields, 'annotations'],
    ['initcontainer', fields, 'initContainers'],
    ['color', fields, undefined],
    ['x', ['y'], undefined],
    ['', ['a'], undefined],
    ['ab', ['ba'], 'ba'],
    ['env', ['end', 'envs'], 'envs'],
    ['bat', ['cat', 'hat'], 'cat'],
    ['cont', ['controllers', 'containers'], 'containers'],
    ['vw', ['vm', 'vw.kurel'], 'vm'],
    ['vw', ['vwx.kurel', 'vw.kurel'], 'vw.kurel'],
    ['by', ['by-kind'], 'by-kind'],
    ['vw', ['vwx.kurel'], undefined],
    ['', ['.kurel'], undefined],
    ['anything', [], undefined],
  ])('takes %j among %j for %j', (word, candidates, expected) => {
    expect(nearest(word, candidates)).toBe(expected);
  });

  it('allows as many typos as maxDistance', () => {
    expect(nearest('abcdef', ['uvwdef'])).toBeUndefined();
    expect(nearest('abcdef', ['uvwdef'], { maxDistance: 3 })).toBe('uvwdef');
  });

  it('skips words of a hundred kilobytes', () => {
    const long = 'a'.repeat(100_000);
    expect(nearest(long, [`${long}b`, 'a'])).toBeUndefined();
    expect(nearest('abc', [long, 'abd'])).toBe('abd');
  });

  it('finds a candidate after one typo', () => {
    const candidate = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), minLength: 4, maxLength: 12 });
    fc.assert(
      fc.property(candidate, fc.nat(11), fc.constantFrom('drop', 'add', 'swap'), (candidate, at, slip) => {
        const place = at % (candidate.length - 1);
        const [before, after] = [candidate.slice(0, place), candidate.slice(place)];
        const word = {
          drop: before + after.slice(1),
          add: `${before}x${after}`,
          swap: before + after[1]! + after[0]! + after.slice(2),
        }[slip];
        expect(nearest(word, ['zzzzzz', candidate])).toBe(candidate);
      }),
    );
  });
});

describe('quote', () => {
  it.each([
    ['web', '"web"'],
    ['', '""'],
    ['say "hi"', String.raw`"say \"hi\""`],
    ['a\nb\tc\r', String.raw`"a\nb\tc\r"`],
    [String.raw`^\d+$`, String.raw`"^\d+$"`],
    ['\u001b[31m\u202e', String.raw`"␛[31m\u{202e}"`],
    ['x'.repeat(80), `"${'x'.repeat(80)}"`],
    ['x'.repeat(81), `"${'x'.repeat(79)}…"`],
    ['🚀'.repeat(80), `"${'🚀'.repeat(80)}"`],
    ['🚀'.repeat(100_000), `"${'🚀'.repeat(79)}…"`],
  ])('shows %j as %s', (text, expected) => {
    expect(quote(text)).toBe(expected);
  });
});
