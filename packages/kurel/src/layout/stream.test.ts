import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createOriginTable } from '../engine/index.ts';
import { nameOf } from '../kube/index.ts';
import type { Diagnostic, Json, KubeObject, OriginTable, SourceFile } from '../model/index.ts';
import { readObjects } from '../forms/read-objects.ts';
import { readYaml } from '../yaml/index.ts';
import type { OutputFormat } from './layout.ts';
import { layOutStream } from './stream.ts';

interface Opened {
  readonly objects: readonly KubeObject[];
  readonly origins: OriginTable;
}

function open(...texts: readonly string[]): Opened {
  const origins = createOriginTable();
  const report = ({ severity, message }: Diagnostic) => {
    if (severity === 'error') expect.fail(message);
  };
  const context = { signal: new AbortController().signal, origins, report };
  const originOf = () => ({ renderer: 'manifests', source: 'test' });
  const sources: readonly SourceFile[] = texts.map((text, index) => ({ path: `${index}.yaml`, text }));
  return { objects: sources.flatMap((source) => readObjects(source, { context, report, originOf })), origins };
}

function layOut({ objects, origins }: Opened, format: OutputFormat = 'yaml'): string {
  const report = (diagnostic: Diagnostic) => expect.fail(diagnostic.message);
  return layOutStream({ objects, origins, format, report })[0]!.text;
}

/** The objects named in `wanted`, in that order: `a` as it is, `a=2` with another `x`, `+new` for one that was never text. */
function select({ objects, origins }: Opened, wanted: string): Opened {
  const byName = new Map(objects.map((object) => [nameOf(object), object]));
  const selected = wanted.split(' ').map((word) => {
    if (word.startsWith('+')) return { apiVersion: 'v1', kind: 'A', metadata: { name: word.slice(1) } };
    const [name = '', x] = word.split('=');
    const object = byName.get(name)!;
    return x === undefined ? object : change(object, Number(x), origins);
  });
  return { objects: selected, origins };
}

function change(object: KubeObject, x: Json, origins: OriginTable): KubeObject {
  const changed = { ...object, x };
  origins.set(changed, origins.get(object)!);
  return changed;
}

const [a, b, c] = ['a', 'b', 'c'].map((name) => `kind: A # ${name}\napiVersion: v1\nmetadata: {name: ${name}}\nx: 1\n`);
const [a2, b2] = [a, b].map((text) => text!.replace('x: 1', 'x: 2'));
const json = (name: string) => `{"kind":"A","apiVersion":"v1","metadata":{"name":"${name}"},"x":1}`;
const added = 'apiVersion: v1\nkind: A\nmetadata:\n  name: new\n';

describe('a text without a change', () => {
  it.each<[string, string]>([
    ['a marker at the start', `---\n${a}`],
    ['a marker at the end', `${a}---\n`],
    ['a marker without a line break at the end', `${a}---`],
    ['an end', `${a}...\n---\n${b}...\n`],
    ['blank lines', `\n\n---\n\n${a}\n\n---\n\n\n${b}\n\n`],
    ['comments around markers', `# 1\n---\n# 2\n${a}# 3\n--- # 4\n${b}...\n# 5\n---\n# 6`],
    ['empty documents', `---\n---\n# none\n---\n${a}---\nnull\n---\n${b}---\n---\n`],
    ['an empty List', `${a}---\nkind: List\napiVersion: v1\nitems: []\n---\n${b}`],
    ['no line break at the end', a!.trimEnd()],
    ['a block scalar without a line break at the end', `${a}z: |\n  t`],
    ['a byte order mark', `\uFEFF${a}`],
    ['a byte order mark before a marker', `\uFEFF---\n${a}`],
    ['Windows line breaks', crlf(`---\n${a}---\n\n${b}`)],
    ['directives', `%YAML 1.1\n---\n${a}...\n%YAML 1.1\n---\n${b}`],
    ['one line of JSON', json('a')],
    ['lines of JSON', `${json('a')}\n---\n${json('b')}\n`],
    ['a document on its marker line', `--- ${json('a')}\n--- {kind: A, apiVersion: v1, metadata: {name: b}}\n`],
    [
      'a List',
      `# all\nkind: List # of all\napiVersion: v1\nmetadata: {resourceVersion: ""}\nitems:\n- ${json('a')} # a\n`,
    ],
    ['a typed list', 'kind: AList\napiVersion: v1\nitems:\n# a\n- metadata: {name: a}\n- metadata: {name: b}\n'],
    [
      'a List in a List',
      `kind: List\napiVersion: v1\nitems:\n- kind: List\n  apiVersion: v1\n  items: [${json('a')}]\n`,
    ],
    ['a List with aliases', `kind: List\napiVersion: v1\nitems:\n- &a ${json('a')}\n- *a\n`],
  ])('with %s', (_, text) => {
    expect(layOut(open(text))).toBe(text);
    const copied = open(text);
    const objects = copied.objects.map((object) => {
      const copy = structuredClone(object);
      copied.origins.set(copy, copied.origins.get(object)!);
      return copy;
    });
    expect(layOut({ ...copied, objects }), 'copies').toBe(text);
  });
});

