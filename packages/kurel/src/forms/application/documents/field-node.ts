import { parseQuantity } from '../../../kube/index.ts';
import { textFormats } from '../../../schema/index.ts';
import type { SchemaNode, SchemaType } from '../../../schema/index.ts';
import type { Field, Fields, FieldType } from './field.ts';

/** Where a field is, which decides what null means: it leaves a named field out, but not an item of a list. */
type Role = 'named' | 'open' | 'item';

interface NodeOptions {
  /** Whether optional strings that are empty are taken for absent where they could only be refused. */
  readonly emptyIsAbsent?: boolean | undefined;
}

// Tables are constants, and each is used very often.
const nodes = new WeakMap<Field, Map<string, SchemaNode>>();

/** The schema of what a table describes, for the checker. */
export function nodeOfField(field: Field, options: NodeOptions = {}, role: Role = 'named'): SchemaNode {
  const known = nodes.get(field) ?? new Map<string, SchemaNode>();
  nodes.set(field, known);
  const key = `${role} ${options.emptyIsAbsent === true}`;
  const node = known.get(key) ?? createNode(field, options, role);
  known.set(key, node);
  return node;
}

const types: Readonly<Record<FieldType, SchemaType>> = {
  string: 'string',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  array: 'list',
  object: 'object',
  quantity: 'quantity',
  scalar: 'scalar',
  any: 'any',
};

const noFields: Fields = {};
const anything: Field = { type: 'any' };

function createNode(field: Field, options: NodeOptions, role: Role): SchemaNode {
  const { type, properties = noFields, open, items, uniqueBy, minimum, maximum } = field;
  const names = Object.keys(properties);
  // Beyond these a number is no longer the one that was written.
  const isNumber = type === 'integer' || type === 'number';
  const isOpen = open?.type === 'any';
  // What is in a field of Kubernetes is checked against the schema that Kubernetes has for it.
  const others = field.kubernetes === undefined ? open : anything;
  return {
    type: types[type],
    instead: field.instead,
    ...checkOf(field),
    format: 'unbounded',
    enum: field.enum,
    noun: field.noun,
    meaning: field.description,
    default: field.default,
    minimum: minimum ?? (isNumber ? Number.MIN_SAFE_INTEGER : undefined),
    maximum: maximum ?? (isNumber ? Number.MAX_SAFE_INTEGER : undefined),
    minItems: field.minItems,
    ...(uniqueBy === undefined ? {} : { listType: 'map', listMapKeys: [uniqueBy] }),
    required: names.filter((name) => properties[name]!.required === true),
    open: isOpen,
    nullIsAbsent: role === 'item',
    nullIsValue: role === 'named' ? field.nullable === false : type !== 'object',
    nullIsEmpty: role === 'open' && type === 'object',
    emptyIsAbsent: role === 'named' && options.emptyIsAbsent === true && mayBeEmpty(field),
    ...(field.keys === undefined ? {} : { keys: nodeOfField({ type: 'string', format: field.keys }) }),
    // What Kubernetes has in a list is only known to its own schema; that of variables everybody has in mind.
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

/** A number that is a string to its field is checked as one. */
function checkOf({ type, format }: Field): Pick<SchemaNode, 'check'> {
  if (type === 'quantity') return { check: (value) => refuseNegative(String(value)) };
  return format === undefined ? {} : { check: (value) => textFormats[format](String(value)) };
}

function refuseNegative(text: string): string | undefined {
  return (parseQuantity(text)?.nanos ?? 0n) < 0n ? 'must not be negative' : undefined;
}

// What restricts something is never taken for nothing said.
const restricting: ReadonlySet<string> = new Set(['host', 'sha256']);

/** Whether an empty string, which could only be refused, is as good as none, so that a parameter can leave the property out. */
export function mayBeEmpty({ type, required, enum: words, format }: Field): boolean {
  if (type !== 'string' || required === true) return false;
  if (words !== undefined && !words.includes('')) return true;
  return format !== undefined && !restricting.has(format) && textFormats[format]('') !== undefined;
}
