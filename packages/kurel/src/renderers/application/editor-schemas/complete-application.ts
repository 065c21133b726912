import type { JsonObject } from '../../../model/index.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Field } from '../documents/field.ts';
import { applicationTables } from '../documents/read-application-document.ts';
import type { SchemaMaking } from './field-schema.ts';
import { describeHolder, describeOwn, describeTrait } from './type-schemas.ts';
import type { Holding } from './type-schemas.ts';
import { writeSchema } from './write-schema.ts';

const { components, policies } = applicationTables.spec.properties;
const component = components.items;
const trait = component.properties.traits.items;
const policy = policies.items;

/** Says what properties each component, trait and policy of an application has. */
export function completeApplication(making: SchemaMaking, catalog: Catalog): NonNullable<SchemaMaking['complete']> {
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
