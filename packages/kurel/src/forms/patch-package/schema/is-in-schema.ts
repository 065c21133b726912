import { isJsonArray, isJsonObject } from '../../../model/index.ts';
import type { Json, Path } from '../../../model/index.ts';
import { compilePattern } from '../../../schema/index.ts';

const manyPatterns = 50;

/** Whether a schema says something about the value at a path. */
export function isInSchema(schema: Json | undefined, path: Path): boolean {
  if (!isJsonObject(schema)) return path.length === 0 && schema !== undefined;
  const [step, ...rest] = path;
  if (step === undefined || typeof schema['$ref'] === 'string') return true;
  const forms = ['allOf', 'anyOf', 'oneOf'].flatMap((word) => (isJsonArray(schema[word]) ? schema[word] : []));
  if (forms.some((form) => isInSchema(form, path))) return true;
  if (typeof step === 'number') {
    const { items } = schema;
    return isInSchema(isJsonArray(items) ? items[step] : items, rest);
  }
  const { properties, patternProperties, additionalProperties } = schema;
  if (isJsonObject(properties) && Object.hasOwn(properties, step)) return isInSchema(properties[step], rest);
  const patterns = isJsonObject(patternProperties) ? Object.entries(patternProperties) : [];
  // Each may be asked for each of thousands of parameters; with so many, one of them is most likely meant.
  if (patterns.length > manyPatterns) return true;
  const described = patterns.find(([pattern]) => compilePattern(pattern)?.(step) === true)?.[1];
  return isInSchema(described ?? (isJsonObject(additionalProperties) ? additionalProperties : undefined), rest);
}
