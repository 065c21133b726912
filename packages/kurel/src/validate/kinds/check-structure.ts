import { describeValue } from '../../diagnostics/index.ts';
import { listAt, mappingAt, textAt } from '../../kube/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject, Path } from '../../model/index.ts';
import { compileGoPattern, fits, formatPath, nodeFromJsonSchema } from '../../schema/index.ts';
import { checkExpression } from './expression-rules.ts';
import { demandField, forbid, refuse, refuseTogether, refuseWord } from './field-site.ts';
import type { FieldSite } from './field-site.ts';

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

/** A node of the schema of a custom resource. */
type SchemaSite = Omit<FieldSite, 'value'> & { readonly value: JsonObject };

/** Checks that the schema of a custom resource is structural: every field has a type, and allOf, anyOf, oneOf and not only constrain. */
export function checkStructure(site: SchemaSite, isRoot = true): void {
  const { value: schema, path, budget } = site;
  if (path.length > deepest) return;
  checkTypes(site);
  const type = textAt(schema, 'type') ?? '';
  const isMixed = schema['x-kubernetes-int-or-string'] === true;
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (type === '' && !isMixed && !isOpen)
    demandField(site, ['type'], { expected: isRoot ? 'object' : types.join(', ') });
  else if (type !== '' && !types.includes(type)) refuseWord(site, ['type'], { text: type, allowed: types });
  else if (isRoot && type !== '' && type !== 'object')
    refuse(site, ['type'], { demand: 'must be "object" at the root of the schema', got: describeValue(type) });
  else if (isMixed && type !== '') forbid(site, 'type', 'may not be set when x-kubernetes-int-or-string is true');
  const pattern = textAt(schema, 'pattern');
  if (pattern !== undefined && compileGoPattern(pattern, budget) === undefined && !isLenient(pattern)) {
    const demand = 'must be a regular expression';
    refuse(site, ['pattern'], { code: 'field-format', demand, got: describeValue(pattern) });
  }
  checkList(site);
  checkAlternatives(site);
  checkDefault(site);
  checkRules(site);
  checkChildren(site);
}

