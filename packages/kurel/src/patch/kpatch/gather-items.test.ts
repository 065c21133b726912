import { describe, expect, it } from 'vitest';
import type { Json } from '../../model/index.ts';
import { gatherItems } from './gather-items.ts';
import type { EntrySection, RawEntry } from './gather-items.ts';
import { showPatch, showSteps } from '../../../test/patch/notation-cases.ts';
import { parsePath } from './parse-path.ts';

const section: EntrySection = { target: { type: 'derived' }, steps: [], text: '' };

/** Entries as the YAML reader creates them. */
function gather(data: Readonly<Record<string, Json>>, within = section) {
  const refused: string[] = [];
  const entries = Object.entries(data).map(([text, value]): RawEntry => {
    const path = parsePath(text);
    if ('problem' in path) throw new Error(path.problem.reason);
    const location = { file: 'p.yaml', path: [text] };
    return { steps: path.steps, value: { type: 'data', data: value, location }, text, location };
  });
  const patches = gatherItems(entries, {
    section: within,
    refuse: ({ reason, range }, { text }) => void refused.push(`${text.slice(range.start, range.end)}: ${reason}`),
  });
  return { patches, shown: patches.map(showPatch), refused };
}

describe('gatherItems', () => {
  it('accepts any data as a value', () => {
    const { patches, refused } = gather({ 'spec.x': { a: [1] }, 'spec.c[-]': { name: 'n' }, 'spec.y': null });
    expect(refused).toEqual([]);
    expect(patches.map(({ value }) => value)).toMatchObject([
      { type: 'data', data: { a: [1] } },
      { type: 'data', data: { name: 'n' } },
      { type: 'data', data: null },
    ]);
  });

  it('builds one item from keys that add to it', () => {
    const { patches, shown } = gather({
      'c[+name=web].image': 'x',
      'c[+name=web].ports': [1],
      'd[+name=web].image': 'y',
    });
    expect(shown).toEqual([
      '<derived> | c <after:name="web"> | {image: <data>, ports: <data>}',
      '<derived> | d <after:name="web"> | {image: <data>}',
    ]);
    expect(patches.map(({ text }) => text)).toEqual(['c[+name=web].image', 'd[+name=web].image']);
  });

  it('starts the text with that of the section', () => {
    const { patches } = gather({ a: 1, 'b[-].c': 2 }, { ...section, text: 'deployment.web' });
    expect(patches.map(({ text }) => text)).toEqual(['deployment.web a', 'deployment.web b[-].c']);
  });

  it('starts the steps with those of the section', () => {
    const { steps } = parsePath('x[0]') as { readonly steps: EntrySection['steps'] };
    const { patches } = gather({ a: 1, 'b[-].c': 2, 'd[delete]': null }, { ...section, steps });
    expect(patches.map((patch) => showSteps(patch.steps))).toEqual(['x #0 a', 'x #0 b <append>', 'x #0 d <delete>']);
  });

  it.each<[string, Json, string | undefined]>([
    ['a[delete]', null, undefined],
    ['a[delete]', '', undefined],
    ['a[delete]', 0, '[delete]: a deletion does not accept a value'],
    ['a[delete]', {}, '[delete]: a deletion does not accept a value'],
    ['a[delete].b', null, '[delete]: a deletion must be the last step of a path'],
    ['a[delete][-]', null, '[delete]: a deletion must be the last step of a path'],
    ['a[-].b[delete]', null, '[delete]: cannot delete from a new item'],
    ['a[-].b[+0]', 1, '[+0]: only `[-]` can add an item to a list of a new item'],
    ['a[-][-]', 1, '[-]: only `[-]` can add an item to a list of a new item'],
  ])('%s with %j', (key, value, expected) => {
    const { patches, refused } = gather({ [key]: value });
    expect(refused).toEqual(expected === undefined ? [] : [expected]);
    expect(patches).toMatchObject(expected === undefined ? [{ value: { type: 'none' } }] : []);
  });
});
