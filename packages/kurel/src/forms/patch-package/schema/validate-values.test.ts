import { describe, expect, it } from 'vitest';
import type { Diagnostic, Json, JsonObject } from '../../../model/index.ts';
import { formatReferencePath } from '../../../parameters/index.ts';
import { castValues } from './cast-values.ts';
import { validateValues } from './validate-values.ts';
import { asPrinted } from '../../../../test/format-printed.ts';

/** Messages with the place that they are located at, when that is not `p` itself. */
function check(value: Json, schema: Json): readonly string[] {
  const found: Diagnostic[] = [];
  const locate = (path: readonly (string | number)[]) => ({ file: formatReferencePath(path) });
  const isFine = validateValues(
    { p: value },
    { properties: { p: schema } },
    { report: (one) => found.push(one), locate },
  );
  expect(isFine).toBe(found.length === 0);
  return asPrinted(found).map(({ message, location, hint }) => {
    const place = location?.file === 'p' ? '' : ` @${location?.file ?? ''}`;
    return `${message}${place}${hint === undefined ? '' : ` → ${hint}`}`;
  });
}

const size = '^[0-9]+[KMGT]i$';

describe('a value that must be a string', () => {
  it.each([
    ['parameters.yaml', 'p', 'use quotes: "2"'],
    ['--set[0]', 'p', 'pass it as a string: --set-string p=2'],
    ['--set[1]', 'a.b', 'pass it as a string: --set-string'],
  ])('given in %s as %s', (file, name, expected) => {
    const found: Diagnostic[] = [];
    const report = (one: Diagnostic): void => void found.push(one);
    const schema = { properties: { [name]: { type: 'string' } } };
    validateValues({ [name]: 2 }, schema, { report, locate: () => ({ file }) });
    expect(asPrinted(found).map(({ hint }) => hint)).toEqual([expected]);
  });
});

describe('the words of the design', () => {
  it.each<readonly [string, Json, JsonObject, readonly string[]]>([
    ['a pattern', '10GB', { pattern: size }, [`p "10GB" doesn't match pattern "${size}"`]],
    ['a type', 'three', { type: 'integer' }, ['p: expected integer, got string']],
    ['a minimum', -1, { type: 'integer', minimum: 0 }, ['p: -1 is less than minimum 0']],
  ])('%s', (_, value, schema, expected) => {
    expect(check(value, schema)).toEqual(expected);
  });
});

