import type { Json, JsonObject } from '../../../model/index.ts';
import { parameterTypes } from '../../../parameters/index.ts';
import type { SchemaStore } from '../../../schema/index.ts';
import { createCatalog } from '../catalog/catalog.ts';
import type { Catalog, Handlers } from '../catalog/catalog.ts';
import type { ComponentDefinition, PolicyDefinition, TraitDefinition } from '../catalog/define.ts';
import type { Field, Fields } from '../documents/field.ts';
import { acceptanceTables } from '../documents/read-acceptances.ts';
import { applicationTables } from '../documents/read-application-document.ts';
import { capabilityTables } from '../documents/read-capability-definition.ts';
import { clusterProfileTables } from '../documents/read-cluster-profile.ts';
import { apiVersion, packageTables } from '../documents/read-document.ts';
import { policyTables } from '../documents/read-policy.ts';
import { createFieldSchema, describeMapping, describeProperties, requiredKeys } from './field-schema.ts';
import type { SchemaMaking } from './field-schema.ts';
import { formatPatterns } from './format-patterns.ts';
import { createKubernetesDescriber } from './kubernetes-schema.ts';
import { shareParts } from './share-parts.ts';
import { writeSchema } from './write-schema.ts';

const { components, policies } = applicationTables.spec.properties;
const component = components.items;
const trait = component.properties.traits.items;
const policy = policies.items;

/** Says what properties each component, trait and policy of an application has. */
function completeApplication(making: SchemaMaking, catalog: Catalog): NonNullable<SchemaMaking['complete']> {
  const sorted = <Definition extends Described>(handlers: ReadonlyMap<string, Definition>): readonly Definition[] =>
    [...handlers.values()].toSorted((a, b) => (a.type < b.type ? -1 : 1));
  const [ofComponents, ofTraits] = [sorted(catalog.components), sorted(catalog.traits)];
  const ofPolicies = sorted(catalog.policies);
  const words = new Map<Field, (schema: JsonObject) => JsonObject>([
    [component, (schema) => decide(schema, ofComponents, (one) => describeOwn(one, making))],
    [trait, (schema) => decide(schema, ofTraits, (one) => describeTrait(one, making))],
    [policy, (schema) => decide(schema, ofPolicies, (one) => describeOwn(one, making))],
    [component.properties.type, () => chooseType(component.properties.type, ofComponents, making)],
    [trait.properties.type, () => chooseType(trait.properties.type, ofTraits, making)],
    // Policies of other types pass with a warning, so that these are only proposed.
    [policy.properties.type, (schema) => ({ anyOf: [{ enum: ofPolicies.map(({ type }) => type) }, schema] })],
  ]);
  return (field, schema) => words.get(field)?.(schema) ?? schema;
}

interface Described {
  readonly type: string;
  readonly summary: string;
}

function chooseType(field: Field, handlers: readonly Described[], { takesReferences }: SchemaMaking): JsonObject {
  const shape = {
    types: ['string'],
    isNullable: false,
    description: field.description,
    enum: handlers.map(({ type }) => type),
    enumDescriptions: handlers.map(({ summary }) => summary),
  } as const;
  return writeSchema(shape, takesReferences);
}

/** The type of an entry decides what its properties are. */
function decide<Definition extends Described>(
  schema: JsonObject,
  handlers: readonly Definition[],
  describe: (handler: Definition) => Holding,
): JsonObject {
  const allOf = handlers.map((handler) => ({
    if: { properties: { type: { const: handler.type } }, required: ['type'] },
    then: describeHolder(describe(handler)),
  }));
  return { ...schema, allOf };
}

/** The documents that have a schema, by the word for each. */
export const documentNames = ['app', 'profile', 'policy', 'package', 'capability', 'acceptances'] as const;

export type DocumentName = (typeof documentNames)[number];

export interface DocumentSchemaOptions {
  /** What is known of the fields of Kubernetes; its descriptions become those of the schema. */
  readonly store: SchemaStore;
  /** Components, traits and policies beside the built-in ones. */
  readonly handlers?: Handlers | undefined;
}