describe('several texts', () => {
  it.each<[string, readonly string[], string]>([
    ['bare', [a!, b!], `${a}---\n${b}`],
    ['with a marker at the start', [`---\n${a}`, `---\n${b}`], `---\n${a}---\n${b}`],
    ['with a marker after a comment', [a!, `# b\n---\n${b}`], `${a}---\n# b\n---\n${b}`],
    ['with a marker after a blank line', [a!, `\n---\n${b}`], `${a}---\n\n---\n${b}`],
    ['with a marker at the end', [`${a}---\n`, b!], `${a}---\n---\n${b}`],
    ['with a marker without a line break at the end', [`${a}---`, b!], `${a}---\n---\n${b}`],
    ['with an end', [`${a}...\n`, b!], `${a}...\n---\n${b}`],
    ['without a line break at the end', [a!.trimEnd(), b!.trimEnd()], `${a}---\n${b!.trimEnd()}`],
    ['with Windows line breaks, without one at the end', [crlf(a!).trimEnd(), b!], `${crlf(a!)}---\n${b}`],
    ['with a byte order mark each', [`\uFEFF${a}`, `\uFEFF${b}`], `\uFEFF${a}---\n${b}`],
    ['with directives', [a!, `# b\n%YAML 1.1\n---\n${b}`], `${a}...\n# b\n%YAML 1.1\n---\n${b}`],
    [
      'with a List each',
      [`kind: List\napiVersion: v1\nitems: [${json('a')}]\n`, b!],
      `kind: List\napiVersion: v1\nitems: [${json('a')}]\n---\n${b}`,
    ],
    [
      'with a block scalar that has no line break, and gets one from kubectl',
      [`${a}z: |\n  t`, b!],
      `${a}z: |\n  t\n---\n${b}`,
    ],
    [
      'of JSON, which kubectl reads as YAML after a marker',
      [json('a'), json('b')],
      `---\n${json('a')}\n---\n${json('b')}`,
    ],
    [
      'of JSON with escapes that only JSON has',
      [b!, json('a').replace('1}', String.raw`"\ud83d\ude00\/"}`)],
      `${b}---\nkind: A\napiVersion: v1\nmetadata:\n  name: a\nx: 😀/\n`,
    ],
  ])('%s', (_, texts, expected) => {
    const opened = open(...texts);
    expect(layOut(opened)).toBe(expected);
    expect(open(expected).objects).toEqual(opened.objects);
  });
});

