import type { Budget, Diagnostic, Json, KubeObject, OriginTable, Report } from '../../model/index.ts';
import { fillApplication } from '../../parameters/index.ts';
import type { DeclaredOrigin, ParameterType } from '../../parameters/index.ts';
import type { Change } from '../../patch/index.ts';
import type { SchemaStore } from '../../schema/index.ts';
import { composeApplication } from './compose/compose-application.ts';
import type { ComposedObject, CompositionInput } from './compose/composition.ts';
import type { ApplicationPackage } from './load-application.ts';
import type { ResolvedApplication } from './resolve-application.ts';

interface Patching {
  readonly pkg: ApplicationPackage;
  readonly resolved: ResolvedApplication;
  readonly input: CompositionInput;
  readonly report: Report;
  readonly origins: OriginTable;
  readonly store?: (() => SchemaStore) | undefined;
  readonly trace?: ((line: string) => void) | undefined;
  readonly budget?: Budget | undefined;
}

/** Applies the patches of a package to the composed objects. */
export async function patchComposed(
  composed: readonly ComposedObject[],
  patching: Patching,
): Promise<{ readonly objects: readonly KubeObject[]; readonly changes: readonly Change[] }> {
  const { pkg, resolved, report, origins, store, trace, budget } = patching;
  const objects = composed.map(({ object }) => object);
  if (pkg.patches.length === 0) return { objects, changes: [] };
  const { applyPatches } = await import('../../patch/index.ts');
  const diagnostics: Diagnostic[] = [];
  const options = {
    origins,
    store: store?.(),
    variables: { scope: 'package', ...resolved.variables },
    budget,
  } as const;
  const patched = applyPatches(objects, pkg.patches, {
    ...options,
    report: (diagnostic) => void diagnostics.push(diagnostic),
    trace,
  });
  const all = resolved.off.length > 0 && diagnostics.some(isWithoutTarget) ? composeAll(patching) : undefined;
  const absent = new Set<string>();
  if (all !== undefined) {
    const reportFinding = (diagnostic: Diagnostic): void => {
      if (isWithoutTarget(diagnostic)) absent.add(JSON.stringify(diagnostic.location));
    };
    applyPatches(all, pkg.patches, { ...options, report: reportFinding });
  }
  for (const diagnostic of diagnostics) {
    const isOfPartOff = all !== undefined && isWithoutTarget(diagnostic);
    if (!isOfPartOff || absent.has(JSON.stringify(diagnostic.location))) report(diagnostic);
  }
  return patched;
}

function isWithoutTarget({ code }: Diagnostic): boolean {
  return code === 'patch-target-not-found';
}

/** Placeholders for parameters used only in disabled parts, when only object names matter. */
const someValues: Readonly<Record<ParameterType, Json>> = {
  string: 'x',
  integer: 1,
  number: 1,
  boolean: true,
  array: [],
  object: {},
};

/** The objects of an application including disabled parts; `undefined` if they cannot be composed. */
function composeAll({ pkg, resolved, input, budget }: Patching): readonly KubeObject[] | undefined {
  const { authored, declarations, parameters } = resolved;
  const values = new Map(parameters?.values);
  for (const { name, type, enum: allowed, minimum, location } of declarations) {
    const value = allowed?.[0] ?? minimum ?? someValues[type];
    const rest = { refersTo: [], scalars: () => [], writtenAt: () => undefined };
    const originAt = (): DeclaredOrigin => ({ from: 'default', location });
    if (!values.has(name)) values.set(name, { name, type, value, originAt, ...rest });
  }
  const quiet = { report: () => undefined, memory: input.memory };
  const filled =
    parameters === undefined
      ? authored
      : fillApplication(pkg.application, { declarations, values }, { ...quiet, budget });
  if (filled === undefined) return undefined;
  const { writtenAt } = input.application;
  const application = { data: filled.data, locate: authored.locate, writtenAt };
  return composeApplication({ ...input, ...quiet, application, isDraft: true })?.objects.map(({ object }) => object);
}
