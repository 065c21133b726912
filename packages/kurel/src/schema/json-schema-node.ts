import { isJsonArray, isJsonObject } from '../model/index.ts';
import type { Json, JsonObject } from '../model/index.ts';
import type { RuleTree, SchemaLogic, SchemaNode, SchemaRule, SchemaType } from './schema-node.ts';

// Only the start of a sentence counts: "the deprecated field x", or a value called deprecated in a
// list of values, does not deprecate the field. The names before it are those that Go comments start with.
// A line break within a sentence starts none.
const mark =
  /(?:^|[.)] |\n)(?:Deprecated|DEPRECATED)(?=[:.\s]|$)|(?:^|[.)] |\n\n)(?:(?:This (?:field|API|type)|[\w`]+) is(?: now)? deprecated(?=[:.,\s]|$)|[\w`]+ deprecated:)/;
const bareWord = /^deprecated[:.]?$/i;
const advice = /^\s*(?:Please )?(?:Use|use|Migrate|Instead)\b/;

/** The sentence in which a description deprecates its field, with the advice after it. */
export function findDeprecation(description: string | undefined): string | undefined {
  if (description === undefined || !/deprecated/i.test(description)) return undefined;
  // Single blanks between words, so that the expression does not rescan the description for each extra one.
  const text = description.replaceAll(/\s+/g, (blank) =>
    /\n\s*\n/.test(blank) ? '\n\n' : blank.includes('\n') ? '\n' : ' ',
  );
  const match = mark.exec(text.replaceAll(/([.)])\n/g, '$1 '));
  if (match === null) return undefined;
  const start = text.slice(match.index).replace(/^[.)\s]+/, '');
  const [first, ...rest] = start.split(/(?<=\.)\s+|\n\s*\n/);
  const more = rest[0] !== undefined && (bareWord.test(first!) || advice.test(rest[0]));
  return (more ? `${first!} ${rest[0]}` : first!).replaceAll(/\s+/g, ' ').trim();
}

/** Context of a schema tree that is not part of it. */
export interface SchemaContext {
  /** A schema that others refer to by number, as in the shipped data. */
  resolve(reference: number, words: Words | undefined): SchemaNode | undefined;
  /** The schemas are those of Go types, which read `null` as "not set". */
  readonly nullIsAbsent?: boolean;
  /** ObjectMeta, which CRDs never spell out. */
  readonly objectMeta?: (() => SchemaNode | undefined) | undefined;
  /** Rules come with their syntax trees. A definition of somebody else cannot have them: its tree could differ from its rule. */
  readonly hasRuleTrees?: boolean;
}

// Real lists have at most four; every item is compared by all of them.
const mostListKeys = 16;

/** A schema in OpenAPI v3 with Kubernetes' extensions, read on demand. A class, because it caches its children. */
export class JsonSchemaNode implements SchemaNode {
  readonly type: SchemaType;
  readonly format: string | undefined;
  readonly enum: readonly Json[] | undefined;
  readonly nullable: boolean;
  readonly nullIsAbsent: boolean;
  readonly default: Json | undefined;
  readonly required: readonly string[] | undefined;
  readonly open: boolean;
  readonly embedded: boolean;
  readonly mapType: SchemaNode['mapType'];
  readonly listType: SchemaNode['listType'];
  readonly listMapKeys: readonly string[] | undefined;
  readonly patchStrategy: SchemaNode['patchStrategy'];
  readonly patchMergeKey: string | undefined;
  readonly pattern: string | undefined;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly exclusiveMinimum: boolean;
  readonly exclusiveMaximum: boolean;
  readonly multipleOf: number | undefined;
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  readonly minItems: number | undefined;
  readonly maxItems: number | undefined;
  readonly uniqueItems: boolean;
  readonly minProperties: number | undefined;
  readonly maxProperties: number | undefined;
  readonly rules: readonly SchemaRule[] | undefined;
  readonly propertyNames: readonly string[];
  readonly #json: JsonObject;
  readonly #context: SchemaContext;
  readonly #properties: JsonObject | undefined;
  readonly #children = new Map<string, SchemaNode>();
  readonly #narrowed: SchemaNode | undefined;
  readonly #words: Words | undefined;
  #values: SchemaNode | undefined;
  #items: SchemaNode | undefined;
  #logic: SchemaLogic | undefined;

