import { createBudget, reportExhaustion } from '../../budget/index.ts';
import { watchErrors } from '../../diagnostics/index.ts';
import { valueAt } from '../../model/index.ts';
import type { Budget, Location, Path, Report } from '../../model/index.ts';
import { createFinding, valueProblems } from '../../schema/index.ts';
import { readLexeme } from '../layers.ts';
import type { ParameterLayer } from '../layers.ts';
import { applicationSyntax } from '../references.ts';
import { createSubstitution } from '../substitute.ts';
import { checkValue, isStructure } from './declaration.ts';
import type { DeclaredValue, DeclaredValues, ParameterDeclaration } from './declaration.ts';
import { checkingOf, checkPart, collectSupplied, mergeOverDefault, mergesOverDefault } from './collect-supplied.ts';
import type { Supplied, Supplies } from './collect-supplied.ts';
import { createUnset, findParameter, findValue, originInside, scalarsIn } from './fill-application.ts';
import { howToSet } from './problems.ts';

interface ResolveDeclaredOptions {
  /** The value of `${name}` if no parameter with this name is declared. */
  readonly packageName: string;
  readonly packageLocation: Location;
  readonly report: Report;
  /** Whether a parameter is used; an unused one is not required. Defaults to all being used. */
  readonly isUsed?: ((name: string) => boolean) | undefined;
  /** Returns the available values even if something is wrong, for callers that look ahead. */
  readonly isDraft?: boolean | undefined;
  /** The budget of the run. */
  readonly budget?: Budget | undefined;
}

/**
 * The values of declared parameters: values that were set, converted to their declared types, and defaults for the others, from top to
 * bottom. An object that was set is merged over its default.
 * Missing required parameters are reported first, then invalid values; only then are defaults filled in.
 */
export function resolveDeclared(
  declarations: readonly ParameterDeclaration[],
  layers: readonly ParameterLayer[],
  options: ResolveDeclaredOptions,
): DeclaredValues | undefined {
  const { report, hasErrors } = watchErrors(options.report);
  const supplies = collectSupplied(declarations, layers);
  reportMissing(declarations, supplies, { ...options, report });
  for (const finding of supplies.findings) report(finding);
  const values = new Map<string, DeclaredValue>();
  if (!declarations.some(({ name }) => name === 'name')) values.set('name', nameOfPackage(options));
  for (const declaration of declarations) {
    const supplied = supplies.values.get(declaration.name);
    if (supplied === undefined) continue;
    if (mergesOverDefault(declaration)) checkPart(declaration, supplied, report);
    else values.set(declaration.name, readSupplied(declaration, supplied, report));
  }
  if (hasErrors() && options.isDraft !== true) return undefined;
  const failed = new Set<string>();
  const { budget = createBudget() } = options;
  const defaults = new Set(
    declarations.flatMap((declaration) => (declaration.default === undefined ? [] : [declaration.name])),
  );
  for (const declaration of declarations) {
    if (declaration.default === undefined || values.has(declaration.name)) continue;
    // An unused default may refer to parameters without a value.
    const reportFinding = options.isUsed?.(declaration.name) === false ? (): void => {} : report;
    const context = { declarations, defaults, values, failed, report: reportFinding, budget };
    const base = reportExhaustion(() => fillDefault(declaration, context), reportFinding);
    const supplied = supplies.values.get(declaration.name);
    if (base === undefined) failed.add(declaration.name);
    else if (supplied === undefined) values.set(declaration.name, base);
    else values.set(declaration.name, mergeOverDefault(declaration, { supplied, base, report }));
  }
  return hasErrors() && options.isDraft !== true ? undefined : { declarations, values };
}

function reportMissing(
  declarations: readonly ParameterDeclaration[],
  { values, nulls, refused }: Supplies,
  { report, isUsed }: ResolveDeclaredOptions,
): void {
  for (const { name, type, description, required, default: otherwise, location } of declarations) {
    if (!required || otherwise !== undefined || values.has(name) || refused.has(name)) continue;
    if (isUsed?.(name) === false) continue;
    const advice = howToSet(name, isStructure(type));
    const args = { noun: 'parameter', name, holder: undefined, description, advice } as const;
    const none = nulls.get(name);
    const related = none === undefined ? [] : [{ message: 'null counts as not set', location: none }];
    const place = { ...location, path: [...(location.path ?? []), 'name'] };
    report(valueProblems.create('field-required', args, { location: place, related }));
  }
}

