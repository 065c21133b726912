import { compareText } from '../../../model/index.ts';
import type { Json, JsonObject } from '../../../model/index.ts';
import type { SchemaStore } from '../../../schema/index.ts';
import { createCatalog } from '../catalog/catalog.ts';
import type { Catalog, Handlers } from '../catalog/catalog.ts';
import type { TraitDefinition } from '../catalog/define.ts';
import type { DocumentTables, Field, Fields } from '../../../documents/index.ts';
import {
  acceptanceTables,
  apiVersion,
  applicationTables,
  capabilityTables,
  clusterProfileTables,
  declarationField,
  fleetTables,
  packageTables,
  partField,
  policyTables,
  ruleTypes,
} from '../../../documents/index.ts';
import { createFieldSchema, describeMapping, describeProperties, requiredKeys } from './field-schema.ts';
import type { SchemaMaking } from './field-schema.ts';
import { describeRelations } from './relation-schema.ts';
import { shareParts } from './share-parts.ts';
import { writeSchema } from './write-schema.ts';

const { components, policies } = applicationTables.spec.properties;
const component = components.items;
const trait = component.properties.traits.items;
const policy = policies.items;

type Complete = NonNullable<SchemaMaking['complete']>;

/** Adds the properties of each component, trait and policy to the schema of an application. */
function completeApplication(making: SchemaMaking, catalog: Catalog): Complete {
  const [ofComponents, ofTraits, ofPolicies] = [
    sortHandlers(catalog.components),
    sortHandlers(catalog.traits),
    sortHandlers(catalog.policies),
  ];
  const describeOwn = (handler: Handler): JsonObject => describeHolder('properties', handler, { making });
  // A property that the profile may set is not required, because the profile is unknown here.
  const describeTrait = (handler: TraitDefinition): JsonObject => {
    const { capability } = handler;
    const isGiven = (key: string): boolean => capability === undefined || Object.hasOwn(capability.rendering, key);
    return describeHolder('properties', handler, { making, isGiven });
  };
  const words = new Map<Field, (schema: JsonObject) => JsonObject>([
    [component, (schema) => decide(schema, ofComponents, describeOwn)],
    [trait, (schema) => decide(schema, ofTraits, describeTrait)],
    [policy, (schema) => decide(schema, ofPolicies, describeOwn)],
    [component.properties.type, () => chooseType(component.properties.type, ofComponents, making)],
    [trait.properties.type, () => chooseType(trait.properties.type, ofTraits, making)],
    // Policies of other types only cause a warning, so the known types are suggestions.
    [policy.properties.type, (schema) => ({ anyOf: [{ enum: ofPolicies.map(({ type }) => type) }, schema] })],
  ]);
  return (field, schema) => words.get(field)?.(schema) ?? schema;
}

interface Handler {
  readonly type: string;
  readonly summary: string;
  readonly properties: Fields;
  readonly relations?: Field['relations'];
}

function sortHandlers<Definition extends Handler>(handlers: ReadonlyMap<string, Definition>): readonly Definition[] {
  return [...handlers.values()].toSorted((a, b) => compareText(a.type, b.type));
}

function chooseType(field: Field, handlers: readonly Handler[], { isAuthored }: SchemaMaking): JsonObject {
  const shape = {
    types: ['string'],
    isNullable: false,
    description: field.description,
    enum: handlers.map(({ type }) => type),
    enumDescriptions: handlers.map(({ summary }) => summary),
  } as const;
  return writeSchema(shape, isAuthored);
}

/** The type of an entry determines its properties. */
function decide<Definition extends Handler>(
  schema: JsonObject,
  handlers: readonly Definition[],
  describe: (handler: Definition) => JsonObject,
): JsonObject {
  const allOf = handlers.map((handler) => ({
    if: { properties: { type: { const: handler.type } }, required: ['type'] },
    then: describe(handler),
  }));
  return { ...schema, allOf };
}

/** The documents with a schema, by name. */
export const documentNames = ['app', 'profile', 'policy', 'package', 'capability', 'acceptances', 'fleet'] as const;

export type DocumentName = (typeof documentNames)[number];

export interface DocumentSchemaOptions {
  /** Schemas of Kubernetes fields; their descriptions are included. */
  readonly store: SchemaStore;
  /** Components, traits and policies in addition to the built-in ones. */
  readonly handlers?: Handlers | undefined;
}

/** The JSON Schema (draft 7) of a document, for editors: all rules that do not depend on other documents. */
export function createDocumentSchema(name: DocumentName, { store, handlers }: DocumentSchemaOptions): JsonObject {
  const { title, tables, complete, definitions = {} } = documents[name];
  const making: SchemaMaking = { isAuthored: name === 'app', store };
  const completing = { ...making, complete: complete?.(making, createCatalog(handlers)) };
  const shared = Object.entries(definitions).map(([key, field]) => [
    key,
    createFieldSchema(field, completing, { isDefinition: true }),
  ]);
  const schema = describeDocument(title, tables, completing);
  return shareParts(shared.length === 0 ? schema : { ...schema, definitions: Object.fromEntries(shared) });
}

