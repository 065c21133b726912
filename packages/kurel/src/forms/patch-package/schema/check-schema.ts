import { nearest, quote } from '../../../diagnostics/index.ts';
import { isJsonArray, isJsonObject, isNumber } from '../../../model/index.ts';
import type { Json, JsonObject, Location, Path, Report, SourceFile } from '../../../model/index.ts';
import { compilePattern } from '../../../schema/index.ts';
import { readYaml } from '../../../yaml/index.ts';
import { parameterSchemaProblems } from './problems.ts';
import { typeNames } from './validate-values.ts';

/** Reads a custom parameter schema or override in JSON or YAML; `undefined` if it is invalid, which is reported. */
export function readParameterSchema(source: SourceFile, report: Report): JsonObject | undefined {
  const { documents, diagnostics } = readYaml(source);
  for (const diagnostic of diagnostics) report(diagnostic);
  if (diagnostics.some(({ severity }) => severity === 'error')) return undefined;
  const [first, second] = documents.filter(({ data }) => data !== undefined && data !== null);
  const data = first?.data ?? {};
  const file = source.path;
  if (second === undefined && isJsonObject(data)) {
    return checkSchema(data, { file, document: first?.index ?? 0, report }) ? data : undefined;
  }
  const args = { what: 'the file', wanted: 'a single JSON Schema object' };
  report(parameterSchemaProblems.create('schema-invalid', args, { location: { file } }));
  return undefined;
}

/** Keywords by what their values must be. */
const keywords = {
  text: ['$schema', '$id', '$comment', 'title', 'description', 'format'],
  any: ['const', 'default', 'examples'],
  boolean: ['uniqueItems', 'readOnly', 'writeOnly', 'deprecated'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  count: ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
  list: ['enum'],
  texts: ['required'],
  schema: ['additionalItems', 'additionalProperties', 'contains', 'else', 'if', 'not', 'propertyNames', 'then'],
  'schema-or-list': ['items'],
  schemas: ['allOf', 'anyOf', 'oneOf'],
  'schema-mapping': ['definitions', '$defs', 'dependencies', 'patternProperties', 'properties'],
  pattern: ['pattern'],
  reference: ['$ref'],
  type: ['type'],
} as const;

type Form = keyof typeof keywords;

const forms: ReadonlyMap<string, Form> = new Map(
  Object.entries(keywords).flatMap(([form, words]) => words.map((word) => [word, form as Form])),
);

/** Values without schemas inside. */
const plainForms: Partial<Record<Form, readonly [wanted: string, isMet: (value: Json) => boolean]>> = {
  any: ['', () => true],
  boolean: ['true or false', (value) => typeof value === 'boolean'],
  number: ['a number', isNumber],
  count: ['an integer of at least 0', (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0],
  text: ['a string', isText],
  pattern: ['a string', isText],
  list: ['a list of values', (value) => isJsonArray(value) && value.length > 0],
  texts: ['a list of names', (value) => isJsonArray(value) && value.every(isText)],
  reference: [
    'a reference into this schema, such as #/definitions/port',
    (value) => isText(value) && value.startsWith('#'),
  ],
};

function isText(value: Json): value is string {
  return typeof value === 'string';
}

function isSchema(value: Json): boolean {
  return isJsonObject(value) || typeof value === 'boolean';
}

interface SchemaPlace {
  readonly file: string;
  readonly document: number;
  readonly report: Report;
}

/** Whether a schema is valid. `null` is allowed everywhere: in an override it removes a keyword. */
export function checkSchema(root: JsonObject, { file, document, report }: SchemaPlace): boolean {
  let isUsable = true;
  checkWords(root, []);
  return isUsable;

  function locate(path: Path, at: 'key' | 'value'): { readonly location: Location } {
    return { location: { file, document, path, at } };
  }

  function refuse(path: Path, wanted: string, near?: string): void {
    isUsable = false;
    const args = { what: quote(String(path.at(-1))), wanted, near };
    report(parameterSchemaProblems.create('schema-invalid', args, locate(path, 'value')));
  }

  function checkWords(schema: JsonObject, above: Path): void {
    for (const [word, value] of Object.entries(schema)) {
      const path = [...above, word];
      const form = forms.get(word);
      if (form !== undefined && value !== null) checkWord(value, form, path);
      else if (form === undefined && !word.startsWith('x-')) {
        const args = { word, words: [...forms.keys()], isRoot: above.length === 0 };
        report(parameterSchemaProblems.create('schema-keyword-unknown', args, locate(path, 'key')));
      }
    }
  }

  function checkWord(value: Json, form: Form, path: Path): void {
    const plain = plainForms[form];
    if (plain !== undefined) {
      const [wanted, isMet] = plain;
      if (!isMet(value)) refuse(path, wanted);
      else if (form === 'pattern') checkPattern(value as string, locate(path, 'value'));
    } else if (form === 'type') {
      const wrong = (isJsonArray(value) ? value : [value]).find((name) => !isText(name) || !typeNames.includes(name));
      const near = typeof wrong === 'string' ? nearest(wrong, typeNames) : undefined;
      if (wrong !== undefined) refuse(path, `one of ${typeNames.join(', ')}`, near);
    } else if (form === 'schema-mapping') {
      checkMapping(value, path);
    } else if (form !== 'schema' && isJsonArray(value)) {
      if (!value.every(isSchema)) refuse(path, 'a list of schemas');
      value.forEach((item, index) => isJsonObject(item) && checkWords(item, [...path, index]));
    } else {
      if (form === 'schemas') refuse(path, 'a list of schemas');
      else if (!isSchema(value)) refuse(path, 'a schema');
      if (isJsonObject(value)) checkWords(value, path);
    }
  }

  function checkMapping(value: Json, path: Path): void {
    if (!isJsonObject(value)) return refuse(path, 'an object of schemas');
    const word = path.at(-1);
    for (const [name, inner] of Object.entries(value)) {
      const here = [...path, name];
      if (word === 'patternProperties') checkPattern(name, locate(here, 'key'));
      const isList = word === 'dependencies' && isJsonArray(inner);
      if (isJsonObject(inner)) checkWords(inner, here);
      else if (inner !== null && !isList && !isSchema(inner)) refuse(here, 'a schema');
    }
  }

  function checkPattern(pattern: string, place: { readonly location: Location }): void {
    if (compilePattern(pattern) !== undefined) return;
    report(parameterSchemaProblems.create('schema-pattern-unreadable', { pattern }, place));
  }
}
