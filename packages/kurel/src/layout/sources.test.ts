import { join } from 'node:path';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { readTexts } from '../../test/golden-case.ts';
import { createOriginTable } from '../engine/index.ts';
import { nameOf } from '../kube/index.ts';
import { isKubeObject } from '../model/index.ts';
import type { Diagnostic, Json, KubeObject, OriginTable, SourceFile } from '../model/index.ts';
import { readObjects } from '../forms/read-objects.ts';
import { readYaml } from '../yaml/index.ts';
import { layOutSources } from './sources.ts';
import { repository } from '../../test/source-tree.ts';

interface Opened {
  readonly before: readonly KubeObject[];
  readonly origins: OriginTable;
}

function openSources(...sources: readonly SourceFile[]): Opened {
  const origins = createOriginTable();
  const report = () => {};
  const context = { signal: new AbortController().signal, origins, report };
  const originOf = () => ({ renderer: 'manifests', source: 'test' });
  return { before: sources.flatMap((source) => readObjects(source, { context, report, originOf })), origins };
}

/** By the name of an object: what its `x` becomes; null takes the object out. */
type Changes = Readonly<Record<string, Json>>;

function changeObjects({ before, origins }: Opened, changes: Changes): readonly KubeObject[] {
  return before.flatMap((object) => {
    const x = changes[nameOf(object)];
    if (x === undefined || x === null) return x === null ? [] : [object];
    const changed = { ...object, x };
    origins.set(changed, origins.get(object)!);
    return [changed];
  });
}

function editText(text: string, changes: Changes): string | undefined {
  const opened = openSources({ path: 'a.yaml', text });
  const report = (diagnostic: Diagnostic) => expect.fail(diagnostic.message);
  const files = layOutSources({ ...opened, objects: changeObjects(opened, changes), report });
  expect(files.map(({ path }) => path)).toEqual(['a.yaml']);
  return files[0]?.text;
}

const [a, b, c] = ['a', 'b', 'c'].map((name) => `kind: A # ${name}\napiVersion: v1\nmetadata: {name: ${name}}\nx: 1\n`);
const [a2, b2] = [a, b].map((text) => text!.replace('x: 1', 'x: 2'));

describe('a changed document', () => {
  it.each<[string, string, Changes, string]>([
    ['alone', a!, { a: 2 }, a2!],
    ['among others', `${a}---\n${b}---\n${c}`, { b: 2 }, `${a}---\n${b2}---\n${c}`],
    ['several', `${a}---\n${b}---\n${c}`, { a: 2, b: 2 }, `${a2}---\n${b2}---\n${c}`],
    ['between comments', `# 1\n---\n# 2\n${a}# 3\n---\n# 4\n${b}`, { a: 2 }, `# 1\n---\n# 2\n${a2}# 3\n---\n# 4\n${b}`],
    [
      'between markers',
      `%YAML 1.1\n---\n${a}...\n# x\n---\n${b}...\n`,
      { a: 2 },
      `%YAML 1.1\n---\n${a2}...\n# x\n---\n${b}...\n`,
    ],
    ['beside empty documents', `---\n# none\n---\n${a}---\n---\n`, { a: 2 }, `---\n# none\n---\n${a2}---\n---\n`],
    ['next to a document that is not an object', `foo: 1\n---\n${a}`, { a: 2 }, `foo: 1\n---\n${a2}`],
    ['with a byte order mark', `\uFEFF${a}`, { a: 2 }, `\uFEFF${a2}`],
    ['with windows line breaks', crlf(`${a}---\n${b}`), { b: 2 }, crlf(`${a}---\n${b2}`)],
    ['without a line break at its end', a!.trimEnd(), { a: 2 }, a2!],
    ['without a windows line break at its end', crlf(a!).trimEnd(), { a: 2 }, crlf(a2!)],
    ['before one without a line break at its end', `${a}---\n${b}`.trimEnd(), { a: 2 }, `${a2}---\n${b}`.trimEnd()],
    ['with blank lines at its end', `${a}\n\n`, { a: 2 }, `${a2}\n\n`],
    ['that ends in a block of text', `${a}y: |\n  t`, { a: 2 }, `${a2}y: |\n  t\n`],
    ['that ends in a block of text without its line break', `${a}y: |-\n  t`, { a: 2 }, `${a2}y: |-\n  t\n`],
    [
      'after its marker',
      `--- {kind: A, apiVersion: v1, metadata: {name: a}, x: 1} # a\n---\n${b}`,
      { a: 2 },
      `--- {kind: A, apiVersion: v1, metadata: {name: a}, x: 2} # a\n---\n${b}`,
    ],
    [
      'with --- in a block of text',
      `${a}y: |\n  ---\n  x: 1\n---\n${b}`,
      { b: 2 },
      `${a}y: |\n  ---\n  x: 1\n---\n${b2}`,
    ],
  ])('%s', (_, text, changes, expected) => {
    expect(editText(text, changes)).toBe(expected);
  });
});

