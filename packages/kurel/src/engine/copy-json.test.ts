import { describe, expect, it } from 'vitest';
import type { Json } from '../model/index.ts';
import { copyJson } from './copy-json.ts';

describe('copyJson', () => {
  it('copies all of it', () => {
    const value = { a: [1, { b: null }], big: 2n ** 70n, text: 'x' };
    const copy = copyJson(value);
    expect(copy).toStrictEqual(value);
    expect(copy).not.toBe(value);
    expect(copy.a).not.toBe(value.a);
    expect(copy.a[1]).not.toBe(value.a[1]);
  });

  it('keeps the order of keys, and treats __proto__ as an ordinary key', () => {
    const copy = copyJson(JSON.parse('{"z": 1, "__proto__": {"x": 1}, "a": 2}') as Json);
    expect(JSON.stringify(copy)).toBe('{"z":1,"__proto__":{"x":1},"a":2}');
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  });

  it('accepts objects without a prototype', () => {
    expect(copyJson(Object.assign(Object.create(null) as object, { a: 1 }) as Json)).toStrictEqual({ a: 1 });
  });

  it('leaves out keys without a value', () => {
    expect(Object.keys(copyJson({ a: undefined, b: 1 } as unknown as { b: Json }))).toEqual(['b']);
  });

  it.each([
    [new Date(0), 'a Date is not plain data'],
    [new Map(), 'a Map is not plain data'],
    [new URL('https://example.com'), 'a URL is not plain data'],
    [() => 1, 'a function is not plain data'],
    [Symbol('x'), 'a symbol is not plain data'],
  ])('rejects %s', (value, message) => {
    expect(() => copyJson({ a: [value] } as unknown as Json)).toThrow(message);
  });
});
