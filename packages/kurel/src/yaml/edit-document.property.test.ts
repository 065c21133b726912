import { isSameJson } from '../model/index.ts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Alias, Document, Pair, Scalar, type YAMLMap, type YAMLSeq, isMap, isPair, isScalar, isSeq, visit } from 'yaml';
import type { Json, JsonObject } from '../model/index.ts';
import { editText } from './edit-document.ts';
import { readYaml } from './read-yaml.ts';

const key = fc.constantFrom('name', 'image', 'a', 'b-c', 'x/y', 'on', 'labels', 'two words', 'key', 'port', 'z');
const text = fc.oneof(
  fc.constantFrom(
    'web',
    'nginx:1.2',
    'yes',
    '',
    ' x ',
    'a: b',
    '# no',
    '1.10',
    'two\nlines\n',
    'a\n\n  b',
    '-',
    "it's",
    'é\u2028',
  ),
  fc.string({ maxLength: 12 }),
);
const scalar: fc.Arbitrary<Json> = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null));
const { value } = fc.letrec<{ value: Json; mapping: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    scalar,
    tie('mapping'),
    fc.array(tie('value'), { maxLength: 4 }),
  ),
  mapping: fc.dictionary(key, tie('value'), { maxKeys: 5, noNullPrototype: true }),
}));
const root = fc.dictionary(key, value, { minKeys: 1, maxKeys: 5, noNullPrototype: true });

/** Choices that an author makes in a file; numbers pick nodes for comments and styles. */
const look = fc.record({
  indent: fc.constantFrom(2, 3, 4),
  indentSeq: fc.boolean(),
  flow: fc.array(fc.nat(30), { maxLength: 3 }),
  comments: fc.array(fc.record({ node: fc.nat(30), place: fc.constantFrom('before', 'behind', 'space') }), {
    maxLength: 6,
  }),
  strings: fc.constantFrom('PLAIN', 'QUOTE_SINGLE', 'QUOTE_DOUBLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED'),
  crlf: fc.boolean(),
  finalBreak: fc.boolean(),
});
type Look = typeof look extends fc.Arbitrary<infer Value> ? Value : never;

function dress(data: Json, { indent, indentSeq, flow, comments, strings, crlf, finalBreak }: Look): string {
  const document = new Document(data, { version: '1.1' });
  let index = 0;
  visit(document, (_, node) => {
    if (isPair(node) || !(isMap(node) || isSeq(node) || isScalar(node))) return;
    const own = comments.filter((comment) => comment.node === index);
    if ((isMap(node) || isSeq(node)) && index > 0 && flow.includes(index)) node.flow = true;
    for (const { place } of own) {
      if (place === 'before') node.commentBefore = ` before ${index}`;
      else if (place === 'behind') node.comment = ` behind ${index}`;
      else node.spaceBefore = true;
    }
    index++;
  });
  const printed = document.toString({
    indent,
    indentSeq,
    defaultStringType: strings,
    defaultKeyType: 'PLAIN',
    lineWidth: 0,
  });
  const ended = finalBreak ? printed : printed.replace(/\n$/u, '');
  return crlf ? ended.replaceAll('\n', '\r\n') : ended;
}

const edits = fc.array(
  fc.record({
    pick: fc.nat(),
    action: fc.constantFrom('set', 'add', 'delete', 'insert', 'move'),
    value,
    key,
    at: fc.nat(),
  }),
  { minLength: 1, maxLength: 4 },
);
type Edits = typeof edits extends fc.Arbitrary<infer Value> ? Value : never;

type Mutable = { [key: string | number]: Mutable };

function change(data: Json, steps: Edits): Json {
  const result = structuredClone(data) as Mutable;
  for (const { pick, action, value: given, key: name, at } of steps) {
    const all = collections(result);
    const target = all[pick % all.length]!;
    if (Array.isArray(target)) changeList(target, { action, given, at });
    else {
      const keys = Object.keys(target);
      const chosen = keys[at % Math.max(keys.length, 1)];
      if (action === 'delete' && chosen !== undefined) delete target[chosen];
      else if (action === 'set' && chosen !== undefined) target[chosen] = structuredClone(given) as Mutable;
      else target[name] = structuredClone(given) as Mutable;
    }
  }
  return result;
}

function changeList(list: Mutable[], { action, given, at }: { action: string; given: Json; at: number }): void {
  const index = at % (list.length + 1);
  const fresh = structuredClone(given) as Mutable;
  if (action === 'delete') list.splice(index, 1);
  else if (action === 'move') list.splice(index, 0, ...list.splice(at % Math.max(list.length, 1), 1));
  else if (action === 'set' && index < list.length) list[index] = fresh;
  else list.splice(index, 0, fresh);
}

function collections(value: Mutable): Mutable[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap((item) => collections(item))];
}

function openText(text: string) {
  const source = { path: 'a.yaml', text };
  const [document] = readYaml(source).documents;
  return document?.data === undefined ? undefined : { source, range: document.range, data: document.data };
}

function edit(text: string, update: (data: Mutable) => void) {
  const { source, range, data } = openText(text)!;
  const wanted = structuredClone(data) as Mutable;
  update(wanted);
  return editText(source, range, { wanted });
}

/** How many characters two texts share at their start and, beyond that, at their end. */
function sharedLength(a: string, b: string): number {
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return start + end;
}

