import { describe, expect, it } from 'vitest';
import type { Path } from '../model/index.ts';
import { locateWritten } from './locate-in-yaml.ts';

const text = `first: &x 1.10
whole: &m
  v: *x
  list: [*x, &y !!int 0755]
  deep: {<<: &i {in: 1e3}}
again: *m
merged: {<<: *m, v: 2.0}
several:
  <<: [{v: 3.0}, *m]
first-again: &x 4.0
later: *x
tagged: !!float &z 5.0
of-tagged: *z
quoted: {"<<": 6.0}
chain: {<<: {<<: {<<: *i}}}
`;
const source = { path: 'a.yaml', text };

describe('locateWritten', () => {
  const cases: readonly [path: Path, expected: string | undefined][] = [
    [['first'], '&x 1.10'],
    [['whole', 'v'], '&x 1.10'],
    [['whole', 'list', 0], '&x 1.10'],
    [['whole', 'list', 1], '&y !!int 0755'],
    [['whole', 'deep', 'in'], '1e3'],
    [['again', 'v'], '&x 1.10'],
    [['again', 'list', 1], '&y !!int 0755'],
    [['again', 'deep', 'in'], '1e3'],
    [['merged', 'v'], '2.0'],
    [['merged', 'list', 0], '&x 1.10'],
    [['several', 'v'], '3.0'],
    [['several', 'deep', 'in'], '1e3'],
    [['later'], '&x 4.0'],
    [['of-tagged'], '!!float &z 5.0'],
    [['quoted', '<<'], '6.0'],
    [['chain', 'in'], '1e3'],
    [['quoted', 'in'], undefined],
    [['whole', 'none'], undefined],
    [['whole', 'list', 2], undefined],
    [['first', 'below'], undefined],
  ];

  it.each(cases)('%j', (path, expected) => {
    const range = locateWritten(source, { file: 'a.yaml', path });
    expect(range === undefined ? undefined : text.slice(range.start, range.end)).toBe(expected);
  });

  it('returns a range unchanged, and finds nothing in an invalid text', () => {
    expect(locateWritten(source, { file: 'a.yaml', range: { start: 1, end: 2 } })).toEqual({ start: 1, end: 2 });
    expect(locateWritten({ path: 'b.yaml', text: 'b: [' }, { file: 'b.yaml', path: ['b'] })).toBeUndefined();
  });

  it('handles objects that merge each other repeatedly', () => {
    const levels = Array.from(
      { length: 200 },
      (_, index) => `a${index + 1}: &a${index + 1} {<<: [*a${index}, *a${index}]}\n`,
    );
    const long = { path: 'c.yaml', text: `a0: &a0 {k: 1.0}\n${levels.join('')}` };
    const find = (key: string): string | undefined => {
      const range = locateWritten(long, { file: 'c.yaml', path: ['a200', key] });
      return range === undefined ? undefined : long.text.slice(range.start, range.end);
    };
    expect([find('k'), find('none')]).toEqual(['1.0', undefined]);
  });

  it('follows a merge of more objects than a call accepts arguments', { tags: 'slow' }, () => {
    const many = { path: 'b.yaml', text: `m: &m {v: 1}\nn: {<<: [${'*m,'.repeat(150_000)}]}\n` };
    expect(locateWritten(many, { file: 'b.yaml', path: ['n', 'absent'] })).toBeUndefined();
    expect(locateWritten(many, { file: 'b.yaml', path: ['n', 'v'] })).toEqual({ start: 10, end: 11 });
  });
});
