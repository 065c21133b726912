import { describe, expect, it } from 'vitest';
import type { Location } from '../model/index.ts';
import { locateInYaml } from './locate-in-yaml.ts';

const text = `kind: A
spec: &s
  replicas: 1
  list:
  - name: x
    env: [{k: v}]
copy: *s
---
b: [
---
kind: C
`;
const source = { path: 'a.yaml', text };

describe('locateInYaml', () => {
  const cases: readonly [location: Omit<Location, 'file'>, expected: string | undefined][] = [
    [{ path: ['kind'] }, 'A'],
    [{ path: ['kind'], at: 'key' }, 'kind'],
    [{ document: 0, path: ['spec', 'replicas'] }, '1'],
    [{ document: 0, path: ['spec', 'list', 0, 'name'] }, 'x'],
    [{ document: 0, path: ['spec', 'list', 0], at: 'key' }, '-'],
    [{ document: 0, path: ['spec', 'list', 0, 'env', 0, 'k'] }, 'v'],
    [{ document: 2, path: ['kind'] }, 'C'],
    // A path that does not exist resolves to its nearest ancestor.
    [{ path: ['spec', 'template', 'spec'] }, 'spec'],
    [{ path: ['spec', 'list', 7, 'name'] }, 'list'],
    [{ path: ['spec', 'list', '0', 'name'] }, 'list'],
    [{ path: ['kind', 'deeper'] }, 'kind'],
    [{ path: ['copy', 'replicas'] }, 'copy'],
    [{ path: ['toString'] }, text.slice(0, text.indexOf('\n---'))],
    [{ document: 2 }, 'kind: C'],
    [{ range: { start: 0, end: 4 }, path: ['spec'] }, 'kind'],
    [{ document: 1, path: ['b'] }, undefined],
    [{ document: 3, path: ['b'] }, undefined],
  ];

  it.each(cases)('%j', (location, expected) => {
    const range = locateInYaml(source, { file: 'a.yaml', ...location });
    expect(range === undefined ? undefined : text.slice(range.start, range.end)).toBe(expected);
  });

  // Objects with many keys use another lookup than those with few.
  it.each([0, 50])('finds keys with either set of boolean words, among %i others', (others) => {
    const more = Array.from({ length: others }, (_, index) => `  k${index}: x\n`).join('');
    const words = {
      path: 'b.yaml',
      text: `a: &a\n  brought: 1\nm:\n  <<: *a\n  y: 2\n  Off: 3\n${more}---\n{y: 4, yes: 5}\n`,
    };
    const find = (document: number, ...path: readonly string[]): string => {
      const { start, end } = locateInYaml(words, { file: 'b.yaml', document, path })!;
      return words.text.slice(start, end);
    };
    expect([find(0, 'm', 'y'), find(0, 'm', 'true')]).toEqual(['2', '2']);
    expect([find(0, 'm', 'Off'), find(0, 'm', 'false')]).toEqual(['3', '3']);
    expect([find(1, 'y'), find(1, 'yes')]).toEqual(['4', '5']);
    // Another word for the same boolean is another key; a value from an alias is elsewhere.
    expect([find(0, 'm', 'yes'), find(0, 'm', 'off'), find(0, 'm', 'brought')]).toEqual(['m', 'm', 'm']);
  });
});