describe('editDocument', () => {
  it('returns text that reads as wanted, by splicing', () => {
    fc.assert(
      fc.property(root, look, edits, (data, style, steps) => {
        const opened = openText(dress(data, style));
        if (opened === undefined) return;
        const wanted = change(opened.data, steps);
        const { text: result, printed } = editText(opened.source, opened.range, { wanted });
        expect(isSameJson(openText(result)?.data ?? null, wanted)).toBe(true);
        expect(editText(opened.source, opened.range, { wanted, parsed: opened.data }).text).toBe(result);
        expect(printed, `${opened.source.text}→ ${JSON.stringify(wanted)}`).toBe('nothing');
      }),
      { numRuns: 300 },
    );
  });

  it('returns text that reads as wanted if values are shared', () => {
    const links = fc.array(fc.record({ from: fc.nat(), to: fc.nat(), merge: fc.boolean() }), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(root, links, edits, (data, chosen, steps) => {
        const opened = openText(link(data, chosen));
        if (opened === undefined) return;
        const wanted = change(opened.data, steps);
        const { text: result } = editText(opened.source, opened.range, { wanted });
        expect(isSameJson(openText(result)?.data ?? null, wanted)).toBe(true);
        expect(editText(opened.source, opened.range, { wanted, parsed: opened.data }).text).toBe(result);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps the text if nothing changes', () => {
    fc.assert(
      fc.property(root, look, (data, style) => {
        const input = dress(data, style);
        if (openText(input) !== undefined) expect(edit(input, () => {}).text).toBe(input);
      }),
    );
  });

  it('adds a key as one stretch of new text', () => {
    fc.assert(
      fc.property(root, look, fc.nat(), (data, style, pick) => {
        const input = dress(data, { ...style, finalBreak: true });
        const opened = openText(input);
        if (opened === undefined) return;
        const targets = collections(opened.data as unknown as Mutable);
        const at = pick % targets.length;
        if (Array.isArray(targets[at]) || Object.keys(targets[at]!).length === 0) return;
        const { text: result } = edit(input, (wanted) => {
          collections(wanted)[at]!['added'] = 'x' as unknown as Mutable;
        });
        expect(sharedLength(input, result), result).toBe(input.length);
      }),
    );
  });

  it('removes a key as one stretch of text', () => {
    fc.assert(
      fc.property(root, look, fc.nat(), (data, style, pick) => {
        const input = dress(data, style);
        const opened = openText(input);
        if (opened === undefined) return;
        const targets = collections(opened.data as unknown as Mutable);
        const at = pick % targets.length;
        const keys = Object.keys(targets[at]!);
        if (Array.isArray(targets[at]) || keys.length < 2) return;
        const { text: result } = edit(input, (wanted) => delete collections(wanted)[at]![keys[pick % keys.length]!]);
        expect(sharedLength(input, result), result).toBe(result.length);
      }),
    );
  });

  it('makes two changes in either order or at once', () => {
    fc.assert(
      fc.property(
        root,
        look,
        fc.tuple(scalar, scalar, fc.nat(), fc.nat()),
        (data, style, [one, two, first, second]) => {
          const input = dress(data, { ...style, finalBreak: true });
          const opened = openText(input);
          if (opened === undefined) return;
          const paths = leaves(opened.data);
          if (paths.length < 2) return;
          const path = paths[first % paths.length]!;
          const other = paths[second % paths.length]!;
          if (path === other) return;
          const setOne = (wanted: Mutable) => setAt(wanted, path, one);
          const setTwo = (wanted: Mutable) => setAt(wanted, other, two);
          const both = edit(input, (wanted) => {
            setOne(wanted);
            setTwo(wanted);
          }).text;
          expect(edit(edit(input, setOne).text, setTwo).text).toBe(both);
          expect(edit(edit(input, setTwo).text, setOne).text).toBe(both);
        },
      ),
    );
  });
});

/** Paths of the scalars inside objects. */
function leaves(data: Json, path: readonly string[] = []): (readonly string[])[] {
  if (typeof data !== 'object' || data === null) return path.length === 0 ? [] : [path];
  if (Array.isArray(data)) return [];
  return Object.entries(data).flatMap(([name, item]) => leaves(item, [...path, name]));
}

function setAt(data: Mutable, path: readonly string[], item: Json): void {
  const parent = path.slice(0, -1).reduce((at, step) => at[step]!, data);
  parent[path.at(-1)!] = item as unknown as Mutable;
}

/** The data as text in which some values are replaced by aliases or merge keys. */
function link(data: JsonObject, links: readonly { from: number; to: number; merge: boolean }[]): string {
  const document = new Document(data, { version: '1.1', merge: true });
  for (const [index, { from, to, merge }] of links.entries()) {
    const nodes: (YAMLMap | YAMLSeq)[] = [];
    visit(document, (_, node) => {
      if (isMap(node) || isSeq(node)) nodes.push(node);
    });
    const target = nodes[to % nodes.length]!;
    const source = nodes[from % nodes.length]!;
    if (nodes.indexOf(source) >= nodes.indexOf(target) || contains(source, target)) continue;
    source.anchor ??= `n${index}`;
    const alias = new Alias(source.anchor);
    if (isSeq(target)) target.add(alias);
    else if (merge && isMap(source)) target.items.unshift(new Pair(new Scalar('<<'), alias));
    else target.set(`alias${index}`, alias);
  }
  return document.toString({ lineWidth: 0 });
}

function contains(outer: YAMLMap | YAMLSeq, inner: YAMLMap | YAMLSeq): boolean {
  let found = false;
  visit(outer, (_, node) => {
    if (node === inner) found = true;
  });
  return found;
}
