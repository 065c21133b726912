import type { Json, JsonObject } from '../../../model/index.ts';
import type { SchemaNode } from '../../../schema/index.ts';
import { defined } from '../catalog/present-fields.ts';
import type { Leniency, RewriteRule } from '../../../documents/index.ts';
import { formatPatterns } from './format-patterns.ts';
import { jsonTypes, writeSchema } from './write-schema.ts';
import type { Shape } from './write-schema.ts';

// Some kinds are recursive.
const deepest = 24;

interface NodePlace {
  /** Whether the document may contain parameter references. */
  readonly isAuthored: boolean;
  /** Missing fields may be set elsewhere. */
  readonly isPartial?: boolean | undefined;
  readonly isNullable: boolean;
  /** Overrides the description of Kubernetes. */
  readonly description?: string | undefined;
  readonly depth?: number;
  /** Input accepted in addition to the Kubernetes schema. */
  readonly rewrite?: readonly RewriteRule[] | undefined;
}

function rulesBelow(rules: readonly RewriteRule[], step: string): readonly RewriteRule[] {
  return rules.flatMap(([[first, ...rest], leniency]): RewriteRule[] =>
    first === step || first === '*' ? [[rest, leniency]] : [],
  );
}

function isLenient({ rewrite = [] }: NodePlace, wanted: Leniency): boolean {
  return rewrite.some(([steps, leniency]) => steps.length === 0 && leniency === wanted);
}

/** The JSON Schema (draft 7) of a Kubernetes field. */
export function describeNode(node: SchemaNode, place: NodePlace): JsonObject {
  const { isAuthored, isNullable, description = node.description, depth = 0 } = place;
  return writeSchema(
    {
      types: isLenient(place, 'as-text') ? ['string', 'number', 'boolean'] : jsonTypes[node.type],
      isNullable,
      description,
      enum: wordsOf(node, place),
      pattern: patternOf(node),
      more: depth > deepest ? undefined : { ...limitsOf(node), ...insideOf(node, place) },
    },
    isAuthored,
  );
}

function wordsOf({ enum: words }: SchemaNode, place: NodePlace): readonly Json[] | undefined {
  if (words === undefined) return undefined;
  const small = isLenient(place, 'any-case')
    ? words.map((word) => (typeof word === 'string' ? word.toLowerCase() : word))
    : [];
  return [...words, ...small, ...(isLenient(place, 'empty') ? [''] : [])];
}

function patternOf({ type, pattern }: SchemaNode): Shape['pattern'] {
  if (type === 'quantity') return formatPatterns.quantity;
  // Patterns of CRDs use Go syntax, which editors support only in part.
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
  return defined({
    [exclusiveMinimum ? 'exclusiveMinimum' : 'minimum']: minimum,
    [exclusiveMaximum ? 'exclusiveMaximum' : 'maximum']: maximum,
    multipleOf: node.multipleOf,
    minItems: node.minItems,
    maxItems: node.maxItems,
    minProperties: node.minProperties,
    maxProperties: node.maxProperties,
  });
}

function insideOf(node: SchemaNode, place: NodePlace): JsonObject {
  const { isAuthored, isPartial, depth = 0, rewrite = [] } = place;
  const inner = { isAuthored, isPartial, depth: depth + 1, isNullable: false, rewrite: rulesBelow(rewrite, '*') };
  if (node.type === 'list') {
    // A list is replaced as a whole, so its items must be complete.
    return node.items === undefined ? {} : { items: describeNode(node.items, { ...inner, isPartial: false }) };
  }
  if (node.type !== 'object') return {};
  const isWithoutValue = isLenient(place, 'without-value');
  const needed = isPartial === true ? [] : (node.required ?? []).filter((name) => !isWithoutValue || name !== 'value');
  const properties = node.propertyNames.map((name): [string, JsonObject] => {
    const child = node.property(name)!;
    const isAbsent = child.nullIsAbsent === true && needed.includes(name);
    const own = { ...inner, rewrite: rulesBelow(rewrite, name) };
    return [name, describeNode(child, { ...own, isNullable: child.nullable === true && !isAbsent })];
  });
  return defined({
    properties: properties.length === 0 ? undefined : Object.fromEntries(properties),
    required: needed.length === 0 ? undefined : needed,
    additionalProperties: describeRest(node, inner),
  });
}

function describeRest({ open, values, propertyNames }: SchemaNode, inner: NodePlace): Json | undefined {
  if (open === true) return undefined;
  if (values !== undefined) return describeNode(values, { ...inner, isNullable: values.nullable === true });
  return propertyNames.length === 0 ? undefined : false;
}
