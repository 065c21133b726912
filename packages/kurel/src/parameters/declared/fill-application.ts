import { createBudget, getOrAdd, reportExhaustion } from '../../budget/index.ts';
import { countNoun, nearest, watchErrors } from '../../diagnostics/index.ts';
import { putText } from '../../kube/index.ts';
import { isJsonArray, isJsonObject, isPathBelow, isScalar, valueAt } from '../../model/index.ts';
import type { Budget, Diagnostic, Json, Location, Path, Report, SourceFile } from '../../model/index.ts';
import { readYaml } from '../../yaml/index.ts';
import { isWriting } from '../layers.ts';
import { parameterProblems } from '../problems.ts';
import { applicationSyntax, formatReferencePath, parseReferencePath } from '../references.ts';
import { createUndefinedReference, walkValues } from '../resolve-parameters.ts';
import { createSubstitution } from '../substitute.ts';
import type { FilledTree } from '../substitute.ts';
import { isStructure } from './declaration.ts';
import type { DeclaredValue, DeclaredValues, ParameterType } from './declaration.ts';
import { declaredProblems, howToSet } from './problems.ts';

/** What is known about a parameter before it has a value. */
export interface NamedType {
  readonly name: string;
  readonly type?: ParameterType | undefined;
}

/**
 * `admin.user` → the parameter `admin` and the key `user`, if `admin` is declared as an object and `admin.user` is not declared
 * itself. `undefined` if there is no such parameter.
 */
