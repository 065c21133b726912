import { isJsonArray, isJsonObject, isSameJson } from '../../../model/index.ts';
import type { Json, JsonObject, Path, Report } from '../../../model/index.ts';
import { listAt } from '../../../kube/index.ts';
import { formatReferencePath } from '../../../parameters/index.ts';
import { enterField, nameOfField } from '../../../patch/index.ts';
import type { TracedField } from '../../../patch/index.ts';
import { compilePattern } from '../../../schema/index.ts';
import { castValue } from './cast-values.ts';
import type { ParameterUse } from './list-uses.ts';
import { parameterSchemaProblems } from './problems.ts';
import { isAccepted, typeOf, typesOf } from './validate-values.ts';
import type { TypeName } from './validate-values.ts';

interface ScalarUse {
  readonly path: Path;
  readonly uses: readonly ParameterUse[];
  /** The value comes from a reference. */
  readonly isReference: boolean;
  /** The build requires a value. */
  readonly isMissing: boolean;
  readonly report: Report;
}

/**
 * Describes a scalar or null parameter: its own type, and the constraints of the fields that it is used for. `shown` is the value in
 * the type of the schema: `"3"` is 3 for a number.
 */
export function describeScalar(value: Json, use: ScalarUse): { readonly schema: JsonObject; readonly shown: Json } {
  // The value of a reference does not determine its form.
  const isSize = typeof value === 'string' && !use.isReference && new RegExp(sizePattern).test(value);
  const traced = traceConstraints(use);
  if (traced === undefined) {
    const isScalar = use.uses.some(({ role }) => role === 'part' || role === 'name');
    const unset = isScalar ? { type: ['string', 'number', 'boolean'] } : {};
    const own = value === null ? unset : { type: typeOf(value), ...(isSize ? { pattern: sizePattern } : {}) };
    return { schema: allow(own, value, use.isMissing), shown: value };
  }
  const cast = castValue(value, traced);
  return isAccepted(cast, traced)
    ? { schema: traced, shown: cast }
    : { schema: allow(traced, value, use.isMissing), shown: value };
}

/** Form of sizes in the specification of packages; for values whose field is unknown. */
const sizePattern = '^[0-9]+[KMGT]i$';

/** Constraints for a list from the fields that it is used for; none if they disagree. */
export function listConstraints(uses: readonly ParameterUse[]): JsonObject {
  const lists = uses.flatMap(constraintOf).filter(({ type }) => type === 'array');
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

/**
 * A schema that also accepts the package's own value: an empty string or null often means that a feature is disabled. A missing
 * value that the build requires is not accepted.
 */
function allow(schema: JsonObject, value: Json, isMissing: boolean): JsonObject {
  const types = typesOf(schema);
  if (value === null && isMissing) {
    return types === undefined && !isJsonArray(schema['anyOf'])
      ? { type: ['array', 'boolean', 'number', 'object', 'string'], ...schema }
      : schema;
  }
  if (isAccepted(value, schema)) return schema;
  const isText = schema['type'] === 'string' && Object.keys(schema).length === 1;
  const isNull = value === null && types !== undefined && schema['enum'] === undefined;
  if (isText || isNull) return { ...schema, type: [...types!, typeOf(value)] };
  const forms = isJsonArray(schema['anyOf']) ? schema['anyOf'] : [schema];
  return { anyOf: [{ const: value }, ...forms] };
}

/** Combines constraints that one value can satisfy; several groups are alternatives. */
function combineConstraints(constraints: readonly JsonObject[]): readonly JsonObject[] {
  const groups: JsonObject[] = [];
  for (const constraint of constraints) {
    const index = groups.findIndex((group) => combine(group, constraint) !== undefined);
    if (index === -1) groups.push(constraint);
    else groups[index] = combine(groups[index]!, constraint)!;
  }
  return groups;
}

const scalars: readonly TypeName[] = ['boolean', 'integer', 'number', 'string'];

/** `undefined` if no value can satisfy both. */
function combine(a: JsonObject, b: JsonObject): JsonObject | undefined {
  const types = commonTypes(typesOf(a), typesOf(b));
  if (types?.length === 0) {
    // Any number or boolean becomes a string in a string field.
    if (isPlainText(a) && isScalar(b)) return b;
    return isPlainText(b) && isScalar(a) ? a : undefined;
  }
  const both: Record<string, Json> = { ...a, ...b };
  if (types !== undefined) both['type'] = types.length === 1 ? types[0]! : types;
  for (const word of [...lowerLimits, ...upperLimits]) {
    const [first, second] = [a[word], b[word]];
    if (typeof first !== 'number' || typeof second !== 'number') continue;
    both[word] = lowerLimits.includes(word) ? Math.max(first, second) : Math.min(first, second);
  }
  if (isJsonArray(a['enum']) && isJsonArray(b['enum'])) {
    const others = b['enum'];
    const choices = a['enum'].filter((item) => others.some((other) => isSameJson(item, other)));
    if (choices.length === 0) return undefined;
    both['enum'] = choices;
  }
  if (isJsonObject(a['items']) && isJsonObject(b['items'])) {
    const items = combine(a['items'], b['items']);
    if (items === undefined) return undefined;
    both['items'] = items;
  }
  const isAbove = (least: Json | undefined, most: Json | undefined): boolean =>
    typeof least === 'number' && typeof most === 'number' && least > most;
  if (isAbove(both['minimum'], both['maximum']) || isAbove(both['minLength'], both['maxLength'])) return undefined;
  const [first, second] = [a['pattern'], b['pattern']];
  if (first === undefined || second === undefined || first === second) return both;
  // A schema has only one pattern, so a second one goes to `allOf`.
  const more = [...listAt(a, 'allOf'), ...listAt(b, 'allOf')];
  return { ...both, pattern: first, allOf: [...more, { pattern: second }] };
}

const lowerLimits = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems'];
const upperLimits = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems'];

function commonTypes(
  a: readonly TypeName[] | undefined,
  b: readonly TypeName[] | undefined,
): readonly TypeName[] | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const isWithin = (type: TypeName, types: readonly TypeName[]): boolean =>
    types.includes(type) || (type === 'integer' && types.includes('number'));
  const common = [...a.filter((type) => isWithin(type, b)), ...b.filter((type) => isWithin(type, a))];
  return [...new Set(common)];
}