/** Patterns that this program may fail to compile although Go accepts them. */
function isLenient(pattern: string): boolean {
  return !/^[*+?{]|\*\*|\+\+/.test(pattern);
}

/** The schema of schemas is recursive and its data stops at some depth, so the types are checked here. */
function checkTypes(site: SchemaSite): void {
  const { value: schema } = site;
  const refuseType = (name: string, demand: string): void =>
    refuse(site, [name], { code: 'field-type', demand: `must be ${demand}`, got: describeValue(schema[name]!) });
  const isWrong = (name: string, type: string): boolean =>
    schema[name] !== undefined && schema[name] !== null && typeof schema[name] !== type;
  for (const name of texts) if (isWrong(name, 'string')) refuseType(name, 'a string');
  for (const name of numbers)
    if (isWrong(name, 'number') && typeof schema[name] !== 'bigint') refuseType(name, 'a number');
  for (const name of flags) if (isWrong(name, 'boolean')) refuseType(name, 'a boolean');
  for (const name of stringLists) {
    const list = schema[name];
    const isList = isJsonArray(list) && list.every((item) => typeof item === 'string' || item === null);
    if (list !== undefined && list !== null && !isList) refuseType(name, 'a list of strings');
  }
}

function checkChildren(site: SchemaSite): void {
  const { value: schema, path } = site;
  const properties = mappingAt(schema, 'properties') ?? {};
  for (const name of Object.keys(properties)) {
    const child = properties[name] ?? {};
    if (isJsonObject(child)) checkStructure({ ...site, value: child, path: [...path, 'properties', name] }, false);
    else {
      const refusal = { code: 'field-type', demand: 'must be an object', got: describeValue(child) } as const;
      refuse(site, ['properties', name], refusal);
    }
  }
  const others = schema['additionalProperties'] ?? false;
  if (typeof others !== 'boolean' && !isJsonObject(others)) {
    const demand = 'must be an object or a boolean';
    refuse(site, ['additionalProperties'], { code: 'field-type', demand, got: describeValue(others) });
  }
  for (const name of ['additionalProperties', 'items']) {
    const child = mappingAt(schema, name);
    if (child !== undefined) checkStructure({ ...site, value: child, path: [...path, name] }, false);
  }
  if (isJsonObject(others) && Object.keys(properties).length > 0) {
    const fields = ['properties', 'additionalProperties'];
    refuseTogether(site, ['additionalProperties'], { holder: formatPath(path), fields });
  }
}

const mapKeys = 'x-kubernetes-list-map-keys';

function checkList(site: SchemaSite): void {
  const { value: schema } = site;
  const items = mappingAt(schema, 'items');
  if (schema['type'] === 'array' && items === undefined)
    demandField(site, ['items'], { expected: 'the schema of the items' });
  const kind = textAt(schema, 'x-kubernetes-list-type');
  if (kind !== undefined && !listTypes.includes(kind))
    refuseWord(site, ['x-kubernetes-list-type'], { text: kind, allowed: listTypes });
  const keys = listAt(schema, mapKeys);
  if (keys.length > 0 && kind !== 'map') forbid(site, mapKeys, 'may only be set when x-kubernetes-list-type is map');
  if (kind !== 'map') return;
  if (keys.length === 0) demandField(site, [mapKeys], { expected: 'a list' });
  const properties = mappingAt(items, 'properties') ?? {};
  const required = listAt(items, 'required');
  keys.forEach((entry, index) => {
    const key = entry ?? '';
    if (typeof key !== 'string') return;
    const isField = Object.hasOwn(properties, key);
    const isScalar = !['object', 'array'].includes(textAt(mappingAt(properties, key), 'type') ?? '');
    const isSure = required.includes(key) || mappingAt(properties, key)?.['default'] !== undefined;
    if (isField && isSure && isScalar && keys.indexOf(entry) === index) return;
    const wanted = isScalar
      ? 'must be a field that is required or has a default'
      : 'must be a string, number or boolean field';
    const demand = isField ? wanted : 'must be a field of the items';
    refuse(site, [mapKeys, index], { demand, got: describeValue(key) });
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

function checkAlternatives(site: SchemaSite): void {
  const { value: schema } = site;
  const isMixed = schema['x-kubernetes-int-or-string'] === true;
  for (const word of logic) {
    const branches = listAt(schema, word);
    // The only form in which a structural schema allows types in alternatives.
    const isUsual =
      isMixed && word !== 'oneOf' && isIntOrString(word === 'allOf' ? listAt(branches[0], 'anyOf') : branches);
    if (!isUsual) branches.forEach((branch, index) => refuseDescriptions(site, branch, [word, index]));
  }
  refuseDescriptions(site, schema['not'], ['not']);
}

function isIntOrString(branches: readonly Json[]): boolean {
  return branches.length === 2 && textAt(branches[0], 'type') === 'integer' && textAt(branches[1], 'type') === 'string';
}

function refuseDescriptions(site: SchemaSite, branch: Json | undefined, steps: Path): void {
  if (!isJsonObject(branch) || site.path.length + steps.length > deepest) return;
  for (const name of describing) {
    const value = branch[name];
    if (value === undefined || value === null || value === '' || value === false) continue;
    refuse(site, [...steps, name], { demand: 'may not be set inside allOf, anyOf, oneOf or not', at: 'key' });
  }
  const properties = mappingAt(branch, 'properties') ?? {};
  for (const name of Object.keys(properties))
    refuseDescriptions(site, properties[name], [...steps, 'properties', name]);
  refuseDescriptions(site, branch['items'], [...steps, 'items']);
  for (const word of logic)
    listAt(branch, word).forEach((inner, index) => refuseDescriptions(site, inner, [...steps, word, index]));
}

function checkDefault(site: SchemaSite): void {
  const { value: schema, object, findings, budget } = site;
  const value = schema['default'];
  if (value === undefined || value === null || findings.errorsOf(object) > 0) return;
  const { enum: words, ...rest } = schema;
  // An empty enum allows every value.
  const node = nodeFromJsonSchema(isJsonArray(words) && words.length === 0 ? rest : schema);
  if (fits(value, node, { source: { noun: 'field', whole: 'default' }, budget })) return;
  refuse(site, ['default'], { demand: 'must match its own schema', got: describeValue(value) });
}

const self = { variables: new Set(['self', 'oldSelf']) };

function checkRules(site: SchemaSite): void {
  listAt(site.value, 'x-kubernetes-validations').forEach((rule, index) => {
    for (const [field, gives] of ruleFields) {
      const expression = { text: textAt(rule, field), declared: self, gives };
      checkExpression(site, ['x-kubernetes-validations', index, field], expression);
    }
  });
}

const ruleFields = [
  ['rule', 'condition'],
  ['messageExpression', 'message'],
] as const;
