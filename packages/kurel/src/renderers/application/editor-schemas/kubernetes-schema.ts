import type { Json, JsonObject } from '../../../model/index.ts';
import type { SchemaNode, SchemaStore, SchemaType } from '../../../schema/index.ts';
import { findKubernetesField } from '../check-kubernetes.ts';
import type { SchemaMaking } from './field-schema.ts';
import { formatPatterns } from './format-patterns.ts';
import { writeSchema } from './write-schema.ts';
import type { TypeName } from './write-schema.ts';

// Some kinds describe themselves without end.
const deepest = 24;

/** Describes fields of Kubernetes by what a store knows of them. */
export function createKubernetesDescriber(store: SchemaStore): SchemaMaking['describeKubernetes'] {
  return (field, making, words) => {
    const node = findKubernetesField(field, store);
    if (node === undefined) return undefined;
    return describeNode(node, { making, isNullable: words.isNullable, description: words.description, depth: 0 });
  };
}

interface NodePlace {
  readonly making: SchemaMaking;
  readonly isNullable: boolean;
  /** Instead of the one that Kubernetes has. */
  readonly description?: string | undefined;
  readonly depth: number;
}

const types: Readonly<Record<SchemaType, readonly TypeName[]>> = {
  object: ['object'],
  list: ['array'],
  string: ['string'],
  integer: ['integer'],
  number: ['number'],
  boolean: ['boolean'],
  'int-or-string': ['integer', 'string'],
  quantity: ['string', 'number'],
  any: [],
};

function describeNode(node: SchemaNode, place: NodePlace): JsonObject {
  const { making, isNullable, description = node.description } = place;
  const isCut = place.depth > deepest;
  return writeSchema(
    {
      types: types[node.type],
      isNullable,
      description,
      enum: node.enum,
      pattern: patternOf(node),
      more: isCut ? undefined : { ...limitsOf(node), ...insideOf(node, place) },
    },
    making.takesReferences,
  );
}

function patternOf({ type, pattern }: SchemaNode): { readonly pattern: string; readonly demand: string } | undefined {
  if (type === 'quantity') return formatPatterns.quantity;
  // Patterns of CRDs are in the language of Go, of which not all is known to editors.
  if (pattern === undefined || !isPattern(pattern)) return undefined;
  return { pattern, demand: `must match the pattern ${pattern}` };
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u').source !== '';
  } catch {
    return false;
  }
}

function limitsOf(node: SchemaNode): JsonObject {
  const { minimum, maximum, exclusiveMinimum = false, exclusiveMaximum = false } = node;
  const limits: readonly (readonly [string, Json | undefined])[] = [
    [exclusiveMinimum ? 'exclusiveMinimum' : 'minimum', minimum],
    [exclusiveMaximum ? 'exclusiveMaximum' : 'maximum', maximum],
    ['multipleOf', node.multipleOf],
    ['minItems', node.minItems],
    ['maxItems', node.maxItems],
    ['minProperties', node.minProperties],
    ['maxProperties', node.maxProperties],
  ];
  return Object.fromEntries(limits.filter((limit): limit is readonly [string, Json] => limit[1] !== undefined));
}

function insideOf(node: SchemaNode, { making, depth }: NodePlace): JsonObject {
  const inner = { making, depth: depth + 1, isNullable: false };
  if (node.type === 'list') {
    // A list is given as a whole.
    const whole = { ...inner, making: { ...making, isPartial: false } };
    return node.items === undefined ? {} : { items: describeNode(node.items, whole) };
  }
  if (node.type !== 'object') return {};
  const needed = making.isPartial === true ? [] : (node.required ?? []);
  const properties = node.propertyNames.map((name): [string, JsonObject] => {
    const child = node.property(name)!;
    const isAbsent = child.nullIsAbsent === true && needed.includes(name);
    return [name, describeNode(child, { ...inner, isNullable: child.nullable === true && !isAbsent })];
  });
  return {
    ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
    ...(needed.length === 0 ? {} : { required: needed }),
    ...describeRest(node, inner),
  };
}

function describeRest(node: SchemaNode, inner: NodePlace): JsonObject {
  if (node.open === true) return {};
  if (node.values !== undefined) {
    const isNullable = node.values.nullable === true;
    return { additionalProperties: describeNode(node.values, { ...inner, isNullable }) };
  }
  return node.propertyNames.length === 0 ? {} : { additionalProperties: false };
}
