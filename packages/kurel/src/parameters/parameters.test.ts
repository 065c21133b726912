import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DiagnosticError, diagnosticsOf, quote } from '../diagnostics/index.ts';
import type { Diagnostic, Json, JsonObject, Path, Values } from '../model/index.ts';
import { applyAssignment, parseAssignment, readValues } from './index.ts';
import type { Assignment } from './index.ts';
import { asPrinted } from '../../test/format-printed.ts';

function parse(text: string, type: 'typed' | 'text' = 'typed'): Assignment {
  return parseAssignment({ path: '--set', text }, type);
}

function findingOf(attempt: () => unknown): Diagnostic {
  try {
    attempt();
  } catch (error) {
    const found = diagnosticsOf(error) ?? [];
    expect(found).toHaveLength(1);
    return found[0]!;
  }
  return expect.unreachable('must be rejected');
}

describe('parseAssignment', () => {
  it.each<[string, Path, Json]>([
    ['a=1', ['a'], 1],
    ['a.b.c=x', ['a', 'b', 'c'], 'x'],
    ['a[0]=x', ['a', 0], 'x'],
    ['a[0][12].b=x', ['a', 0, 12, 'b'], 'x'],
    [String.raw`a.example\.com/b=x`, ['a', 'example.com/b'], 'x'],
    [String.raw`a\=b\[0\]\\=x`, ['a=b[0]\\'], 'x'],
    ['a.0=x', ['a', '0'], 'x'],
    ['a b=x', ['a b'], 'x'],
    ['constructor.prototype=x', ['constructor', 'prototype'], 'x'],
    ['a=b=c.d[0]', ['a'], 'b=c.d[0]'],
    ['a=', ['a'], ''],
    ['a=true', ['a'], true],
    ['a=false', ['a'], false],
    ['a=null', ['a'], null],
    ['a=-7', ['a'], -7],
    ['a=9007199254740993', ['a'], 9007199254740993n],
    ['a=-9007199254740993', ['a'], -9007199254740993n],
    ['a=1.10', ['a'], '1.10'],
    ['a=1e3', ['a'], '1e3'],
    ['a=0755', ['a'], '0755'],
    ['a=-0', ['a'], '-0'],
    ['a=+1', ['a'], '+1'],
    ['a=0x1F', ['a'], '0x1F'],
    ['a=True', ['a'], 'True'],
    ['a=yes', ['a'], 'yes'],
    ['a=~', ['a'], '~'],
    ['a=2024-01-01', ['a'], '2024-01-01'],
    ['a= 1', ['a'], ' 1'],
    ['a={x,1}', ['a'], ['x', 1]],
    ['a={}', ['a'], []],
    ['a=x,y', ['a'], 'x,y'],
    ['a={--b=1,--c=2}', ['a'], ['--b=1', '--c=2']],
  ])('%j', (text, path, value) => {
    const source = { path: '--set', text };
    expect(parseAssignment(source, 'typed')).toEqual({ path, value, source });
  });

  it.each(['1', 'true', 'null', '9007199254740993', ''])('as a string: %j is unchanged', (value) => {
    expect(parse(`a=${value}`, 'text').value).toBe(value);
  });

  it.each<[string, string, number]>([
    ['', 'a key is missing', 0],
    ['=1', 'a key is missing', 0],
    ['.a=1', 'a key is missing', 0],
    ['a.=1', 'a key is missing', 2],
    ['a..b=1', 'a key is missing', 2],
    ['[0]=1', 'a key is missing', 0],
    ['a.[0]=1', 'a key is missing', 2],
    ['a', '"=" is missing', 1],
    ['a[0]', '"=" is missing', 4],
    [String.raw`a\=1`, '"=" is missing', 4],
    ['a[=1', '"[" must be followed by an index, as in [0]', 1],
    ['a[]=1', '"[" must be followed by an index, as in [0]', 1],
    ['a[-1]=1', '"[" must be followed by an index, as in [0]', 1],
    ['a[x]=1', '"[" must be followed by an index, as in [0]', 1],
    ['a[0]b=1', 'expected ".", "[" or "=" after an index, got "b"', 4],
    ['a.__proto__.b=1', 'the key "__proto__" is not allowed', 2],
    ['__proto__=1', 'the key "__proto__" is not allowed', 0],
    [`${'a.'.repeat(256)}b=1`, 'the path has more than 256 steps', 0],
  ])('refuses %j: %s', (text, reason, start) => {
    const { code, message, location, hint } = findingOf(() => parse(text));
    expect(code).toBe('set-syntax');
    expect(message).toBe(`${quote(text)} is not a valid assignment: ${reason}`);
    expect(location).toMatchObject({ file: '--set', range: { start } });
    expect(hint).toContain('write a.b[0].c=value');
  });

  it.each([
    ['a=1,b=2', 3, '--set a=1 --set b=2'],
    ['a.b=1,c[0].d=2,e,f=3', 5, '--set a.b=1 --set c[0].d=2,e --set f=3'],
    ['a={1},b={2}', 5, '--set a={1} --set b={2}'],
  ])('refuses %j, which is several for helm', (text, start, parts) => {
    const [{ message, location, hint } = expect.fail()] = asPrinted([findingOf(() => parse(text))]);
    expect(message).toContain('it holds several assignments');
    expect(location).toMatchObject({ range: { start, end: start + 1 } });
    expect(hint).toBe(`use ${parts}; if it is one value, use --set-string`);
    const value = text.slice(text.indexOf('=') + 1);
    expect(parseAssignment({ path: '--set', text }, 'typed', { keepsSeveral: true }).value).toBe(value);
    expect(parse(text, 'text').value).toBe(value);
  });

  it('reads or refuses any text, and throws nothing but findings', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '0', '.', '[', ']', '=', '\\', '__proto__', 'é', '\0', '😀') });
    fc.assert(
      fc.property(text, fc.constantFrom('typed' as const, 'text' as const), (words, type) => {
        try {
          const { path } = parse(words, type);
          expect(path.length).toBeGreaterThan(0);
          expect(path).not.toContain('__proto__');
        } catch (error) {
          expect(error).toBeInstanceOf(DiagnosticError);
        }
      }),
    );
  });

  it('reads every path that is written with escapes', () => {
    fc.assert(
      fc.property(paths, fc.string(), (path, value) => {
        expect(parse(`${writePath(path)}=${value}`, 'text')).toMatchObject({ path, value });
      }),
    );
  });
});

