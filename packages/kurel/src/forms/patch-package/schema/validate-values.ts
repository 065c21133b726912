import { createBudget, limitFindings } from '../../../budget/index.ts';
import { describeValue, escapeControls, hintIn, sentence, setting, withTexts } from '../../../diagnostics/index.ts';
import { mappingAt, textAt } from '../../../kube/index.ts';
import { isJsonArray, isJsonObject, isNumber, stepInto } from '../../../model/index.ts';
import type {
  Budget,
  Diagnostic,
  Json,
  JsonObject,
  Location,
  Message,
  Path,
  Report,
  Values,
} from '../../../model/index.ts';
import { formatReferencePath } from '../../../parameters/index.ts';
import {
  check,
  compilePattern,
  createFinding,
  fits,
  listWords,
  TooComplex,
  unbounded,
  valueProblems,
} from '../../../schema/index.ts';
import type {
  CheckSource,
  Mistake,
  PatternTest,
  SchemaCondition,
  SchemaLogic,
  SchemaNode,
  SchemaType,
} from '../../../schema/index.ts';

interface ValueChecks {
  readonly report: Report;
  /** Where the value at a path is set; for a missing value, the nearest location. */
  readonly locate: (path: Path) => Location | undefined;
  /** The file in which the author of the package can describe a parameter, if its schema is generated. */
  readonly overrides?: string | undefined;
  /** Maximum number of findings per code. */
  readonly budget?: Pick<Budget, 'findings'> | undefined;
}

// References can make a small schema endless, and the stack of the main thread ends at about 1,200 schemas.
const mostSteps = 500_000;
const deepest = 600;

const source: CheckSource = {
  noun: 'parameter',
  whole: 'the parameters',
  namePath: formatReferencePath,
  prescribe: writePrescribed,
  isLogicDescribing: true,
  adviseMissing: (path) =>
    sentence`set it with ${setting('values')} or ${setting('set', `${formatReferencePath(path)}=…`)}`,
  most: { steps: mostSteps, depth: deepest },
};

/** Whether resolved values match a schema. Reports the first findings of each code and counts the rest. */
export function validateValues(values: Values, schema: JsonObject, checks: ValueChecks): boolean {
  const { report, locate, overrides, budget = createBudget() } = checks;
  const limit = limitFindings(budget);
  let isValid = true;
  check(values, nodeOfSchema(schema), {
    source: {
      ...source,
      adviseType: (path, node, value) =>
        node.types?.includes('string') === true ? adviseText(value, path, locate(path)) : undefined,
    },
    budget: createBudget(),
    report(finding) {
      isValid = false;
      // Before anything is looked up, because every value may have a finding.
      const [code] = finding.finding;
      if (limit.takesNext(code, valueProblems.definitions[code].severity))
        report(withAdvice(createFinding(finding, locate), overrides));
    },
  });
  for (const omitted of limit.omitted()) report(omitted);
  return isValid;
}

/** A generated pattern comes from the field, or from the form of the default. The author may know better. */
function withAdvice(diagnostic: Diagnostic, overrides: string | undefined): Diagnostic {
  const { code } = diagnostic;
  const hint = hintIn(diagnostic);
  if (code !== 'field-format' || overrides === undefined) return diagnostic;
  const advice = `to accept other values, describe the parameter in ${overrides}`;
  return withTexts(diagnostic, { hint: hint === undefined ? advice : sentence`${hint}; ${advice}` });
}

export function isAccepted(value: Json, schema: Json): boolean {
  return fits(value, nodeOfSchema(schema), { source, budget: createBudget() });
}

const longestPattern = 300;

/** Sentences that the specification of `kurel validate` prescribes. */
function writePrescribed({ field, value, types, rule }: Mistake): string | undefined {
  if (types !== undefined) {
    const names = types.map((type) => (type === 'list' ? 'array' : type));
    return `${field}: expected ${listWords(names, 'or')}, got ${typeOf(value)}`;
  }
  if (rule === undefined) return undefined;
  if ('minimum' in rule) return `${field}: ${describeValue(value)} is less than minimum ${rule.minimum}`;
  if ('maximum' in rule) return `${field}: ${describeValue(value)} is greater than maximum ${rule.maximum}`;
  const { pattern } = rule;
  const shown = pattern.length > longestPattern ? `${pattern.slice(0, longestPattern)}…` : pattern;
  return `${field} ${describeValue(value)} doesn't match pattern "${escapeControls(shown)}"`;
}