describe('a text of which something', () => {
  it.each<[string, string, string, string]>([
    ['is changed', `# 1\n---\n${a}\n---\n${b}...\n`, 'a=2 b', `# 1\n---\n${a2}\n---\n${b}...\n`],
    ['is changed after a byte order mark', `\uFEFF${a}`, 'a=2', `\uFEFF${a2}`],
    ['is changed without a line break at the end', a!.trimEnd(), 'a=2', a2!],
    ['is changed in JSON', `${json('a')}\n`, 'a=2', `${json('a').replace('1}', '2}')}\n`],
    [
      'is changed on its marker line',
      `--- ${json('a')}\n---\n${b}`,
      'a=2 b=2',
      `--- ${json('a').replace('1}', '2}')}\n---\n${b2}`,
    ],
    ['is dropped at the start', `${a}---\n${b}---\n${c}`, 'b c', `${b}---\n${c}`],
    ['is dropped at the start, before a marker with a comment', `${a}--- # b\n${b}`, 'b', `--- # b\n${b}`],
    ['is dropped at the start, before an end', `${a}...\n# b\n---\n${b}`, 'b', `# b\n---\n${b}`],
    ['is dropped in the middle', `---\n${a}---\n# b\n${b}---\n# c\n${c}`, 'a c', `---\n${a}---\n# c\n${c}`],
    [
      'is dropped in the middle, with the comments before it',
      `${a}---\n# b\n---\n${b}---\n${c}`,
      'a c',
      `${a}---\n${c}`,
    ],
    ['is dropped in the middle, with the end before it', `${a}...\n---\n${b}...\n---\n${c}`, 'a c', `${a}---\n${c}`],
    ['is dropped at the end', `${a}---\n${b}...\n`, 'a', a!],
    ['is dropped with Windows line breaks', crlf(`${a}---\n${b}---\n${c}`), 'a c', crlf(`${a}---\n${c}`)],
    ['is moved', `${a}---\n# b\n${b}---\n${c}`, 'c a b', `${c}---\n${a}---\n# b\n${b}`],
    ['is moved with the comments before it', `${a}---\n# none\n---\n${b}`, 'b a', `---\n# none\n---\n${b}---\n${a}`],
    ['is moved from behind directives', `%YAML 1.1\n---\n${a}---\n${b}`, 'b a', `${b}...\n%YAML 1.1\n---\n${a}`],
    ['is moved from after a byte order mark', `\uFEFF${a}---\n${b}`, 'b a', `${b}---\n${a}`],
    ['is moved from the end without a line break', `${a}---\n${b}`.trimEnd(), 'b a', `${b}---\n${a}`],
    ['is moved from its marker line', `${a}--- ${json('b')}\n`, 'b a', `--- ${json('b')}\n---\n${a}`],
    ['is added at the start', `---\n${a}---\n${b}`, '+new a b', `${added}---\n${a}---\n${b}`],
    ['is added in the middle', `${a}---\n${b}`, 'a +new b', `${a}---\n${added}---\n${b}`],
    ['is added at the end', `${a}...\n`, 'a +new', `${a}---\n${added}`],
    ['is added behind comments at the end', `${a}---\n# end`, 'a +new', `${a}---\n# end\n---\n${added}`],
    ['is repeated', `# 1\n---\n${a}`, 'a a', `# 1\n---\n${a}---\n# 1\n---\n${a}`],
  ])('%s', (_, text, wanted, expected) => {
    const opened = open(text);
    const selected = select(opened, wanted);
    expect(layOut(selected)).toBe(expected);
    expect(open(expected).objects).toEqual(selected.objects);
  });
});

const list = `# all\nkind: List\napiVersion: v1\nitems:\n  # a\n  - ${indent(a!)}  - ${indent(b!)}`;
const typed = 'kind: AList # all\napiVersion: v1\nitems:\n- metadata: {name: a} # 1\n- metadata: {name: b}\n';
const jsonList = `{"kind":"List","apiVersion":"v1","items":[${json('a')},${json('b')}]}`;
const nested = `kind: List\napiVersion: v1\nitems:\n- kind: List # inner\n  apiVersion: v1\n  items:\n  - ${indent(a!)}- ${indent(b!).replaceAll('\n    ', '\n  ')}`;