describe('applyAssignment', () => {
  it.each<[string, Values, Values]>([
    ['a=1', {}, { a: 1 }],
    ['a=1', { a: 0, b: 2 }, { a: 1, b: 2 }],
    ['a.b.c=1', {}, { a: { b: { c: 1 } } }],
    ['a.b=1', { a: { c: 2 } }, { a: { c: 2, b: 1 } }],
    ['a.b=1', { a: null }, { a: { b: 1 } }],
    ['a=null', { a: { b: 1 } }, { a: null }],
    ['a[0]=x', {}, { a: ['x'] }],
    ['a[0]=x', { a: null }, { a: ['x'] }],
    ['a[1]=x', { a: [1, 2, 3] }, { a: [1, 'x', 3] }],
    ['a[2]=x', { a: [1, 2] }, { a: [1, 2, 'x'] }],
    ['a[0].b=x', { a: [{ c: 1 }] }, { a: [{ c: 1, b: 'x' }] }],
    ['a[0][0]=x', {}, { a: [['x']] }],
    ['constructor.name=x', {}, { constructor: { name: 'x' } }],
    ['toString=x', {}, { toString: 'x' }],
  ])('%s on %j', (text, before, after) => {
    expect(applyAssignment(before, parse(text))).toEqual(after);
  });

  it.each<[string, Values, string]>([
    ['a.b=1', { a: 'text' }, '"a" is not an object'],
    ['a.b=1', { a: [1] }, '"a" is not an object'],
    ['a.b.c=1', { a: { b: 0 } }, '"a.b" is not an object'],
    ['a[0]=1', { a: { b: 1 } }, '"a" is not a list'],
    ['a[0]=1', { a: false }, '"a" is not a list'],
    ['a[0].b[1]=1', { a: [{ b: 'x' }] }, '"a[0].b" is not a list'],
    ['a[1]=1', {}, 'index 1 would leave a gap in "a", which has 0 items'],
    ['a.b[3]=1', { a: { b: [1] } }, 'index 3 would leave a gap in "a.b", which has 1 item'],
    ['a[99999999999999999999]=1', { a: [1, 2] }, 'would leave a gap in "a", which has 2 items'],
  ])('rejects %s on %j', (text, values, reason) => {
    const { code, message, location } = findingOf(() => applyAssignment(values, parse(text)));
    expect(code).toBe('set-conflict');
    expect(message).toContain(`cannot apply the assignment ${quote(text)}: `);
    expect(message).toContain(reason);
    expect(location).toEqual({ file: '--set', range: { start: 0, end: text.length } });
  });

  it('sets the value at the path, changes nothing else, and does not modify its input', () => {
    fc.assert(
      fc.property(trees, paths, json, (values, path, value) => {
        const before = structuredClone(values);
        const source = { path: '--set', text: 'x' };
        let after: Values;
        try {
          after = applyAssignment(deepFreeze(values), { path, value, source });
        } catch (error) {
          expect(error).toBeInstanceOf(DiagnosticError);
          return;
        } finally {
          expect(values).toStrictEqual(before);
        }
        expect(path.reduce(stepInto, after)).toBe(value);
        const others = (tree: Values) => Object.entries(tree).filter(([key]) => key !== path[0]);
        expect(others(after)).toEqual(others(values));
      }),
    );
  });

  it('lets the later of two assignments to one path win', () => {
    fc.assert(
      fc.property(paths, json, json, (path, first, second) => {
        const source = { path: '--set', text: 'x' };
        const indexFree = path.filter((step) => typeof step === 'string');
        const once = applyAssignment({}, { path: indexFree, value: second, source });
        const twice = applyAssignment(applyAssignment({}, { path: indexFree, value: first, source }), {
          path: indexFree,
          value: second,
          source,
        });
        expect(twice).toEqual(once);
      }),
    );
  });
});

