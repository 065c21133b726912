import { isJsonArray } from '../../../model/index.ts';
import type { Json, JsonObject, Path, Report } from '../../../model/index.ts';
import { formatReferencePath } from '../../../parameters/index.ts';
import { nameOfField } from '../../../patch/index.ts';
import { castValue } from './cast-values.ts';
import { combineConstraints } from './combine-constraints.ts';
import { constraintsOf, quantityPattern } from './field-constraints.ts';
import { inferScalar, sizePattern } from './infer-schema.ts';
import type { ParameterUse } from './parameter-uses.ts';
import { parameterSchemaProblems } from './problems.ts';
import { typeOf, typesOf } from './schema-types.ts';
import { isAccepted } from './validate-values.ts';

export interface ScalarUse {
  readonly path: Path;
  readonly uses: readonly ParameterUse[];
  /** The value is what a reference stands for. */
  readonly isReference: boolean;
  /** There is no value, and no build without one. */
  readonly isNeeded: boolean;
  readonly report: Report;
}

export interface DescribedScalar {
  readonly schema: JsonObject;
  /** The value as the schema has it: `"3"` is 3 where a number is wanted. */
  readonly shown: Json;
}

/** A parameter that is a scalar, or nothing: its own type, and what the fields want that it ends in. */
export function describeScalar(value: Json, use: ScalarUse): DescribedScalar {
  const inferred = inferScalar(value, use.isReference);
  const traced = traceConstraints(use);
  if (traced === undefined) {
    const isScalar = use.uses.some(({ role }) => role === 'part' || role === 'name');
    const known = value === null && isScalar ? { type: ['string', 'number', 'boolean'] } : inferred;
    return { schema: allow(known, value, use.isNeeded), shown: value };
  }
  const schema = withSize(traced, inferred);
  const cast = castValue(value, schema);
  return isAccepted(cast, schema)
    ? { schema, shown: cast }
    : { schema: allow(schema, value, use.isNeeded), shown: value };
}

/** What the fields want of a list that it ends in; nothing when they do not agree. */
export function listConstraints(uses: readonly ParameterUse[]): JsonObject {
  const lists = uses.flatMap((use) => constraintOf(use)).filter(({ type }) => type === 'array');
  const groups = combineConstraints(lists);
  return groups.length === 1 ? groups[0]! : {};
}

function constraintOf({ role, field }: ParameterUse): readonly JsonObject[] {
  if (role === 'enabled') return [{ type: 'boolean' }];
  const constraint = role === 'whole' && field !== undefined ? constraintsOf(field) : {};
  return Object.keys(constraint).length === 0 ? [] : [constraint];
}

function traceConstraints({ uses, path, report }: ScalarUse): JsonObject | undefined {
  const groups = combineConstraints(uses.flatMap(constraintOf));
  if (groups.length < 2) return groups[0];
  const fields = uses.flatMap((use) =>
    constraintOf(use).map((constraint) => {
      const name = use.field === undefined ? 'enabled' : nameOfField(use.field);
      return `${name} (${(typesOf(constraint) ?? []).join(' or ')})`;
    }),
  );
  const args = { parameter: formatReferencePath(path), fields: [...new Set(fields)] };
  report(parameterSchemaProblems.create('schema-trace-conflict', args, uses[0]));
  return { anyOf: groups };
}

/** A size such as 10Gi stays one: whoever writes 10GB or 10 has most probably made a mistake. */
function withSize(traced: JsonObject, inferred: JsonObject): JsonObject {
  const takesText = typesOf(traced)?.includes('string') ?? false;
  const hasOther = traced['pattern'] !== undefined && traced['pattern'] !== quantityPattern;
  if (inferred['pattern'] !== sizePattern || !takesText || hasOther) return traced;
  return { ...traced, type: 'string', pattern: sizePattern };
}

/**
 * A schema that also takes the package's own value: what it is used for may be turned off, and an empty text or no value at
 * all is how packages say so. What is needed and is not there is not taken.
 */
function allow(schema: JsonObject, value: Json, isNeeded: boolean): JsonObject {
  const types = typesOf(schema);
  if (value === null && isNeeded) {
    return types === undefined && !isJsonArray(schema['anyOf'])
      ? { type: ['array', 'boolean', 'number', 'object', 'string'], ...schema }
      : schema;
  }
  if (isAccepted(value, schema)) return schema;
  const isText = schema['type'] === 'string' && Object.keys(schema).length === 1;
  const isNull = value === null && types !== undefined && schema['enum'] === undefined;
  if (isText || isNull) return { ...schema, type: [...(types ?? []), typeOf(value)] };
  const forms = isJsonArray(schema['anyOf']) ? schema['anyOf'] : [schema];
  return { anyOf: [{ const: value }, ...forms] };
}
