import { sentence, setting, watchErrors } from '../../diagnostics/index.ts';
import { textAt } from '../../kube/index.ts';
import { isJsonObject, stepInto, valueAt } from '../../model/index.ts';
import type { Budget, Diagnostic, Json, Location, Path, Report } from '../../model/index.ts';
import {
  applicationSyntax,
  fillApplication,
  fillWherePossible,
  findValue,
  parseTemplate,
  resolveDeclared,
  tabulateDeclared,
  wholeReference,
} from '../../parameters/index.ts';
import type {
  DeclaredOrigin,
  DeclaredValue,
  DeclaredValues,
  ParameterDeclaration,
  ParameterLayer,
} from '../../parameters/index.ts';
import { fieldAt } from '../../schema/index.ts';
import type { Catalog } from './catalog/catalog.ts';
import type { FindKubernetesField } from './check-kubernetes.ts';
import {
  anyMapping,
  applicationTables,
  checkHeader,
  fieldIn,
  readApplicationDocument,
  readOneDocument,
  readPackageAndParameters,
} from '../../documents/index.ts';
import type {
  Field,
  Fields,
  KnownTypes,
  KubernetesField,
  LocatedData,
  PackageDocument,
} from '../../documents/index.ts';
import { createIsOff, findOptionalParts, leaveOut } from './application-parts.ts';
import type { ApplicationPackage } from './load-application.ts';
import { findNeedless, reportIneffective, reportUse } from './parameter-use.ts';
import { applicationProblems } from './problems.ts';

/** An application with its parameters resolved. */
export interface ResolvedApplication {
  /** Filled in, without disabled parts. */
  readonly application: LocatedData;
  readonly package: PackageDocument | undefined;
  readonly declarations: readonly ParameterDeclaration[];
  readonly parameters: DeclaredValues | undefined;
  /** The parameters as patches reference them. */
  readonly variables: ReturnType<typeof tabulateDeclared>;
  /** The location in app.yaml, possibly of a reference, that a path of the application came from. */
  readonly locateWritten: (path: Path) => Location;
  /** Disabled components and traits, as paths in app.yaml. */
  readonly off: readonly Path[];
  /** As written by the author. */
  readonly authored: LocatedData;
  /** The parameters that determine the value at a path of app.yaml, and where their values were set. */
  readonly givenAt: (path: Path) => readonly GivenValue[];
}

interface GivenValue {
  readonly name: string;
  readonly from: DeclaredOrigin['from'];
  /** Set in a values file rather than by a flag. */
  readonly isInFile: boolean;
  readonly location: Location;
}

interface ResolvingOptions {
  readonly report: Report;
  /** Shared by the patterns of all parameters. */
  readonly budget?: Budget | undefined;
  readonly catalog: Catalog;
  /** `undefined` if no Kubernetes schemas are available. */
  readonly findField: FindKubernetesField | undefined;
}

/** Declarations → values → app.yaml with values filled in. `undefined` after an error, which is reported. */
export function resolveApplication(
  pkg: ApplicationPackage,
  layers: readonly ParameterLayer[],
  { report: reportFinding, budget, ...handlers }: ResolvingOptions,
): ResolvedApplication | undefined {
  const { report, hasErrors } = watchErrors(reportFinding);
  const authored = readOneDocument(pkg.application, report, budget?.memory);
  const declared = readPackage(pkg, { report, budget });
  if (pkg.declaration === undefined) reportUnexpectedValues(layers, report);
  if (authored === undefined) return undefined;
  const checkParts = (): boolean => checkOutline(authored, listTypes(pkg, handlers.catalog, budget), report);
  // Without a valid header, further findings would only follow from that mistake.
  if (!checkHeader(authored.data, 'Application', { ...authored, report })) return undefined;
  if (hasErrors() || !isJsonObject(authored.data)) {
    checkParts();
    return undefined;
  }
  const early =
    declared &&
    resolveDeclared(declared.declarations, layers, {
      ...declared.settings,
      report: () => {},
      isUsed: () => false,
      isDraft: true,
    });
  const off = findOptionalParts(authored.data).flatMap(({ path, enabled }) => (isFalse(enabled, early) ? [path] : []));
  let parameters: DeclaredValues | undefined;
  let filled: FilledData | undefined = authored;
  if (declared === undefined) reportIneffective(authored, pkg.application, report);
  else {
    const { declarations, settings } = declared;
    const use = { off, declarations, pkg };
    const needless = findNeedless(authored.data, use);
    const isUsed = (name: string): boolean => !needless.has(name);
    parameters = resolveDeclared(declarations, layers, { ...settings, report, budget, isUsed });
    reportUse(authored, use, report);
    if (parameters === undefined || hasErrors()) {
      checkParts();
      return undefined;
    }
    const reported: Diagnostic[] = [];
    filled = fillApplication(pkg.application, parameters, {
      report: (diagnostic) => reported.push(diagnostic),
      isLeftOut: off.length === 0 ? undefined : createIsOff(off),
      isTextAt: createFindTexts(authored.data, parameters, handlers),
      budget,
    });
    const isValid = filled !== undefined || checkParts();
    reported.filter(({ code }) => isValid || code !== 'reference-unset').forEach(report);
    if (filled === undefined) return undefined;
  }
  const { referencesAt, locateWritten = filled.locate } = filled;
  const { pathBefore, ...application } = leaveOut(filled, off);
  return {
    application,
    package: declared?.document,
    declarations: declared?.declarations ?? [],
    parameters,
    variables: tabulateDeclared(parameters),
    locateWritten: (path) => locateWritten(pathBefore(path)),
    off,
    authored,
    givenAt: (path) =>
      (referencesAt?.(path) ?? []).flatMap((name) => {
        const origin = parameters && findValue(name, parameters)?.originAt([]);
        if (origin === undefined) return [];
        const { from, layer, location } = origin;
        return [{ name, from, isInFile: layer?.kind === 'values' && layer.source.text !== '', location }];
      }),
  };
}

