import { describe, expect, it } from 'vitest';

import { bundledSchemas } from '../../host/index.ts';
import { createSchemaStore, fieldAt } from '../../schema/index.ts';
import type { SchemaNode } from '../../schema/index.ts';
import { createCatalog } from './catalog/catalog.ts';
import { describeType } from './describe-type.ts';
import type { Field, Fields } from '../../documents/index.ts';

const catalog = createCatalog();
const store = createSchemaStore({ files: bundledSchemas() });
const handlers = [...catalog.components.values(), ...catalog.traits.values(), ...catalog.policies.values()];

describe('the description of a type', () => {
  it.each(handlers)('$type has every property of its table, and each is described', ({ type, properties }) => {
    const described = describeType(type, { catalog, store })!;
    compare(properties, described.properties, [type]);
  });

  it.each([...catalog.traits.values()])('$type has the properties that a profile can set', ({ type, capability }) => {
    const { rendering } = describeType(type, { catalog, store })!;
    expect(rendering?.propertyNames ?? []).toEqual(Object.keys(capability?.rendering ?? {}));
  });

  it('continues in Kubernetes fields', () => {
    const { properties: schema } = describeType('webservice', { catalog, store })!;
    expect(fieldAt({ schema }, ['env', 'valueFrom', 'secretKeyRef', 'key'])).toMatchObject({ required: true });
  });

  it.each(['nothing', 'constructor', '__proto__', 'Webservice'])('there is no %s', (name) => {
    expect(describeType(name, { catalog, store })).toBeUndefined();
  });
});

function compare(fields: Fields, node: SchemaNode, path: readonly string[]): void {
  const ofAuthor = Object.entries(fields).filter(([, { reserved }]) => reserved !== true);
  expect(node.propertyNames, path.join('.')).toEqual(ofAuthor.map(([key]) => key));
  for (const [key, field] of ofAuthor) compareField(field, node.property(key)!, [...path, key]);
}

function compareField(field: Field, node: SchemaNode, path: readonly string[]): void {
  expect(node.description, path.join('.')).toContain(field.description);
  if (field.kubernetes !== undefined) return;
  if (field.items?.properties !== undefined) compare(field.items.properties, node.items!, path);
  if (field.properties !== undefined) compare(field.properties, node, path);
}