describe('a List of which an item', () => {
  it.each<[string, string, string, string]>([
    ['is changed', list, 'a=2 b', list.replace('x: 1', 'x: 2')],
    ['is changed, among others', `${list}---\n${c}---\n`, 'a=2 b c', `${list.replace('x: 1', 'x: 2')}---\n${c}---\n`],
    ['is changed in a typed list', typed, 'a b=2', `${typed}  x: 2\n`],
    ['is changed in JSON', jsonList, 'a b=2', `${jsonList.replace('1}]', '2}]')}\n`],
    ['is changed in a List in a List', nested, 'a=2 b', nested.replace('x: 1', 'x: 2')],
    ['is dropped', list, 'a', `# a\n${a}`],
    ['is dropped at the start', `---\n${list}`, 'b', b!],
    ['is dropped from a typed list', typed, 'b', 'apiVersion: v1\nkind: A\nmetadata: {name: b}\n'],
    ['is dropped from JSON', `${jsonList}\n`, 'b', 'kind: A\napiVersion: v1\nmetadata:\n  name: b\nx: 1\n'],
    ['is dropped from a List in a List', nested, 'b', b!],
    ['is moved', list, 'b a', `${b}---\n# a\n${a}`],
    ['is moved, with the text after the List', `${list}---\n${c}`, 'b a c', `${b}---\n# a\n${a}---\n${c}`],
    ['has something before it', list, '+new a b', `${added}---\n${list}`],
    ['has something between', list, 'a +new b', `# a\n${a}---\n${added}---\n${b}`],
  ])('%s', (_, text, wanted, expected) => {
    const opened = open(text);
    const selected = select(opened, wanted);
    expect(layOut(selected)).toBe(expected);
    expect(open(expected).objects).toEqual(selected.objects);
  });

  it('is not an object is split', () => {
    const text = `kind: List\napiVersion: v1\nitems:\n- ${json('a')}\n- foo: 1\n- ${json('b')}\n`;
    expect(layOut(open(text))).toBe(`${json('a')}\n---\n${json('b')}\n`);
  });
});

describe('as JSON', () => {
  it.each<[string, readonly string[], string]>([
    ['JSON stays as it is', [`${json('a')}\n`], `${json('a')}\n`],
    ['a List in JSON stays as it is', [jsonList], jsonList],
    [
      'a List stays a List',
      [typed],
      '{\n  "kind": "AList",\n  "apiVersion": "v1",\n  "items": [\n    {\n      "metadata": {\n        "name": "a"\n      }\n    },\n    {\n      "metadata": {\n        "name": "b"\n      }\n    }\n  ]\n}\n',
    ],
    ['nothing is an empty array', [], '[]\n'],
  ])('%s', (_, texts, expected) => {
    expect(layOut(open(...texts), 'json')).toBe(expected);
  });
});

it('an item that cannot be written is named', () => {
  const opened = open(list);
  const broken = change(opened.objects[1]!, Number.NaN, opened.origins);
  const found: Diagnostic[] = [];
  layOutStream({ ...opened, objects: [opened.objects[0]!, broken], format: 'yaml', report: (one) => found.push(one) });
  expect(found.map(({ message }) => message)).toEqual([
    'cannot write v1 A "b": The data cannot be written: it is NaN, which Kubernetes cannot read.',
  ]);
});

