import type { JsonObject } from '../../../model/index.ts';
import type { ComponentDefinition, PolicyDefinition, TraitDefinition } from '../catalog/define.ts';
import type { Fields } from '../documents/field.ts';
import { createFieldSchema, describeProperties, requiredKeys } from './field-schema.ts';
import type { SchemaMaking } from './field-schema.ts';

/** A mapping in a document, whose table is chosen by a type. */
export interface Holding {
  /** The key that leads to it. */
  readonly key: 'properties' | 'rendering';
  readonly schema: JsonObject;
  /** Whether there is something in it that must be there. */
  readonly isRequired: boolean;
}

/** The properties of a component or of a policy, which the author alone gives. */
export function describeOwn(
  { type, properties }: ComponentDefinition | PolicyDefinition,
  making: SchemaMaking,
): Holding {
  return hold('properties', type, { properties, making });
}

/** The properties of a trait; what the platform may give as well, nobody can miss before the platform is known. */
export function describeTrait({ type, properties, capability }: TraitDefinition, making: SchemaMaking): Holding {
  const isGiven = (key: string): boolean => capability === undefined || Object.hasOwn(capability.rendering, key);
  return hold('properties', type, { properties, making, isGiven });
}

/** What a profile may say of a trait: unless the trait says what, whatever an author may say, and as little. */
export function describeRendering({ type, properties, capability }: TraitDefinition, making: SchemaMaking): Holding {
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
export function describeHolder({ key, schema, isRequired }: Holding): JsonObject {
  return { properties: { [key]: schema }, ...(isRequired ? { required: [key] } : {}) };
}
