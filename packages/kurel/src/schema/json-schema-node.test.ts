import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../model/index.ts';
import { nodeFromJsonSchema } from './index.ts';
import type { SchemaNode } from './index.ts';
import { findDeprecation } from './json-schema-node.ts';

describe('nodeFromJsonSchema', () => {
  it.each<[string, JsonObject, Partial<SchemaNode>]>([
    ['an empty schema', {}, { type: 'any', open: false, nullable: false, required: undefined }],
    ['a list', { type: 'array', items: { type: 'string' } }, { type: 'list' }],
    ['an object without its type', { properties: { a: {} } }, { type: 'object', propertyNames: ['a'] }],
    ['a list without its type', { items: {} }, { type: 'list' }],
    ['an object with any keys without its type', { additionalProperties: {} }, { type: 'object' }],
    ['int-or-string', { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }] }, { type: 'int-or-string' }],
    ['JSON Schema 2020 nullability', { type: ['null', 'integer'] }, { type: 'integer', nullable: true }],
    ['a quantity in the shipped data', { type: 'quantity' }, { type: 'quantity' }],
    ['unknown types', { type: 'tuple' }, { type: 'any' }],
    ['preserved fields', { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, { open: true }],
    ['additionalProperties: true', { type: 'object', additionalProperties: true }, { open: true, values: undefined }],
    [
      'additionalProperties: false',
      { type: 'object', additionalProperties: false },
      { open: false, values: undefined },
    ],
    ['an empty required list', { required: [] }, { required: undefined }],
    ['an invalid entry in required', { required: ['a', 1] }, { required: ['a'] }],
    [
      'list maps',
      { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a', 'b'] },
      { listType: 'map', listMapKeys: ['a', 'b'] },
    ],
    ['an unknown list type', { type: 'array', 'x-kubernetes-list-type': 'bag' }, { listType: undefined }],
    ['atomic objects', { type: 'object', 'x-kubernetes-map-type': 'atomic' }, { mapType: 'atomic' }],
    [
      'merge metadata',
      { 'x-kubernetes-patch-strategy': 'merge,retainKeys', 'x-kubernetes-patch-merge-key': 'name' },
      { patchStrategy: ['merge', 'retainKeys'], patchMergeKey: 'name' },
    ],
    ['numbers', { minimum: 1, maximum: 2n ** 63n, exclusiveMinimum: true }, { minimum: 1, maximum: 2 ** 63 }],
    [
      'rules',
      { 'x-kubernetes-validations': [{ rule: 'self > 1', message: 'm', other: 1 }, { message: 'no rule' }, 7] },
      { rules: [{ rule: 'self > 1', message: 'm' }] },
    ],
    ['a deprecation', { description: 'Old. Deprecated: use b.' }, { deprecated: 'Deprecated: use b.' }],
    ['a null default', { default: null, nullable: true }, { default: null, nullable: true }],
  ])('reads %s', (_, json, facts) => {
    expect(nodeFromJsonSchema(json)).toMatchObject(facts);
  });

  it('returns the same children every time', () => {
    const node = nodeFromJsonSchema({
      properties: { a: { type: 'string' } },
      additionalProperties: { type: 'array', items: { type: 'boolean' } },
    });
    expect(node.property('a')?.type).toBe('string');
    expect(node.property('b')?.items?.type).toBe('boolean');
    expect(node.property('a')).toBe(node.property('a'));
    expect(node.property('b')).toBe(node.values);
    expect(node.property('b')?.items).toBe(node.values?.items);
    expect(nodeFromJsonSchema({ type: 'object' }).property('a')).toBeUndefined();
  });

  it('ignores the members of prototypes', () => {
    const closed = nodeFromJsonSchema({ type: 'object', properties: { a: {} } });
    const own: JsonObject = JSON.parse('{"properties": {"__proto__": {"type": "string"}, "b": null}}');
    const node = nodeFromJsonSchema(own);
    expect(['__proto__', 'constructor', 'toString'].map((name) => closed.property(name))).toEqual(
      Array.from({ length: 3 }),
    );
    expect(node.propertyNames).toEqual(['__proto__', 'b']);
    expect(node.property('__proto__')?.type).toBe('string');
    expect(node.property('b')?.type).toBe('any');
  });

  it('keeps logic separate from descriptions', () => {
    const node = nodeFromJsonSchema({
      type: 'object',
      allOf: [{ required: ['a'] }],
      anyOf: [{ properties: { a: { minimum: 1 } } }, {}],
      oneOf: [],
      not: { required: ['b'] },
    });
    expect(node.logic?.allOf?.[0]?.required).toEqual(['a']);
    expect(node.logic?.anyOf?.[0]?.property('a')?.minimum).toBe(1);
    expect(node.logic?.oneOf).toBeUndefined();
    expect(node.logic?.not?.required).toEqual(['b']);
    expect(node.propertyNames).toEqual([]);
    expect(nodeFromJsonSchema({ type: 'object' }).logic).toBeUndefined();
    expect(nodeFromJsonSchema({ 'x-kubernetes-int-or-string': true, anyOf: [{}] }).logic).toBeUndefined();
  });

  it('implies the fields of every complete object', () => {
    const objectMeta = nodeFromJsonSchema({ properties: { name: { type: 'string' } } });
    const narrow = { properties: { name: { maxLength: 5 } } };
    const root = nodeFromJsonSchema(
      { type: 'object', required: ['spec'], properties: { spec: { type: 'object' }, metadata: { type: 'object' } } },
      { root: true, objectMeta },
    );
    expect(root.propertyNames).toEqual(['apiVersion', 'kind', 'metadata', 'spec']);
    expect(root.required).toEqual(['apiVersion', 'kind', 'spec']);
    expect(root.property('metadata')).toBe(objectMeta);
    expect(root.property('kind')?.type).toBe('string');
    const narrowed = nodeFromJsonSchema({ properties: { metadata: narrow } }, { root: true, objectMeta });
    const metadata = narrowed.property('metadata');
    expect(metadata?.property('name')?.type).toBe('string');
    expect(metadata?.logic?.allOf?.[0]?.property('name')?.maxLength).toBe(5);
    const template = nodeFromJsonSchema({
      properties: {
        template: { 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
      },
    }).property('template');
    expect(template).toMatchObject({ type: 'object', embedded: true, open: true, required: ['apiVersion', 'kind'] });
    expect(template?.property('metadata')).toMatchObject({ type: 'object', open: true });
  });

  it('never throws for JSON', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.oneof(fc.string(), fc.constantFrom(...words)), schemaLike), (json) => {
        expect(visit(nodeFromJsonSchema(json as JsonObject), 6)).toBeGreaterThan(0);
        expect(visit(nodeFromJsonSchema(json as JsonObject, { root: true }), 6)).toBeGreaterThan(0);
      }),
    );
  });
});

