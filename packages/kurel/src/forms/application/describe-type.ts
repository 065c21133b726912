import type { Json } from '../../model/index.ts';
import type { SchemaNode, SchemaStore, SchemaType } from '../../schema/index.ts';
import type { Catalog } from './catalog/catalog.ts';
import type { TraitDefinition } from './catalog/define.ts';
import { findKubernetesField } from './check-kubernetes.ts';
import type { Field, Fields, FieldType, KubernetesField } from './documents/field.ts';

/** A component, a trait or a policy in the words that kinds of Kubernetes are described in. */
export interface DescribedType {
  readonly category: 'component' | 'trait' | 'policy';
  readonly type: string;
  readonly summary: string;
  /** What an author may write. */
  readonly properties: SchemaNode;
  /** Of a trait: what a profile may say as the rendering of its capability. */
  readonly rendering?: SchemaNode | undefined;
}

/** What is known of a type; `undefined` when there is none. Properties that are fields of Kubernetes go on as the store has them. */
export function describeType(
  name: string,
  { catalog, store }: { readonly catalog: Catalog; readonly store: SchemaStore },
): DescribedType | undefined {
  const component = catalog.components.get(name);
  const trait = catalog.traits.get(name);
  const found = component ?? trait ?? catalog.policies.get(name);
  if (found === undefined) return undefined;
  const { type, summary } = found;
  return {
    category: component === undefined ? (trait === undefined ? 'policy' : 'trait') : 'component',
    type,
    summary,
    properties: createNode({ type: 'object', description: summary, properties: ofAuthor(found.properties) }, store),
    rendering: trait === undefined ? undefined : describeRendering(trait, store),
  };
}

/** What only the platform may give stands in the rendering. */
function ofAuthor(properties: Fields): Fields {
  return Object.fromEntries(Object.entries(properties).filter(([, { reserved }]) => reserved !== true));
}

function describeRendering({ capability }: TraitDefinition, store: SchemaStore): SchemaNode | undefined {
  const { rendering = {} } = capability ?? {};
  if (Object.keys(rendering).length === 0) return undefined;
  return createNode({ type: 'object', description: 'what a profile may say', properties: rendering }, store);
}

const types: Readonly<Record<FieldType, SchemaType>> = {
  string: 'string',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  array: 'list',
  object: 'object',
  quantity: 'quantity',
  // Whatever is written there is read as a text.
  scalar: 'string',
  any: 'any',
};

function createNode(field: Field, store: SchemaStore): SchemaNode {
  const known = field.kubernetes === undefined ? undefined : findKubernetesField(field.kubernetes, store);
  return known === undefined ? nodeOfTable(field, store) : nodeOfKubernetes(known, field);
}

function nodeOfTable(field: Field, store: SchemaStore): SchemaNode {
  const { type, enum: words, format, minimum, maximum, minItems, properties = {}, items, open } = field;
  const inside = (inner: Field | undefined): SchemaNode | undefined =>
    inner === undefined ? undefined : createNode(inner, store);
  const isFree = open?.type === 'any';
  return {
    type: types[type],
    description: describe(field),
    enum: words,
    format,
    default: isEmpty(field.default) ? undefined : field.default,
    minimum,
    maximum,
    minItems,
    required: requiredOf(properties),
    open: isFree,
    property: (name) => inside(Object.hasOwn(properties, name) ? properties[name] : isFree ? undefined : open),
    propertyNames: Object.keys(properties),
    values: isFree ? undefined : inside(open),
    items: inside(items),
  };
}

/** The field of Kubernetes, with what its property says of itself. */
function nodeOfKubernetes(node: SchemaNode, field: Field): SchemaNode {
  return {
    type: node.type,
    description: describe(field),
    enum: node.enum,
    format: node.format,
    default: isEmpty(field.default) ? node.default : (field.default ?? node.default),
    pattern: node.pattern,
    minimum: node.minimum,
    maximum: node.maximum,
    required: node.required,
    open: node.open,
    property: (name) => node.property(name),
    propertyNames: node.propertyNames,
    values: node.values,
    items: node.items,
  };
}

function requiredOf(properties: Fields): readonly string[] {
  return Object.entries(properties).flatMap(([key, { required, policyDefault }]) =>
    required === true && policyDefault === undefined ? [key] : [],
  );
}

function describe({ description = '', kubernetes, policyDefault }: Field): string | undefined {
  const place = kubernetes === undefined ? '' : ` (${formatPlace(kubernetes)})`;
  const otherwise = policyDefault === undefined ? '' : `; a policy may give the default (${policyDefault})`;
  const words = `${description}${place}${otherwise}`;
  return words === '' ? undefined : words;
}

/** In the words that `kurel schema show` takes. */
function formatPlace([apiVersion, kind, ...path]: KubernetesField): string {
  return [apiVersion.includes('/') ? `${apiVersion}/${kind}` : kind, ...path].join('.');
}

function isEmpty(value: Json | undefined): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
