import { describeRelation } from '../../schema/index.ts';
import type { SchemaNode, SchemaStore } from '../../schema/index.ts';
import type { Catalog } from './catalog/catalog.ts';
import { findKubernetesField } from './check-kubernetes.ts';
import { listGroups, schemaTypeOf, shownDefault } from '../../documents/index.ts';
import type { Field, Fields, KubernetesField } from '../../documents/index.ts';

/** A component, trait or policy, described with the same schema nodes as Kubernetes kinds. */
export interface DescribedType {
  readonly category: 'component' | 'trait' | 'policy';
  readonly type: string;
  readonly summary: string;
  /** Properties that an author can set. */
  readonly properties: SchemaNode;
  /** Names of the properties by heading, common ones first. */
  readonly groups: readonly PropertyGroup[];
  /** For traits: properties that a profile can set as the rendering of the capability. */
  readonly rendering?: SchemaNode | undefined;
}

export interface PropertyGroup {
  /** `undefined` for the common properties. */
  readonly title: string | undefined;
  readonly names: readonly string[];
}

/** The description of a type; `undefined` if it does not exist. Below Kubernetes fields it continues with the schemas of the store. */
export function describeType(
  name: string,
  { catalog, store }: { readonly catalog: Catalog; readonly store: SchemaStore },
): DescribedType | undefined {
  const component = catalog.components.get(name);
  const trait = catalog.traits.get(name);
  const handler = component ?? trait ?? catalog.policies.get(name);
  if (handler === undefined) return undefined;
  const { type, summary } = handler;
  const properties = ofAuthor(handler.properties);
  const { relations = [] } = component ?? trait ?? {};
  const { rendering = {} } = trait?.capability ?? {};
  return {
    category: component === undefined ? (trait === undefined ? 'policy' : 'trait') : 'component',
    type,
    summary,
    properties: createNode({ type: 'object', description: summary, properties, relations }, store),
    groups: listGroups(properties).map(({ group, fields }) => ({ title: group, names: Object.keys(fields) })),
    rendering:
      Object.keys(rendering).length === 0
        ? undefined
        : createNode(
            { type: 'object', description: 'Properties that a profile can set.', properties: rendering },
            store,
          ),
  };
}

/** Reserved properties appear in the rendering instead. */
function ofAuthor(properties: Fields): Fields {
  return Object.fromEntries(Object.entries(properties).filter(([, { reserved }]) => reserved !== true));
}

function createNode(field: Field, store: SchemaStore): SchemaNode {
  const node = field.kubernetes === undefined ? undefined : findKubernetesField(field.kubernetes, store);
  return node === undefined ? nodeOfTable(field, store) : nodeOfKubernetes(node, field);
}

function nodeOfTable(field: Field, store: SchemaStore): SchemaNode {
  const { enum: words, format, minimum, maximum, minItems, properties = {}, items, open } = field;
  const inside = (inner: Field | undefined): SchemaNode | undefined =>
    inner === undefined ? undefined : createNode(inner, store);
  const isFree = open?.type === 'any';
  return {
    // A scalar is read as a string, however it is written.
    type: field.type === 'scalar' ? 'string' : schemaTypeOf(field.type),
    description: describe(field),
    enum: words,
    format,
    default: shownDefault(field),
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

/** The Kubernetes field, with the description of the property. */
function nodeOfKubernetes(node: SchemaNode, field: Field): SchemaNode {
  return {
    type: node.type,
    description: describe(field),
    enum: node.enum,
    format: node.format,
    default: shownDefault(field) ?? node.default,
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

function describe({ description = '', kubernetes, policyDefault, relations = [] }: Field): string | undefined {
  const sentences = [
    description,
    ...relations.map((relation) => describeRelation(relation)),
    kubernetes === undefined ? '' : `See ${formatPlace(kubernetes)}.`,
    policyDefault === undefined ? '' : `A policy can set the default (${policyDefault}).`,
  ];
  const text = sentences.filter((sentence) => sentence !== '').join(' ');
  return text === '' ? undefined : text;
}

/** As an argument of `kurel schema show`. */
function formatPlace([apiVersion, kind, ...path]: KubernetesField): string {
  return [apiVersion.includes('/') ? `${apiVersion}/${kind}` : kind, ...path].join('.');
}
