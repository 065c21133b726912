import { getOrAdd } from '../budget/index.ts';
import { parseQuantity } from '../kube/index.ts';
import { textFormats } from '../schema/index.ts';
import type { SchemaNode, SchemaType } from '../schema/index.ts';
import { anything, noFields } from './field.ts';
import type { Field } from './field.ts';

/** The position of a field determines the meaning of null: it omits a named field, but not a list item. */
type Role = 'named' | 'open' | 'item';

interface NodeOptions {
  /** Whether invalid empty strings of optional fields count as absent. */
  readonly emptyIsAbsent?: boolean | undefined;
}

// Nodes are cached because tables are constants that are checked often.
const nodes = new WeakMap<Field, Map<string, SchemaNode>>();

/** The schema of a table, for the checker. */
export function nodeOfField(field: Field, options: NodeOptions = {}, role: Role = 'named'): SchemaNode {
  const byRole = getOrAdd(nodes, field, () => new Map<string, SchemaNode>());
  return getOrAdd(byRole, `${role} ${options.emptyIsAbsent === true}`, () => new FieldNode(field, options, role));
}

export function schemaTypeOf(type: Field['type']): SchemaType {
  return type === 'array' ? 'list' : type;
}

/** A class, because a build creates dozens: an object with getters takes four times as long and 2 KB. */
class FieldNode implements SchemaNode {
  readonly type: SchemaType;
  readonly types: readonly SchemaType[] | undefined;
  readonly instead: SchemaNode['instead'];
  readonly listing: SchemaNode['listing'];
  readonly insteadOfText: SchemaNode['insteadOfText'];
  readonly insteadOfBoolean: SchemaNode['insteadOfBoolean'];
  readonly check: SchemaNode['check'];
  readonly format = 'unbounded';
  readonly enum: SchemaNode['enum'];
  readonly noun: string | undefined;
  readonly otherWords: SchemaNode['otherWords'];
  readonly default: SchemaNode['default'];
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly minItems: number | undefined;
  readonly listType: SchemaNode['listType'];
  readonly listMapKeys: readonly string[] | undefined;
  readonly required: readonly string[];
  readonly relations: SchemaNode['relations'];
  readonly open: boolean;
  readonly nullIsAbsent: boolean;
  readonly nullIsValue: boolean;
  readonly nullIsEmpty: boolean;
  readonly emptyIsAbsent: boolean;
  readonly keys: SchemaNode | undefined;
  readonly itemFields: readonly string[] | undefined;
  readonly propertyNames: readonly string[];
  readonly values: SchemaNode | undefined;
  readonly #field: Field;
  readonly #options: NodeOptions;

  constructor(field: Field, options: NodeOptions, role: Role) {
    const { type, properties = noFields, open, uniqueBy, minimum, maximum } = field;
    const names = Object.keys(properties);
    // Larger integers would lose precision as a JavaScript number.
    const isLimited = field.exact !== true && (type === 'integer' || type === 'number');
    // The content of a Kubernetes field is checked against the Kubernetes schema instead.
    const others = field.kubernetes === undefined ? open : anything;
    this.#field = field;
    this.#options = options;
    this.type = schemaTypeOf(type);
    this.types = field.types?.map(schemaTypeOf);
    this.instead = field.instead;
    this.listing = field.listing;
    this.insteadOfText = field.insteadOfText;
    this.insteadOfBoolean = field.insteadOfBoolean;
    this.check = checkOf(field);
    this.enum = field.enum;
    this.noun = field.noun;
    this.otherWords = field.otherWords;
    this.default = field.default;
    this.minimum = minimum ?? (isLimited ? Number.MIN_SAFE_INTEGER : undefined);
    this.maximum = maximum ?? (isLimited ? Number.MAX_SAFE_INTEGER : undefined);
    this.minItems = field.minItems;
    this.listType = uniqueBy === undefined ? undefined : 'map';
    this.listMapKeys = uniqueBy === undefined ? undefined : [uniqueBy];
    this.required = names.filter((name) => properties[name]!.required === true);
    this.relations = field.relations;
    this.open = open?.type === 'any';
    this.nullIsAbsent = role === 'item';
    this.nullIsValue = field.nullable === false || (role !== 'named' && type !== 'object');
    this.nullIsEmpty = role === 'open' && type === 'object' && field.nullable !== false;
    this.emptyIsAbsent = role === 'named' && options.emptyIsAbsent === true && mayBeEmpty(field);
    this.keys = field.keys === undefined ? undefined : nodeOfField({ type: 'string', format: field.keys });
    // The table does not know the item fields of a Kubernetes list; those of `env` help with a common mistake.
    this.itemFields = field.kubernetes?.at(-1) === 'env' ? ['name', 'value', 'valueFrom'] : undefined;
    this.propertyNames = names;
    this.values = others === undefined || this.open ? undefined : nodeOfField(others, options, 'open');
  }

  get meaning(): string | undefined {
    return phraseOf(this.#field.description);
  }

  get items(): SchemaNode | undefined {
    const { items } = this.#field;
    return items === undefined ? undefined : nodeOfField(items, this.#options, 'item');
  }

  property(name: string): SchemaNode | undefined {
    const { properties = noFields } = this.#field;
    return Object.hasOwn(properties, name) ? nodeOfField(properties[name]!, this.#options) : this.values;
  }
}

/** The first sentence of a description, to be continued in a hint: `Name of the role. …` becomes `the name of the role`. */
export function phraseOf(description: string | undefined): string | undefined {
  const [, first = '', rest] = /^([A-Z][a-z]* )?(.*?)\.(?: |$)/s.exec(description ?? '') ?? [];
  if (rest === undefined) return description;
  const phrase = `${first.toLowerCase()}${rest}`;
  if (/^(?:the|an?|whether|how|when) /.test(phrase)) return phrase;
  return `${phrase.startsWith('object ') ? 'an' : phrase.startsWith('list ') ? 'a' : 'the'} ${phrase}`;
}

/** A number in a string field is checked as a string. */
function checkOf({ type, format }: Field): SchemaNode['check'] {
  if (type === 'quantity') return (value) => refuseNegative(String(value));
  return format === undefined ? undefined : (value) => textFormats[format](String(value));
}

function refuseNegative(text: string): string | undefined {
  return (parseQuantity(text)?.nanos ?? 0n) < 0n ? 'must not be negative' : undefined;
}

// A field that restricts something is never ignored because it is empty.
const restricting: ReadonlySet<string> = new Set(['host', 'sha256']);

/** Whether an empty string counts as absent, because it would be invalid, so that a parameter can omit the property. */
export function mayBeEmpty({ type, required, enum: words, format }: Field): boolean {
  if (type !== 'string' || required === true) return false;
  if (words !== undefined && !words.includes('')) return true;
  return format !== undefined && !restricting.has(format) && textFormats[format]('') !== undefined;
}