export function findParameter(
  reference: string,
  declared: readonly NamedType[],
): (NamedType & { readonly path: Path }) | undefined {
  const { types, structures } = indexOf(declared);
  if (types.has(reference)) return { name: reference, path: [], type: types.get(reference) };
  if (reference === 'name') return { name: reference, path: [], type: 'string' };
  const name = structures.find(
    (structure) => reference.startsWith(structure) && /[.[]/.test(reference[structure.length]!),
  );
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
  return getOrAdd(indexes, declared, () => {
    const structures = declared.flatMap(({ name, type }) => (isStructure(type) ? [name] : []));
    return {
      types: new Map(declared.map(({ name, type }) => [name, type])),
      structures: structures.toSorted((a, b) => b.length - a.length),
    };
  });
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

// Very many references may miss.
const namesOf = new WeakMap<readonly NamedType[], readonly string[]>();

/** A declared parameter, or a part of one, that a reference may have meant. */
export function nearestReference(reference: string, declared: readonly NamedType[]): string | undefined {
  const [first = ''] = /^[^.[]*/.exec(reference) ?? [];
  const names = getOrAdd(namesOf, declared, () => declared.map(({ name }) => name));
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

// Very many references may miss in the same value, and even a few of its keys are found by listing all.
const descriptions = new WeakMap<object, string>();

function describeParts(value: Json): string | undefined {
  if (isJsonArray(value)) return `the list has ${countNoun(value.length, 'item')}`;
  if (!isJsonObject(value)) return 'only an object or an array has parts';
  const description = getOrAdd(descriptions, value, () => {
    const keys = Object.keys(value);
    return keys.length === 0
      ? ''
      : `it has ${keys.slice(0, mostShown).join(', ')}${keys.length > mostShown ? ', …' : ''}`;
  });
  return description === '' ? undefined : description;
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

interface FillApplicationOptions {
  readonly report: Report;
  /** Disabled parts: their references need no value, and they stay unchanged. */
  readonly isLeftOut?: ((path: Path) => boolean) | undefined;
  /** Whether a field only allows strings, so that the number or boolean of a parameter is converted to one. */
  readonly isTextAt?: ((path: Path) => boolean) | undefined;
  readonly budget?: Budget | undefined;
}

export interface FilledApplication {
  readonly data: Json;
  /** Where to change the value at a path: in the application, or where the value of a parameter was set. */
  readonly locate: (path: Path) => Location;
  /** Where the value at a path is written in the application, even if it is a reference. */
  readonly locateWritten: (path: Path) => Location;
  /** The parameters that the value at a path comes from. */
  readonly referencesAt: (path: Path) => readonly string[];
  /** Whether the value at a path is a string that contains references among other text. */
  readonly isMixedAt: (path: Path) => boolean;
}

/** The application with the values of its package's parameters; `undefined` when something was reported. */
export function fillApplication(
  source: SourceFile,
  values: DeclaredValues,
  { isLeftOut, isTextAt, budget = createBudget(), ...options }: FillApplicationOptions,
): FilledApplication | undefined {
  const { report, hasErrors } = watchErrors(options.report);
  const { documents, diagnostics } = readYaml(source, { words: 'core', memory: budget.memory });
  for (const diagnostic of diagnostics) report(diagnostic);
  const [first, second, ...more] = documents.filter(({ data }) => data !== undefined);
  if (!hasErrors() && (first === undefined || second !== undefined)) {
    const location = { file: source.path, ...(second === undefined ? {} : { document: second.index }) };
    const count = first === undefined ? 0 : more.length + 2;
    report(declaredProblems.create('application-documents', { count }, { location }));
  }
  if (first?.data === undefined || hasErrors()) return undefined;
  const author = (path: Path, at?: 'key'): Location => ({
    file: source.path,
    document: first.index,
    path,
    ...(at === undefined ? {} : { at }),
  });
  const substitution = createSubstitution({
    lookUp: ({ text }, refuse) => lookUp(text, values, refuse),
    report,
    budget,
    syntax: applicationSyntax,
  });
  const adapt = isTextAt && ((parameter: DeclaredValue, path: Path): Json => putTexts(parameter, path, isTextAt));
  const tree = { locate: author, keys: 'refuse', isLeftOut, adapt } as const;
  const filled = reportExhaustion(() => substitution.fillTree(first.data!, tree), report);
  if (filled === undefined || hasErrors()) return undefined;
  return {
    data: filled.data,
    locate: (path) => originInside(filled, path)?.location ?? author(filled.writtenPath(path)),
    locateWritten: (path) => author(filled.spotAt(path)?.writtenPath ?? filled.writtenPath(path)),
    referencesAt: (path) => filled.spotAt(path)?.references.map(({ text }) => text) ?? [],
    isMixedAt(path) {
      const spot = filled.spotAt(path);
      return spot?.path.length === path.length && spot.whole === undefined;
    },
  };
}

function lookUp(reference: string, values: DeclaredValues, report: Report): DeclaredValue | undefined {
  const value = findValue(reference, values, report);
  if (value !== undefined) return value;
  const declared = findParameter(reference, values.declarations);
  if (declared === undefined) report(createUndeclared(reference, values.declarations));
  else if (!values.values.has(declared.name)) report(createUnset(declared));
  return undefined;
}

/** For a path inside a value that replaced a reference: where that value was set. */
export function originInside(
  filled: FilledTree<DeclaredValue>,
  path: Path,
): ReturnType<DeclaredValue['originAt']> | undefined {
  const spot = filled.spotAt(path);
  if (spot === undefined || spot.path.length === path.length) return undefined;
  return spot.whole?.originAt(path.slice(spot.path.length));
}

/** Where references were replaced by numbers and booleans in a value; literal numbers and booleans do not count. */
export function scalarsIn({ value, scalars }: DeclaredValue): readonly Path[] {
  return isScalar(value) ? [[]] : scalars();
}

/** A value in which the numbers and booleans of parameters are strings wherever only strings are allowed. */
function putTexts(parameter: DeclaredValue, path: Path, isTextAt: (path: Path) => boolean): Json {
  return scalarsIn(parameter)
    .filter((inside) => isTextAt([...path, ...inside]))
    .reduce((value, inside) => {
      const scalar = valueAt(value, inside);
      if (!isScalar(scalar)) return value;
      const written = parameter.writtenAt(inside);
      // An assignment is a string, and may be parsed as a value with an unusual notation.
      return putText(value, inside, written !== undefined && isWriting(written, scalar) ? written : String(scalar));
    }, parameter.value);
}
