import { countNoun, describeValue, didYouMean, nearest, quote } from '../../diagnostics/index.ts';
import { parseQuantity } from '../../kube/index.ts';
import { canonicalJson, isJsonArray, isJsonObject, isSameJson } from '../../model/index.ts';
import type { Budget, Json } from '../../model/index.ts';
import { compileGoPattern } from '../pattern/compile-pattern.ts';
import type { GoPattern } from '../pattern/compile-pattern.ts';
import type { SchemaNode, SchemaType } from '../schema-node.ts';
import { findFormat } from './formats.ts';
import type { Format } from './formats.ts';
import { listWords, mostListed } from './names.ts';
import type { Advice } from './problems.ts';

type Numeric = number | bigint;

/** What is wrong with a value of the right type. */
export interface Complaint {
  readonly code: 'field-enum' | 'field-format' | 'field-range' | 'rule-not-checked';
  /** The text after the name of the field: `must be at least 1`. */
  readonly demand: string;
  readonly found: string;
  readonly advice?: Advice | undefined;
  /** The violated limit or pattern, for messages that a specification prescribes. */
  readonly rule?: { readonly minimum: Numeric } | { readonly maximum: Numeric } | { readonly pattern: string };
}

/** Checks one aspect of a value; values of other types pass. */
export type Constraint = (value: Json, budget: Budget) => Complaint | undefined;

/** Most nodes have none, so what a node does not limit creates nothing. */
export function createConstraints(node: SchemaNode): readonly Constraint[] {
  const { type, format, check, minimum, maximum, multipleOf } = node;
  const constraints: Constraint[] = [];
  if (node.enum !== undefined) constraints.push(createEnum(node.enum, node));
  if (type === 'quantity') constraints.push(checkQuantity);
  const rule = findFormat(type, format);
  if (rule !== undefined) constraints.push(createFormat(rule, type));
  if (check !== undefined) constraints.push(createCheck(check));
  if (minimum !== undefined) constraints.push(createMinimum(minimum, node.exclusiveMinimum === true));
  if (maximum !== undefined) constraints.push(createMaximum(maximum, node.exclusiveMaximum === true));
  if (multipleOf !== undefined && multipleOf > 0) constraints.push(createMultiple(multipleOf));
  if (node.minLength !== undefined || node.maxLength !== undefined)
    constraints.push(createSize('character', measureText, node.minLength, node.maxLength));
  if (node.minItems !== undefined || node.maxItems !== undefined)
    constraints.push(createSize('item', measureList, node.minItems, node.maxItems));
  if (node.minProperties !== undefined || node.maxProperties !== undefined)
    constraints.push(createSize('field', measureMapping, node.minProperties, node.maxProperties));
  if (node.pattern !== undefined) constraints.push(createPattern(node.pattern, node));
  return constraints;
}

const fewChoices = 4;

function createEnum(allowed: readonly Json[], { noun, otherWords = {} }: SchemaNode): Constraint {
  const scalars = new Set<Json>(allowed.filter((value) => typeof value !== 'object'));
  const structures = allowed.filter((value) => typeof value === 'object');
  const isStructure = createMembership(structures);
  const words = allowed.filter((value) => typeof value === 'string');
  const isNamed = noun !== undefined && allowed.length > fewChoices;
  const meant = (word: string): string | undefined => words.find((choice) => choice === otherWords[word.toLowerCase()]);
  let demand: string | undefined;
  return (value) => {
    if (scalars.has(value)) return undefined;
    if (isStructure(value) || isSameNumber(value, allowed)) return undefined;
    demand ??= isNamed ? `must be a known ${noun}` : `must be ${listChoices(allowed)}`;
    const advice = (): string | undefined =>
      didYouMean(typeof value === 'string' ? (meant(value) ?? nearest(value, words)) : undefined) ??
      (isNamed ? `known: ${words.join(', ')}` : undefined);
    return { code: 'field-enum', demand, found: describeValue(value), advice };
  };
}

function listChoices(allowed: readonly Json[]): string {
  const isShown = allowed.every((value) => value === null || typeof value !== 'object');
  if (!isShown) return `one of the ${allowed.length} values in its schema`;
  return listWords(allowed.slice(0, mostListed).map(describeValue), 'or', allowed.length);
}

const fewStructures = 16;

/** Whether a list or object is among others, of which there may be thousands. */
function createMembership(structures: readonly Json[]): (value: Json) => boolean {
  if (structures.length <= fewStructures)
    return (value) => structures.some((structure) => isSameJson(structure, value));
  let identities: ReadonlySet<string> | undefined;
  return (value) => {
    identities ??= new Set(structures.map(canonicalJson));
    return typeof value === 'object' && identities.has(canonicalJson(value));
  };
}

/** 80 and 80n are the same number. */
function isSameNumber(value: Json, allowed: readonly Json[]): boolean {
  return typeof value === 'bigint' && allowed.some((choice) => isSameJson(choice, value));
}

/** No real quantity has more characters. */
const longestAdvised = 100;

// The most common forms; the exact parser handles the rest.
const plainQuantity = /^\d{1,9}(?:\.\d{1,3})?(?:m|[kMGT]|[KMGT]i)?$/;

function checkQuantity(value: Json): Complaint | undefined {
  if (typeof value !== 'string' || plainQuantity.test(value) || parseQuantity(value) !== undefined) return undefined;
  const demand = 'must be a quantity such as 500m or 1Gi';
  return { code: 'field-format', demand, found: describeValue(value), advice: () => adviseQuantity(value) };
}