interface FilledData extends LocatedData {
  readonly locateWritten?: (path: Path) => Location;
}

interface DeclaredPackage {
  /** `undefined` after an error. */
  readonly document: PackageDocument | undefined;
  readonly declarations: readonly ParameterDeclaration[];
  readonly settings: { readonly packageName: string; readonly packageLocation: Location };
}

/** `undefined` if there is no kurel.yaml, or if it has no name. */
export function readPackage(
  { declaration: source }: Pick<ApplicationPackage, 'declaration'>,
  { report, budget }: Pick<ResolvingOptions, 'report' | 'budget'>,
): DeclaredPackage | undefined {
  if (source === undefined) return undefined;
  const located = readOneDocument(source, report, budget?.memory);
  if (located === undefined) return undefined;
  const { document, declarations } = readPackageAndParameters(located.data, { ...located, report, budget });
  const path = ['metadata', 'name'];
  const packageName = valueAt(located.data, path);
  if (typeof packageName !== 'string') return undefined;
  return { document, declarations, settings: { packageName, packageLocation: located.locate(path) } };
}

function reportUnexpectedValues(layers: readonly ParameterLayer[], report: Report): void {
  for (const { kind, source } of layers) {
    const what = kind === 'set' ? sentence`${setting('set', source.text)}` : source.path;
    report(applicationProblems.create('values-without-package', { what }, { location: { file: source.path } }));
  }
}

function isFalse(enabled: Json, parameters: DeclaredValues | undefined): boolean {
  if (typeof enabled !== 'string') return enabled === false;
  const reference = wholeReference(parseTemplate(enabled, applicationSyntax));
  if (reference === undefined || parameters === undefined) return false;
  return findValue(reference.text, parameters)?.value === false;
}

/** The types of components and traits that exist, with or without a handler. */
function listTypes(
  { definitions }: ApplicationPackage,
  { components, traits }: Catalog,
  budget: Budget | undefined,
): KnownTypes {
  const names = definitions.map((source) =>
    valueAt(readOneDocument(source, () => {}, budget?.memory)?.data, ['metadata', 'name']),
  );
  return { components: components.keys(), traits: [...traits.keys(), ...names.map(String)] };
}

/** Findings that do not depend on parameter values. */
const ofOutline: ReadonlySet<string> = new Set([
  'document-api-version',
  'document-empty',
  'document-kind',
  'field-required',
  'field-unknown',
]);

/**
 * Reports structural mistakes and unknown types of an application that could not be filled in. A misspelled key can hide
 * that a part is disabled, which makes unneeded parameters look required. Returns whether the structure is valid.
 */
function checkOutline(authored: LocatedData, types: KnownTypes, report: Report): boolean {
  let isValid = true;
  const reportFinding = (diagnostic: Diagnostic): void => {
    const { code, location } = diagnostic;
    const value = valueAt(authored.data, location?.path ?? []);
    const isUnknownType = code === 'field-enum' && typeof value === 'string' && !value.includes('${');
    const isStructural = ofOutline.has(code) || (code === 'field-type' && typeof value !== 'string');
    isValid &&= !isStructural;
    if (isStructural || isUnknownType) report(diagnostic);
  };
  readApplicationDocument(authored.data, { ...authored, report: reportFinding, known: types });
  return isValid;
}

const { metadata, spec } = applicationTables;
const applicationField: Field = { type: 'object', properties: { metadata, spec } };

/** Tells whether a path of an application accepts only strings, according to the property tables and Kubernetes schemas. */
function createFindTexts(
  application: Json,
  parameters: DeclaredValues,
  { catalog: { components, traits, policies }, findField }: Pick<ResolvingOptions, 'catalog' | 'findField'>,
): (path: Path) => boolean {
  return (path) => {
    let field: Field | undefined = applicationField;
    let data: Json | undefined = application;
    for (const [depth, step] of path.entries()) {
      const rest = path.slice(depth);
      if (field?.kubernetes !== undefined) return isText(field.kubernetes, rest);
      const inner: Field | undefined = field === undefined ? undefined : fieldIn(field, step);
      // An inline object states its own kind.
      const [apiVersion, kind] = [textAt(data, 'apiVersion'), textAt(data, 'kind')];
      const isFree = inner?.type === 'any' && apiVersion !== undefined && kind !== undefined;
      if (isFree) return isText([apiVersion, kind], rest);
      field = inner === anyMapping && step === 'properties' ? tableOf(data, path) : inner;
      data = stepInto(data, step);
    }
    if (field?.kubernetes !== undefined) return isText(field.kubernetes, []);
    return field?.type === 'string' || field?.type === 'scalar';
  };

  function isText(field: KubernetesField, path: Path): boolean {
    const schema = findField?.(field);
    const target = schema === undefined ? undefined : fieldAt({ schema }, path);
    return target !== undefined && 'found' in target && target.found.type === 'string';
  }

  /** The property table of a component, trait or policy. */
  function tableOf(part: Json | undefined, path: Path): Field | undefined {
    const handlers: ReadonlyMap<string, { readonly properties: Fields }> =
      path[1] === 'policies' ? policies : path[3] === 'traits' ? traits : components;
    const find = (reference: { readonly text: string }): DeclaredValue | undefined =>
      findValue(reference.text, parameters);
    const type = fillWherePossible(textAt(part, 'type') ?? '', find) ?? '';
    const properties = handlers.get(type)?.properties;
    return properties === undefined ? undefined : { type: 'object', properties };
  }
}
