import { nearest } from '../../diagnostics/index.ts';
import { isJsonArray, isJsonObject, isPathBelow } from '../../model/index.ts';
import type { Diagnostic, Json, Path, Report } from '../../model/index.ts';
import { createUndefinedReference, walkValues } from '../look-up.ts';
import { parameterProblems } from '../problems.ts';
import { formatReferencePath, parseReferencePath } from '../references.ts';
import { isStructure } from './declaration.ts';
import type { DeclaredValue, DeclaredValues, ParameterType } from './declaration.ts';
import { howToSet } from './problems.ts';

/** What is known about a parameter before it has a value. */
export interface NamedType {
  readonly name: string;
  readonly type?: ParameterType | undefined;
}

/** The parameter of a reference, and the path inside it. */
interface FoundParameter {
  readonly name: string;
  readonly path: Path;
  readonly type: ParameterType | undefined;
}

/**
 * `admin.user` → the parameter `admin` and the key `user`, if `admin` is declared as an object and `admin.user` is not declared
 * itself. `undefined` if there is no such parameter.
 */
export function findParameter(reference: string, declared: readonly NamedType[]): FoundParameter | undefined {
  const { types, structures } = indexOf(declared);
  if (types.has(reference)) return { name: reference, path: [], type: types.get(reference) };
  if (reference === 'name') return { name: reference, path: [], type: 'string' };
  const name = structures.find((one) => reference.startsWith(one) && /[.[]/.test(reference[one.length]!));
  const path = name === undefined ? undefined : parseReferencePath(`x${reference.slice(name.length)}`)?.slice(1);
  return path === undefined ? undefined : { name: name!, path, type: types.get(name!) };
}

interface Index {
  readonly types: ReadonlyMap<string, ParameterType | undefined>;
  /** Names of list and object parameters, the longest first. */
  readonly structures: readonly string[];
}

const indexes = new WeakMap<readonly NamedType[], Index>();

/** Cached, because each list of declarations is searched for every reference of an application. */
function indexOf(declared: readonly NamedType[]): Index {
  let index = indexes.get(declared);
  if (index === undefined) {
    const structures = declared.flatMap(({ name, type }) => (isStructure(type) ? [name] : []));
    index = {
      types: new Map(declared.map(({ name, type }) => [name, type])),
      structures: structures.toSorted((a, b) => b.length - a.length),
    };
    indexes.set(declared, index);
  }
  return index;
}

/** The finding, without a location, about a reference to a parameter that is not declared. */
export function createUndeclared(reference: string, declared: readonly NamedType[]): Diagnostic {
  const [first = ''] = /^[^.[]*/.exec(reference) ?? [];
  const type = first === reference ? undefined : indexOf(declared).types.get(first);
  const advice =
    type === undefined
      ? `declare it in kurel.yaml, or write $\${${reference}} for the literal string`
      : `${first} is declared with type: ${type}; only an object or an array has parts`;
  return parameterProblems.create('reference-undefined', {
    reference,
    near: nearestReference(reference, declared),
    advice,
  });
}

interface DefaultUse {
  /** The parameter whose default contains the reference. */
  readonly of: string;
  /** The referenced parameter also has a default, which is declared later. */
  readonly isLater: boolean;
}

/** The finding, without a location, about a reference to a declared parameter that has no value. */
export function createUnset({ name, type }: NamedType, use?: DefaultUse): Diagnostic {
  let advice = howToSet(name, isStructure(type));
  if (use?.of === name) advice = 'remove the reference; a default cannot refer to itself';
  else if (use?.isLater === true) advice = `declare ${name} before ${use.of}; defaults are filled from top to bottom`;
  return parameterProblems.create('reference-unset', { reference: name, advice });
}

/** A declared parameter, or a part of one, that a reference may have meant. */
export function nearestReference(reference: string, declared: readonly NamedType[]): string | undefined {
  const [first = ''] = /^[^.[]*/.exec(reference) ?? [];
  const names = declared.map(({ name }) => name);
  const near = nearest(reference, [...names, 'name']);
  if (near !== undefined || first === reference || names.includes(first)) return near;
  const around = nearest(first, indexOf(declared).structures);
  return around === undefined ? undefined : `${around}${reference.slice(first.length)}`;
}

/** The value of a reference. `undefined` if its parameter has no value, or if the value has no such part, which is reported. */
export function findValue(
  reference: string,
  { declarations, values }: DeclaredValues,
  report?: Report,
): DeclaredValue | undefined {
  const whole = values.get(reference);
  if (whole !== undefined) return whole;
  const { name, path } = findParameter(reference, declarations) ?? { name: reference, path: [] };
  const around = values.get(name);
  if (around === undefined) return undefined;
  const walked = walkValues(around.value, path);
  if ('value' in walked) return { ...partOf(around, path, walked.value), name: reference };
  const format = (whole: Path): string => writeReference(name, whole);
  report?.(createUndefinedReference(reference, { ...walked, path, format, advice: describeParts(walked.holder) }));
  return undefined;
}

const mostShown = 20;

function describeParts(value: Json): string | undefined {
  if (isJsonArray(value)) return `the list has ${value.length === 1 ? '1 item' : `${value.length} items`}`;
  if (!isJsonObject(value)) return 'only an object or an array has parts';
  const keys = Object.keys(value);
  if (keys.length === 0) return undefined;
  return `it has ${keys.slice(0, mostShown).join(', ')}${keys.length > mostShown ? ', …' : ''}`;
}

/** A part of a value, as a separate value. */
function partOf(around: DeclaredValue, path: Path, value: Json): DeclaredValue {
  const isInside = (whole: Path): boolean => isPathBelow(whole, path);
  return {
    ...around,
    value,
    originAt: (inner) => around.originAt([...path, ...inner]),
    writtenAt: (inner) => around.writtenAt([...path, ...inner]),
    scalars: () => around.scalars().flatMap((whole) => (isInside(whole) ? [whole.slice(path.length)] : [])),
  };
}

/** The notation between the braces; the name of a parameter may contain dots. */
export function writeReference(name: string, path: Path): string {
  return `${name}${formatReferencePath(['x', ...path]).slice(1)}`;
}
