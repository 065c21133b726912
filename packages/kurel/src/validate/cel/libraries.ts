import { Optional } from '@marcbachmann/cel-js';
import type { Environment } from '@marcbachmann/cel-js';
import {
  checkDns1035Label,
  checkDnsLabel,
  checkDnsSubdomain,
  checkLabelKey,
  checkLabelValue,
  compareQuantities,
  parseQuantity,
} from '../../kube/index.ts';
import type { Quantity } from '../../kube/index.ts';
import { compareText } from '../../model/index.ts';
import { findFormat } from '../../schema/index.ts';
import type { GoPattern } from '../../schema/index.ts';
import { longestText } from './limit-steps.ts';
import { readPattern } from './read-pattern.ts';
import type { StepCounter } from './limit-steps.ts';

/** Handlers by their signatures. The library passes arguments of the types in the signature. */
export type Functions = Readonly<Record<string, (...args: never[]) => unknown>>;

export function registerFunctions(environment: Environment, functions: Functions): void {
  for (const [signature, handler] of Object.entries(functions)) environment.registerFunction(signature, handler);
}

/** A value of a type that the library does not have: it tells types apart by their classes. */
export class Held<Value> {
  readonly held: Value;

  constructor(held: Value) {
    this.held = held;
  }
}

/** String functions that Kubernetes has and the library lacks. */
export function registerStrings(environment: Environment, counter: StepCounter): void {
  const read = (pattern: string, text: string): GoPattern =>
    readPattern(pattern, text, { patterns: counter.run().patterns, spend: (steps) => counter.spend(steps) });
  const find = (text: string, pattern: string, limit = -1n): readonly string[] =>
    read(pattern, text).findAll(text, limit < 0n ? Infinity : Number(limit));
  registerFunctions(environment, {
    'string.matchesPattern(string): bool': (text: string, pattern: string) => read(pattern, text).test(text),
    'string.find(string): string': (text: string, pattern: string) => find(text, pattern, 1n)[0] ?? '',
    'string.findAll(string): list<string>': find,
    'string.findAll(string, int): list<string>': find,
    'string.charAt(int): string': charAt,
    'string.replace(string, string): string': replaceSome,
    'string.replace(string, string, int): string': replaceSome,
    'string.reverse(): string': (text: string) => Array.from(text).reverse().join(''),
    'string.format(list<dyn>): string': formatText,
  });
}

function charAt(text: string, index: bigint): string {
  const characters = Array.from(text);
  if (index < 0n || index > BigInt(characters.length)) throw new Error(`index out of range: ${index}`);
  return characters[Number(index)] ?? '';
}

function replaceSome(text: string, old: string, by: string, limit = -1n): string {
  let left = limit < 0n ? Number.POSITIVE_INFINITY : Number(limit);
  const places = Math.min(left, text.split(old).length);
  if (text.length + places * by.length > 2 * longestText) throw new Error('the string would be too long');
  return text.replaceAll(old, (match) => {
    left -= 1;
    return left >= 0 ? by : match;
  });
}

/** `%s`, `%d`, `%f`, `%e`, `%b`, `%o` and `%x`, as rules use them to build their messages. */
function formatText(template: string, args: readonly unknown[]): string {
  let next = 0;
  return template.replaceAll(
    /%(?:%|(?:\.(\d+))?([sdfebxXo]))/g,
    (whole, digits: string | undefined, verb: string | undefined) => {
      if (verb === undefined) return '%';
      if (next >= args.length) throw new Error(`index ${next} out of range`);
      const value = args[next];
      next += 1;
      return formatVerb(verb, value, digits === undefined ? 6 : Number(digits)) ?? whole;
    },
  );
}

function formatVerb(verb: string, value: unknown, digits: number): string | undefined {
  if (verb === 's') return show(value);
  if (typeof value === 'bigint') {
    if (verb === 'd') return value.toString();
    if (verb === 'b') return value.toString(2);
    if (verb === 'o') return value.toString(8);
    if (verb === 'x') return value.toString(16);
    if (verb === 'X') return value.toString(16).toUpperCase();
  }
  if (typeof value === 'boolean' && verb === 'b') return value ? '1' : '0';
  if (typeof value === 'number' && (verb === 'f' || verb === 'd'))
    return verb === 'f' ? value.toFixed(digits) : String(value);
  if (typeof value === 'number' && verb === 'e') return value.toExponential(digits).replace(/e([+-])(\d)$/, 'e$10$2');
  throw new Error(`%${verb} does not accept its argument`);
}