const nearSuffixes: Readonly<Record<string, string>> = {
  B: '',
  KB: 'k',
  MB: 'M',
  GB: 'G',
  TB: 'T',
  KIB: 'Ki',
  MIB: 'Mi',
  GIB: 'Gi',
  TIB: 'Ti',
  KI: 'Ki',
  MI: 'Mi',
  GI: 'Gi',
  TI: 'Ti',
  K: 'k',
  G: 'G',
  T: 'T',
};

function adviseQuantity(text: string): string | undefined {
  if (text.length > longestAdvised) return undefined;
  const match = /^\s*([\d.]+)\s*([A-Za-z]*)\s*$/.exec(text);
  const suffix =
    match === null ? undefined : (nearSuffixes[match[2]!.toUpperCase()] ?? (match[2] === '' ? '' : undefined));
  const meant = suffix === undefined ? undefined : `${match![1]}${suffix}`;
  return meant === undefined || parseQuantity(meant) === undefined ? undefined : `write ${meant}`;
}

function createFormat(rule: Format, type: SchemaType): Constraint {
  const code = type === 'integer' || type === 'int-or-string' ? 'field-range' : 'field-format';
  const demand = `must be ${rule.expected}`;
  return (value) => (rule.fits(value) ? undefined : { code, demand, found: describeValue(value) });
}

function createCheck(check: NonNullable<SchemaNode['check']>): Constraint {
  return (value) => {
    const demand = value === null || typeof value === 'object' ? undefined : check(value);
    return demand === undefined ? undefined : { code: 'field-format', demand, found: describeValue(value) };
  };
}

function createMinimum(minimum: Numeric, isExclusive: boolean): Constraint {
  if (isExclusive) return onNumber((value) => value > minimum, `must be greater than ${minimum}`);
  return onNumber((value) => value >= minimum, `must be at least ${minimum}`, { minimum });
}

function createMaximum(maximum: Numeric, isExclusive: boolean): Constraint {
  if (isExclusive) return onNumber((value) => value < maximum, `must be less than ${maximum}`);
  return onNumber((value) => value <= maximum, `must be at most ${maximum}`, { maximum });
}

function createMultiple(factor: number): Constraint {
  return onNumber((value) => isMultiple(value, factor), `must be a multiple of ${factor}`);
}

function isMultiple(value: Numeric, factor: number): boolean {
  if (Number.isInteger(factor) && (typeof value === 'bigint' || Number.isInteger(value))) {
    return BigInt(value) % BigInt(factor) === 0n;
  }
  const times = Number(value) / factor;
  // 0.3 is a multiple of 0.1 despite binary fractions.
  return Math.abs(times - Math.round(times)) < 1e-9;
}

function onNumber(fits: (value: Numeric) => boolean, demand: string, rule?: Complaint['rule']): Constraint {
  return (value) => {
    if ((typeof value !== 'number' && typeof value !== 'bigint') || fits(value)) return undefined;
    return { code: 'field-range', demand, found: describeValue(value), ...(rule === undefined ? {} : { rule }) };
  };
}

/** The size of a value; `undefined` for values that the limit does not apply to. */
type Measure = (value: Json) => number | undefined;

function createSize(unit: string, measure: Measure, least?: number, most?: number): Constraint {
  return (value) => {
    const size = measure(value);
    if (size === undefined || (size >= (least ?? 0) && size <= (most ?? size))) return undefined;
    const [word, limit] = size < (least ?? 0) ? ['at least', least!] : ['at most', most!];
    const demand = most === 0 ? `must have no ${unit}s` : `must have ${word} ${countNoun(limit, unit)}`;
    return { code: 'field-range', demand, found: size === 0 ? 'none' : String(size) };
  };
}

function measureText(value: Json): number | undefined {
  if (typeof value !== 'string') return undefined;
  // Characters, not UTF-16 units; only strings with surrogates need to be counted one by one.
  return /[\ud800-\udbff]/.test(value) ? Array.from(value).length : value.length;
}

function measureList(value: Json): number | undefined {
  return isJsonArray(value) ? value.length : undefined;
}

function measureMapping(value: Json): number | undefined {
  return isJsonObject(value) ? Object.keys(value).length : undefined;
}

function createPattern(pattern: string, { matches, example }: SchemaNode): Constraint {
  const fits = matches ?? createGoMatch(pattern);
  const advice = example === undefined ? undefined : `the default is ${quote(example)}`;
  return (value, budget) => {
    if (typeof value !== 'string') return undefined;
    const result = fits(value, budget);
    if (result === true) return undefined;
    if (result === undefined) return { code: 'rule-not-checked', demand: pattern, found: '' };
    const demand = `must match the pattern ${pattern}`;
    return { code: 'field-format', demand, found: quote(value), advice, rule: { pattern } };
  };
}

/** `undefined` for a pattern that is not supported. */
function createGoMatch(pattern: string): (text: string, budget: Budget) => boolean | undefined {
  // Compiled when a string is first checked, because the plan of a schema belongs to no run.
  let expression: GoPattern | undefined | null = null;
  return (text, budget) => {
    if (expression === null) expression = compileGoPattern(pattern, budget);
    return expression?.test(text, budget);
  };
}