/** How to turn a number or boolean into a string; in `--set`, quotes are part of the value. */
function adviseText(value: Json, path: Path, location: Location | undefined): Message | undefined {
  if (value === null || typeof value === 'object') return undefined;
  if (location?.file.startsWith('--set[') !== true) return `use quotes: "${value}"`;
  const parameter = formatReferencePath(path);
  // A key with dots is written differently on the command line.
  return sentence`pass it as a string: ${setting('setString', parameter.includes('"') ? undefined : `${parameter}=${value}`)}`;
}

const leaf = { propertyNames: [], values: undefined, items: undefined, property: () => undefined } as const;
const anything: SchemaNode = { ...leaf, type: 'any', open: true, nullIsValue: true };
const nothing: SchemaNode = { ...leaf, type: 'none', nullIsValue: true };
/** References that only refer to each other; the checker's own limit stops them. */
const endless: Record<string, Json> = {};
endless['allOf'] = [endless];

/** In draft 7, siblings of a reference are ignored. */
function followReferences(schema: Json | undefined, root: Json): Json | undefined {
  const seen = new Set<Json>();
  let target = schema;
  while (isJsonObject(target) && typeof target['$ref'] === 'string') {
    if (seen.has(target)) return endless;
    seen.add(target);
    target = followReference(root, target['$ref']) ?? true;
  }
  return target;
}

/** Resolves `#/definitions/port` in the schema itself; other references are not resolved. */
function followReference(root: Json, reference: string): Json | undefined {
  if (!reference.startsWith('#')) return undefined;
  let schema: Json | undefined = root;
  for (const step of reference.slice(1).split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    schema = stepInto(schema, isJsonArray(schema) ? Number(name) : name);
  }
  return schema;
}

const types: Readonly<Record<string, SchemaType>> = { array: 'list' };

const mostTries = 500_000;

