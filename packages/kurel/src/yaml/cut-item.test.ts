import { describe, expect, it } from 'vitest';
import type { Path } from '../model/index.ts';
import { cutItem } from './cut-item.ts';
import { editDocument } from './edit-document.ts';
import { readYaml } from './read-yaml.ts';

interface Case {
  readonly title: string;
  readonly text: string;
  readonly path: Path;
  readonly expected: string | undefined;
}

const cases: readonly Case[] = [
  {
    title: 'a block item with its comments',
    text: `kind: List
items:
# about one
- kind: One # 1
# about two
# in two lines
- kind: Two # 2
  metadata:
    # the name
    name: two

    labels: {a: b}
  # end of two
- kind: Three
`,
    path: ['items', 1],
    expected: `# about two
# in two lines
kind: Two # 2
metadata:
  # the name
  name: two

  labels: {a: b}
# end of two
`,
  },
  {
    title: 'an item of an indented list with a wide dash',
    text: 'items:\n    -   kind: One\n        list:\n          - a\n    -   kind: Two\n',
    path: ['items', 0],
    expected: 'kind: One\nlist:\n  - a\n',
  },
  {
    title: 'block scalars and text over several lines',
    text: 'items:\n- a: |2\n      x\n\n    y\n  b: "one\n    two"\n  c: |+\n    z\n\n- 2\n',
    path: ['items', 0],
    expected: 'a: |2\n    x\n\n  y\nb: "one\n  two"\nc: |+\n  z\n\n',
  },
  {
    title: 'an item on the line below its dash',
    text: 'items:\n- # one\n  kind: One\n  x: 1\n-\n  kind: Two\n',
    path: ['items', 0],
    expected: '# one\nkind: One\nx: 1\n',
  },
  {
    title: 'a flow item',
    text: 'items:\n- {kind: One, x: [1, 2]} # one\n- 2\n',
    path: ['items', 0],
    expected: '{kind: One, x: [1, 2]}\n',
  },
  {
    title: 'an item of a JSON list',
    text: '{\n  "items": [\n    {\n      "kind": "One"\n    },\n    {"kind": "Two"}\n  ]\n}\n',
    path: ['items', 0],
    expected: '{\n  "kind": "One"\n}\n',
  },
  {
    title: 'windows line breaks',
    text: 'items:\r\n# c\r\n- kind: One\r\n  x: 1\r\n- kind: Two\r\n',
    path: ['items', 0],
    expected: '# c\r\nkind: One\r\nx: 1\r\n',
  },
  {
    title: 'no line break at the end',
    text: 'items:\n- kind: One\n  x: 1',
    path: ['items', 0],
    expected: 'kind: One\nx: 1\n',
  },
  {
    title: 'an anchor and its alias inside the item',
    text: 'items:\n- &one\n  a: &a {x: 1}\n  b: *a\n',
    path: ['items', 0],
    expected: '&one\na: &a {x: 1}\nb: *a\n',
  },
  {
    title: 'an alias to something outside',
    text: 'a: &a {x: 1}\nitems:\n- b: *a\n',
    path: ['items', 0],
    expected: undefined,
  },
  { title: 'an item that is an alias', text: 'a: &a {x: 1}\nitems:\n- *a\n', path: ['items', 0], expected: undefined },
  { title: 'a path that does not exist', text: 'items:\n- a: 1\n', path: ['items', 3], expected: undefined },
  { title: 'a path through a scalar', text: 'items: 1\n', path: ['items', 0, 'a'], expected: undefined },
  {
    title: 'the value of a key',
    text: 'spec:\n  # about\n  a:\n    b: 1 # c\n',
    path: ['spec', 'a'],
    expected: '# about\nb: 1 # c\n',
  },
];

describe('cutItem', () => {
  it.each(cases)('$title', ({ text, path, expected }) => {
    const source = { path: 'list.yaml', text };
    expect(cutItem(source, readYaml(source).documents[0]!.range, path)?.text).toBe(expected);
  });

  it('finds the item in its own document of a file', () => {
    const source = { path: 'a.yaml', text: 'a: 1\n---\n# list\nitems:\n  - b: 1\n---\nc: 1\n' };
    expect(cutItem(source, readYaml(source).documents[1]!.range, ['items', 0])).toEqual({
      text: 'b: 1\n',
      parsed: { b: 1 },
    });
  });

  it('returns a document that can be edited', () => {
    const source = {
      path: 'a.yaml',
      text: 'items:\n# one\n- kind: One # 1\n  metadata:\n    name: x # name\n- kind: Two\n',
    };
    const { text } = cutItem(source, readYaml(source).documents[0]!.range, ['items', 0])!;
    const edited = editDocument(
      { path: 'a.yaml', text },
      { start: 0, end: text.length },
      { wanted: { kind: 'One', metadata: { name: 'z', labels: { a: 'b' } } } },
    );
    expect(edited).toBe('# one\nkind: One # 1\nmetadata:\n  name: z # name\n  labels:\n    a: b\n');
  });
});
