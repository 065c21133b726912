import { isJsonObject } from '../../model/index.ts';
import type { Budget, Diagnostic, Json, Location, Path, Report } from '../../model/index.ts';
import {
  applicationSyntax,
  fillApplication,
  findValue,
  parseTemplate,
  readDeclarations,
  readLexeme,
  resolveDeclared,
  tabulateDeclared,
  wholeReference,
} from '../../parameters/index.ts';
import type { DeclaredOrigin, DeclaredValues, ParameterDeclaration, ParameterLayer } from '../../parameters/index.ts';
import type { ApplicationPackage } from './application-package.ts';
import { dataAt } from './compose/located-data.ts';
import type { LocatedData } from './compose/located-data.ts';
import type { WrittenAt } from './documents/findings.ts';
import { readApplicationDocument } from './documents/read-application-document.ts';
import { checkHeader, readPackageDocument } from './documents/read-document.ts';
import type { PackageDocument } from './documents/read-document.ts';
import { findOptionalParts, leaveOut } from './find-parts-off.ts';
import {
  findNeedless,
  findUnclosed,
  reportIneffective,
  reportUnclosed,
  reportUndeclared,
  reportUnused,
} from './parameter-use.ts';
import { applicationProblems } from './problems.ts';
import { readOneDocument } from './read-one-document.ts';

/** An application with everything of its package in it. */
export interface ResolvedApplication {
  /** Filled in, without the parts that are off. */
  readonly application: LocatedData;
  readonly package: PackageDocument | undefined;
  readonly declarations: readonly ParameterDeclaration[];
  readonly parameters: DeclaredValues | undefined;
  /** The parameters as patches see them. */
  readonly variables: ReturnType<typeof tabulateDeclared>;
  /** Where the author of app.yaml wrote what stands at a path of the application, be it a reference. */
  readonly locateWritten: (path: Path) => Location;
  /** Components and traits that are switched off, as paths in app.yaml. */
  readonly off: readonly Path[];
  /** As its author wrote it. */
  readonly authored: LocatedData;
  /** The parameters that made what stands at a path of app.yaml, and where their values were given. */
  readonly givenAt: (path: Path) => readonly GivenValue[];
}

export interface GivenValue {
  readonly name: string;
  readonly from: DeclaredOrigin['from'];
  /** It stands in a file of values, and not in a flag. */
  readonly isInFile: boolean;
  readonly location: Location;
}

interface ResolvingOptions {
  readonly report: Report;
  /** Of the run; the patterns of all parameters draw on it. */
  readonly budget?: Budget | undefined;
  /** Where in app.yaml only a text can stand; parameters say what a type is that is a reference. */
  readonly findTexts?: ((application: Json, parameters: DeclaredValues) => (path: Path) => boolean) | undefined;
}

/** Declarations → values → app.yaml with the values in it. `undefined` when something is wrong, which is reported. */
export function resolveApplication(
  pkg: ApplicationPackage,
  layers: readonly ParameterLayer[],
  { report: reportFinding, findTexts, budget }: ResolvingOptions,
): ResolvedApplication | undefined {
  let failed = false;
  const report = (diagnostic: Diagnostic): void => {
    failed ||= diagnostic.severity === 'error';
    reportFinding(diagnostic);
  };
  const authored = readOneDocument(pkg.application, report, budget?.memory);
  const declared = readPackage(pkg, { report, budget });
  if (pkg.declaration === undefined) reportVainValues(layers, report);
  if (authored === undefined || failed) return undefined;
  // Everything else would only follow from that.
  if (!isJsonObject(authored.data)) checkOutline(authored, report);
  else checkHeader(authored.data, 'Application', { ...authored, report });
  if (failed) return undefined;
  if (declared === undefined) {
    const off = findOptionalParts(authored.data).flatMap(({ path, enabled }) => (enabled === false ? [path] : []));
    const application = without(authored, off);
    const { locate: locateWritten } = application;
    reportIneffective(authored, report);
    return {
      application,
      package: undefined,
      declarations: [],
      parameters: undefined,
      variables: tabulateDeclared(undefined),
      locateWritten,
      off,
      authored,
      givenAt: () => [],
    };
  }
  const { document, declarations, location } = declared;
  const settings = { packageName: document.metadata.name, packageLocation: location };
  const early = resolveDeclared(declarations, layers, {
    ...settings,
    report: () => {},
    isUsed: () => false,
    isDraft: true,
  });
  const off = findOptionalParts(authored.data).flatMap(({ path, enabled }) => (isFalse(enabled, early) ? [path] : []));
  const needless = findNeedless(authored.data, { off, declarations, pkg });
  const parameters = resolveDeclared(declarations, layers, {
    ...settings,
    report,
    budget,
    isUsed: (name) => !needless.has(name),
  });
  const unclosed = findUnclosed(authored.data, declarations);
  reportUnused(authored.data, { off, declarations, pkg, unclosed }, report);
  reportUndeclared(authored, { off, declarations, pkg }, report);
  reportUnclosed(unclosed, authored, report);
  if (parameters === undefined || failed) {
    checkOutline(authored, report);
    return undefined;
  }
  const offPaths = new Set(off.map((path) => JSON.stringify(path)));
  const isLeftOut = (path: Path): boolean => offPaths.has(JSON.stringify(path));
  const reported: Diagnostic[] = [];
  const filled = fillApplication(pkg.application, parameters, {
    report: (diagnostic) => reported.push(diagnostic),
    isLeftOut: off.length === 0 ? undefined : isLeftOut,
    isTextAt: findTexts?.(authored.data, parameters),
    budget,
  });
  const isWell = filled !== undefined || checkOutline(authored, report);
  reported.filter(({ code }) => isWell || code !== 'reference-unset').forEach(report);
  if (filled === undefined) return undefined;
  const { locate: locateWritten } = without({ ...filled, locate: filled.locateWritten }, off);
  const givenAt = (path: Path): readonly GivenValue[] =>
    filled.referencesAt(path).flatMap((name) => {
      const origin = findValue(name, parameters)?.originAt([]);
      if (origin === undefined) return [];
      const { from, layer, location } = origin;
      return [{ name, from, isInFile: layer?.kind === 'values' && layer.source.text !== '', location }];
    });
  return {
    application: without(filled, off),
    package: document,
    declarations,
    parameters,
    variables: tabulateDeclared(parameters),
    locateWritten,
    off,
    authored,
    givenAt,
  };
}

