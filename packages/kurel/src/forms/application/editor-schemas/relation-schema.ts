import type { Json, JsonObject } from '../../../model/index.ts';
import { describeRelation } from '../../../schema/index.ts';
import type { Relation } from '../../../schema/index.ts';
import { referencePattern } from './write-schema.ts';

interface RelationOptions {
  /** Whether the document may contain parameter references. */
  readonly isAuthored: boolean;
  /** Whether a profile or policy may set a field. */
  readonly isGiven: (field: string) => boolean;
}

/** The keywords for the relations of an object: what the reader refuses, unless a parameter or a profile decides it. */
export function describeRelations(relations: readonly Relation[] = [], options: RelationOptions): JsonObject {
  const allOf = relations.flatMap((relation) => describeOne(relation, options));
  return allOf.length === 0 ? {} : { allOf };
}

function describeOne(relation: Relation, { isAuthored, isGiven }: RelationOptions): readonly JsonObject[] {
  const reference: readonly Json[] = isAuthored ? [{ type: 'string', pattern: referencePattern }] : [];
  const doubtful: readonly Json[] = [{ enum: [''] }, ...reference];
  const isSet = (field: string): JsonObject => describeSet(field, relation, []);
  const isSurelySet = (field: string): JsonObject => describeSet(field, relation, doubtful);
  if ('exclusive' in relation) {
    const errorMessage = describeRelation(relation);
    return pairsOf(relation.exclusive).map((pair) => ({ not: { allOf: pair.map(isSurelySet) }, errorMessage }));
  }
  if ('anyOf' in relation) return relation.anyOf.some(isGiven) ? [] : [{ anyOf: relation.anyOf.map(isSet) }];
  const { fields, require } = relation;
  return isGiven(require) ? [] : fields.map((field) => ({ if: isSurelySet(field), then: isSet(require) }));
}

function pairsOf(fields: readonly string[]): readonly (readonly string[])[] {
  return fields.flatMap((first, index) => fields.slice(index + 1).map((second) => [first, second]));
}

/** The same values as in the checker count as set. */
function describeSet(field: string, { ignoresEmpty }: Relation, doubtful: readonly Json[]): JsonObject {
  const empty: readonly Json[] = [
    { type: 'array', maxItems: 0 },
    { type: 'object', maxProperties: 0 },
  ];
  const unset: readonly Json[] = [{ enum: [null, false] }, ...(ignoresEmpty === true ? empty : []), ...doubtful];
  return { required: [field], properties: { [field]: { not: { anyOf: unset } } } };
}
