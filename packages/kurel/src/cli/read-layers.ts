import { applyAssignment, deepMerge } from '../index.ts';
import type { Assignment } from '../index.ts';
import { DiagnosticError } from '../diagnostics/index.ts';
import type { ParameterLayer } from '../index.ts';
import { isJsonObject } from '../model/index.ts';
import type { Diagnostic, Json, Values } from '../model/index.ts';
import type { GivenValues } from './read-value-flags.ts';

export interface LayersReading {
  readonly layers: readonly ParameterLayer[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * What flags say as layers over the parameters of a package. A layer replaces lists, so `--set hosts[1]=x` becomes the list as
 * it is below with one item changed; `readBelow` is asked for the package's own parameters only then.
 */
export async function readLayers(
  given: readonly GivenValues[],
  readBelow: () => Promise<Values | undefined>,
): Promise<LayersReading> {
  const layers: ParameterLayer[] = [];
  const diagnostics: Diagnostic[] = [];
  const needsBelow = given.some((one) => 'path' in one && listStepOf(one) !== -1);
  let below = needsBelow ? await readBelow() : {};
  for (const one of given) {
    try {
      const data = 'path' in one ? dataOf(one, below) : one.data;
      if (data === undefined) continue;
      const { source } = one;
      layers.push(
        'path' in one
          ? { kind: 'set', source, data, path: one.path, isText: one.isText }
          : { kind: 'values', source, data },
      );
      if (needsBelow && below !== undefined) below = deepMerge(below, data);
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      for (const diagnostic of error.diagnostics) diagnostics.push(diagnostic);
    }
  }
  return { layers, diagnostics };
}

function listStepOf({ path }: Assignment): number {
  return path.findIndex((step) => typeof step === 'number');
}

/** `undefined` when it would have to change a list of a package that cannot be read, which is told elsewhere. */
function dataOf(assignment: Assignment, below: Values | undefined): Values | undefined {
  const end = listStepOf(assignment);
  if (end === -1) return applyAssignment({}, assignment);
  if (below === undefined) return undefined;
  const path = assignment.path.slice(0, end);
  let value: Json | undefined = applyAssignment(below, assignment);
  for (const step of path) value = isJsonObject(value) ? value[step] : undefined;
  return applyAssignment({}, { ...assignment, path, value: value! });
}