/** The JSON Schema (draft 7) of a document, for editors: everything that can be said without the other documents. */
export function createDocumentSchema(name: DocumentName, { store, handlers }: DocumentSchemaOptions): JsonObject {
  const making: SchemaMaking = { takesReferences: false, describeKubernetes: createKubernetesDescriber(store) };
  return shareParts(makers[name](making, createCatalog(handlers)));
}

type Maker = (making: SchemaMaking, catalog: Catalog) => JsonObject;

const makers: Readonly<Record<DocumentName, Maker>> = {
  app(making, catalog) {
    const authored: SchemaMaking = { ...making, takesReferences: true, isAuthored: true };
    const complete = completeApplication(authored, catalog);
    return describeDocument('An application: app.yaml', applicationTables, { ...authored, complete });
  },
  profile(making, catalog) {
    const complete = completeProfile(making, catalog);
    return describeDocument('How a cluster implements traits: --profile', clusterProfileTables, {
      ...making,
      complete,
    });
  },
  policy: (making) => describeDocument('What a platform allows: --policy', policyTables, making),
  package: (making) => ({
    ...describeDocument('A package and its parameters: kurel.yaml', packageTables, {
      ...making,
      complete: completePackage,
    }),
    definitions: declarationDefinitions,
  }),
  acceptances: (making) => describeDocument('Accepted findings: kurel.accept.yaml', acceptanceTables, making),
  capability: (making) => describeDocument('A trait of a platform: definitions/*.yaml', capabilityTables, making),
};

interface DocumentTables {
  readonly kind: string;
  readonly metadata: Field;
  readonly spec: Field;
}

function describeDocument(title: string, { kind, metadata, spec }: DocumentTables, making: SchemaMaking): JsonObject {
  const body = describeMapping({ type: 'object', properties: { metadata, spec } }, making);
  const { properties, required, ...rest } = body as JsonObject & { readonly required?: readonly string[] };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title,
    type: 'object',
    // The header is what files are told apart by, before anything is filled in.
    properties: { apiVersion: { const: apiVersion }, kind: { const: kind }, ...(properties as JsonObject) },
    required: ['apiVersion', 'kind', ...(required ?? [])],
    ...rest,
  };
}

const { capabilities } = clusterProfileTables.spec.properties;

/** Says what a profile may say of each trait, for all scopes of it. */
function completeProfile(making: SchemaMaking, catalog: Catalog): NonNullable<SchemaMaking['complete']> {
  const traits = [...catalog.traits.values()].toSorted((a, b) => (a.type < b.type ? -1 : 1));
  return (field, schema) => {
    if (field !== capabilities) return schema;
    const known = traits.map((trait): [string, JsonObject] => {
      const holding = describeRendering(trait, making);
      const type: Json = holding.isRequired ? 'object' : ['object', 'null'];
      return [
        trait.type,
        { type, description: trait.summary, ...describeHolder(holding), additionalProperties: false },
      ];
    });
    return {
      ...schema,
      properties: Object.fromEntries(known),
      patternProperties: Object.fromEntries(known.map(([type, one]) => [`^${type}\\.`, one])),
    };
  };
}

const rules: JsonObject = {
  type: { enum: parameterTypes, description: 'what a value is' },
  description: { type: 'string', description: 'what it is for' },
  enum: { type: 'array', minItems: 1, description: 'the values that are allowed' },
  pattern: { type: 'string', description: 'string: a regular expression that a value must match' },
  minimum: { type: 'number', description: 'integer, number: the least that is allowed' },
  maximum: { type: 'number', description: 'integer, number: the most that is allowed' },
  items: { $ref: '#/definitions/part', description: 'array: what each item is' },
  properties: {
    type: 'object',
    description: 'object: what is behind each key',
    additionalProperties: { $ref: '#/definitions/part' },
  },
};

// A rule that has no meaning for the type of a value is an error.
const dependencies: JsonObject = {
  pattern: onlyFor('string'),
  minimum: onlyFor('integer', 'number'),
  maximum: onlyFor('integer', 'number'),
  items: onlyFor('array'),
  properties: onlyFor('object'),
};

