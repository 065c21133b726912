import { parseQuantity } from '../../kube/index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Budget, Json } from '../../model/index.ts';
import { compileGoPattern } from '../../schema/index.ts';
import type { GoPattern, SchemaNode } from '../../schema/index.ts';
import type { Finding } from '../findings.ts';
import { showValue } from './describe-value.ts';
import { findFormat } from './formats.ts';

/** What is wrong with a value, given the name of its field. */
export type Complaint = (
  field: string,
) => Finding<'field-enum'> | Finding<'field-format'> | Finding<'field-value'> | Finding<'rule-not-checked'>;

/** Looks at one thing about a value; values of a sort that it says nothing about pass. */
export type Constraint = (value: Json, budget: Budget) => Complaint | undefined;

export function createConstraints(node: SchemaNode): readonly Constraint[] {
  return [
    ...(node.enum === undefined ? [] : [createEnum(node.enum)]),
    ...(node.type === 'quantity' ? [checkQuantity] : []),
    ...createFormat(node),
    ...createRange(node),
    ...createSizes(node),
    ...(node.pattern === undefined ? [] : [createPattern(node.pattern)]),
  ];
}

function createEnum(allowed: readonly Json[]): Constraint {
  const scalars = new Set<Json>(allowed.filter((value) => typeof value !== 'object'));
  // Structural schemas may list mappings and lists too; nobody does, and to compare them is for the API server.
  if (scalars.size < allowed.filter((value) => value !== null).length) return () => undefined;
  const words = [...scalars].map(String);
  const isOfNumbers = allowed.every((value) => typeof value === 'number');
  return (value) => {
    if (scalars.has(value)) return undefined;
    const word = typeof value === 'string' ? value : undefined;
    return (field) => ['field-enum', { field, found: showValue(value), allowed: words, isOfNumbers, word }];
  };
}

/** Nobody has meant a quantity of more characters. */
const longestAdvised = 100;

// The forms nearly all quantities have; the rest is left to the exact reader.
const plainQuantity = /^\d{1,9}(?:\.\d{1,3})?(?:m|[kMGT]|[KMGT]i)?$/;

function checkQuantity(value: Json): Complaint | undefined {
  if (typeof value !== 'string' || plainQuantity.test(value) || parseQuantity(value) !== undefined) return undefined;
  return (field) => [
    'field-format',
    { field, expected: 'a quantity such as 500m or 1Gi', found: showValue(value), advice: adviseQuantity(value) },
  ];
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

function createFormat({ type, format }: SchemaNode): readonly Constraint[] {
  const known = findFormat(type, format);
  if (known === undefined) return [];
  return [
    (value) =>
      known.fits(value)
        ? undefined
        : (field) => ['field-format', { field, expected: known.expected, found: showValue(value) }],
  ];
}

function createRange(node: SchemaNode): readonly Constraint[] {
  const { minimum, maximum, multipleOf } = node;
  const constraints: Constraint[] = [];
  if (minimum !== undefined) {
    const demand = `be ${node.exclusiveMinimum === true ? 'greater than' : 'at least'} ${minimum}`;
    constraints.push(
      onNumber((value) => (node.exclusiveMinimum === true ? value > minimum : value >= minimum), demand),
    );
  }
  if (maximum !== undefined) {
    const demand = `be ${node.exclusiveMaximum === true ? 'less than' : 'at most'} ${maximum}`;
    constraints.push(
      onNumber((value) => (node.exclusiveMaximum === true ? value < maximum : value <= maximum), demand),
    );
  }
  if (multipleOf !== undefined && multipleOf > 0) {
    const isMultiple = (value: number | bigint): boolean => {
      const times = Number(value) / multipleOf;
      return Math.abs(times - Math.round(times)) < 1e-9;
    };
    constraints.push(onNumber(isMultiple, `be a multiple of ${multipleOf}`));
  }
  return constraints;
}

function onNumber(fits: (value: number | bigint) => boolean, demand: string): Constraint {
  return (value) => {
    if ((typeof value !== 'number' && typeof value !== 'bigint') || fits(value)) return undefined;
    return (field) => ['field-value', { field, demand, found: `is ${value}` }];
  };
}

/** How much there is of a value, and in what words; `undefined` for values that the limit says nothing about. */
type Measure = (value: Json) => number | undefined;

function createSizes(node: SchemaNode): readonly Constraint[] {
  return [
    ...createSize(measureText, { least: node.minLength, most: node.maxLength, unit: 'character' }),
    ...createSize(measureList, { least: node.minItems, most: node.maxItems, unit: 'item' }),
    ...createSize(measureMapping, { least: node.minProperties, most: node.maxProperties, unit: 'field' }),
  ];
}

interface Size {
  readonly least: number | undefined;
  readonly most: number | undefined;
  readonly unit: string;
}

function createSize(measure: Measure, { least, most, unit }: Size): readonly Constraint[] {
  if (least === undefined && most === undefined) return [];
  return [
    (value) => {
      const size = measure(value);
      if (size === undefined || (size >= (least ?? 0) && size <= (most ?? size))) return undefined;
      const [word, limit] = size < (least ?? 0) ? ['at least', least!] : ['at most', most!];
      const demand = most === 0 ? `have no ${unit}s` : `have ${word} ${limit} ${unit}${limit === 1 ? '' : 's'}`;
      return (field) => ['field-value', { field, demand, found: size === 0 ? 'has none' : `has ${size}` }];
    },
  ];
}

function measureText(value: Json): number | undefined {
  if (typeof value !== 'string') return undefined;
  // Characters, not UTF-16 units; only texts with surrogates need to be counted one by one.
  return /[\ud800-\udbff]/.test(value) ? Array.from(value).length : value.length;
}

function measureList(value: Json): number | undefined {
  return isJsonArray(value) ? value.length : undefined;
}

function measureMapping(value: Json): number | undefined {
  return isJsonObject(value) ? Object.keys(value).length : undefined;
}

function createPattern(pattern: string): Constraint {
  // Read when a text is to be checked: the plan of a schema belongs to no run.
  let expression: GoPattern | undefined | null = null;
  return (value, budget) => {
    if (typeof value !== 'string') return undefined;
    if (expression === null) expression = compileGoPattern(pattern, budget);
    if (expression?.test(value, budget) === true) return undefined;
    if (expression === undefined) {
      return (field) => [
        'rule-not-checked',
        { rule: pattern, kind: field, reason: 'the pattern cannot be read as a regular expression here' },
      ];
    }
    return (field) => [
      'field-value',
      { field, demand: `match the pattern ${pattern}`, found: `is ${showValue(value)}` },
    ];
  };
}