function show(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(show).join(', ')}]`;
  if (value instanceof Date) return value.toISOString().replace('.000Z', 'Z');
  if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    return `{${Object.entries(value)
      .map(([key, entry]) => `${key}: ${show(entry)}`)
      .join(', ')}}`;
  }
  return String(value);
}

type List = readonly unknown[];

/** The value of `sets` in `sets.contains(a, b)`. */
class SetsNamespace extends Held<'sets'> {}

/** Kubernetes' functions on lists, and `sets`. */
export function registerLists(environment: Environment): void {
  environment
    .registerType('SetsNamespace', SetsNamespace)
    .registerConstant('sets', 'SetsNamespace', new SetsNamespace('sets'));
  registerFunctions(environment, {
    'list.isSorted(): bool': (list: List) =>
      list.every((item, index) => index === 0 || compare(list[index - 1], item) <= 0),
    'list.sum(): dyn': sum,
    'list.min(): dyn': (list: List) => pick(list, -1),
    'list.max(): dyn': (list: List) => pick(list, 1),
    'list.indexOf(dyn): int': (list: List, wanted: unknown) => BigInt(list.findIndex(isSameAs(wanted))),
    'list.lastIndexOf(dyn): int': (list: List, wanted: unknown) => BigInt(list.findLastIndex(isSameAs(wanted))),
    'SetsNamespace.contains(list, list): bool': (_: unknown, list: List, sublist: List) => containsAll(list, sublist),
    'SetsNamespace.equivalent(list, list): bool': (_: unknown, a: List, b: List) =>
      containsAll(a, b) && containsAll(b, a),
    'SetsNamespace.intersects(list, list): bool': (_: unknown, a: List, b: List) => {
      const keys = new Set(a.map(keyOf));
      return b.some((item) => keys.has(keyOf(item)));
    },
  });
}

function containsAll(list: List, sublist: List): boolean {
  const keys = new Set(list.map(keyOf));
  return sublist.every((wanted) => keys.has(keyOf(wanted)));
}

function isSameAs(wanted: unknown): (item: unknown) => boolean {
  const key = keyOf(wanted);
  return (item) => item === wanted || keyOf(item) === key;
}

/** Equal for values that are equal in CEL, including an `int` and a `double` of the same value. */
function keyOf(value: unknown): string {
  // A fast path: most lists contain only integers or strings.
  if (typeof value === 'bigint') return String(Number(value));
  if (typeof value === 'string') return JSON.stringify(value);
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'bigint') return Number(part);
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    const entries = part instanceof Map ? [...(part as Map<string, unknown>)] : Object.entries(part);
    return Object.fromEntries(entries.toSorted(([a], [b]) => compareText(a, b)));
  });
}

function compare(a: unknown, b: unknown): number {
  const [x, y] = [a as number, b as number];
  if (x < y) return -1;
  return x > y ? 1 : 0;
}

function pick(list: List, sign: 1 | -1): unknown {
  if (list.length === 0) throw new Error('min or max of an empty list');
  return list.reduce((best, item) => (compare(item, best) === sign ? item : best));
}

function sum(list: List): bigint | number {
  if (list.every((item) => typeof item === 'bigint')) return list.reduce((total: bigint, item) => total + item, 0n);
  if (!list.every((item) => typeof item === 'number'))
    throw new Error('sum of a list that contains other values than numbers');
  return list.reduce((total: number, item) => total + item, 0);
}

/** The result of `quantity('…')` in a rule. */
class CelQuantity extends Held<Quantity> {}

const whole = 1_000_000_000n;

const quantityFunctions: Functions = {
  'isQuantity(string): bool': (text: string) => parseQuantity(text) !== undefined,
  'quantity(string): kubernetes.Quantity': readQuantity,
  'kubernetes.Quantity.sign(): int': ({ held: { nanos } }: CelQuantity) => (nanos === 0n ? 0n : nanos < 0n ? -1n : 1n),
  'kubernetes.Quantity.isInteger(): bool': ({ held }: CelQuantity) => held.nanos % whole === 0n,
  'kubernetes.Quantity.asInteger(): int': ({ held: { nanos } }: CelQuantity) => {
    if (nanos % whole !== 0n) throw new Error('the quantity is not an integer');
    return nanos / whole;
  },
  'kubernetes.Quantity.asApproximateFloat(): double': ({ held }: CelQuantity) => Number(held.nanos) / 1e9,
  'kubernetes.Quantity.isGreaterThan(kubernetes.Quantity): bool': (a: CelQuantity, b: CelQuantity) =>
    compareQuantities(a.held, b.held) > 0,
  'kubernetes.Quantity.isLessThan(kubernetes.Quantity): bool': (a: CelQuantity, b: CelQuantity) =>
    compareQuantities(a.held, b.held) < 0,
  'kubernetes.Quantity.compareTo(kubernetes.Quantity): int': (a: CelQuantity, b: CelQuantity) =>
    BigInt(compareQuantities(a.held, b.held)),
  'kubernetes.Quantity.add(kubernetes.Quantity): kubernetes.Quantity': (a: CelQuantity, b: CelQuantity) =>
    shift(a, b.held.nanos),
  'kubernetes.Quantity.sub(kubernetes.Quantity): kubernetes.Quantity': (a: CelQuantity, b: CelQuantity) =>
    shift(a, -b.held.nanos),
  'kubernetes.Quantity.add(int): kubernetes.Quantity': (a: CelQuantity, b: bigint) => shift(a, b * whole),
  'kubernetes.Quantity.sub(int): kubernetes.Quantity': (a: CelQuantity, b: bigint) => shift(a, -b * whole),
};

export function registerQuantities(environment: Environment): void {
  environment.registerType('kubernetes.Quantity', CelQuantity);
  registerFunctions(environment, quantityFunctions);
}

function readQuantity(text: string): CelQuantity {
  const quantity = parseQuantity(text);
  if (quantity === undefined) throw new Error(`${text} is not a quantity`);
  return new CelQuantity(quantity);
}

function shift({ held: { nanos, format } }: CelQuantity, by: bigint): CelQuantity {
  return new CelQuantity({ nanos: nanos + by, format });
}

type FormatCheck = (text: string) => string | undefined;

/** The result of `format.dns1123Label()` in a rule. */
class Format extends Held<FormatCheck> {}

/** The value of `format` in `format.dns1123Label()`. */
class FormatNamespace extends Held<'format'> {}

const formats: Readonly<Record<string, FormatCheck>> = {
  dns1123Label: checkDnsLabel,
  dns1123Subdomain: checkDnsSubdomain,
  dns1035Label: checkDns1035Label,
  qualifiedName: checkLabelKey,
  labelValue: checkLabelValue,
  // A prefix may end with "-", because the API server appends to it.
  dns1123LabelPrefix: (text) => checkDnsLabel(`${text}a`),
  dns1123SubdomainPrefix: (text) => checkDnsSubdomain(`${text}a`),
  dns1035LabelPrefix: (text) => checkDns1035Label(`${text}a`),
  uri: schemaFormat('uri'),
  uuid: schemaFormat('uuid'),
  byte: schemaFormat('byte'),
  date: schemaFormat('date'),
  datetime: schemaFormat('date-time'),
};

function schemaFormat(name: string): FormatCheck {
  return (text) => {
    const format = findFormat('string', name)!;
    return format.fits(text) ? undefined : `must be ${format.expected}`;
  };
}

/** `format.dns1123Label()` and the like. */
export function registerFormats(environment: Environment): void {
  environment
    .registerType('kubernetes.NamedFormat', Format)
    .registerType('FormatNamespace', FormatNamespace)
    .registerConstant('format', 'FormatNamespace', new FormatNamespace('format'));
  for (const [name, check] of Object.entries(formats)) {
    const format = new Format(check);
    environment.registerFunction(`FormatNamespace.${name}(): kubernetes.NamedFormat`, () => format);
  }
  registerFunctions(environment, {
    'FormatNamespace.named(string): optional<kubernetes.NamedFormat>': (_: unknown, name: string) =>
      Object.hasOwn(formats, name) ? Optional.of(new Format(formats[name]!)) : Optional.none(),
    'kubernetes.NamedFormat.validate(string): optional<list<string>>': ({ held: check }: Format, text: string) => {
      const reason = check(text);
      return reason === undefined ? Optional.none() : Optional.of([reason]);
    },
  });
}