describe('each word of a schema', () => {
  it.each<readonly [JsonObject, Json, readonly string[]]>([
    [{ type: 'string' }, 1.25, ['p: expected string, got number → use quotes: "1.25"']],
    [{ type: 'string' }, true, ['p: expected string, got boolean → use quotes: "true"']],
    [{ type: 'string' }, null, ['p: expected string, got null → set a value, or remove the line']],
    [{ type: ['integer', 'string'] }, [], ['p: expected integer or string, got array']],
    [{ type: 'integer' }, 1.5, ['p: expected integer, got number']],
    [{ type: 'integer' }, 2n ** 70n, []],
    [{ type: 'number' }, 3, []],
    [{ type: 'object' }, { a: 1 }, []],
    [{ type: 'null' }, null, []],
    [{ maximum: 10 }, 11, ['p: 11 is greater than maximum 10']],
    [{ maximum: 10 }, 2n ** 70n, ['p: 1180591620717411303424 is greater than maximum 10']],
    [{ minimum: 10 }, 'text', []],
    [{ exclusiveMinimum: 1 }, 1, ['p must be greater than 1, got 1']],
    [{ exclusiveMaximum: 1 }, 1, ['p must be less than 1, got 1']],
    [{ multipleOf: 5 }, 12, ['p must be a multiple of 5, got 12']],
    [{ multipleOf: 0.1 }, 0.3, []],
    [{ minLength: 2 }, '😀', ['p must have at least 2 characters, got 1']],
    [{ maxLength: 1 }, 'ab', ['p must have at most 1 character, got 2']],
    [{ pattern: '(?=a)' }, 'b', []],
    [{ pattern: 'b', default: 'abc' }, 'a', ['p "a" doesn\'t match pattern "b" → the default is "abc"']],
    [{ enum: ['a', 'b', 3] }, 'c', ['p must be "a", "b" or 3, got "c"']],
    [{ enum: ['Always', 'Never'] }, 'always', ['p must be "Always" or "Never", got "always" → did you mean "Always"?']],
    [{ enum: [80] }, 80n, []],
    [{ const: { a: [1] } }, { a: [1] }, []],
    [{ const: 1 }, 2, ['p must be 1, got 2']],
    [{ items: { type: 'string' } }, ['a', 1], ['p[1]: expected string, got integer @p[1] → use quotes: "1"']],
    [{ items: [{ type: 'string' }], additionalItems: false }, ['a', 1], ['unknown parameter "p[1]" @p[1]']],
    [{ minItems: 1 }, [], ['p must have at least 1 item, got none']],
    [{ maxItems: 1 }, [1, 2], ['p must have at most 1 item, got 2']],
    [
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      ['duplicate object in p @p[1]'],
    ],
    [{ contains: { const: 1 } }, [2], ['p must contain an item that matches "contains" in its schema']],
    [{ contains: { const: 1 } }, [2, 1], []],
    [{ required: ['a'] }, { a: null }, []],
    [
      { required: ['a'], properties: { a: { type: 'string' } } },
      { a: null },
      ['required parameter "p.a" is missing @p.a → set it with --values or --set p.a=…'],
    ],
    [
      { required: ['a', 'b'] },
      { a: 1 },
      ['required parameter "p.b" is missing @p.b → set it with --values or --set p.b=…'],
    ],
    [
      { properties: { size: {} }, additionalProperties: false },
      { siez: 1 },
      ['unknown parameter "p.siez" @p.siez → did you mean p.size?'],
    ],
    [{ additionalProperties: { type: 'integer' } }, { a: 'x' }, ['p.a: expected integer, got string @p.a']],
    [{ patternProperties: { '^x-': { type: 'integer' } }, additionalProperties: false }, { 'x-a': 1 }, []],
    [
      { patternProperties: { '^x-': { type: 'integer' } } },
      { 'x-a': '' },
      ['p.x-a: expected integer, got string @p.x-a'],
    ],
    [{ propertyNames: { maxLength: 1 } }, { ab: 1 }, ['key "ab" must have at most 1 character @p.ab']],
    [{ minProperties: 1 }, {}, ['p must have at least 1 field, got none']],
    [{ maxProperties: 1 }, { a: 1, b: 1 }, ['p must have at most 1 field, got 2']],
    [
      { dependencies: { a: ['b'] } },
      { a: 1 },
      ['required parameter "p.b" is missing @p.b → set it with --values or --set p.b=…'],
    ],
    [{ dependencies: { a: { maxProperties: 1 } } }, { a: 1, b: 1 }, ['p must have at most 1 field, got 2']],
    [{ dependencies: { a: ['b'] } }, { c: 1 }, []],
    [
      { allOf: [{ minimum: 1 }, { maximum: -1 }] },
      0,
      ['p: 0 is less than minimum 1', 'p: 0 is greater than maximum -1'],
    ],
    [{ anyOf: [{ type: 'integer' }, { type: 'boolean' }] }, 'x', ['p: expected integer or boolean, got string']],
    [{ anyOf: [{ const: '' }, { type: 'integer', minimum: 0 }] }, -1, ['p: -1 is less than minimum 0']],
    [{ anyOf: [{ const: '' }, { type: 'integer', minimum: 0 }] }, 'x', ['p: expected integer, got string']],
    [{ anyOf: [{ const: '' }, { type: 'integer' }] }, '', []],
    [{ anyOf: [{ type: 'string', pattern: '^a' }, { type: 'integer' }] }, 'b', ['p "b" doesn\'t match pattern "^a"']],
    [
      { anyOf: [{ minimum: 5 }, { maximum: 1 }] },
      3,
      [
        'p must match at least one of 2 alternatives → alternative 1: p: 3 is less than minimum 5\nalternative 2: p: 3 is greater than maximum 1',
      ],
    ],
    [{ oneOf: [{ minimum: 1 }, { maximum: 5 }] }, 3, ['p must match only one of 2 alternatives']],
    [{ oneOf: [{ type: 'integer' }] }, '', ['p: expected integer, got string']],
    [{ not: { const: 'admin' } }, 'admin', ['p must not be "admin"']],
    [{ if: { type: 'integer' }, then: { minimum: 1 }, else: { type: 'string' } }, 0, ['p: 0 is less than minimum 1']],
    [{ if: { type: 'integer' }, then: { minimum: 1 }, else: { type: 'string' } }, 'a', []],
    [
      { $ref: '#/properties/p/definitions/port', definitions: { port: { maximum: 9 } } },
      10,
      ['p: 10 is greater than maximum 9'],
    ],
    [{ $ref: '#/nowhere' }, 10, []],
    [{ $ref: 'https://example.com/schema' }, 10, []],
    [{ minimum: null, type: 'nonsense', items: 3, enum: 'x' }, 1, []],
  ])('%o takes %o', (schema, value, expected) => {
    expect(check(value, schema)).toEqual(expected);
  });

  it('schemas that are true or false', () => {
    expect(check(1, true)).toEqual([]);
    expect(check(1, false)).toEqual(['unknown parameter "p"']);
  });

  it('shows a value with several problems in full', () => {
    const schema = { properties: { a: { type: 'integer' }, b: { items: { enum: ['x'] } } }, required: ['c'] };
    expect(check({ a: '', b: ['x', 'z'] }, schema)).toHaveLength(3);
  });
});

