import { isJsonArray } from '../../packages/kurel/src/model/index.ts';
import type { Json, JsonObject } from '../../packages/kurel/src/model/index.ts';
import type { KindSchema, SchemaLogic, SchemaNode } from '../../packages/kurel/src/schema/index.ts';

type Draft = Record<string, Json>;

interface Export {
  /** A type of Kubernetes itself that has no fields takes any. */
  readonly isBuiltIn: boolean;
  readonly definitions: Draft;
  readonly names: Readonly<Record<'plain' | 'nullable', Map<SchemaNode, string>>>;
}

// The words that mean the same in JSON Schema (draft 4, where exclusiveMinimum is a boolean too).
const constraints = [
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
] as const;

const types = {
  object: { type: 'object' },
  list: { type: 'array' },
  string: { type: 'string' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  'int-or-string': { type: ['integer', 'string'] },
  quantity: {
    type: ['string', 'number'],
    // From the documentation of resource.Quantity.
    pattern: String.raw`^[+-]?(\d+(\.\d*)?|\.\d+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?$`,
  },
  scalar: { type: ['string', 'number', 'boolean'] },
  any: {},
  none: { not: {} },
} as const;

/** The schema of a kind as kubeconform reads it, strict: what is not described is refused. */
export function exportJsonSchema({ schema, source }: KindSchema): JsonObject {
  const whole: Export = {
    isBuiltIn: source.startsWith('Kubernetes '),
    definitions: {},
    names: { plain: new Map(), nullable: new Map() },
  };
  const root = exportNode(whole, schema, false);
  return { $schema: 'http://json-schema.org/draft-04/schema#', ...root, definitions: whole.definitions };
}

function exportNode(whole: Export, node: SchemaNode, nullable = node.nullable === true): JsonObject {
  if (node.propertyNames.length === 0) return describe(whole, node, nullable);
  const names = whole.names[nullable ? 'nullable' : 'plain'];
  const known = names.get(node);
  if (known !== undefined) return { $ref: `#/definitions/${known}` };
  // Named before its fields are looked at: JSONSchemaProps has fields of its own kind.
  const name = `${nullable ? 'n' : 'd'}${names.size}`;
  names.set(node, name);
  whole.definitions[name] = describe(whole, node, nullable);
  return { $ref: `#/definitions/${name}` };
}

function describe(whole: Export, node: SchemaNode, nullable: boolean): JsonObject {
  const draft: Draft = { ...constrain(node), ...describeFields(whole, node) };
  if (node.items !== undefined) draft['items'] = exportNode(whole, node.items);
  Object.assign(draft, exportLogic(node.logic));
  return nullable ? allowNull(draft) : draft;
}

function constrain(node: SchemaNode): Draft {
  const draft: Draft = { ...types[node.type] };
  if (node.type !== 'quantity' && node.type !== 'int-or-string' && node.format !== undefined) {
    draft['format'] = node.format;
  }
  for (const word of constraints) {
    const value = node[word];
    if (value !== undefined && value !== false) draft[word] = value;
  }
  if (node.enum !== undefined) draft['enum'] = node.enum;
  if (node.required !== undefined && node.required.length > 0) draft['required'] = node.required;
  return draft;
}

function describeFields(whole: Export, node: SchemaNode): Draft {
  if (node.type !== 'object') return {};
  const properties: Draft = {};
  for (const name of node.propertyNames) {
    const field = node.property(name)!;
    const isMissing = field.nullIsAbsent === true && node.required?.includes(name) === true;
    properties[name] = exportNode(whole, field, field.nullable === true && !isMissing);
  }
  const isOpen = node.open === true || (whole.isBuiltIn && node.propertyNames.length === 0);
  return { properties, additionalProperties: node.values === undefined ? isOpen : exportNode(whole, node.values) };
}

/** Alternatives only constrain: what they do not name is still allowed. */
function exportLogic(logic: SchemaLogic | undefined): Draft {
  if (logic === undefined) return {};
  const draft: Draft = {};
  for (const word of ['allOf', 'anyOf', 'oneOf'] as const) {
    const nodes = logic[word];
    if (nodes !== undefined) draft[word] = nodes.map(exportConstraint);
  }
  if (logic.not !== undefined) draft['not'] = exportConstraint(logic.not);
  return draft;
}

function exportConstraint(node: SchemaNode): JsonObject {
  const draft: Draft = { ...constrain(node), ...exportLogic(node.logic) };
  if (node.propertyNames.length > 0) {
    const fields = node.propertyNames.map((name) => [name, exportConstraint(node.property(name)!)] as const);
    draft['properties'] = Object.fromEntries(fields);
  }
  if (node.values !== undefined) draft['additionalProperties'] = exportConstraint(node.values);
  if (node.items !== undefined) draft['items'] = exportConstraint(node.items);
  return draft;
}

function allowNull({ type, enum: words, ...draft }: Draft): JsonObject {
  return {
    ...(type === undefined ? {} : { type: [...(isJsonArray(type) ? type : [type]), 'null'] }),
    ...(isJsonArray(words) ? { enum: [...words, null] } : {}),
    ...draft,
  };
}
