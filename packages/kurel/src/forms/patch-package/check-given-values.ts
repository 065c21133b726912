import { isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject, Path, Report } from '../../model/index.ts';
import { findParameterOrigin } from '../../parameters/index.ts';
import type { ParameterLayer } from '../../parameters/index.ts';
import type { PatchPackage } from './patch-package.ts';
import type { UseSources } from './used-parameters.ts';

export interface GivenCheck extends UseSources {
  readonly report: Report;
}

/** A value for a parameter that the package does not have. */
export interface UndeclaredValue {
  readonly layer: ParameterLayer;
  readonly path: Path;
  readonly value: Json;
}

/** Every layer, including the local extension, may add parameters; a value that is not used is most likely mistyped, and reported. */
export async function checkGivenValues(pkg: PatchPackage, check: GivenCheck): Promise<void> {
  const [own, ...local] = pkg.layers;
  const undeclared = [...findUndeclared([own!], local), ...findUndeclared(pkg.layers, check.layers)];
  if (undeclared.length === 0) return;
  // Loaded on demand: most builds set only declared parameters.
  const { reportIdleValues } = await import('./report-idle-values.ts');
  reportIdleValues(pkg, { ...check, undeclared });
}

/** For an undeclared object, returns only the object itself. */
function findUndeclared(own: readonly ParameterLayer[], given: readonly ParameterLayer[]): readonly UndeclaredValue[] {
  const found: UndeclaredValue[] = [];
  for (const layer of given) collect(layer.data, [], layer);
  return found;

  function collect(data: JsonObject, parent: Path, layer: ParameterLayer): void {
    for (const [key, value] of Object.entries(data)) {
      const path = [...parent, key];
      if (findParameterOrigin(own, path) === undefined) found.push({ layer, path, value });
      else if (isJsonObject(value)) collect(value, path, layer);
    }
  }
}