/** Converts a parameter schema (JSON Schema draft 7) for the checker. */
function nodeOfSchema(root: Json): SchemaNode {
  const nodes = new Map<JsonObject, SchemaNode>();
  const patterns = new Map<string, PatternTest | undefined>();
  // For all name patterns together.
  const ownBudget = createBudget();
  let triesLeft = mostTries;
  return nodeIn(root) ?? anything;

  function nodeIn(schema: Json | undefined): SchemaNode | undefined {
    const target = followReferences(schema, root);
    if (target === false) return nothing;
    if (target === undefined || target === null) return undefined;
    if (!isJsonObject(target)) return anything;
    const node = nodes.get(target) ?? createNode(target);
    nodes.set(target, node);
    return node;
  }

  function createNode(json: JsonObject): SchemaNode {
    const names = typesOf(json);
    const properties = mappingAt(json, 'properties') ?? {};
    const described = Object.entries(mappingAt(json, 'patternProperties') ?? {});
    const pattern = textAt(json, 'pattern');
    const isClosed = json['additionalProperties'] === false;
    const others = (): SchemaNode | undefined => (isClosed ? undefined : nodeIn(json['additionalProperties']));
    const first = isJsonArray(json['items']) ? json['items'] : undefined;
    const otherItems = first === undefined ? json['items'] : json['additionalItems'];
    return {
      type: 'any',
      types: names?.filter((name) => name !== 'null').map((name) => types[name] ?? (name as SchemaType)),
      nullable: names?.includes('null') === true,
      nullIsValue: true,
      format: unbounded,
      enum: Object.hasOwn(json, 'const') ? [json['const']!] : isJsonArray(json['enum']) ? json['enum'] : undefined,
      pattern,
      ...(pattern === undefined ? {} : { matches: (text, budget) => matches(text, pattern, budget) }),
      ...(typeof json['default'] === 'string' ? { example: json['default'] } : {}),
      ...limitOf(json, 'minimum', (exclusive, limit) => exclusive >= limit),
      ...limitOf(json, 'maximum', (exclusive, limit) => exclusive <= limit),
      ...Object.fromEntries(
        numberWords.filter((word) => isNumber(json[word])).map((word) => [word, Number(json[word])]),
      ),
      uniqueItems: json['uniqueItems'] === true,
      required: isJsonArray(json['required']) ? json['required'].filter((name) => typeof name === 'string') : undefined,
      open: !isClosed,
      closed: isClosed,
      hasPatterns: described.length > 0,
      propertyNames: Object.keys(properties),
      get keys() {
        return nodeIn(json['propertyNames']);
      },
      get values() {
        return others();
      },
      get items() {
        return nodeIn(otherItems);
      },
      get firstItems() {
        return first?.map((schema) => nodeIn(schema) ?? anything);
      },
      get logic() {
        return logicOf(json);
      },
      property(name) {
        triesLeft -= described.length;
        if (triesLeft < 0) throw new TooComplex();
        const schemas = described.filter(([text]) => matches(name, text, ownBudget)).map(([, schema]) => schema);
        if (Object.hasOwn(properties, name)) schemas.unshift(properties[name]!);
        const matching = schemas.map((schema) => nodeIn(schema) ?? anything);
        if (matching.length < 2) return matching[0] ?? others();
        return { ...anything, logic: { allOf: matching } };
      },
    };
  }

  /** An invalid pattern is ignored here; it is reported at its location. */
  function matches(text: string, pattern: string, budget: Budget): boolean {
    if (!patterns.has(pattern)) patterns.set(pattern, compilePattern(pattern, budget));
    return patterns.get(pattern)?.(text, budget) ?? true;
  }

  function logicOf(json: JsonObject): SchemaLogic | undefined {
    const logic: { -readonly [Word in keyof SchemaLogic]: SchemaLogic[Word] } = {};
    for (const word of ['allOf', 'anyOf', 'oneOf'] as const) {
      const schemas = json[word];
      if (isJsonArray(schemas)) logic[word] = schemas.map((schema) => nodeIn(schema) ?? anything);
    }
    for (const word of ['not', 'contains'] as const) {
      const node = nodeIn(json[word]);
      if (node !== undefined) logic[word] = node;
    }
    const conditions: SchemaCondition[] = [];
    const condition = nodeIn(json['if']);
    if (condition !== undefined)
      conditions.push({ if: condition, then: nodeIn(json['then']), else: nodeIn(json['else']) });
    for (const [name, demand] of Object.entries(mappingAt(json, 'dependencies') ?? {})) {
      const then = nodeIn(isJsonArray(demand) ? { required: demand } : demand);
      conditions.push({ if: { ...anything, required: [name] }, then });
    }
    if (conditions.length > 0) logic.conditions = conditions;
    return Object.keys(logic).length === 0 ? undefined : logic;
  }
}

type Numeric = number | bigint;

/** Draft 7 has two numbers where a node has one number and a flag; the stricter one wins. */
function limitOf(
  json: JsonObject,
  word: 'minimum' | 'maximum',
  isStricter: (exclusive: Numeric, limit: Numeric) => boolean,
): Partial<SchemaNode> {
  const name = word === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum';
  const [limit, exclusive] = [json[word], json[name]];
  if (isNumber(exclusive) && (!isNumber(limit) || isStricter(exclusive, limit)))
    return { [word]: exclusive, [name]: true };
  return isNumber(limit) ? { [word]: limit } : {};
}

const numberWords = ['multipleOf', 'minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'];

/** The types of JSON Schema. */
const jsonTypes = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] as const;

export type TypeName = (typeof jsonTypes)[number];

export const typeNames: readonly string[] = jsonTypes;

export function typeOf(value: Json): TypeName {
  if (value === null) return 'null';
  if (isJsonArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value === 'bigint' ? 'integer' : (typeof value as 'boolean' | 'object' | 'string');
}

/** Types that a schema names; `undefined` if it names none. */
export function typesOf(schema: JsonObject): readonly TypeName[] | undefined {
  const { type } = schema;
  const names = typeof type === 'string' ? [type] : isJsonArray(type) ? type : [];
  const types = names.filter((name): name is TypeName => typeof name === 'string' && typeNames.includes(name));
  return types.length === 0 ? undefined : types;
}