export interface DeclaredPackage {
  readonly document: PackageDocument;
  readonly declarations: readonly ParameterDeclaration[];
  /** Of the name of the package. */
  readonly location: Location;
}

export function readPackage(
  { declaration: source }: Pick<ApplicationPackage, 'declaration'>,
  { report, budget }: Pick<ResolvingOptions, 'report' | 'budget'>,
): DeclaredPackage | undefined {
  if (source === undefined) return undefined;
  const located = readOneDocument(source, report, budget?.memory);
  if (located === undefined) return undefined;
  const { data, locate } = located;
  const writtenAt: WrittenAt = (location, value) => readLexeme(source, location, value);
  const document = readPackageDocument(data, { locate, report, writtenAt });
  if (document === undefined) return undefined;
  const list = document.spec.parameters;
  const declarations =
    list === undefined
      ? []
      : readDeclarations(list, { source, location: locate(['spec', 'parameters']), report, budget });
  return { document, declarations, location: locate(['metadata', 'name']) };
}

function reportVainValues(layers: readonly ParameterLayer[], report: Report): void {
  for (const { kind, source } of layers) {
    const what = kind === 'set' ? `--set ${source.text}` : source.path;
    report(applicationProblems.create('values-without-package', { what }, { location: { file: source.path } }));
  }
}

function isFalse(enabled: Json, parameters: DeclaredValues | undefined): boolean {
  if (typeof enabled !== 'string') return enabled === false;
  const reference = wholeReference(parseTemplate(enabled, applicationSyntax));
  if (reference === undefined || parameters === undefined) return false;
  return findValue(reference.text, parameters)?.value === false;
}

function without({ data, locate, referencesAt, isMixedAt }: LocatedData, off: readonly Path[]): LocatedData {
  const { data: rest, pathBefore } = leaveOut(data, off);
  return {
    data: rest,
    locate: (path) => locate(pathBefore(path)),
    referencesAt: (path) => referencesAt?.(pathBefore(path)) ?? [],
    isMixedAt: (path) => isMixedAt?.(pathBefore(path)) === true,
  };
}

/** What is so whatever the parameters are. */
const ofOutline: ReadonlySet<string> = new Set([
  'document-api-version',
  'document-empty',
  'document-kind',
  'field-required',
  'field-unknown',
]);

/**
 * Tells what is wrong with an application that could not be filled in, before its properties: behind a misspelt key nothing is
 * found to be switched off, and parameters are missed that nobody needs. Returns whether it is well.
 */
function checkOutline({ data, locate }: LocatedData, report: Report): boolean {
  let isWell = true;
  const reportFinding = (diagnostic: Diagnostic): void => {
    const isTold = ofOutline.has(diagnostic.code) || (diagnostic.code === 'field-type' && !isFilled(diagnostic));
    if (!isTold) return;
    isWell = false;
    report(diagnostic);
  };
  const isFilled = ({ location }: Diagnostic): boolean => typeof dataAt(data, location?.path ?? []) === 'string';
  readApplicationDocument(data, { locate, report: reportFinding, known: { components: [], traits: [] } });
  return isWell;
}