function isPlainText({ type, ...limits }: JsonObject): boolean {
  return type === 'string' && Object.keys(limits).length === 0;
}

function isScalar(constraint: JsonObject): boolean {
  return typesOf(constraint)?.every((type) => scalars.includes(type)) ?? false;
}

/** Everything that Kubernetes reads as a quantity. */
export const quantityPattern = String.raw`^[+-]?(\d+(\.\d*)?|\.\d+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?$`;

/** Constraints of Kubernetes for a field as JSON Schema; empty if unknown. */
function constraintsOf(field: TracedField): JsonObject {
  const { node } = field;
  switch (node?.type) {
    case 'integer':
    case 'number':
      return { type: node.type, ...numberLimits(field) };
    case 'int-or-string':
      return { type: ['integer', 'string'], ...numberLimits(field) };
    case 'quantity':
      return { type: ['string', 'number'], pattern: quantityPattern };
    case 'boolean':
      return { type: 'boolean' };
    case 'string': {
      const { enum: choices, format, pattern, minLength, maxLength } = node;
      // Patterns of CRDs use Go syntax, which JSON Schema cannot always express.
      const isSayable = pattern !== undefined && compilePattern(pattern) !== undefined;
      const limits = { enum: choices, format, pattern: isSayable ? pattern : undefined, minLength, maxLength };
      return stated({ type: 'string', ...limits });
    }
    case 'object':
      return { type: 'object' };
    case 'list': {
      const { minItems, maxItems } = node;
      return stated({ type: 'array', items: constraintsOf(enterField(field, 0)), minItems, maxItems });
    }
    default:
      return {};
  }
}

function numberLimits(field: TracedField): JsonObject {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, enum: choices } = field.node!;
  const limits = limitsOf(field);
  return stated({
    minimum: exclusiveMinimum === true ? undefined : (minimum ?? limits?.minimum),
    maximum: exclusiveMaximum === true ? undefined : (maximum ?? limits?.maximum),
    // OpenAPI 3.0 uses a boolean where JSON Schema uses a number.
    exclusiveMinimum: exclusiveMinimum === true ? minimum : undefined,
    exclusiveMaximum: exclusiveMaximum === true ? maximum : undefined,
    multipleOf,
    enum: choices,
  });
}

function stated(facts: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(facts).filter((fact): fact is [string, Json] => fact[1] !== undefined));
}

interface Limits {
  readonly minimum: number;
  readonly maximum?: number;
}

const port: Limits = { minimum: 1, maximum: 65_535 };

/**
 * Limits that the API server checks in code (ValidateNonnegativeField, IsValidPortNum, IsValidUserID and others in the validation
 * packages of the Kubernetes APIs) and not in its schemas. These names mean the same in all built-in kinds.
 */
const limitsByName: ReadonlyMap<string, Limits> = new Map([
  ...withLimits(
    { minimum: 0 },
    `activeDeadlineSeconds backoffLimit completions failedJobsHistoryLimit failureThreshold initialDelaySeconds
    minReadySeconds minReplicas parallelism periodSeconds progressDeadlineSeconds replicas revisionHistoryLimit
    startingDeadlineSeconds successThreshold successfulJobsHistoryLimit terminationGracePeriodSeconds timeoutSeconds
    ttlSecondsAfterFinished`,
  ),
  ...withLimits({ minimum: 1 }, 'maxReplicas'),
  ...withLimits(port, 'containerPort port targetPort'),
  ...withLimits({ minimum: 0, maximum: 65_535 }, 'hostPort nodePort'),
  ...withLimits({ minimum: 0, maximum: 2_147_483_647 }, 'fsGroup runAsGroup runAsUser'),
]);

function withLimits(limits: Limits, names: string): readonly (readonly [string, Limits])[] {
  return names.split(/\s+/).map((name) => [name, limits]);
}

/** Limits of a number field; none for fields of CRDs, whose schemas have them. */
function limitsOf({ path, builtIn }: TracedField): Limits | undefined {
  if (!builtIn) return undefined;
  const [holder, name = ''] = path.slice(-2);
  if (name === 'number') return holder === 'port' ? port : undefined;
  return limitsByName.get(name);
}
