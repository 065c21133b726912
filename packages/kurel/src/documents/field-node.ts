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
  return getOrAdd(byRole, `${role} ${options.emptyIsAbsent === true}`, () => createNode(field, options, role));
}

export function schemaTypeOf(type: Field['type']): SchemaType {
  return type === 'array' ? 'list' : type;
}

function createNode(field: Field, options: NodeOptions, role: Role): SchemaNode {
  const { type, properties = noFields, open, items, uniqueBy, minimum, maximum } = field;
  const names = Object.keys(properties);
  // Larger integers would lose precision as a JavaScript number.
  const isLimited = field.exact !== true && (type === 'integer' || type === 'number');
  const isOpen = open?.type === 'any';
  // The content of a Kubernetes field is checked against the Kubernetes schema instead.
  const others = field.kubernetes === undefined ? open : anything;
  return {
    type: schemaTypeOf(field.type),
    types: field.types?.map(schemaTypeOf),
    instead: field.instead,
    listing: field.listing,
    insteadOfText: field.insteadOfText,
    insteadOfBoolean: field.insteadOfBoolean,
    ...checkOf(field),
    format: 'unbounded',
    enum: field.enum,
    noun: field.noun,
    otherWords: field.otherWords,
    get meaning() {
      return phraseOf(field.description);
    },
    default: field.default,
    minimum: minimum ?? (isLimited ? Number.MIN_SAFE_INTEGER : undefined),
    maximum: maximum ?? (isLimited ? Number.MAX_SAFE_INTEGER : undefined),
    minItems: field.minItems,
    ...(uniqueBy === undefined ? {} : { listType: 'map', listMapKeys: [uniqueBy] }),
    required: names.filter((name) => properties[name]!.required === true),
    relations: field.relations,
    open: isOpen,
    nullIsAbsent: role === 'item',
    nullIsValue: field.nullable === false || (role !== 'named' && type !== 'object'),
    nullIsEmpty: role === 'open' && type === 'object' && field.nullable !== false,
    emptyIsAbsent: role === 'named' && options.emptyIsAbsent === true && mayBeEmpty(field),
    ...(field.keys === undefined ? {} : { keys: nodeOfField({ type: 'string', format: field.keys }) }),
    // The table does not know the item fields of a Kubernetes list; those of `env` help with a common mistake.
    ...(field.kubernetes?.at(-1) === 'env' ? { itemFields: ['name', 'value', 'valueFrom'] } : {}),
    propertyNames: names,
    values: others === undefined || isOpen ? undefined : nodeOfField(others, options, 'open'),
    get items() {
      return items === undefined ? undefined : nodeOfField(items, options, 'item');
    },
    property(name) {
      return Object.hasOwn(properties, name) ? nodeOfField(properties[name]!, options) : this.values;
    },
  };
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
function checkOf({ type, format }: Field): Pick<SchemaNode, 'check'> {
  if (type === 'quantity') return { check: (value) => refuseNegative(String(value)) };
  return format === undefined ? {} : { check: (value) => textFormats[format](String(value)) };
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
