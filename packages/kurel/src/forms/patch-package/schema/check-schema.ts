import { nearest, quote } from '../../../diagnostics/index.ts';
import { isJsonArray, isJsonObject } from '../../../model/index.ts';
import type { Json, JsonObject, Location, Path, Report } from '../../../model/index.ts';
import { compilePattern } from '../../../schema/index.ts';
import { parameterSchemaProblems } from './problems.ts';
import { typeNames } from './schema-types.ts';

export interface SchemaPlace {
  readonly file: string;
  readonly document: number;
  readonly report: Report;
}

/** Whether a schema is valid. `null` is allowed everywhere: in an override it removes a keyword. */
export function checkSchema(schema: JsonObject, { file, document, report }: SchemaPlace): boolean {
  let isUsable = true;
  const checking: Checking = {
    locate: (path, at) => ({ location: { file, document, path, at } }),
    report(diagnostic) {
      if (diagnostic.severity === 'error') isUsable = false;
      report(diagnostic);
    },
  };
  checkWords(schema, [], checking);
  return isUsable;
}

interface Checking {
  readonly locate: (path: Path, at: 'key' | 'value') => { readonly location: Location };
  readonly report: Report;
}

type Form =
  | 'any'
  | 'boolean'
  | 'count'
  | 'list'
  | 'number'
  | 'schema'
  | 'schema-or-list'
  | 'schemas'
  | 'schema-mapping'
  | 'text'
  | 'texts';

const forms: ReadonlyMap<string, Form | 'pattern' | 'reference' | 'type'> = new Map([
  ...wordsOf('text', '$schema', '$id', '$comment', 'title', 'description', 'format'),
  ...wordsOf('any', 'const', 'default', 'examples'),
  ...wordsOf('boolean', 'uniqueItems', 'readOnly', 'writeOnly', 'deprecated'),
  ...wordsOf('number', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'),
  ...wordsOf('count', 'minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'),
  ...wordsOf('list', 'enum'),
  ...wordsOf('texts', 'required'),
  ...wordsOf(
    'schema',
    'additionalItems',
    'additionalProperties',
    'contains',
    'else',
    'if',
    'not',
    'propertyNames',
    'then',
  ),
  ...wordsOf('schema-or-list', 'items'),
  ...wordsOf('schemas', 'allOf', 'anyOf', 'oneOf'),
  ...wordsOf('schema-mapping', 'definitions', '$defs', 'dependencies', 'patternProperties', 'properties'),
  ['pattern', 'pattern'],
  ['$ref', 'reference'],
  ['type', 'type'],
]);

function wordsOf(form: Form, ...words: readonly string[]): readonly (readonly [string, Form])[] {
  return words.map((word) => [word, form]);
}

function checkWords(schema: JsonObject, path: Path, checking: Checking): void {
  for (const [word, value] of Object.entries(schema)) {
    const here = [...path, word];
    const form = forms.get(word);
    if (form !== undefined) checkWord(value, { form, word, path: here, checking });
    else if (!word.startsWith('x-')) {
      const args = { word, known: [...forms.keys()], isRoot: path.length === 0 };
      checking.report(parameterSchemaProblems.create('schema-keyword-unknown', args, checking.locate(here, 'key')));
    }
  }
}

interface Word {
  readonly form: Form | 'pattern' | 'reference' | 'type';
  readonly word: string;
  readonly path: Path;
  readonly checking: Checking;
}

function checkWord(value: Json, { form, word, path, checking }: Word): void {
  if (value === null) return;
  const demand = (wanted: string, isMet: boolean, near?: string): void => {
    if (!isMet) refuse({ what: quote(word), wanted, near }, path, checking);
  };
  switch (form) {
    case 'any':
      return;
    case 'boolean':
      return demand('true or false', typeof value === 'boolean');
    case 'number':
      return demand('a number', typeof value === 'number' || typeof value === 'bigint');
    case 'count':
      return demand('an integer of at least 0', typeof value === 'number' && Number.isInteger(value) && value >= 0);
    case 'text':
      return demand('a string', typeof value === 'string');
    case 'list':
      return demand('a list of values', isJsonArray(value) && value.length > 0);
    case 'texts':
      return demand('a list of names', isJsonArray(value) && value.every((item) => typeof item === 'string'));
    case 'reference':
      return demand(
        'a reference into this schema, such as #/definitions/port',
        typeof value === 'string' && value.startsWith('#'),
      );
    case 'pattern':
      demand('a string', typeof value === 'string');
      if (typeof value === 'string') checkPattern(value, checking.locate(path, 'value'), checking);
      return;
    case 'type': {
      const wrong = (isJsonArray(value) ? value : [value]).find(
        (name) => typeof name !== 'string' || !typeNames.includes(name),
      );
      const near = typeof wrong === 'string' ? nearest(wrong, typeNames) : undefined;
      return demand(`one of ${typeNames.join(', ')}`, wrong === undefined, near);
    }
    case 'schema-or-list':
    case 'schemas':
    case 'schema':
    case 'schema-mapping':
      return checkInside(value, { form, word, path, checking }, demand);
  }
}

function refuse(
  args: { readonly what: string; readonly wanted: string; readonly near?: string | undefined },
  path: Path,
  { report, locate }: Checking,
): void {
  report(parameterSchemaProblems.create('schema-invalid', args, locate(path, 'value')));
}

function checkPattern(pattern: string, place: { readonly location: Location }, { report }: Checking): void {
  if (compilePattern(pattern) !== undefined) return;
  report(parameterSchemaProblems.create('schema-pattern-unreadable', { pattern }, place));
}

function checkInside(
  value: Json,
  { form, word, path, checking }: Word,
  demand: (wanted: string, isMet: boolean) => void,
): void {
  const isSchema = (one: Json): boolean => isJsonObject(one) || typeof one === 'boolean';
  if (isJsonArray(value) && (form === 'schemas' || form === 'schema-or-list')) {
    demand('a list of schemas', value.every(isSchema));
    value.forEach((item, index) => isJsonObject(item) && checkWords(item, [...path, index], checking));
  } else if (form === 'schema-mapping') {
    demand('an object of schemas', isJsonObject(value));
    for (const [name, inner] of Object.entries(isJsonObject(value) ? value : {})) {
      const here = [...path, name];
      if (word === 'patternProperties') checkPattern(name, checking.locate(here, 'key'), checking);
      const isList = word === 'dependencies' && isJsonArray(inner);
      if (isJsonObject(inner)) checkWords(inner, here, checking);
      else if (inner !== null && !isList && !isSchema(inner)) {
        refuse({ what: quote(name), wanted: 'a schema' }, here, checking);
      }
    }
  } else {
    demand(form === 'schemas' ? 'a list of schemas' : 'a schema', form !== 'schemas' && isSchema(value));
    if (isJsonObject(value)) checkWords(value, path, checking);
  }
}
