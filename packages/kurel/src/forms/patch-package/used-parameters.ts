import { isJsonObject } from '../../model/index.ts';
import type { Json, Path } from '../../model/index.ts';
import { mergeLayers } from '../../parameters/index.ts';
import type { ParameterLayer } from '../../parameters/index.ts';
import { traceReferences } from '../../patch/index.ts';
import type { PatchFile } from '../../patch/index.ts';
import type { PatchPackage } from './patch-package.ts';
import { knownMetadata } from './read-metadata.ts';
import { listUses } from './schema/list-uses.ts';

/** A used parameter, as a whole or in part. */
export interface Use {
  readonly isWhole: boolean;
  readonly inside: ReadonlyMap<string, Use>;
}

interface GrowingUse extends Use {
  isWhole: boolean;
  readonly inside: Map<string, GrowingUse>;
}

export interface UseSources {
  /** `--values` and `--set`. */
  readonly layers: readonly ParameterLayer[];
  /** Patches applied after the package, which may use its parameters as well. */
  readonly patches?: readonly PatchFile[] | undefined;
}

/** The parameters that a package refers to, and those that kurel itself reads. */
export function listUsedParameters(pkg: PatchPackage, { layers: given, patches = [] }: UseSources): readonly Path[] {
  const layers = [...pkg.layers, ...given];
  const values = mergeLayers(layers, () => undefined);
  const laidOver = traceReferences(patches, {
    objects: [],
    store: undefined,
    variables: { scope: 'package', values },
  });
  return [
    ...listUses({ ...pkg, layers }, { store: undefined, values }).map(({ parameter }) => parameter),
    ...laidOver.map(({ parameter }) => parameter),
    ...knownMetadata.map((field) => ['kurel', field]),
    ...['create', 'exclude'].map((field) => ['global', 'namespaces', field]),
  ];
}

export function createUses(used: Iterable<Path>): Use {
  const root: GrowingUse = { isWhole: false, inside: new Map() };
  for (const path of used) {
    let at = root;
    for (const step of path) {
      // A use of an item is a use of the list.
      if (typeof step === 'number') break;
      const next = at.inside.get(step) ?? { isWhole: false, inside: new Map<string, GrowingUse>() };
      at.inside.set(step, next);
      at = next;
    }
    at.isWhole = true;
  }
  return root;
}

export interface ValueAt {
  readonly path: Path;
  readonly value: Json;
}

/** Unused values; of an object that is not used at all, only the object itself. */
export function findUnused({ path, value }: ValueAt, uses: Use): readonly ValueAt[] {
  let use: Use | undefined = uses;
  for (const step of path) {
    use = use.inside.get(String(step));
    if (use === undefined) return [{ path, value }];
    if (use.isWhole) return [];
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => findUnused({ path: [...path, key], value: inner }, uses));
}