function onlyFor(...types: readonly string[]): JsonObject {
  return { properties: { type: { enum: types } } };
}

/** The language that parameters are declared in, which has a reader of its own. */
const declarationDefinitions: JsonObject = {
  parameter: {
    type: 'object',
    properties: {
      name: {
        type: 'string',
        description: 'what app.yaml calls it: ${name}',
        pattern: formatPatterns.identifier.pattern,
        patternErrorMessage: formatPatterns.identifier.demand,
      },
      ...rules,
      required: {
        type: ['boolean', 'array'],
        items: { type: 'string' },
        default: false,
        description: 'whether a value must be given; object: the keys that a value must have',
      },
      default: { description: 'the value when none is given; may refer to parameters above it' },
    },
    required: ['name', 'type'],
    dependencies: {
      ...dependencies,
      required: { if: { properties: { required: { type: 'array' } } }, then: onlyFor('object') },
    },
    additionalProperties: false,
  },
  part: {
    type: 'object',
    properties: {
      ...rules,
      required: { type: 'array', items: { type: 'string' }, description: 'object: keys that must be there' },
    },
    dependencies,
    additionalProperties: false,
  },
};

const { parameters } = packageTables.spec.properties;

function completePackage(field: Field, schema: JsonObject): JsonObject {
  if (field !== parameters) return schema;
  const type: Json = ['array', 'null'];
  return { ...schema, type, items: { $ref: '#/definitions/parameter' } };
}

/** A mapping in a document, whose table is chosen by a type. */
interface Holding {
  /** The key that leads to it. */
  readonly key: 'properties' | 'rendering';
  readonly schema: JsonObject;
  /** Whether there is something in it that must be there. */
  readonly isRequired: boolean;
}

/** The properties of a component or of a policy, which the author alone gives. */
function describeOwn({ type, properties }: ComponentDefinition | PolicyDefinition, making: SchemaMaking): Holding {
  return hold('properties', type, { properties, making });
}

/** The properties of a trait; what the platform may give as well, nobody can miss before the platform is known. */
function describeTrait({ type, properties, capability }: TraitDefinition, making: SchemaMaking): Holding {
  const isGiven = (key: string): boolean => capability === undefined || Object.hasOwn(capability.rendering, key);
  return hold('properties', type, { properties, making, isGiven });
}

/** What a profile may say of a trait: unless the trait says what, whatever an author may say, and as little. */
function describeRendering({ type, properties, capability }: TraitDefinition, making: SchemaMaking): Holding {
  return capability === undefined
    ? hold('rendering', type, { properties, making, isGiven: () => true })
    : hold('rendering', type, { properties: capability.rendering, making });
}

interface Table {
  readonly properties: Fields;
  readonly making: SchemaMaking;
  /** Whether somebody else may give a property, or a part of it. */
  readonly isGiven?: (key: string) => boolean;
}

function hold(key: Holding['key'], type: string, { properties, making: above, isGiven = () => false }: Table): Holding {
  const making = { ...above, takesEmpty: key === 'properties' };
  const required = requiredKeys(properties, making).filter((name) => !isGiven(name));
  const isRequired = required.length > 0;
  const field = { type: 'object', required: isRequired, properties: {} } as const;
  const described = Object.entries(properties).flatMap(([name, property]) =>
    Object.entries(describeProperties({ [name]: property }, { ...making, isPartial: isGiven(name) })),
  );
  const schema = {
    // Editors propose all that is required at once, under this name.
    title: type,
    ...createFieldSchema(field, making, { isProperty: true }),
    properties: Object.fromEntries(described),
    ...(isRequired ? { required } : {}),
  };
  return { key, schema, isRequired };
}

/** The schema of a mapping with the key in it. */
function describeHolder({ key, schema, isRequired }: Holding): JsonObject {
  return { properties: { [key]: schema }, ...(isRequired ? { required: [key] } : {}) };
}