function nameOfPackage({ packageName, packageLocation }: ResolveDeclaredOptions): DeclaredValue {
  const originAt = (): ReturnType<DeclaredValue['originAt']> => ({ from: 'package', location: packageLocation });
  const rest = { type: 'string', value: packageName, refersTo: [] } as const;
  return { ...rest, name: 'name', originAt, scalars: () => [], writtenAt: () => undefined };
}

function readSupplied(declaration: ParameterDeclaration, supplied: Supplied, report: Report): DeclaredValue {
  const { name, type } = declaration;
  const value = checkValue(supplied.value, { ...checkingOf(declaration, supplied, report), schema: declaration });
  return {
    name,
    type,
    value,
    refersTo: [],
    originAt: (path) => ({ from: 'layer', ...supplied.originAt(path) }),
    scalars: () => [],
    writtenAt(path) {
      const { layer, location } = supplied.originAt(path);
      return readLexeme(layer.source, location, valueAt(supplied.value, path));
    },
  };
}

interface DefaultContext {
  readonly declarations: readonly ParameterDeclaration[];
  /** Names of all parameters with a default. */
  readonly defaults: ReadonlySet<string>;
  /** Parameters that already have a value. */
  readonly values: ReadonlyMap<string, DeclaredValue>;
  /** Parameters whose default is invalid, which was reported. */
  readonly failed: ReadonlySet<string>;
  readonly report: Report;
  readonly budget: Budget;
}

/** The value of a default; `undefined` when something was reported, here or before. */
function fillDefault(declaration: ParameterDeclaration, context: DefaultContext): DeclaredValue | undefined {
  const { name, type } = declaration;
  const locate = (path: Path, at?: 'key'): Location => {
    const { location } = declaration;
    return { ...location, path: [...(location.path ?? []), 'default', ...path], ...(at === undefined ? {} : { at }) };
  };
  const substitution = createSubstitution({
    lookUp: ({ text }, report) => lookUp(text, declaration, { ...context, report }),
    report: context.report,
    budget: context.budget,
    syntax: applicationSyntax,
  });
  const filled = substitution.fillTree(declaration.default!, { locate, keys: 'refuse' });
  if (!filled.isComplete) return undefined;
  const writtenAt = (path: Path): string | undefined => {
    const spot = filled.spotAt(path);
    if (spot === undefined) return declaration.writtenAt(filled.writtenPath(path));
    return spot.whole?.writtenAt(path.slice(spot.path.length));
  };
  let isBad = false;
  const { path = [] } = locate([]);
  const value = checkValue(filled.data, {
    schema: declaration,
    path,
    textAt: (inner, scalar) => writtenAt(inner.slice(path.length)) ?? String(scalar),
    refuse(finding) {
      isBad = true;
      context.report(createFinding(finding, (inner) => locate(inner.slice(path.length))));
    },
  });
  if (isBad) return undefined;
  const rest = {
    name,
    type,
    value,
    refersTo: [...new Set(filled.spots.flatMap(({ references }) => references.map(({ text }) => text)))],
    originAt: (path: Path) =>
      originInside(filled, path) ?? { from: 'default' as const, location: locate(filled.writtenPath(path)) },
  };
  const [first] = filled.spots;
  // Defaults may refer to each other in long chains, so a chain is not followed link by link.
  if (first?.path.length === 0 && first.whole !== undefined) {
    return { ...rest, scalars: first.whole.scalars, writtenAt: first.whole.writtenAt };
  }
  const scalars = (): readonly Path[] =>
    filled.spots.flatMap(({ path, whole }) => (whole ? scalarsIn(whole).map((inside) => path.concat(inside)) : []));
  return { ...rest, scalars, writtenAt };
}

function lookUp(reference: string, { name }: ParameterDeclaration, context: DefaultContext): DeclaredValue | undefined {
  const { values, failed, defaults, report } = context;
  const value = findValue(reference, context, report);
  if (value !== undefined) return value;
  const parameter = findParameter(reference, context.declarations) ?? { name: reference, type: undefined };
  if (values.has(parameter.name) || failed.has(parameter.name)) return undefined;
  // Defaults are filled from top to bottom, so a default that is still missing is declared later.
  report(createUnset(parameter, { of: name, isLater: defaults.has(parameter.name) }));
  return undefined;
}
