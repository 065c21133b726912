import { isJsonArray, isJsonObject } from '../../../model/index.ts';
import type { Json, JsonObject, Path, Values } from '../../../model/index.ts';
import { listAt } from '../../../kube/index.ts';
import { compilePattern } from '../../../schema/index.ts';
import { readBoolean } from '../plan-patches.ts';
import { isAccepted, typesOf } from './validate-values.ts';
import type { TypeName } from './validate-values.ts';

/**
 * Converts strings that represent numbers and booleans where the schema does not accept a string: `"3"` becomes 3 for an integer.
 * Other values are kept; unchanged parts are the same instances.
 */
export function castValues(values: Values, schema: JsonObject): Values {
  return castValue(values, schema) as JsonObject;
}

export function castValue(value: Json, schema: Json | undefined): Json {
  if (!isJsonObject(schema)) return value;
  if (typeof value === 'string') return castText(value, schema);
  if (isJsonArray(value)) {
    const { items } = schema;
    const cast = value.map((item, index) => castValue(item, isJsonArray(items) ? items[index] : items));
    return cast.every((item, index) => item === value[index]) ? value : cast;
  }
  if (!isJsonObject(value)) return value;
  const { properties, additionalProperties } = schema;
  const entries = Object.entries(value).map(([key, inner]): [string, Json] => {
    const isNamed = isJsonObject(properties) && Object.hasOwn(properties, key);
    return [key, castValue(inner, isNamed ? properties[key] : additionalProperties)];
  });
  return entries.every(([key, inner]) => inner === value[key]) ? value : Object.fromEntries(entries);
}

function castText(text: string, schema: JsonObject): Json {
  const types = typesIn(schema);
  if (types.size === 0 || types.has('string')) return text;
  const value = (types.has('boolean') ? readBoolean(text) : undefined) ?? readNumber(text, types);
  // A string that the schema accepts, such as the package's own value, is kept.
  return value === undefined || isAccepted(text, schema) ? text : value;
}

/** Types of all alternatives of a schema. */
function typesIn(schema: JsonObject): ReadonlySet<TypeName> {
  const forms = [...listAt(schema, 'anyOf'), ...listAt(schema, 'oneOf')];
  const inner = forms.filter(isJsonObject).flatMap((form) => typesOf(form) ?? []);
  return new Set([...(typesOf(schema) ?? []), ...inner]);
}

const integer = /^[-+]?[0-9]{1,1000}$/;
const decimal = /^[-+]?(?:[0-9]{1,400}(?:\.[0-9]{0,400})?|\.[0-9]{1,400})(?:[eE][-+]?[0-9]{1,3})?$/;

function readNumber(text: string, types: ReadonlySet<TypeName>): number | bigint | undefined {
  if ((types.has('integer') || types.has('number')) && integer.test(text)) {
    const value = BigInt(text.replace('+', ''));
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }
  if (!types.has('number') || !decimal.test(text)) return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}

const manyPatterns = 50;

/** Whether a schema describes the value at a path. */
export function isInSchema(schema: Json | undefined, path: Path): boolean {
  if (!isJsonObject(schema)) return path.length === 0 && schema !== undefined;
  const [step, ...rest] = path;
  if (step === undefined || typeof schema['$ref'] === 'string') return true;
  const forms = ['allOf', 'anyOf', 'oneOf'].flatMap((word) => listAt(schema, word));
  if (forms.some((form) => isInSchema(form, path))) return true;
  if (typeof step === 'number') {
    const { items } = schema;
    return isInSchema(isJsonArray(items) ? items[step] : items, rest);
  }
  const { properties, patternProperties, additionalProperties } = schema;
  if (isJsonObject(properties) && Object.hasOwn(properties, step)) return isInSchema(properties[step], rest);
  const patterns = isJsonObject(patternProperties) ? Object.entries(patternProperties) : [];
  // Matching many patterns for each of thousands of parameters is slow, and with so many, one of them likely matches.
  if (patterns.length > manyPatterns) return true;
  const described = patterns.find(([pattern]) => compilePattern(pattern)?.(step) === true)?.[1];
  return isInSchema(described ?? (isJsonObject(additionalProperties) ? additionalProperties : undefined), rest);
}