describe('readValues', () => {
  function read(text: string): { readonly values: Values | undefined; readonly found: readonly Diagnostic[] } {
    const found: Diagnostic[] = [];
    const values = readValues({ path: 'values.yaml', text }, (diagnostic) => void found.push(diagnostic));
    return { values, found };
  }

  it.each<[string, Values]>([
    ['', {}],
    ['# only a comment\n', {}],
    ['---\n---\n', {}],
    ['null\n', {}],
    ['a: 1\nb: {c: [x]}\n', { a: 1, b: { c: ['x'] } }],
    ['---\n---\na: 1\n---\n', { a: 1 }],
    ['{"a": 9007199254740993}', { a: 9007199254740993n }],
    ['a: &x {b: 1}\nc: *x\n', { a: { b: 1 }, c: { b: 1 } }],
  ])('%j', (text, values) => {
    expect(read(text)).toEqual({ values, found: [] });
  });

  it.each<[string, string, number]>([
    ['- a\n', 'a list', 0],
    ['just text\n', 'a string', 0],
    ['12\n', 'a number', 0],
    ['12345678901234567890\n', 'a number', 0],
    ['true\n', 'a boolean', 0],
    ['a: 1\n---\nb: 2\n', '2 documents', 1],
    ['a: 1\n---\n---\n- x\n', '2 documents', 2],
  ])('refuses %j', (text, found, document) => {
    expect(read(text)).toEqual({
      values: undefined,
      found: [
        {
          code: 'values-not-a-mapping',
          severity: 'error',
          message: `a values file must be an object, got ${found}`,
          location: { file: 'values.yaml', document, path: [] },
        },
      ],
    });
  });

  it('detects a colon without a space', () => {
    expect(read('host:x.example.com\n').found[0]?.hint).toBe('put a space after the colon: `key: value`');
  });

  it('passes on findings about the text', () => {
    const { values, found } = read('a: 1\na: 2\n');
    expect(values).toBeUndefined();
    expect(found.map(({ code }) => code)).toEqual(['yaml-duplicate-key']);
  });
});

const key = fc.string({ minLength: 1, maxLength: 4 }).filter((text) => text !== '__proto__');
const paths: fc.Arbitrary<Path> = fc
  .tuple(key, fc.array(fc.oneof(key, fc.nat(2)), { maxLength: 3 }))
  .map((parts) => parts.flat());
const json = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>;
// Few keys, so that paths often exist.
const trees = fc.dictionary(fc.constantFrom('a', 'b', 'c'), json, { noNullPrototype: true }) as fc.Arbitrary<Values>;

function writePath(path: Path): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step.replaceAll(/[.=[\\]/g, String.raw`\$&`)}`))
    .join('')
    .slice(1);
}

function stepInto(tree: Json | undefined, step: string | number): Json | undefined {
  return (tree as JsonObject)[step];
}

function deepFreeze<T extends Json>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const item of Object.values(value)) deepFreeze(item);
  return Object.freeze(value);
}