const words: readonly string[] = `
  type properties additionalProperties items required enum format nullable default allOf anyOf oneOf not pattern minimum
  description __proto__ metadata a x-kubernetes-int-or-string x-kubernetes-embedded-resource
  x-kubernetes-preserve-unknown-fields x-kubernetes-list-type x-kubernetes-list-map-keys x-kubernetes-validations`.match(
  /\S+/g,
)!;

const { schemaLike } = fc.letrec<{ schemaLike: unknown }>((tie) => ({
  schemaLike: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    fc.constantFrom('object', 'array', 'string', 'merge', 'map'),
    fc.constantFrom(null, true, false, 0, -1, 1n << 70n, 'Deprecated: x', ''),
    fc.jsonValue(),
    fc.array(tie('schemaLike'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...words), tie('schemaLike'), { maxKeys: 4 }),
  ),
}));

/** Reads all properties of a node; returns the number of nodes. */
function visit(node: SchemaNode | undefined, depth: number): number {
  if (node === undefined || depth === 0) return 0;
  expect(node.type).toMatch(/^(?:object|list|string|integer|number|boolean|int-or-string|quantity|any)$/);
  expect([typeof node.deprecated, typeof node.description]).not.toContain('object');
  const { allOf = [], anyOf = [], oneOf = [], not } = node.logic ?? {};
  const fields = [...node.propertyNames, 'nothing'].map((name) => node.property(name));
  const children = [...fields, node.items, node.values, not, ...allOf, ...anyOf, ...oneOf];
  return children.reduce((count, child) => count + visit(child, depth - 1), 1);
}

describe('findDeprecation', () => {
  it.each([
    ['Deprecated: use b.', 'Deprecated: use b.'],
    ['The old way. DEPRECATED: gone soon. More words.', 'DEPRECATED: gone soon.'],
    ['The old way.\n\nDeprecated: use\nb instead.', 'Deprecated: use b instead.'],
    [
      'Deprecated: this API is deprecated in v1.33+. Use discovery.',
      'Deprecated: this API is deprecated in v1.33+. Use discovery.',
    ],
    ['Deprecated. Not all kubelets will set this field.', 'Deprecated. Not all kubelets will set this field.'],
    ['sha is deprecated: use image instead.', 'sha is deprecated: use image instead.'],
    ['This field is deprecated in favor of b.', 'This field is deprecated in favor of b.'],
    ['Deprecated', 'Deprecated'],
  ])('hears %j', (description, sentence) => {
    expect(findDeprecation(description)).toBe(sentence);
  });

  it.each([
    undefined,
    '',
    'deprecated indicates this version of the custom resource API is deprecated.',
    'deprecatedCount is the deprecated field assuring backward compatibility.',
    'Valid options are Retain, Delete and Recycle (deprecated). Recycle must be supported.',
    'The keys caFile and certFile are supported but deprecated. Use ca.crt instead.',
    '`Legacy`: Deprecated. Not supported by default.',
    "For basic auth the secret must contain 'username'.\nSupport for TLS auth using the 'caFile'\nkeys is deprecated. Please use b.",
  ])('does not treat %j as one', (description) => {
    expect(findDeprecation(description)).toBeUndefined();
  });
});
