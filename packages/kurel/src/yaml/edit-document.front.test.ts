import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../model/index.ts';
import { editText } from './edit-document.ts';
import { editFront, findChangedKeys } from './edit-document.ts';
import { readMarkedDocument, readYaml } from './read-yaml.ts';

interface Case {
  readonly title: string;
  readonly text: string;
  /** New values of keys of the root. */
  readonly change: JsonObject;
  /** Undefined if the whole document has to be edited. */
  readonly expected: string | undefined;
}

const cases: readonly Case[] = [
  {
    title: 'a label before everything else',
    text: 'kind: A\nmetadata:\n  name: x # why\n  labels: {a: b}\n\n# about\nspec: [1, 2]\n',
    change: { metadata: { name: 'x', labels: { a: 'b', c: 'd' } } },
    expected: 'kind: A\nmetadata:\n  name: x # why\n  labels: {a: b, c: d}\n\n# about\nspec: [1, 2]\n',
  },
  {
    title: 'a new object, as deep as the others',
    text: 'metadata:\n    name: x\nspec:\n  a: b\n',
    change: { metadata: { name: 'x', labels: { a: 'b' } } },
    expected: 'metadata:\n    name: x\n    labels:\n        a: b\nspec:\n  a: b\n',
  },
  {
    title: 'a new list, as the rest of the document writes lists',
    text: 'metadata:\n  name: x\nspec:\n    list:\n        -   a: b\n            c: d\n',
    change: { metadata: { name: 'x', finalizers: [{ a: 'b', c: 'd' }] } },
    expected:
      'metadata:\n  name: x\n  finalizers:\n      -   a: b\n          c: d\nspec:\n    list:\n        -   a: b\n            c: d\n',
  },
  {
    title: 'anchors in the rest',
    text: 'a: 1\nb: &x {y: z}\nc: *x\n',
    change: { a: 2 },
    expected: 'a: 2\nb: &x {y: z}\nc: *x\n',
  },
  {
    title: 'a block scalar that keeps its line breaks at the end of the front',
    text: 'a: |+\n  one\n\n# note\nb: 1\n',
    change: { a: 'two\n\n\n' },
    expected: 'a: |+\n  two\n\n\n# note\nb: 1\n',
  },
  {
    title: 'a value that becomes null',
    text: 'a:\n  b: 1\nc: 1\n',
    change: { a: null },
    expected: 'a: null\nc: 1\n',
  },
  {
    title: 'lines of quoted text that look like the key',
    text: 'a: "\nb: 1\nc: 1"\nb: 1\nc: 1\n',
    change: { b: 2 },
    expected: 'a: "\nb: 1\nc: 1"\nb: 2\nc: 1\n',
  },
  {
    title: 'carriage returns',
    text: 'a: 1\r\nb: 2\r\n',
    change: { a: 'x\ny' },
    expected: 'a: |-\r\n  x\r\n  y\r\nb: 2\r\n',
  },
  { title: 'an anchor in the front', text: 'a: &x {y: z}\nb: 1\nc: *x\n', change: { b: 2 }, expected: undefined },
  { title: 'a merge key in the front', text: '<<: {a: 1}\nb: 1\nc: 2\n', change: { b: 2 }, expected: undefined },
  { title: 'an indented root', text: '  a: 1\n  b: 2\n', change: { a: 2 }, expected: undefined },
  { title: 'a change in the last entry', text: 'a: 1\nb: 2\n', change: { b: 3 }, expected: undefined },
  { title: 'a root in brackets', text: '{a: 1, b: 2}\n', change: { a: 3 }, expected: undefined },
];

describe('editFront', () => {
  it.each(cases)('$title', ({ text, change, expected }) => {
    const source = { path: 'a.yaml', text };
    const range = { start: 0, end: text.length };
    const parsed = readYaml(source).documents[0]!.data as JsonObject;
    const wanted = { ...parsed, ...change };
    const marked = readMarkedDocument(source, range, { until: findChangedKeys(parsed, wanted) });
    const front = marked.stop === undefined ? undefined : editFront(source, range, { marked, wanted });
    expect(front).toBe(expected);
    const whole = editText(source, range, { wanted });
    expect(editText(source, range, { wanted, parsed })).toEqual(whole);
    expect(readYaml({ path: 'a.yaml', text: whole.text }).documents[0]!.data).toEqual(wanted);
  });

  it('reads its text again and returns nothing if the data differs', () => {
    const range = { start: 0, end: 11 };
    // Marks of another text, so that the edit goes wrong.
    const marked = readMarkedDocument({ path: 'a.yaml', text: 'a: 1 \nb: 2\n' }, range, { until: new Set(['a']) });
    const edit = (text: string) => editFront({ path: 'a.yaml', text }, range, { marked, wanted: { a: 3, b: 2 } });
    expect(edit('a: 1 \nb: 2\n')).toBe('a: 3 \nb: 2\n');
    expect(edit('a: 12\nb: 2\n')).toBe(undefined);
    expect(edit('a: 1"\nb: 2\n')).toBe(undefined);
  });

  it('keeps a merge key of the rest, which editing the whole root would write out', () => {
    const source = { path: 'a.yaml', text: 'a: 1\nb: &x {k: v}\n<<: *x\nd: 1\n' };
    const { range, data: parsed } = readYaml(source).documents[0]!;
    const { text } = editText(source, range, { parsed, wanted: { ...(parsed as JsonObject), a: 2 } });
    expect(text).toBe('a: 2\nb: &x {k: v}\n<<: *x\nd: 1\n');
    expect(readYaml({ path: 'a.yaml', text }).documents[0]!.data).toEqual({ a: 2, b: { k: 'v' }, k: 'v', d: 1 });
  });
});

describe('findChangedKeys', () => {
  it.each<[string, Json | undefined, Json, readonly string[] | undefined]>([
    ['nothing', { a: 1, b: [{}] }, { b: [{}], a: 1 }, []],
    ['values', { a: 1, b: { c: 1 }, d: 1 }, { a: 2, b: { c: 2 }, d: 1 }, ['a', 'b']],
    ['a name that every object has', { toString: 1 }, { a: 1 }, undefined],
    ['an added key', { a: 1 }, { a: 1, b: 1 }, undefined],
    ['a removed key', { a: 1, b: 1 }, { a: 1 }, undefined],
    ['another root', [1], [2], undefined],
    ['unknown', undefined, { a: 1 }, undefined],
  ])('%s', (_, parsed, wanted, expected) => {
    const found = findChangedKeys(parsed, wanted);
    expect(found && [...found]).toEqual(expected);
  });
});
