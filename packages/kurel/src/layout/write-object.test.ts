import { describe, expect, it } from 'vitest';
import { decodeObjects } from '../kube/index.ts';
import type { KubeObject, Origin, SourceFile } from '../model/index.ts';
import { readYaml } from '../yaml/index.ts';
import { printObject } from './write-object.ts';

/** The objects of a text, each with where it came from. */
function openObjects(text: string): readonly { readonly object: KubeObject; readonly origin: Origin }[] {
  const source: SourceFile = { path: 'a.yaml', text };
  const { documents } = readYaml(source);
  return decodeObjects(documents, { file: 'a.yaml', report: () => {} }).map(({ object, document, path }) => {
    const { range } = documents.find(({ index }) => index === document)!;
    const place = { source, document, range, parsed: object, ...(path === undefined ? {} : { path }) };
    return { object, origin: { renderer: 'manifests', source: 'a.yaml', text: place } };
  });
}

const text = '# about\nkind: A # 1\napiVersion: v1\nmetadata: {name: "x"}\nspec:\n    - 1';
const list = `kind: List\napiVersion: v1\nitems:\n  # about\n  - kind: A # 1\n    apiVersion: v1\n    spec: 'x'\n`;
const typedList = 'kind: ConfigMapList\napiVersion: v1\nitems:\n- metadata: {name: "x"} # 1\n';

describe('printObject', () => {
  it.each<[string, string, (object: KubeObject) => KubeObject, string]>([
    ['a document as it is', text, (object) => object, `${text}\n`],
    ['a document in which nothing changes', text, (object) => structuredClone(object), `${text}\n`],
    [
      'a changed document',
      text,
      (object) => ({ ...object, metadata: { name: 'y' } }),
      `${text.replace('"x"', '"y"')}\n`,
    ],
    ['an item of a list as it is', list, (object) => object, "# about\nkind: A # 1\napiVersion: v1\nspec: 'x'\n"],
    [
      'a changed item of a list',
      list,
      (object) => ({ ...object, spec: 'y' }),
      "# about\nkind: A # 1\napiVersion: v1\nspec: 'y'\n",
    ],
    [
      'an item that has its kind from the list',
      typedList,
      (object) => object,
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "x"} # 1\n',
    ],
  ])('%s', (_, input, change, expected) => {
    const [opened] = openObjects(input);
    expect(printObject(change(opened!.object), opened!.origin)).toBe(expected);
  });

  it('an object that never was text', () => {
    expect(printObject({ apiVersion: 'v1', kind: 'A' }, undefined)).toBe('apiVersion: v1\nkind: A\n');
  });

  it('the comments around a document', () => {
    const around = `# before\n---\n${text}\n---\n# after`;
    const start = around.indexOf(text);
    const end = start + text.length + 1;
    const [opened] = openObjects(text);
    const { origin, object } = opened!;
    const source = { path: 'a.yaml', text: around };
    const lead = { start: 0, end: start };
    const tail = { start: end, end: around.length };
    const place = { ...origin, text: { ...origin.text!, source, range: { start, end }, lead, tail } };
    expect(printObject(object, place)).toBe(`# before\n${text}\n# after\n`);
  });
});
