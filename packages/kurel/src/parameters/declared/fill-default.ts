import { quote } from '../../diagnostics/index.ts';
import type { Diagnostic, Location, Path, Report } from '../../model/index.ts';
import { checkValue } from './check-value.ts';
import type { ParameterDeclaration } from './declaration.ts';
import type { DeclaredValue } from './declared-values.ts';
import { fillData } from './fill-data.ts';
import { findParameter, findValue } from './find-parameter.ts';
import { declaredProblems } from './problems.ts';

interface DefaultContext {
  readonly declarations: readonly ParameterDeclaration[];
  /** Names of all that have a default. */
  readonly defaults: ReadonlySet<string>;
  /** Those that have a value by now. */
  readonly values: ReadonlyMap<string, DeclaredValue>;
  /** Those whose default was refused, which was told. */
  readonly failed: ReadonlySet<string>;
  readonly report: Report;
}

/** The value that a default stands for; `undefined` when something was told, here or before. */
export function fillDefault(declaration: ParameterDeclaration, context: DefaultContext): DeclaredValue | undefined {
  const { name, type } = declaration;
  const refersTo = new Set<string>();
  let isBad = false;
  const locate = (path: Path): Location => {
    const { location } = declaration;
    return { ...location, path: [...(location.path ?? []), 'default', ...path] };
  };
  const reportAt = (diagnostic: Diagnostic, path: Path, at?: 'key'): void => {
    isBad = true;
    context.report({ ...diagnostic, location: { ...locate(path), ...(at === undefined ? {} : { at }) } });
  };
  const filled = fillData(declaration.default!, {
    reportAt,
    lookUp(reference, path) {
      refersTo.add(reference);
      const value = findValue(reference, context, (diagnostic) => reportAt(diagnostic, path));
      if (value !== undefined) return value;
      const parameter = findParameter(reference, context.declarations)?.name ?? reference;
      if (context.values.has(parameter)) return undefined;
      isBad = true;
      if (context.failed.has(parameter)) return undefined;
      const args = { name, reference: parameter, order: orderOf(declaration, parameter, context) };
      reportAt(declaredProblems.create('default-reference-unset', args), path);
      return undefined;
    },
  });
  if (isBad) return undefined;
  const value = checkValue(filled.data, {
    schema: declaration,
    path: [],
    // What was written in the declaration has been read as its type; numbers here are values of other parameters.
    textAt: (_, scalar) => String(scalar),
    refuse: ({ path, fault, remedy }) =>
      reportAt(
        declaredProblems.create('default-invalid', { part: `the parameter ${quote(name)}`, fault, remedy }),
        path,
      ),
  });
  if (isBad) return undefined;
  return {
    name,
    type,
    value,
    refersTo: [...refersTo],
    originAt: (path) => filled.originInside(path) ?? { from: 'default', location: locate(filled.authoredPath(path)) },
    parts: filled.parts,
    writtenAt: (path, scalar) => declaration.writtenAt(filled.authoredPath(path), scalar),
  };
}

/** Defaults are filled from top to bottom, so that a default that is still missing is one that comes later. */
function orderOf(
  { name }: ParameterDeclaration,
  reference: string,
  { defaults }: DefaultContext,
): 'before' | 'itself' | 'after' {
  if (reference === name) return 'itself';
  return defaults.has(reference) ? 'after' : 'before';
}
