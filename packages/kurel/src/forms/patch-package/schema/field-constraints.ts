import type { Json, JsonObject } from '../../../model/index.ts';
import { enterField } from '../../../patch/index.ts';
import type { TracedField } from '../../../patch/index.ts';
import { compilePattern } from '../../../schema/index.ts';

/** Everything that Kubernetes reads as a quantity. */
export const quantityPattern = String.raw`^[+-]?(\d+(\.\d*)?|\.\d+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?$`;

/** What Kubernetes asks of the value of a field, in the words of JSON Schema; nothing where it is not known. */
export function constraintsOf(field: TracedField): JsonObject {
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
    case 'string':
      return { type: 'string', ...textLimits(field) };
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
  const known = limitsOf(field);
  return stated({
    minimum: exclusiveMinimum === true ? undefined : (minimum ?? known?.minimum),
    maximum: exclusiveMaximum === true ? undefined : (maximum ?? known?.maximum),
    // OpenAPI 3.0 says in a boolean what JSON Schema says in a number.
    exclusiveMinimum: exclusiveMinimum === true ? minimum : undefined,
    exclusiveMaximum: exclusiveMaximum === true ? maximum : undefined,
    multipleOf,
    enum: choices,
  });
}

function textLimits({ node }: TracedField): JsonObject {
  const { enum: choices, format, pattern, minLength, maxLength } = node!;
  // Patterns of CRDs are those of Go, and not all of them can be said in JSON Schema.
  const isSayable = pattern !== undefined && compilePattern(pattern) !== undefined;
  return stated({ enum: choices, format, pattern: isSayable ? pattern : undefined, minLength, maxLength });
}

function stated(facts: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(facts).filter((fact): fact is [string, Json] => fact[1] !== undefined));
}

interface Limits {
  readonly minimum: number;
  readonly maximum?: number;
}

const count: Limits = { minimum: 0 };
const port: Limits = { minimum: 1, maximum: 65_535 };
const userId: Limits = { minimum: 0, maximum: 2_147_483_647 };

/**
 * Limits that the API server checks in code (ValidateNonnegativeField, IsValidPortNum, IsValidUserID and the like, in the
 * validation packages of Kubernetes' APIs) and not in its schemas. These names mean the same in all kinds of Kubernetes.
 */
const limitsByName: ReadonlyMap<string, Limits> = new Map([
  ['activeDeadlineSeconds', count],
  ['backoffLimit', count],
  ['completions', count],
  ['containerPort', port],
  ['failedJobsHistoryLimit', count],
  ['failureThreshold', count],
  ['fsGroup', userId],
  ['hostPort', { minimum: 0, maximum: 65_535 }],
  ['initialDelaySeconds', count],
  ['maxReplicas', { minimum: 1 }],
  ['minReadySeconds', count],
  ['minReplicas', count],
  ['nodePort', { minimum: 0, maximum: 65_535 }],
  ['parallelism', count],
  ['periodSeconds', count],
  ['port', port],
  ['progressDeadlineSeconds', count],
  ['replicas', count],
  ['revisionHistoryLimit', count],
  ['runAsGroup', userId],
  ['runAsUser', userId],
  ['startingDeadlineSeconds', count],
  ['successThreshold', count],
  ['successfulJobsHistoryLimit', count],
  ['targetPort', port],
  ['terminationGracePeriodSeconds', count],
  ['timeoutSeconds', count],
  ['ttlSecondsAfterFinished', count],
]);

/** The limits of a number field; none for fields of CRDs, whose schemas say them. */
function limitsOf({ path, builtIn }: TracedField): Limits | undefined {
  if (!builtIn) return undefined;
  const [holder, name = ''] = path.slice(-2);
  if (name === 'number') return holder === 'port' ? port : undefined;
  return limitsByName.get(name);
}
