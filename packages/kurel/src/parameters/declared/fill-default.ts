import { quote } from '../../diagnostics/index.ts';
import type { Budget, Location, Path, Report } from '../../model/index.ts';
import { applicationSyntax } from '../references.ts';
import { createSubstitution } from '../substitute.ts';
import { checkValue } from './check-value.ts';
import type { ParameterDeclaration } from './declaration.ts';
import type { DeclaredValue } from './declared-values.ts';
import { originInside, scalarsIn } from './fill-application.ts';
import { createUnset, findParameter, findValue } from './find-parameter.ts';
import { declaredProblems } from './problems.ts';

interface DefaultContext {
  readonly declarations: readonly ParameterDeclaration[];
  /** Names of all that have a default. */
  readonly defaults: ReadonlySet<string>;
  /** Those that have a value by now. */
  readonly values: ReadonlyMap<string, DeclaredValue>;
  /** Those whose default was refused, which was reported. */
  readonly failed: ReadonlySet<string>;
  readonly report: Report;
  readonly budget: Budget;
}

/** The value that a default stands for; `undefined` when something was reported, here or before. */
export function fillDefault(declaration: ParameterDeclaration, context: DefaultContext): DeclaredValue | undefined {
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
  const value = checkValue(filled.data, {
    schema: declaration,
    path: [],
    textAt: (path, scalar) => writtenAt(path) ?? String(scalar),
    refuse({ path, fault, remedy }) {
      isBad = true;
      const args = { part: `the parameter ${quote(name)}`, fault, remedy };
      context.report(declaredProblems.create('default-invalid', args, { location: locate(path) }));
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
  // Defaults may refer to defaults as often as anybody likes, so a chain of them is not followed link by link.
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
  // Defaults are filled from top to bottom, so that a default that is still missing is one that comes later.
  report(createUnset(parameter, { of: name, isLater: defaults.has(parameter.name) }));
  return undefined;
}
