import type { JsonObject } from '../../../model/index.ts';
import type { SchemaStore } from '../../../schema/index.ts';
import { createCatalog } from '../catalog/catalog.ts';
import type { Catalog, Handlers } from '../catalog/catalog.ts';
import type { Field } from '../documents/field.ts';
import { acceptanceTables } from '../documents/read-acceptances.ts';
import { applicationTables } from '../documents/read-application-document.ts';
import { capabilityTables } from '../documents/read-capability-definition.ts';
import { clusterProfileTables } from '../documents/read-cluster-profile.ts';
import { apiVersion } from '../documents/read-document.ts';
import { packageTables } from '../documents/read-package-document.ts';
import { policyTables } from '../documents/read-policy.ts';
import { completeApplication } from './complete-application.ts';
import { completeProfile } from './complete-profile.ts';
import { describeMapping } from './field-schema.ts';
import type { SchemaMaking } from './field-schema.ts';
import { createKubernetesDescriber } from './kubernetes-schema.ts';
import { completePackage, declarationDefinitions } from './parameter-declarations.ts';
import { shareParts } from './share-parts.ts';

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