describe('a removed document', () => {
  it.each<[string, string, Changes, string]>([
    ['first', `${a}---\n${b}`, { a: null }, b!],
    ['first, after a marker', `---\n${a}---\n${b}`, { a: null }, `---\n${b}`],
    ['first, after a byte order mark', `\uFEFF${a}---\n${b}`, { a: null }, `\uFEFF${b}`],
    ['first, below a comment of the file', `# file\n---\n${a}---\n${b}`, { a: null }, `# file\n---\n${b}`],
    ['first, with its own comment', `# a\n${a}# of a\n---\n# b\n${b}`, { a: null }, `# b\n${b}`],
    ['first, before a commented marker', `${a}--- # b\n${b}`, { a: null }, `--- # b\n${b}`],
    [
      'first, before data after its marker',
      `${a}--- {kind: A, apiVersion: v1, x: 1}\n`,
      { a: null },
      '--- {kind: A, apiVersion: v1, x: 1}\n',
    ],
    ['first, before an end', `${a}...\n---\n${b}`, { a: null }, `---\n${b}`],
    ['first, below a comment, before an end', `# file\n---\n${a}...\n---\n${b}`, { a: null }, `# file\n---\n${b}`],
    ['first, between marker and end', `---\n${a}...\n---\n${b}`, { a: null }, `---\n${b}`],
    ['first, before an empty one', `${a}---\n# none\n---\n${b}`, { a: null }, `# none\n---\n${b}`],
    ['the first two', `${a}---\n${b}---\n${c}`, { a: null, b: null }, c!],
    ['in the middle', `${a}---\n${b}---\n${c}`, { b: null }, `${a}---\n${c}`],
    ['in the middle, between ends', `${a}...\n---\n${b}...\n---\n${c}`, { b: null }, `${a}...\n...\n---\n${c}`],
    ['in the middle, with directives', `${a}...\n%YAML 1.1\n---\n${b}---\n${c}`, { b: null }, `${a}...\n---\n${c}`],
    [
      'in the middle, between comments',
      `${a}# of a\n---\n# of b\n${b}\n---\n# of c\n${c}`,
      { b: null },
      `${a}# of a\n---\n# of c\n${c}`,
    ],
    ['in the middle, with spaces after the marker', `${a}--- \t\n${b}---\n${c}`, { b: null }, `${a}---\n${c}`],
    [
      'in the middle, after its marker',
      `${a}--- {kind: A, apiVersion: v1, metadata: {name: b}}\n---\n${c}`,
      { b: null },
      `${a}---\n${c}`,
    ],
    ['last', `${a}---\n${b}`, { b: null }, a!],
    ['last, without a line break at its end', `${a}---\n${b}`.trimEnd(), { b: null }, a!],
    ['last, before an end and a comment', `${a}---\n${b}...\n# end\n`, { b: null }, `${a}...\n# end\n`],
    ['with windows line breaks', crlf(`${a}---\n${b}---\n${c}`), { b: null }, crlf(`${a}---\n${c}`)],
    ['beside a changed one', `${a}---\n${b}---\n${c}`, { a: null, b: 2 }, `${b2}---\n${c}`],
    ['alone', `# a\n${a}`, { a: null }, ''],
    ['all', `\uFEFF# file\n---\n${a}---\n# none\n---\n${b}...\n`, { a: null, b: null }, ''],
    [
      'all objects, beside what is none',
      `foo: 1\n---\n${a}...\n---\nbar: 1\n`,
      { a: null },
      'foo: 1\n...\n---\nbar: 1\n',
    ],
  ])('%s', (_, text, changes, expected) => {
    expect(editText(text, changes)).toBe(expected);
  });
});

