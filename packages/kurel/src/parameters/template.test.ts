import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Path } from '../model/index.ts';
import { formatReferencePath, parseReferencePath, parseTemplate, wholeReference } from './index.ts';

describe('parseReferencePath', () => {
  it.each<[string, Path | undefined]>([
    ['a', ['a']],
    ['a.b.c', ['a', 'b', 'c']],
    ['a-b.c_d', ['a-b', 'c_d']],
    ['a.items[0].name', ['a', 'items', 0, 'name']],
    ['a[0][1]', ['a', 0, 1]],
    ['labels["app.kubernetes.io/name"]', ['labels', 'app.kubernetes.io/name']],
    ["labels['it''s']", ['labels', "it's"]],
    [String.raw`a["x\"y\\"]`, ['a', 'x"y\\']],
    ['ä.ö', ['ä', 'ö']],
    ['', undefined],
    ['.a', undefined],
    ['a.', undefined],
    ['a..b', undefined],
    ['a|b', undefined],
    ["a == 'x'", undefined],
    ['a b', undefined],
    ['a[', undefined],
    ['a[x]', undefined],
    ['a[-1]', undefined],
    ['a["x]', undefined],
    ['__proto__.x', undefined],
    ['a["__proto__"]', undefined],
  ])('%s', (text, path) => {
    expect(parseReferencePath(text)).toEqual(path);
  });

  it('reads what formatReferencePath writes', () => {
    const step = fc.oneof(
      fc.string({ minLength: 1 }).filter((name) => name !== '__proto__'),
      fc.nat(999_999_999),
    );
    const first = fc.stringMatching(/^[a-z]+$/).filter((name) => name !== '');
    fc.assert(
      fc.property(first, fc.array(step), (head, rest) => {
        const path = [head, ...rest];
        expect(parseReferencePath(formatReferencePath(path))).toEqual(path);
      }),
    );
  });
});

describe('parseTemplate', () => {
  const texts = (text: string) =>
    parseTemplate(text).parts.map((part) => (typeof part === 'string' ? part : `<${part.text}>`));

  it.each<[string, readonly string[]]>([
    ['', []],
    ['plain $ {x} text', ['plain $ {x} text']],
    ['${a}', ['<a>']],
    ['${ a.b }', ['<a.b>']],
    ['img:${values.ver}-x', ['img:', '<values.ver>', '-x']],
    ['${a}${b}', ['<a>', '<b>']],
    ['$${a}', ['${a}']],
    ['x$${a}y${b}', ['x${a}y', '<b>']],
    ['$$${a}', ['$${a}']],
    ['${a["}"]}', ['<a["}"]>']],
    ['${it} is } fine', ['<it>', ' is } fine']],
  ])('%s', (text, parts) => {
    expect(texts(text)).toEqual(parts);
  });

  it.each<[string, number]>([
    ['${a', 0],
    ['x ${a["}"] y', 2],
    ['${a}${b', 4],
    ['${a\n}', 0],
  ])('%j is not closed', (text, unclosed) => {
    expect(parseTemplate(text).unclosed).toBe(unclosed);
  });

  it('tells where references stand', () => {
    const { parts } = parseTemplate('a ${b} c ${d}');
    expect(parts.flatMap((part) => (typeof part === 'string' ? [] : [part.range]))).toEqual([
      { start: 2, end: 6 },
      { start: 9, end: 13 },
    ]);
  });

  it('knows a reference that stands alone', () => {
    expect(wholeReference(parseTemplate('${a.b}'))?.path).toEqual(['a', 'b']);
    expect(wholeReference(parseTemplate('${a.b} '))).toBeUndefined();
    expect(wholeReference(parseTemplate('$${a.b}'))).toBeUndefined();
    expect(wholeReference(parseTemplate(''))).toBeUndefined();
  });
});
