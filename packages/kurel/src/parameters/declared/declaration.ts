import { createBudget, getOrAdd } from '../../budget/index.ts';
import { isJsonArray, isJsonObject, isScalar } from '../../model/index.ts';
import type { Json, Location, Path, Values } from '../../model/index.ts';
import { check, unbounded } from '../../schema/index.ts';
import type { CheckFinding, CheckSource, SchemaNode, SchemaType } from '../../schema/index.ts';
import { exactInteger } from '../exact-integer.ts';
import type { ParameterLayer } from '../layers.ts';
import { applicationSyntax, parseTemplate } from '../references.ts';
import type { Found, WrittenAt } from '../substitute.ts';

export const parameterTypes = ['string', 'integer', 'number', 'boolean', 'array', 'object'] as const;

export type ParameterType = (typeof parameterTypes)[number];

/** What a value must be; the keywords have their JSON Schema meaning. */
export interface ParameterSchema {
  /** Always set for a parameter itself; a part without a type accepts any value. */
  readonly type?: ParameterType;
  readonly description?: string;
  readonly enum?: readonly Json[];
  readonly pattern?: Pattern;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly items?: ParameterSchema;
  readonly properties?: ReadonlyMap<string, ParameterSchema>;
  /** Required keys of an object. */
  readonly requiredKeys?: readonly string[];
}

export interface Pattern {
  readonly text: string;
  readonly matches: (text: string) => boolean;
}

/** One entry of `spec.parameters` in kurel.yaml. */
export interface ParameterDeclaration extends ParameterSchema {
  readonly name: string;
  readonly type: ParameterType;
  readonly required: boolean;
  /** Has the declared type, except for strings that refer to other parameters. `undefined` if there is no default. */
  readonly default: Json | undefined;
  /** A number or boolean of the default as written. */
  readonly writtenAt: (path: Path) => string | undefined;
  /** Location of the entry in the list. */
  readonly location: Location;
}

export function isStructure(type: ParameterType | undefined): type is 'array' | 'object' {
  return type === 'array' || type === 'object';
}

/** Where a value, or a part of one, was set. */
export interface DeclaredOrigin {
  /** `package` means that the package itself provides the value: its name. */
  readonly from: 'layer' | 'default' | 'package';
  readonly layer?: ParameterLayer;
  readonly location: Location;
}

export interface DeclaredValue extends Found {
  readonly name: string;
  readonly type: ParameterType;
  /** The parameters that a default refers to, each once. */
  readonly refersTo: readonly string[];
  /** The path is relative to the value. */
  readonly originAt: (path: Path) => DeclaredOrigin;
  /** Where a reference in a default was replaced by a number or boolean. */
  readonly scalars: () => readonly Path[];
  readonly writtenAt: WrittenAt;
}

export interface DeclaredValues {
  readonly declarations: readonly ParameterDeclaration[];
  /** Parameters with a value; includes `name` even if it is not declared. */
  readonly values: ReadonlyMap<string, DeclaredValue>;
}

/** Declared parameters as patches see them: values by name; names may contain dots. */
export function tabulateDeclared(parameters: DeclaredValues | undefined): {
  readonly values: Values;
  readonly writtenAt: WrittenAt;
  readonly hasDottedNames: true;
} {
  const values = parameters?.values;
  return {
    values: Object.fromEntries(Array.from(values ?? [], ([name, { value }]) => [name, value])),
    writtenAt: ([name, ...inside]) => values?.get(String(name))?.writtenAt(inside),
    hasDottedNames: true,
  };
}

const trueWords = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const falseWords = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

/** What a string means as the declared type, `undefined` when it means nothing. */
function readWord(text: string, type: 'integer' | 'number' | 'boolean'): Json | undefined {
  if (type === 'boolean') return trueWords.has(text) ? true : falseWords.has(text) ? false : undefined;
  return readInteger(text) ?? (type === 'number' ? readDecimal(text) : undefined);
}

/** Exact at any size. */
function readInteger(text: string): number | bigint | undefined {
  return /^[-+]?[0-9]+$/.test(text) ? exactInteger(text) : undefined;
}