describe('any text between documents', () => {
  const noise = fc.constantFrom('', '\n', '# note\n', '  # note\n\n');
  const heads = ['', '---\n', '# file\n---\n', '\n---\n', '%YAML 1.1\n---\n', '--- # file\n', '---\n# none\n---\n'];
  const between = [
    '---\n',
    '--- \n',
    '--- # note\n',
    '...\n---\n',
    '...  # note\n%YAML 1.1\n---\n',
    '---\n\n---\n',
    '---\n# none\n---\n',
    '---\nnull\n---\n',
    '...\n# note\n---\n',
    '---\nkind: List\napiVersion: v1\n---\n',
  ];
  const form = fc.constantFrom('block', 'json', 'list', 'text', 'keep');
  const document = fc.record({ between: fc.constantFrom(...between), above: noise, below: noise, form });
  const stream = fc.record({
    head: fc.constantFrom(...heads),
    documents: fc.array(document, { minLength: 1, maxLength: 5 }),
    tail: fc.constantFrom('', '...\n---\n', '---\n', '---', '...\n# end\n', '---\n# end'),
    hasMark: fc.boolean(),
    isWindows: fc.boolean(),
    isCut: fc.boolean(),
  });
  type Stream = typeof stream extends fc.Arbitrary<infer T> ? T : never;

  function printForm(form: string, name: string): string {
    const block = `kind: A # ${name}\napiVersion: v1\nmetadata: {name: ${name}}\nx: 1\n`;
    if (form === 'json') return `${json(name)}\n`;
    if (form === 'list') return `kind: List\napiVersion: v1\nitems:\n- ${json(name)}\n- ${json(`${name}-2`)}\n`;
    return form === 'block' ? block : `${block}z: ${form === 'text' ? '|' : '|+'}\n  t\n${form === 'text' ? '' : '\n'}`;
  }

  function print({ head, documents, tail, hasMark, isWindows, isCut }: Stream, prefix: string): string {
    const bodies = documents.map(({ above, below, form }, at) => above + printForm(form, `${prefix}${at}`) + below);
    const joined = documents.map((one, at) => (at === 0 ? head : one.between) + bodies[at]!).join('') + tail;
    const text = isCut ? joined.trimEnd() : joined;
    return (hasMark ? '\uFEFF' : '') + (isWindows ? crlf(text) : text);
  }

  it('one text comes back byte for byte', () => {
    fc.assert(
      fc.property(stream, (one) => {
        const text = print(one, 'd');
        expect(layOut(open(text))).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });

  it('several texts are joined, and read as they do alone', () => {
    fc.assert(
      fc.property(fc.array(stream, { minLength: 2, maxLength: 4 }), (streams) => {
        const texts = streams.map((one, at) => print(one, 'abcd'[at]!));
        const opened = open(...texts);
        const text = layOut(opened);
        expect(open(text).objects).toEqual(opened.objects);
        expect(readYaml({ path: '', text }).diagnostics).toEqual([]);
        for (const part of texts) {
          const ends = part.endsWith('\n') || part === texts.at(-1);
          if (ends) expect(text).toContain(part === texts[0] ? part : part.replace(/^\uFEFF/, ''));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('what is left, changed and moved reads as it should, and the rest keeps its text', () => {
    const fateOf = fc.record({
      key: fc.nat(),
      fate: fc.constantFrom('kept', 'changed', 'dropped'),
      isMoved: fc.boolean(),
    });
    const changes = fc.array(fateOf, { minLength: 20, maxLength: 20 });
    fc.assert(
      fc.property(fc.array(stream, { minLength: 1, maxLength: 3 }), changes, (streams, changes) => {
        const opened = open(...streams.map((one, at) => print(one, 'abc'[at]!)));
        const fates = opened.objects.map((object, at) => ({ object, at, ...changes[at % 20]! }));
        const left = fates.filter(({ fate }) => fate !== 'dropped');
        const ordered = left.toSorted(
          (one, other) => (one.isMoved && other.isMoved ? one.key - other.key : 0) || one.at - other.at,
        );
        const objects = ordered.map(({ object, fate }) =>
          fate === 'changed' ? change(object, { y: ['new'] }, opened.origins) : object,
        );
        const text = layOut({ ...opened, objects });
        expect(readYaml({ path: '', text }).diagnostics).toEqual([]);
        expect(open(text).objects).toEqual(objects);
        for (const { object, fate } of ordered) {
          const { source, range, path } = opened.origins.get(object)!.text!;
          const kept = source.text.slice(range.start, range.end);
          if (fate === 'kept' && path === undefined && kept.endsWith('\n')) expect(text).toContain(kept);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

function indent(text: string): string {
  return `${text.trimEnd().replaceAll('\n', '\n    ')}\n`;
}

function crlf(text: string): string {
  return text.replaceAll('\n', '\r\n');
}
