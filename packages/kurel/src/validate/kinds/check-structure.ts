import { describeValue } from '../../diagnostics/index.ts';
import { listAt, mappingAt, textAt } from '../../kube/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject, Path } from '../../model/index.ts';
import {
  compileGoPattern,
  fits,
  fieldName,
  formatPath,
  missingField,
  nodeFromJsonSchema,
  notAllowed,
} from '../../schema/index.ts';
import { checkExpression } from './expression-rules.ts';
import type { KindCheck } from './kind-check.ts';

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const listTypes = ['atomic', 'set', 'map'];
const numbers = 'maximum minimum multipleOf maxLength minLength maxItems minItems maxProperties minProperties'.split(
  ' ',
);
const texts = 'type format title description pattern $ref id x-kubernetes-list-type x-kubernetes-map-type'.split(' ');
const flags =
  'nullable exclusiveMaximum exclusiveMinimum uniqueItems x-kubernetes-preserve-unknown-fields x-kubernetes-int-or-string x-kubernetes-embedded-resource'.split(
    ' ',
  );
const stringLists = ['required', 'x-kubernetes-list-map-keys'];
const deepest = 200;

/** Checks that the schema of a custom resource is structural: every field has a type, and allOf, anyOf, oneOf and not only constrain. */
export function checkStructure(check: KindCheck, schema: JsonObject, path: Path): void {
  checkNode(check, schema, { path, isRoot: true });
}

interface Place {
  readonly path: Path;
  readonly isRoot?: boolean;
}

function checkNode(check: KindCheck, schema: JsonObject, { path, isRoot = false }: Place): void {
  if (path.length > deepest) return;
  const { object, findings } = check;
  checkTypes(check, schema, path);
  const type = textAt(schema, 'type') ?? '';
  const isMixed = schema['x-kubernetes-int-or-string'] === true;
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (type === '' && !isMixed && !isOpen) {
    const expected = isRoot ? 'object' : types.join(', ');
    findings.add(object, { path: [...path, 'type'] }, [
      'field-required',
      missingField({ name: 'type', holder: formatPath(path), expected }),
    ]);
  } else if (type !== '' && !types.includes(type)) {
    const args = notAllowed({ field: 'type', found: describeValue(type), allowed: types, word: type });
    findings.add(object, { path: [...path, 'type'] }, ['field-enum', args]);
  } else if (isRoot && type !== '' && type !== 'object') {
    const args = { field: 'type', demand: 'must be "object" at the root of the schema', found: describeValue(type) };
    findings.add(object, { path: [...path, 'type'] }, ['field-enum', args]);
  } else if (isMixed && type !== '') {
    const args = { field: 'type', demand: 'may not be set when x-kubernetes-int-or-string is true' };
    findings.add(object, { path: [...path, 'type'], at: 'key' }, ['field-enum', args]);
  }
  const pattern = textAt(schema, 'pattern');
  if (pattern !== undefined && compileGoPattern(pattern, check.budget) === undefined && !isLenient(pattern)) {
    const args = { field: 'pattern', demand: 'must be a regular expression', found: describeValue(pattern) };
    findings.add(object, { path: [...path, 'pattern'] }, ['field-format', args]);
  }
  checkList(check, schema, path);
  checkAlternatives(check, schema, path);
  checkDefault(check, schema, path);
  checkRules(check, schema, path);
  checkChildren(check, schema, path);
}

