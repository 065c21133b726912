import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { readJson } from './read-json.ts';
import type { JsonFields } from './read-json.ts';

const fields: JsonFields = { names: ['layers', 'size', 'annotations', 'token', 'dsseEnvelope'], maps: ['annotations'] };

describe('readJson', () => {
  it.each([
    ['{"layers": [], "layers": [1]}', 'duplicate key "layers" at line 1, column 16'],
    ['{"layers": [],\n "l\\u0061yers": [1]}', 'duplicate key "layers" at line 2, column 2'],
    ['{"a": {"b": 1, "b": 1}}', 'duplicate key "b" at line 1, column 16'],
    ['{"Layers": []}', 'the key "Layers" must be spelled "layers" at line 1, column 2'],
    ['{"layers": [], "LAYERS": []}', 'the key "LAYERS" must be spelled "layers" at line 1, column 16'],
    ['{"\u017fize": 1}', 'the key "\u017fize" must be spelled "size" at line 1, column 2'],
    ['{"to\u212Aen": 1}', 'the key "to\u212Aen" must be spelled "token" at line 1, column 2'],
    ['{"dsse_envelope": 1}', 'the key "dsse_envelope" must be spelled "dsseEnvelope" at line 1, column 2'],
    ['{"other": 1, "Other": 2}', 'the keys "other" and "Other" differ only in case at line 1, column 14'],
    ['{"__proto__": {}}', 'the key "__proto__" is not allowed at line 1, column 2'],
    ['{"size": 1e400}', 'number out of range at line 1, column 10'],
    ['{"size": 9007199254740993}', 'integer out of range at line 1, column 10'],
    ['{} {}', 'expected the end of the document, got "{" at line 1, column 4'],
    ['{}\u0000', 'expected the end of the document at line 1, column 3'],
    ['\ufeff{}', 'unexpected byte order mark at line 1, column 1'],
    ['"\\ud83d"', 'half of a character at line 1, column 1'],
    ['"\\ud83d\\u0041"', 'half of a character at line 1, column 1'],
    ['"a\tb"', 'unexpected control character at line 1, column 3'],
    ['"\\x41"', 'invalid escape at line 1, column 2'],
    ['"\\u00g0"', 'invalid escape at line 1, column 2'],
    ['"a', 'expected a closing quote, but the text ends at line 1, column 3'],
    ['', 'expected a value, but the text ends at line 1, column 1'],
    ['<html>', 'expected a value, got "<" at line 1, column 1'],
    ['{"a": NaN}', 'expected a value at line 1, column 7'],
    ['{"a": 01}', 'expected "," or "}" at line 1, column 8'],
    ['{"a": +1}', 'expected a value at line 1, column 7'],
    ['{"a": .5}', 'expected a value at line 1, column 7'],
    ['{"a": 1,}', 'expected a key, got "}" at line 1, column 9'],
    ['[1,]', 'expected a value, got "]" at line 1, column 4'],
    ["{'a': 1}", 'expected a key, got "\'" at line 1, column 2'],
    ['{"a" 1}', 'expected ":" at line 1, column 6'],
    ['// a\n{}', 'expected a value, got "/" at line 1, column 1'],
    ['['.repeat(600) + ']'.repeat(600), 'it is nested more than 512 levels deep at line 1, column 513'],
  ])('refuses %j', (text, reason) => {
    expect(readJson(text, { fields })).toEqual({ reason });
  });

  it('refuses what is not UTF-8, and a byte order mark', () => {
    expect(readJson(Uint8Array.of(0x22, 0xff, 0x22))).toEqual({ reason: 'it is not UTF-8' });
    expect(readJson(Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22))).toEqual({ reason: 'it is not UTF-8' });
    const reason = 'unexpected byte order mark at line 1, column 1';
    expect(readJson(Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d))).toEqual({ reason });
  });

  it('leaves the keys of maps alone', () => {
    const annotations = { size: 'a', Size: 'b', b_c: '1', bc: '2' };
    expect(readJson(JSON.stringify({ annotations }), { fields })).toEqual({ data: { annotations } });
    expect(readJson('{"a": 1, "A": 2}')).toEqual({ data: { a: 1, A: 2 } });
  });

  it('keeps integers and takes the last key where that is wanted', () => {
    expect(readJson('{"a": 18446744073709551615}', { exactIntegers: true })).toEqual({
      data: { a: 18446744073709551615n },
    });
    expect(readJson('{"a": 1, "a": 2}', { lastKeyWins: true })).toEqual({ data: { a: 2 } });
    // Otherwise, converting the digits would take quadratic time.
    expect(readJson('9'.repeat(100_000), { exactIntegers: true })).toMatchObject({ reason: /out of range/ });
  });

  it('reads everything else as JSON.parse does', () => {
    const spaced = fc.constantFrom(undefined, 1, '\t');
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), spaced, (value, space) => {
        const text = JSON.stringify(value, undefined, space);
        const reading = readJson(text);
        if ('data' in reading) expect(reading).toEqual({ data: JSON.parse(text) as unknown });
        else expect(reading.reason).toMatch(/^(?:integer out of range|the key "__proto__")/);
      }),
    );
  });

  it('reads or refuses changed texts as JSON.parse does, unless they mean two things', () => {
    const text = '{"a": [1, -2.5e3, true, null, "x\\n\\u00e9\\/"], "b": {"c": {}, "d": []}}';
    const character = fc.constantFrom(...'{}[]",:\\/u0123e+-. \ttnull\u0000\ufeff\u2028'.split(''));
    fc.assert(
      fc.property(fc.nat(text.length), fc.nat(3), fc.string({ unit: character, maxLength: 4 }), (at, cut, added) => {
        const changed = text.slice(0, at) + added + text.slice(at + cut);
        const reading = readJson(changed);
        const expected = parseIfValid(changed);
        if ('data' in reading) expect(reading).toEqual(expected);
        else if (expected !== undefined) expect(reading.reason).toMatch(/^(?:duplicate key|half of|number out of)/);
      }),
    );
  });
});

function parseIfValid(text: string): { readonly data: unknown } | undefined {
  try {
    return { data: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
