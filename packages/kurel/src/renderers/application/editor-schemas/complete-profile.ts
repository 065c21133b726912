import type { Json, JsonObject } from '../../../model/index.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { clusterProfileTables } from '../documents/read-cluster-profile.ts';
import type { SchemaMaking } from './field-schema.ts';
import { describeHolder, describeRendering } from './type-schemas.ts';

const { capabilities } = clusterProfileTables.spec.properties;

/** Says what a profile may say of each trait, for all scopes of it. */
export function completeProfile(making: SchemaMaking, catalog: Catalog): NonNullable<SchemaMaking['complete']> {
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