  constructor(json: JsonObject, context: SchemaContext, beside: Beside = {}) {
    this.#json = json;
    this.#context = context;
    this.#narrowed = beside.narrowed;
    this.#words = beside.words;
    this.#properties = isJsonObject(json['properties']) ? json['properties'] : undefined;
    this.embedded = json['x-kubernetes-embedded-resource'] === true;
    this.type = this.embedded ? 'object' : readType(json);
    this.format = readText(json['format']);
    this.enum = isJsonArray(json['enum']) ? json['enum'] : undefined;
    this.nullIsAbsent = context.nullIsAbsent === true;
    this.nullable =
      this.nullIsAbsent || json['nullable'] === true || (isJsonArray(json['type']) && json['type'].includes('null'));
    this.default = json['default'];
    this.open = json['x-kubernetes-preserve-unknown-fields'] === true || json['additionalProperties'] === true;
    const names = Object.keys(this.#properties ?? {});
    this.propertyNames = this.embedded ? [...new Set([...rootNames, ...names])] : names;
    const required = readTexts(json['required']);
    this.required = this.embedded ? [...new Set(['apiVersion', 'kind', ...(required ?? [])])] : required;
    this.mapType = readWord(json['x-kubernetes-map-type'], ['atomic', 'granular']);
    const keys = readTexts(json['x-kubernetes-list-map-keys']);
    const isKeyed = (keys?.length ?? 0) <= mostListKeys;
    this.listType = isKeyed ? readWord(json['x-kubernetes-list-type'], ['atomic', 'set', 'map']) : 'atomic';
    this.listMapKeys = isKeyed ? keys : undefined;
    this.patchStrategy = readStrategy(json['x-kubernetes-patch-strategy']);
    this.patchMergeKey = readText(json['x-kubernetes-patch-merge-key']);
    this.pattern = readText(json['pattern']);
    this.minimum = readNumber(json['minimum']);
    this.maximum = readNumber(json['maximum']);
    this.exclusiveMinimum = json['exclusiveMinimum'] === true;
    this.exclusiveMaximum = json['exclusiveMaximum'] === true;
    this.multipleOf = readNumber(json['multipleOf']);
    this.minLength = readNumber(json['minLength']);
    this.maxLength = readNumber(json['maxLength']);
    this.minItems = readNumber(json['minItems']);
    this.maxItems = readNumber(json['maxItems']);
    this.uniqueItems = json['uniqueItems'] === true;
    this.minProperties = readNumber(json['minProperties']);
    this.maxProperties = readNumber(json['maxProperties']);
    this.rules = readRules(json['x-kubernetes-validations'], context);
  }

  get description(): string | undefined {
    return readText(this.#json['description']) ?? this.#words?.text;
  }

  get deprecated(): string | undefined {
    const parsed = this.#json['x-kurel-deprecated'];
    return readText(parsed) ?? findDeprecation(readText(this.#json['description']));
  }

  property(name: string): SchemaNode | undefined {
    const earlier = this.#children.get(name);
    if (earlier !== undefined) return earlier;
    const child = this.#createProperty(name);
    if (child === undefined) return this.values;
    this.#children.set(name, child);
    return child;
  }

  #createProperty(name: string): SchemaNode | undefined {
    const named = this.#properties !== undefined && Object.hasOwn(this.#properties, name);
    if (this.embedded && rootNames.includes(name)) {
      return this.#createRootProperty(name, named ? this.#properties[name] : undefined);
    }
    // A field that is named but cannot be read is still known, without constraints.
    if (!named) return undefined;
    return this.#create(this.#properties[name], this.#words?.property(name)) ?? new JsonSchemaNode({}, this.#context);
  }

  /** A CRD may only narrow the fields that every object has, and most omit them. */
  #createRootProperty(name: string, parsed: Json | undefined): SchemaNode {
    const words = this.#words?.property(name);
    if (name !== 'metadata') {
      return this.#create(parsed, words) ?? new JsonSchemaNode({ type: 'string' }, this.#context, { words });
    }
    const objectMeta = this.#context.objectMeta?.() ?? new JsonSchemaNode(openObject, this.#context);
    const narrowed = this.#create(parsed);
    const narrows = narrowed !== undefined && narrowed.propertyNames.length > 0;
    return narrows && objectMeta instanceof JsonSchemaNode ? objectMeta.#narrow(narrowed) : objectMeta;
  }

  #narrow(narrowed: SchemaNode): SchemaNode {
    return new JsonSchemaNode(this.#json, this.#context, { narrowed, words: this.#words });
  }

  get values(): SchemaNode | undefined {
    this.#values ??= this.#create(this.#json['additionalProperties'], this.#words?.values);
    return this.#values;
  }

  get items(): SchemaNode | undefined {
    this.#items ??= this.#create(this.#json['items'], this.#words?.items);
    return this.#items;
  }

  get logic(): SchemaLogic | undefined {
    this.#logic ??= this.#createLogic();
    return this.#logic === noLogic ? undefined : this.#logic;
  }

  #createLogic(): SchemaLogic {
    // Most schemas have none of them.
    if (this.#narrowed === undefined && !logicWords.some((word) => word in this.#json)) return noLogic;
    const [allOf, oneOf, not] = [this.#createAll('allOf'), this.#createAll('oneOf'), this.#create(this.#json['not'])];
    // Structural schemas must spell out int-or-string this way; the type already covers it.
    const anyOf = this.type === 'int-or-string' ? undefined : this.#createAll('anyOf');
    const all = this.#narrowed === undefined ? allOf : [...(allOf ?? []), this.#narrowed];
    const isEmpty = all === undefined && anyOf === undefined && oneOf === undefined && not === undefined;
    return isEmpty ? noLogic : { allOf: all, anyOf, oneOf, not };
  }

  #createAll(word: 'allOf' | 'anyOf' | 'oneOf'): readonly SchemaNode[] | undefined {
    const schemas = this.#json[word];
    if (!isJsonArray(schemas)) return undefined;
    const nodes = schemas.map((schema) => this.#create(schema)).filter((node) => node !== undefined);
    return nodes.length === 0 ? undefined : nodes;
  }

  #create(schema: Json | undefined, words?: Words): SchemaNode | undefined {
    if (typeof schema === 'number') return this.#context.resolve(schema, words);
    return isJsonObject(schema) ? new JsonSchemaNode(schema, this.#context, { words }) : undefined;
  }
}

interface Beside {
  /** Only constrains what the schema describes; comes from a CRD with constraints on its metadata. */
  readonly narrowed?: SchemaNode | undefined;
  /** Descriptions, which are stored separately from the structure. */
  readonly words?: Words | undefined;
}

const rootNames: readonly string[] = ['apiVersion', 'kind', 'metadata'];
const openObject: JsonObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const noLogic: SchemaLogic = {};
const logicWords = ['allOf', 'anyOf', 'oneOf', 'not'] as const;

const types = new Map<Json | undefined, SchemaType>([
  ['object', 'object'],
  ['array', 'list'],
  ['string', 'string'],
  ['integer', 'integer'],
  ['number', 'number'],
  ['boolean', 'boolean'],
  // Not a JSON Schema type: the shipped data uses this name.
  ['quantity', 'quantity'],
]);

function readType(json: JsonObject): SchemaType {
  if (json['x-kubernetes-int-or-string'] === true) return 'int-or-string';
  const parsed = isJsonArray(json['type']) ? json['type'].find((type) => type !== 'null') : json['type'];
  const type = types.get(parsed);
  if (type !== undefined) return type;
  if (isJsonObject(json['properties']) || isJsonObject(json['additionalProperties'])) return 'object';
  return isJsonObject(json['items']) ? 'list' : 'any';
}

function readText(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function readTexts(value: Json | undefined): readonly string[] | undefined {
  if (!isJsonArray(value)) return undefined;
  const texts = value.filter((item) => typeof item === 'string');
  return texts.length === 0 ? undefined : texts;
}

function readNumber(value: Json | undefined): number | undefined {
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'number' ? value : undefined;
}

function readWord<Word extends string>(value: Json | undefined, words: readonly Word[]): Word | undefined {
  return words.find((word) => word === value);
}

const strategies = ['merge', 'replace', 'retainKeys'] as const;

function readStrategy(value: Json | undefined): SchemaNode['patchStrategy'] {
  if (typeof value !== 'string') return undefined;
  const parsed = value.split(',');
  return strategies.filter((strategy) => parsed.includes(strategy));
}

function readRules(value: Json | undefined, context: SchemaContext): readonly SchemaRule[] | undefined {
  if (!isJsonArray(value)) return undefined;
  const rules = value.flatMap((rule) => (isJsonObject(rule) ? readRule(rule, context) : []));
  return rules.length === 0 ? undefined : rules;
}

function readRule(json: JsonObject, { hasRuleTrees }: SchemaContext): readonly SchemaRule[] {
  const rule = readText(json['rule']);
  if (rule === undefined) return [];
  const [message, messageExpression] = [readText(json['message']), readText(json['messageExpression'])];
  const [reason, fieldPath] = [readText(json['reason']), readText(json['fieldPath'])];
  const tree = hasRuleTrees === true ? (json['x-kurel-tree'] as RuleTree | undefined) : undefined;
  const optionalOldSelf = json['optionalOldSelf'] === true;
  return [
    { rule, message, messageExpression, reason, fieldPath, optionalOldSelf, ...(tree !== undefined && { tree }) },
  ];
}

/**
 * The node of a schema from OpenAPI v3 documents or the structural schemas of CRDs. Invalid keywords
 * are ignored: an API server has already checked a CRD, or will.
 */
export function nodeFromJsonSchema(json: JsonObject, options: NodeOptions = {}): SchemaNode {
  const { objectMeta } = options;
  const schema = options.root === true ? { ...json, 'x-kubernetes-embedded-resource': true } : json;
  return new JsonSchemaNode(schema, { resolve: () => undefined, objectMeta: () => objectMeta });
}

export interface NodeOptions {
  /** The schema describes a complete object, whose `apiVersion`, `kind` and `metadata` are implied. */
  readonly root?: boolean;
  /** Schema of `metadata` of complete objects; defaults to any object. */
  readonly objectMeta?: SchemaNode | undefined;
}

/** Descriptions of a schema and its children. They are stored separately from the structure, which is shared. */
export interface Words {
  readonly text: string | undefined;
  property(name: string): Words | undefined;
  readonly items: Words | undefined;
  readonly values: Words | undefined;
}

/** Lines of JSON, parsed on demand. */
export type ReadLine = (line: number) => Json;

/** A line is a string, or an object with a string (`d`) and the lines of properties (`p`), items (`i`) and values (`v`). */
export function readWords(readLine: ReadLine, line: number): Words {
  const parsed = readLine(line);
  const { d, p, i, v }: JsonObject = isJsonObject(parsed) ? parsed : { d: parsed };
  const follow = (next: Json | undefined): Words | undefined =>
    typeof next === 'number' ? readWords(readLine, next) : undefined;
  return {
    text: typeof d === 'string' ? d : undefined,
    property: (name) => (isJsonObject(p) && Object.hasOwn(p, name) ? follow(p[name]) : undefined),
    get items() {
      return follow(i);
    },
    get values() {
      return follow(v);
    },
  };
}