/** Patterns that this program may fail to compile although Go accepts them. */
function isLenient(pattern: string): boolean {
  return !/^[*+?{]|\*\*|\+\+/.test(pattern);
}

/** The schema of schemas is recursive and its data stops at some depth, so the types are checked here. */
function checkTypes({ object, findings }: KindCheck, schema: JsonObject, path: Path): void {
  const refuse = (name: string, demand: string): void =>
    findings.add(object, { path: [...path, name] }, [
      'field-type',
      { field: fieldName([...path, name]), demand: `must be ${demand}`, found: describeValue(schema[name]!) },
    ]);
  const isWrong = (name: string, type: string): boolean =>
    schema[name] !== undefined && schema[name] !== null && typeof schema[name] !== type;
  for (const name of texts) if (isWrong(name, 'string')) refuse(name, 'a string');
  for (const name of numbers) if (isWrong(name, 'number') && typeof schema[name] !== 'bigint') refuse(name, 'a number');
  for (const name of flags) if (isWrong(name, 'boolean')) refuse(name, 'a boolean');
  for (const name of stringLists) {
    const list = schema[name];
    const isList = isJsonArray(list) && list.every((item) => typeof item === 'string' || item === null);
    if (list !== undefined && list !== null && !isList) refuse(name, 'a list of strings');
  }
}

function checkChildren(check: KindCheck, schema: JsonObject, path: Path): void {
  const properties = mappingAt(schema, 'properties') ?? {};
  for (const name of Object.keys(properties)) {
    const child = properties[name] ?? {};
    const place = [...path, 'properties', name];
    if (isJsonObject(child)) checkNode(check, child, { path: place });
    else
      check.findings.add(check.object, { path: place }, [
        'field-type',
        { field: fieldName(place), demand: 'must be an object', found: describeValue(child) },
      ]);
  }
  const others = schema['additionalProperties'];
  if (others !== undefined && others !== null && typeof others !== 'boolean' && !isJsonObject(others)) {
    const args = {
      field: 'additionalProperties',
      demand: 'must be an object or a boolean',
      found: describeValue(others),
    };
    check.findings.add(check.object, { path: [...path, 'additionalProperties'] }, ['field-type', args]);
  }
  const values = mappingAt(schema, 'additionalProperties');
  if (values !== undefined) checkNode(check, values, { path: [...path, 'additionalProperties'] });
  if (isJsonObject(schema['additionalProperties']) && Object.keys(properties).length > 0) {
    const args = { holder: formatPath(path), fields: ['properties', 'additionalProperties'] };
    check.findings.add(check.object, { path: [...path, 'additionalProperties'], at: 'key' }, [
      'fields-exclusive',
      args,
    ]);
  }
  const items = mappingAt(schema, 'items');
  if (items !== undefined) checkNode(check, items, { path: [...path, 'items'] });
}

function checkList({ object, findings }: KindCheck, schema: JsonObject, path: Path): void {
  if (schema['type'] === 'array' && mappingAt(schema, 'items') === undefined) {
    const args = missingField({ name: 'items', holder: formatPath(path), expected: 'the schema of the items' });
    findings.add(object, { path: [...path, 'items'] }, ['field-required', args]);
  }
  const kind = textAt(schema, 'x-kubernetes-list-type');
  if (kind !== undefined && !listTypes.includes(kind)) {
    const args = notAllowed({
      field: 'x-kubernetes-list-type',
      found: describeValue(kind),
      allowed: listTypes,
      word: kind,
    });
    findings.add(object, { path: [...path, 'x-kubernetes-list-type'] }, ['field-enum', args]);
  }
  const keys = listAt(schema, 'x-kubernetes-list-map-keys');
  if (keys.length > 0 && kind !== 'map') {
    const args = { field: 'x-kubernetes-list-map-keys', demand: 'may only be set when x-kubernetes-list-type is map' };
    findings.add(object, { path: [...path, 'x-kubernetes-list-map-keys'], at: 'key' }, ['field-enum', args]);
  }
  if (kind !== 'map') return;
  if (keys.length === 0) {
    const args = missingField({ name: 'x-kubernetes-list-map-keys', holder: formatPath(path), expected: 'a list' });
    findings.add(object, { path: [...path, 'x-kubernetes-list-map-keys'] }, ['field-required', args]);
  }
  const items = mappingAt(schema, 'items');
  const properties = mappingAt(items, 'properties') ?? {};
  const required = listAt(items, 'required');
  keys.forEach((entry, index) => {
    const key = entry ?? '';
    if (typeof key !== 'string') return;
    const place = [...path, 'x-kubernetes-list-map-keys', index];
    const isField = Object.hasOwn(properties, key);
    const isScalar = !['object', 'array'].includes(textAt(mappingAt(properties, key), 'type') ?? '');
    const isSure = required.includes(key) || mappingAt(properties, key)?.['default'] !== undefined;
    if (isField && isSure && isScalar && keys.indexOf(entry) === index) return;
    const wanted = isScalar
      ? 'must be a field that is required or has a default'
      : 'must be a string, number or boolean field';
    const demand = isField ? wanted : 'must be a field of the items';
    findings.add(object, { path: place }, [
      'field-enum',
      { field: fieldName(place), demand, found: describeValue(key) },
    ]);
  });
}

const logic = ['allOf', 'anyOf', 'oneOf'];
/** Keywords that describe a value, which a structural schema allows only outside of allOf, anyOf, oneOf and not. */
const describing = [
  'type',
  'title',
  'description',
  'default',
  'nullable',
  'additionalProperties',
  'x-kubernetes-preserve-unknown-fields',
];

function checkAlternatives(check: KindCheck, schema: JsonObject, path: Path): void {
  const isMixed = schema['x-kubernetes-int-or-string'] === true;
  for (const word of logic) {
    const branches = listAt(schema, word);
    // The only form in which a structural schema allows types in alternatives.
    const isUsual =
      isMixed && word !== 'oneOf' && isIntOrString(word === 'allOf' ? listAt(branches[0], 'anyOf') : branches);
    if (!isUsual) branches.forEach((branch, index) => refuseDescriptions(check, branch, [...path, word, index]));
  }
  if (mappingAt(schema, 'not') !== undefined) refuseDescriptions(check, schema['not']!, [...path, 'not']);
}

function isIntOrString(branches: readonly Json[]): boolean {
  return branches.length === 2 && textAt(branches[0], 'type') === 'integer' && textAt(branches[1], 'type') === 'string';
}

function refuseDescriptions(check: KindCheck, branch: Json, path: Path): void {
  if (!isJsonObject(branch) || path.length > deepest) return;
  for (const name of describing) {
    const value = branch[name];
    if (value === undefined || value === null || value === '' || value === false) continue;
    const args = {
      field: fieldName([...path, name]),
      demand: 'may not be set inside allOf, anyOf, oneOf or not',
    };
    check.findings.add(check.object, { path: [...path, name], at: 'key' }, ['field-enum', args]);
  }
  const properties = mappingAt(branch, 'properties') ?? {};
  for (const name of Object.keys(properties))
    refuseDescriptions(check, properties[name]!, [...path, 'properties', name]);
  if (mappingAt(branch, 'items') !== undefined) refuseDescriptions(check, branch['items']!, [...path, 'items']);
  for (const word of logic)
    listAt(branch, word).forEach((one, index) => refuseDescriptions(check, one, [...path, word, index]));
}

function checkDefault({ object, findings, budget }: KindCheck, schema: JsonObject, path: Path): void {
  const value = schema['default'];
  if (value === undefined || value === null || findings.errorsOf(object) > 0) return;
  const { enum: words, ...rest } = schema;
  // An empty enum allows every value.
  const node = nodeFromJsonSchema(isJsonArray(words) && words.length === 0 ? rest : schema);
  if (fits(value, node, { source: { noun: 'field', whole: 'default' }, budget })) return;
  const args = { field: 'default', demand: 'must match its own schema', found: describeValue(value) };
  findings.add(object, { path: [...path, 'default'] }, ['field-enum', args]);
}

const self = { variables: new Set(['self', 'oldSelf']) };

function checkRules(check: KindCheck, schema: JsonObject, path: Path): void {
  listAt(schema, 'x-kubernetes-validations').forEach((rule, index) => {
    const place = [...path, 'x-kubernetes-validations', index];
    checkExpression(check, textAt(rule, 'rule'), [...place, 'rule'], { declared: self, gives: 'condition' });
    checkExpression(check, textAt(rule, 'messageExpression'), [...place, 'messageExpression'], {
      declared: self,
      gives: 'message',
    });
  });
}