describe('hostile schemas', () => {
  it.each<readonly [string, JsonObject]>([
    ['a circle of references', { $ref: '#/properties/p' }],
    ['a circle in forms', { allOf: [{ $ref: '#/properties/p' }] }],
    [
      'cycles that double',
      { anyOf: [{ $ref: '#/properties/p' }, { $ref: '#/properties/p' }, { not: { $ref: '#/properties/p' } }] },
    ],
  ])('%s', (_, schema) => {
    expect(check(1, schema)).toEqual(['the parameter schema is too complex to validate values @']);
  });

  it('prototypes', () => {
    const schema = JSON.parse(
      '{"properties":{"__proto__":{"type":"integer"},"a":{}},"required":["toString"]}',
    ) as JsonObject;
    const value = JSON.parse('{"__proto__":"x","constructor":1}') as JsonObject;
    expect(check(value, schema).map((message) => message.split(' @')[0])).toEqual([
      'required parameter "p.toString" is missing',
      'p.__proto__: expected integer, got string',
    ]);
  });
});

describe('texts become what the schema says', () => {
  it.each<readonly [Json, JsonObject, Json]>([
    ['3', { type: 'integer' }, 3],
    ['-3', { type: 'integer' }, -3],
    ['+3', { type: ['integer', 'null'] }, 3],
    ['12345678901234567890', { type: 'integer' }, 12345678901234567890n],
    ['3.5', { type: 'integer' }, '3.5'],
    ['3.5', { type: 'number' }, 3.5],
    ['1e3', { type: 'number' }, 1000],
    ['1e999', { type: 'number' }, '1e999'],
    ['three', { type: 'integer' }, 'three'],
    ['', { type: 'integer' }, ''],
    ['0x10', { type: 'integer' }, '0x10'],
    ['true', { type: 'boolean' }, true],
    ['False', { type: 'boolean' }, false],
    ['yes', { type: 'boolean' }, 'yes'],
    ['3', { type: 'string' }, '3'],
    ['3', { type: ['integer', 'string'] }, '3'],
    ['3', {}, '3'],
    ['3', { anyOf: [{ const: '' }, { type: 'integer' }] }, 3],
    ['', { anyOf: [{ const: '' }, { type: 'integer' }] }, ''],
    ['3', { anyOf: [{ const: '3' }, { type: 'integer' }] }, '3'],
    [3, { type: 'boolean' }, 3],
    [{ a: '1', b: '1' }, { properties: { a: { type: 'integer' } } }, { a: 1, b: '1' }],
    [{ a: '1' }, { additionalProperties: { type: 'integer' } }, { a: 1 }],
    [['1', '2'], { items: { type: 'integer' } }, [1, 2]],
    [['1', '2'], { items: [{ type: 'integer' }] }, [1, '2']],
  ])('%o in %o', (value, schema, expected) => {
    expect(castValues({ p: value }, { properties: { p: schema } })).toEqual({ p: expected });
  });

  it('nothing is copied when nothing changes', () => {
    const values = { a: { b: ['x', 1] } };
    expect(castValues(values, { properties: { a: { properties: { b: { items: { type: 'integer' } } } } } })).toBe(
      values,
    );
  });
});
