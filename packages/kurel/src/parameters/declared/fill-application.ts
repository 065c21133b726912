import { createBudget, reportExhaustion } from '../../budget/index.ts';
import { isJsonArray, isJsonObject, isScalar } from '../../model/index.ts';
import type { Budget, Diagnostic, Json, Location, Path, Report, SourceFile } from '../../model/index.ts';
import { readYaml } from '../../yaml/index.ts';
import { isWriting } from '../read-lexeme.ts';
import { applicationSyntax } from '../references.ts';
import { createSubstitution } from '../substitute.ts';
import type { FilledTree } from '../substitute.ts';
import type { DeclaredValue, DeclaredValues } from './declaration.ts';
import { createUndeclared, createUnset, findParameter, findValue } from './find-parameter.ts';
import { declaredProblems } from './problems.ts';

export interface FillApplicationOptions {
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
  let hasErrors = false;
  const report = (diagnostic: Diagnostic): void => {
    hasErrors ||= diagnostic.severity === 'error';
    options.report(diagnostic);
  };
  const { documents, diagnostics } = readYaml(source, { words: 'core', memory: budget.memory });
  for (const diagnostic of diagnostics) report(diagnostic);
  const [first, second, ...more] = documents.filter(({ data }) => data !== undefined);
  if (!hasErrors && (first === undefined || second !== undefined)) {
    const location = { file: source.path, ...(second === undefined ? {} : { document: second.index }) };
    const count = first === undefined ? 0 : more.length + 2;
    report(declaredProblems.create('application-documents', { count }, { location }));
  }
  if (first?.data === undefined || hasErrors) return undefined;
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
  const adapt = isTextAt && ((found: DeclaredValue, path: Path): Json => putTexts(found, path, isTextAt));
  const tree = { locate: author, keys: 'refuse', isLeftOut, adapt } as const;
  const filled = reportExhaustion(() => substitution.fillTree(first.data!, tree), report);
  if (filled === undefined || hasErrors) return undefined;
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
function putTexts(found: DeclaredValue, path: Path, isTextAt: (path: Path) => boolean): Json {
  return scalarsIn(found)
    .filter((inside) => isTextAt([...path, ...inside]))
    .reduce((value, inside) => putText(value, inside, found.writtenAt(inside)), found.value);
}

function putText(value: Json, path: Path, written: string | undefined): Json {
  const [step, ...rest] = path;
  if (step === undefined) {
    if (!isScalar(value)) return value;
    // An assignment is a string, and may be parsed as a value with an unusual notation.
    return written !== undefined && isWriting(written, value) ? written : String(value);
  }
  if (isJsonArray(value)) return value.map((item, index) => (index === step ? putText(item, rest, written) : item));
  const entries = Object.entries(isJsonObject(value) ? value : {});
  return Object.fromEntries(entries.map(([key, item]) => [key, key === step ? putText(item, rest, written) : item]));
}
