import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Path } from '../model/index.ts';
import {
  applicationSyntax,
  formatReferencePath,
  parseReferencePath,
  parseTemplate,
  wholeReference,
} from './references.ts';
import type { ReferenceSyntax } from './references.ts';

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
  const texts = (text: string, syntax?: ReferenceSyntax) =>
    parseTemplate(text, syntax).parts.map((part) => (typeof part === 'string' ? part : `<${part.text}>`));

  it.each<[string, readonly string[]]>([
    ['', []],
    ['plain $ {x} text', ['plain $ {x} text']],
    ['${a}', ['<a>']],
    ['${ a.b }', ['<a.b>']],
    ['img:${values.ver}-x', ['img:', '<values.ver>', '-x']],
    ['${a}${b}', ['<a>', '<b>']],
    ['$${a}', ['${a}']],
    ['x$${a}y${b}', ['x${a}y', '<b>']],
    ['$$${a}', ['$', '<a>']],
    ['$$$${a}', ['$${a}']],
    ['x$$$$${a}y$$', ['x$$', '<a>', 'y$$']],
    ['$$${a', ['$$${a']],
    ['${a}$$${b}', ['<a>', '$', '<b>']],
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

  it.each<[string, readonly string[]]>([
    ['', []],
    ['a', ['a']],
    ['${a}', ['<a>']],
    ['${ a }', ['< a >']],
    ['${a\nb}', ['<a\nb>']],
    ['${a["}"]}', ['<a[">', '"]}']],
    ['x${a}y', ['x', '<a>', 'y']],
    ['$${a}${a}', ['${a}', '<a>']],
    ['${a}$${a}', ['<a>', '${a}']],
    ['$${a${b}}', ['${a${b}}']],
    ['$${}$${b', ['$${}$${b']],
    ['$$${a}', ['$', '<a>']],
    ['$$$${a}', ['$${a}']],
    ['$$${}$$$', ['$$${}$$$']],
    ['${a}$ ${b', ['<a>', '$ ${b']],
    ['${}${a}', ['${}', '<a>']],
    ['$a', ['$a']],
  ])('%j in an application', (text, parts) => {
    expect(texts(text, applicationSyntax)).toEqual(parts);
    expect(parseTemplate(text, applicationSyntax).unclosed).toBeUndefined();
  });

  it.each<[string, readonly string[]]>([
    ['${a.b} ${HOME} $${a} $${HOME}', ['<a.b>', ' ${HOME} ${a} ${HOME}']],
    ['$$${a} $$${HOME} $$$${a} $$$${HOME}', ['$', '<a>', ' $${HOME} $${a} $${HOME}']],
    ['${a == b}${a}', ['${a == b}', '<a>']],
    ['${HOME:-"${a}"}', ['${HOME:-"${a}"}']],
    ['$${ a["x"]} ${open', ['${ a["x"]} ${open']],
  ])('%j where only a is a parameter', (text, parts) => {
    const syntax = { isParameter: (name: string) => name === 'a' };
    expect(texts(text, syntax)).toEqual(parts);
    expect(parseTemplate(text, syntax).unclosed).toBeUndefined();
  });

  it('takes linear time for a text full of "${"', () => {
    const text = '${'.repeat(500_000);
    expect(parseTemplate(text).parts).toEqual([text]);
    expect(parseTemplate(text, applicationSyntax).parts).toEqual([text]);
  });

  it.each([
    [{}, ['a', '$', '{', '}', '${', ' ', '"']],
    [applicationSyntax, ['a', '$ ', '{', '}', '${b}', ' ', '"']],
  ])('reads what is written from parts: %j', (syntax, pieces) => {
    const literal = fc.array(fc.constantFrom(...pieces)).map((characters) => characters.join(''));
    const reference = fc.stringMatching(/^[a-z]+$/).filter((name) => name !== '');
    fc.assert(
      fc.property(literal, fc.array(fc.tuple(reference, literal)), (first, rest) => {
        const literals = [first, ...rest.map(([, text]) => text)];
        // Dollar signs before a brace, and before a reference, are doubled.
        const write = (text: string, isBefore: boolean): string =>
          text.replaceAll(isBefore ? /\$+(?=\{|$)/g : /\$+(?=\{)/g, (dollars) => dollars.repeat(2));
        const text = literals
          .map((one, index) => write(one, rest[index] !== undefined) + (rest[index] ? `\${${rest[index][0]}}` : ''))
          .join('');
        const parts = literals.flatMap((one, index) => [one, rest[index] ? `<${rest[index][0]}>` : '']);
        expect(texts(text, syntax)).toEqual(parts.filter((part) => part !== ''));
      }),
    );
  });

  it('reports the ranges of references', () => {
    const { parts } = parseTemplate('a ${b} c ${d}');
    expect(parts.flatMap((part) => (typeof part === 'string' ? [] : [part.range]))).toEqual([
      { start: 2, end: 6 },
      { start: 9, end: 13 },
    ]);
  });

  it('recognises a reference that is the whole string', () => {
    expect(wholeReference(parseTemplate('${a.b}'))?.path).toEqual(['a', 'b']);
    expect(wholeReference(parseTemplate('${a.b} '))).toBeUndefined();
    expect(wholeReference(parseTemplate('$${a.b}'))).toBeUndefined();
    expect(wholeReference(parseTemplate(''))).toBeUndefined();
  });
});
