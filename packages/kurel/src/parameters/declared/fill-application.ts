import type { Diagnostic, Json, Location, Path, Report, SourceFile } from '../../model/index.ts';
import { readYaml } from '../../yaml/index.ts';
import { createGrowth, mostGrowth } from '../growth.ts';
import { parameterProblems } from '../problems.ts';
import { isStructure } from './declaration.ts';
import type { DeclaredValue, DeclaredValues } from './declared-values.ts';
import { fillData } from './fill-data.ts';
import { createUndeclared, findParameter, findValue } from './find-parameter.ts';
import { declaredProblems } from './problems.ts';

export interface FillApplicationOptions {
  readonly report: Report;
  /** Parts that are switched off: what they refer to need not have a value, and they stay as they are. */
  readonly isLeftOut?: ((path: Path) => boolean) | undefined;
  /** Whether only a text can stand somewhere, so that the number or boolean of a parameter is taken for one. */
  readonly isTextAt?: ((path: Path) => boolean) | undefined;
}

export interface FilledApplication {
  readonly data: Json;
  /** Where a person would change what stands at a path: in the application, or where the value of a parameter was given. */
  readonly locate: (path: Path) => Location;
  /** Where the author of the application wrote what stands at a path, be it a reference. */
  readonly locateWritten: (path: Path) => Location;
  /** The parameters that made what stands at a path. */
  readonly referencesAt: (path: Path) => readonly string[];
  /** Whether what stands at a path is a text with references in it, and not a reference alone. */
  readonly isMixedAt: (path: Path) => boolean;
}

/** The application with the values of its package's parameters in it; `undefined` when something was told. */
export function fillApplication(
  source: SourceFile,
  values: DeclaredValues,
  options: FillApplicationOptions,
): FilledApplication | undefined {
  let hasErrors = false;
  const report = (diagnostic: Diagnostic): void => {
    hasErrors ||= diagnostic.severity === 'error';
    options.report(diagnostic);
  };
  const { documents, diagnostics } = readYaml(source, { words: 'core' });
  for (const diagnostic of diagnostics) report(diagnostic);
  const [first, second, ...more] = documents.filter(({ data }) => data !== undefined);
  if (!hasErrors && (first === undefined || second !== undefined)) {
    const location = { file: source.path, ...(second === undefined ? {} : { document: second.index }) };
    const count = first === undefined ? 0 : more.length + 2;
    report(declaredProblems.create('application-documents', { count }, { location }));
  }
  if (first?.data === undefined || hasErrors) return undefined;
  const author = (path: Path): Location => ({ file: source.path, document: first.index, path });
  const growth = createGrowth();
  let isTooLarge = false;
  const filled = fillData(first.data, {
    isLeftOut: options.isLeftOut,
    isTextAt: options.isTextAt,
    reportAt: (diagnostic, path, at) =>
      report({ ...diagnostic, location: { ...author(path), ...(at === undefined ? {} : { at }) } }),
    lookUp(name, path) {
      const value = lookUp(name, values, (diagnostic) => report({ ...diagnostic, location: author(path) }));
      if (value === undefined || growth.add(value.value)) return value;
      if (!isTooLarge) {
        const args = { variable: name, limit: mostGrowth };
        report(parameterProblems.create('variables-too-large', args, { location: author(path) }));
      }
      isTooLarge = true;
      return undefined;
    },
  });
  if (hasErrors) return undefined;
  return {
    data: filled.data,
    locate: (path) => filled.originInside(path)?.location ?? author(filled.authoredPath(path)),
    locateWritten: (path) => author(filled.writtenPath(path)),
    referencesAt: filled.referencesAt,
    isMixedAt: filled.isMixedAt,
  };
}

function lookUp(reference: string, values: DeclaredValues, report: Report): DeclaredValue | undefined {
  const value = findValue(reference, values, report);
  if (value !== undefined) return value;
  const declared = findParameter(reference, values.declarations);
  if (declared === undefined) report(createUndeclared(reference, values.declarations));
  else if (!values.values.has(declared.name)) {
    const args = { reference: declared.name, isStructure: isStructure(declared.type) };
    report(declaredProblems.create('placeholder-unset', args));
  }
  return undefined;
}