interface DescribedDocument {
  readonly title: string;
  readonly tables: DocumentTables;
  readonly complete?: (making: SchemaMaking, catalog: Catalog) => Complete;
  /** Tables that contain themselves. */
  readonly definitions?: Fields;
}

function describeDocument(title: string, { kind, metadata, spec }: DocumentTables, making: SchemaMaking): JsonObject {
  const body = describeMapping({ type: 'object', properties: { metadata, spec } }, making);
  const { properties, required, ...rest } = body as JsonObject & { readonly required?: readonly string[] };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title,
    type: 'object',
    // Files are recognized by their header, before references are filled in.
    properties: { apiVersion: { const: apiVersion }, kind: { const: kind }, ...(properties as JsonObject) },
    required: ['apiVersion', 'kind', ...(required ?? [])],
    ...rest,
  };
}

const { capabilities } = clusterProfileTables.spec.properties;

/** Adds the rendering of each trait, for all scopes, to the schema of a profile. */
function completeProfile(making: SchemaMaking, catalog: Catalog): Complete {
  const traits = sortHandlers(catalog.traits);
  return (field, schema) => {
    if (field !== capabilities) return schema;
    const renderings = traits.map((trait): [string, JsonObject] => {
      const holder = describeRendering(trait, making);
      const type: Json = 'required' in holder ? 'object' : ['object', 'null'];
      return [trait.type, { type, description: trait.summary, ...holder, additionalProperties: false }];
    });
    return {
      ...schema,
      properties: Object.fromEntries(renderings),
      patternProperties: Object.fromEntries(renderings.map(([type, rendering]) => [`^${type}\\.`, rendering])),
    };
  };
}

/** The rendering of a trait: its declared properties or, without any, those of the author. None is required. */
function describeRendering(trait: TraitDefinition, making: SchemaMaking): JsonObject {
  const { type, capability } = trait;
  return capability === undefined
    ? describeHolder('rendering', trait, { making, isGiven: () => true })
    : describeHolder('rendering', { type, properties: capability.rendering }, { making });
}

/** Adds the rules of declarations that a table cannot express: a rule that does not apply to the type is an error. */
function completePackage(field: Field, schema: JsonObject): JsonObject {
  if (field !== declarationField && field !== partField) return schema;
  const dependencies = Object.entries(ruleTypes).map(([rule, types]) => [rule, onlyFor(types)]);
  const isList = { properties: { required: { type: 'array' } } };
  const ofRequired = field === partField ? {} : { required: { if: isList, then: onlyFor(['object']) } };
  return { ...schema, dependencies: { ...Object.fromEntries(dependencies), ...ofRequired } };
}

function onlyFor(types: readonly string[]): JsonObject {
  return { properties: { type: { enum: types } } };
}

const documents: Readonly<Record<DocumentName, DescribedDocument>> = {
  app: { title: 'Application: app.yaml', tables: applicationTables, complete: completeApplication },
  profile: {
    title: 'ClusterProfile, how a platform implements traits: --profile',
    tables: clusterProfileTables,
    complete: completeProfile,
  },
  policy: { title: 'Policy, what a platform allows: --policy', tables: policyTables },
  package: {
    title: 'Package and its parameters: kurel.yaml',
    tables: packageTables,
    complete: () => completePackage,
    definitions: { part: partField },
  },
  acceptances: { title: 'Accepted findings: kurel.accept.yaml', tables: acceptanceTables },
  fleet: { title: 'Fleet, everything a team builds: kurel.fleet.yaml', tables: fleetTables },
  capability: { title: 'CapabilityDefinition of a custom trait: definitions/*.yaml', tables: capabilityTables },
};

interface HolderOptions {
  readonly making: SchemaMaking;
  /** Whether a profile or policy may set a property or part of it. */
  readonly isGiven?: (key: string) => boolean;
}

/** The schema of an object that contains the properties of a type under a key. */
function describeHolder(
  key: 'properties' | 'rendering',
  { type, properties, relations }: Omit<Handler, 'summary'>,
  { making: above, isGiven = () => false }: HolderOptions,
): JsonObject {
  const making = { ...above, takesEmpty: key === 'properties' };
  const required = requiredKeys(properties, making).filter((name) => !isGiven(name));
  const isRequired = required.length > 0;
  const field = { type: 'object', required: isRequired, properties: {} } as const;
  const described = Object.entries(properties).flatMap(([name, property]) =>
    Object.entries(describeProperties({ [name]: property }, { ...making, isPartial: isGiven(name) })),
  );
  const schema = {
    // Editors offer all required properties at once under this title.
    title: type,
    ...createFieldSchema(field, making, { isProperty: true }),
    properties: Object.fromEntries(described),
    ...(isRequired ? { required } : {}),
    // A profile sets only some of the properties.
    ...(key === 'properties' ? describeRelations(relations, { ...making, isGiven }) : {}),
  };
  return { properties: { [key]: schema }, ...(isRequired ? { required: [key] } : {}) };
}