describe('any text between documents', () => {
  const noise = fc.constantFrom('', '\n', '# note\n', '  # note\n\n');
  const between = fc.oneof(
    fc.constantFrom('---\n', '--- \n', '--- # note\n', '...\n---\n', '...  # note\n%YAML 1.1\n---\n'),
    fc.constantFrom(
      '---\n# none\n---\n',
      '---\n---\n',
      '---\nfoo: 1\n---\n',
      '...\n---\nfoo: 1\n...\n---\n',
      '...\n# note\n---\n',
    ),
  );
  const document = fc.record({ between, above: noise, below: noise, now: fc.constantFrom(1, 2, null) });
  const stream = fc.record({
    head: fc.constantFrom('', '---\n', '# file\n---\n', '%YAML 1.1\n---\n', '--- # file\n', 'foo: 1\n---\n'),
    documents: fc.array(document, { minLength: 1, maxLength: 6 }),
    tail: fc.constantFrom('', '...\n', '---\n', '...\n# end\n', '---\nfoo: 1\n'),
    isWindows: fc.boolean(),
  });

  it('the documents that are left read as they should, and keep their texts', () => {
    fc.assert(
      fc.property(stream, ({ head, documents, tail, isWindows }) => {
        const texts = documents.map(
          ({ above, below }, at) => `${above}kind: A\napiVersion: v1\nmetadata: {name: d${at}}\nx: 1\n${below}`,
        );
        const joined = documents.map((one, at) => `${at === 0 ? head : one.between}${texts[at]!}`).join('') + tail;
        const text = isWindows ? crlf(joined) : joined;
        const changes = Object.fromEntries(documents.map(({ now }, at) => [`d${at}`, now]));
        const edited = editText(text, changes)!;
        const left = documents.flatMap(({ now }, at) =>
          now === null ? [] : [{ name: `d${at}`, x: now, text: texts[at]! }],
        );
        const { before } = openSources({ path: 'b.yaml', text: edited });
        expect(before.map((object) => ({ name: nameOf(object), x: object['x'] }))).toEqual(
          left.map(({ name, x }) => ({ name, x })),
        );
        for (const { text: kept, x } of left) {
          const wanted = kept.replace('x: 1', `x: ${x}`);
          expect(edited).toContain(isWindows ? crlf(wanted) : wanted);
        }
        const isElse = ({ data }: { readonly data: Json | undefined }) => data !== undefined && !isKubeObject(data);
        const others = (all: string) => readYaml({ path: '', text: all }).documents.filter(isElse).length;
        expect(others(edited)).toBe(others(text));
        expect(readYaml({ path: '', text: edited }).diagnostics).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });
});

/** Items of a List, indented as such. */
function items(...texts: readonly string[]): string {
  return texts.map((text) => `- ${text.trimEnd().replaceAll('\n', '\n  ')}\n`).join('');
}

const head = '# list\nkind: List # of all\napiVersion: v1\nitems: # here\n';
const typed = 'apiVersion: v1\nkind: AList\nitems:\n';
const inner = 'kind: List\napiVersion: v1\nitems:\n';

describe('an item of a List', () => {
  it.each<[string, string, Changes, string]>([
    ['changed', `${head}${items(a!, b!)}`, { b: 2 }, `${head}${items(a!, b2!)}`],
    [
      'changed, among documents',
      `${c}---\n${head}${items(a!, b!)}---\n`,
      { a: 2, b: 2 },
      `${c}---\n${head}${items(a2!, b2!)}---\n`,
    ],
    ['removed', `${head}# of a\n${items(a!)}# of b\n${items(b!)}`, { a: null }, `${head}# of b\n${items(b!)}`],
    ['removed, beside a changed one', `${head}${items(a!, b!)}`, { a: null, b: 2 }, `${head}${items(b2!)}`],
    ['the last one removed', `${c}---\n${head}${items(a!, b!)}`, { a: null, b: null }, c!],
    [
      'of a typed list',
      `${typed}- metadata: {name: a} # a\n  x: 1\n`,
      { a: 2 },
      `${typed}- metadata: {name: a} # a\n  x: 2\n`,
    ],
    [
      'of a typed list that says a part',
      `${typed}- kind: B\n  metadata: {name: a}\n`,
      { a: 2 },
      `${typed}- kind: B\n  metadata: {name: a}\n  x: 2\n`,
    ],
    [
      'in a List in a List',
      `${head}${items(`${inner}${items(a!, b!)}`, c!)}`,
      { a: 2, c: null },
      `${head}${items(`${inner}${items(a2!, b!)}`)}`,
    ],
    [
      'all of a List in a List removed',
      `${head}${items(`${inner}${items(a!, b!)}`, c!)}`,
      { a: null, b: null },
      `${head}${items(c!)}`,
    ],
    [
      'after an empty List',
      `${head}${items('kind: List\napiVersion: v1\nitems: []\n', a!)}`,
      { a: 2 },
      `${head}${items('kind: List\napiVersion: v1\nitems: []\n', a2!)}`,
    ],
    [
      'that another is an alias of',
      `${head}- &a {kind: A, apiVersion: v1, metadata: {name: a}, x: 1}\n- *a\n`,
      { a: 2 },
      `${head}- &a {kind: A, apiVersion: v1, metadata: {name: a}, x: 2}\n- *a\n`,
    ],
    [
      'after the marker',
      `--- {kind: List, apiVersion: v1, items: [{kind: A, apiVersion: v1, metadata: {name: a}, x: 1}]}\n`,
      { a: 2 },
      `--- {kind: List, apiVersion: v1, items: [{kind: A, apiVersion: v1, metadata: {name: a}, x: 2}]}\n`,
    ],
  ])('%s', (_, text, changes, expected) => {
    expect(editText(text, changes)).toBe(expected);
  });
});

const json = '{\n  "kind": "A",\n  "apiVersion": "v1",\n  "metadata": {"name": "a"},\n  "x": 1\n}';

describe('JSON', () => {
  it.each<[string, string, Changes, string]>([
    ['changed', `${json}\n`, { a: 'y' }, `${json.replace('1\n', '"y"\n')}\n`],
    ['without a line break at its end', json, { a: 'y' }, `${json.replace('1\n', '"y"\n')}\n`],
    ['with tabs', json.replaceAll('  ', '\t'), { a: 'y' }, `${json.replaceAll('  ', '\t').replace('1\n', '"y"\n')}\n`],
    [
      'on one line',
      '{"kind":"A","apiVersion":"v1","metadata":{"name":"a"},"x":1}\n',
      { a: { y: null } },
      '{"kind":"A","apiVersion":"v1","metadata":{"name":"a"},"x":{"y":null}}\n',
    ],
    ['removed', json, { a: null }, ''],
    [
      'an item removed',
      `{"kind":"List","apiVersion":"v1","items":[\n${json},\n${json.replace('"a"', '"b"')}\n]}`,
      { a: null },
      `{"kind":"List","apiVersion":"v1","items":[\n${json.replace('"a"', '"b"')}\n]}\n`,
    ],
  ])('%s', (_, text, changes, expected) => {
    expect(editText(text, changes)).toBe(expected);
    if (expected !== '') JSON.parse(expected);
  });
});

it('JSON stays JSON, whatever changes', () => {
  const data = fc.dictionary(fc.stringMatching(/^[a-z"\\/\n]{1,3}$/u), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });
  const indent = fc.constantFrom('', '  ', '\t');
  fc.assert(
    fc.property(data, data.map(asWritten), indent, (x, other, step) => {
      const object = { apiVersion: 'v1', kind: 'A', metadata: { name: 'a' }, x };
      const text = editText(JSON.stringify(object, undefined, step), { a: other });
      JSON.parse(text!);
      expect(readJson(text!)).toEqual({ ...object, x: other });
    }),
    { numRuns: 500 },
  );
});

it('every text is a file, in the order of the objects', () => {
  const opened = openSources({ path: 'b.yaml', text: a! }, { path: 'a.yaml', text: b! });
  const objects = changeObjects(opened, { b: 2 });
  expect(layOutSources({ ...opened, objects, report: () => {} })).toEqual([
    { path: 'b.yaml', text: a },
    { path: 'a.yaml', text: b2 },
  ]);
});

describe('what cannot be written is reported:', () => {
  it.each<[string, (opened: Opened) => readonly KubeObject[], string]>([
    [
      'an object without a text',
      ({ before }) => [...before, { apiVersion: 'v1', kind: 'New' }],
      'cannot write v1 New without a name: it was not read from a file',
    ],
    [
      'two objects in one place',
      ({ before }) => [...before, ...before],
      'cannot write v1 A "a": it was not read from any of the input files',
    ],
    [
      'a number that is none',
      (opened) => changeObjects(opened, { a: Number.NaN }),
      'cannot write v1 A "a": The data cannot be written: it is NaN, which Kubernetes cannot read.',
    ],
  ])('%s', (_, change, message) => {
    const opened = openSources({ path: 'a.yaml', text: a! });
    const found: Diagnostic[] = [];
    const report = (diagnostic: Diagnostic) => void found.push(diagnostic);
    const files = layOutSources({ ...opened, objects: change(opened), report });
    expect(found.map(({ code, severity }) => `${severity}[${code}]`)).toEqual(['error[object-unwritable]']);
    expect(found[0]?.message).toBe(message);
    expect(files).toEqual([{ path: 'a.yaml', text: a }]);
  });
});

describe('without a change the bytes are the same:', { tags: 'slow' }, () => {
  let openable: readonly SourceFile[] = [];
  beforeAll(() => {
    const folders = ['packages/kurel/test/cases', 'test/corpus/cases/manifests'];
    const sources = folders.flatMap((folder) => readTexts(join(repository, folder), /\.(?:ya?ml|json)$/));
    openable = sources.filter((source) => {
      const { before } = openSources(source);
      // Cases about objects with `items` are about what is refused.
      return before.length > 0 && !before.some((object) => Array.isArray(object['items']));
    });
  });

  it('there are many manifests', () => {
    expect(openable.length).toBeGreaterThan(1500);
  });

  it.each<[string, (object: KubeObject) => KubeObject]>([
    ['the same objects', (object) => object],
    ['copies of them', (object) => structuredClone(object)],
  ])('%s', (_, change) => {
    for (const source of openable) {
      const opened = openSources(source);
      const objects = opened.before.map((object) => {
        const changed = change(object);
        opened.origins.set(changed, opened.origins.get(object)!);
        return changed;
      });
      const [file] = layOutSources({ ...opened, objects, report: ({ message }) => expect.fail(message) });
      expect(file?.text === source.text, source.path).toBe(true);
    }
  });

  it('and a change is read back as it was made, with every other document as it was', () => {
    for (const source of openable) {
      const opened = openSources(source);
      const name = nameOf(opened.before[0]!);
      const removed = nameOf(opened.before.at(-1)!);
      const objects = changeObjects(opened, { [name]: { y: 'new' }, [removed]: null });
      const [file] = layOutSources({ ...opened, objects, report: ({ message }) => expect.fail(message) });
      expect(openSources({ path: source.path, text: file!.text }).before, source.path).toEqual(objects);
      expect(readYaml({ path: source.path, text: file!.text }).diagnostics.length, source.path).toBe(
        readYaml(source).diagnostics.length,
      );
    }
  });
});

/** Without what JSON cannot say, such as a negative zero. */
function asWritten(data: unknown): Json {
  return readJson(JSON.stringify(data));
}

/** By our own reader: that of Node 24.21 mixes up keys with escapes (`{"b":[],"\\n":1}` may get the key `\\`). */
function readJson(text: string): Json {
  return readYaml({ path: 'text', text }).documents[0]!.data!;
}

function crlf(text: string): string {
  return text.replaceAll('\n', '\r\n');
}