function readDecimal(text: string): number | undefined {
  if (!/^[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$/.test(text)) return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}

interface Checking {
  readonly schema: ParameterSchema;
  readonly path: Path;
  readonly refuse: (finding: CheckFinding) => void;
  /** A number or boolean as written, for positions that require a string. */
  readonly textAt: (path: Path, value: number | bigint | boolean) => string | undefined;
  /** Strings may contain references to parameters; such strings are not checked. */
  readonly isTemplate?: boolean | undefined;
  /** The value and its parts, as messages name them; without it, they are fields of kurel.yaml. */
  readonly namePath?: ((path: Path) => string) | undefined;
}

/** The value converted to its declared type; mismatches are reported, and the value is then returned unchanged. */
export function checkValue(value: Json, checking: Checking): Json {
  const { schema, path, namePath, refuse } = checking;
  const templates = new Set<string>();
  const typed = coerce(value, schema, { ...checking, templates });
  const source: CheckSource = {
    noun: namePath === undefined ? 'field' : 'parameter',
    whole: namePath?.([]) ?? 'the value',
    namePath,
    adviseType: (_, node, value) => (node.type === 'string' && isScalar(value) ? quotesOnly : undefined),
  };
  check(typed.checked, nodeOfDeclaration(schema), {
    path,
    source,
    budget: createBudget(),
    report(finding) {
      if (!templates.has(JSON.stringify(finding.path))) refuse(finding);
    },
  });
  return typed.kept;
}

/** The original notation is unknown, otherwise the value would have been used as a string. */
const quotesOnly = 'quote it, without a tag';

interface Typed {
  /** The value to keep: strings with references stay unchanged until they are filled in. */
  readonly kept: Json;
  /** The value to check: strings as they will be read. */
  readonly checked: Json;
}

interface Coercing extends Pick<Checking, 'path' | 'textAt' | 'isTemplate'> {
  /** Paths of strings with references. */
  readonly templates: Set<string>;
}

function coerce(value: Json, schema: ParameterSchema, coercing: Coercing): Typed {
  const { path, textAt } = coercing;
  if (coercing.isTemplate === true && typeof value === 'string') return coerceTemplate(value, schema, coercing);
  const { type, items, properties } = schema;
  const inner = (part: Json, step: string | number, its: ParameterSchema): Typed =>
    coerce(part, its, { ...coercing, path: [...path, step] });
  if (isJsonArray(value) && items !== undefined) {
    const typed = value.map((item, index) => inner(item, index, items));
    return { kept: typed.map(({ kept }) => kept), checked: typed.map(({ checked }) => checked) };
  }
  if (isJsonObject(value) && properties !== undefined) {
    const typed = Object.entries(value).map(
      ([key, part]) => [key, inner(part, key, properties.get(key) ?? {})] as const,
    );
    return {
      kept: Object.fromEntries(typed.map(([key, { kept }]) => [key, kept])),
      checked: Object.fromEntries(typed.map(([key, { checked }]) => [key, checked])),
    };
  }
  // If a string is required, `1.10` is not `1.1`.
  if (type === 'string' && isScalar(value)) return same(textAt(path, value) ?? value);
  const isRead = type === 'integer' || type === 'number' || type === 'boolean';
  if (isRead && typeof value === 'string') return same(readWord(value, type) ?? value);
  return same(value);
}

function same(value: Json): Typed {
  return { kept: value, checked: value };
}

/** A string without references is checked as it reads, and kept as it is until it is filled in. */
function coerceTemplate(value: string, schema: ParameterSchema, coercing: Coercing): Typed {
  const { parts } = parseTemplate(value, applicationSyntax);
  const [only = ''] = parts;
  if (parts.length > 1 || typeof only !== 'string') {
    coercing.templates.add(JSON.stringify(coercing.path));
    return same(value);
  }
  const { checked } = coerce(only, schema, { ...coercing, isTemplate: false });
  return { kept: typeof checked === 'string' ? value : checked, checked };
}

const nodes = new WeakMap<ParameterSchema, SchemaNode>();

/** The declaration as a schema for the checker. */
function nodeOfDeclaration(schema: ParameterSchema): SchemaNode {
  return getOrAdd(nodes, schema, () => createNode(schema));
}

function createNode(schema: ParameterSchema): SchemaNode {
  const { type = 'any', pattern, items, properties, requiredKeys } = schema;
  const types: SchemaType = type === 'array' ? 'list' : type;
  return {
    type: types,
    nullIsValue: true,
    format: unbounded,
    // A larger number was written with an exponent or a fraction and is rounded.
    ...(type === 'integer' ? { check: refuseRounded } : {}),
    enum: schema.enum,
    minimum: schema.minimum,
    maximum: schema.maximum,
    ...(pattern === undefined ? {} : { pattern: pattern.text, matches: pattern.matches }),
    required: requiredKeys,
    open: true,
    propertyNames: [...(properties?.keys() ?? [])],
    values: undefined,
    get items() {
      return items === undefined ? undefined : nodeOfDeclaration(items);
    },
    property(name) {
      const inner = properties?.get(name);
      return inner === undefined ? undefined : nodeOfDeclaration(inner);
    },
  };
}

/** Numbers beyond 2^53 are exact only if they were written with all digits. */
function refuseRounded(value: Json): string | undefined {
  return typeof value === 'number' && !Number.isSafeInteger(value) ? 'must be written with all digits' : undefined;
}
