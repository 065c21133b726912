import { nearest } from '../../diagnostics/index.ts';
import { isJsonObject, stepInto, valueAt } from '../../model/index.ts';
import type { Json, JsonObject, Path } from '../../model/index.ts';
import {
  findParameterOrigin,
  formatReferencePath,
  mergeLayers,
  parameterProblems,
  walkValues,
} from '../../parameters/index.ts';
import { traceReferences } from '../../patch/index.ts';
import { groupBy, once } from '../../provenance/index.ts';
import { createUses, findUnused, findUnusedIn } from './examine-package.ts';
import type { GivenCheck, UndeclaredValue, Use, ValueAt } from './examine-package.ts';
import type { PatchPackage } from './patch-package.ts';
import { packageProblems } from './problems.ts';
import { metadataFields } from './read-metadata.ts';
import { isInSchema } from './schema/cast-values.ts';
import { readParameterSchema } from './schema/check-schema.ts';
import { listUses } from './schema/list-uses.ts';

/** The parameters that a package refers to, and those that kurel itself reads. */
function listUsedParameters(pkg: PatchPackage, { layers: more, patches = [] }: GivenCheck): readonly Path[] {
  const layers = [...pkg.layers, ...more];
  const values = mergeLayers(layers, () => undefined);
  const variables = { scope: 'package', values } as const;
  const references = [
    ...listUses({ ...pkg, layers }, { store: undefined, values }),
    ...traceReferences(patches, { objects: [], store: undefined, variables }),
  ];
  return [
    ...references.map(({ parameter }) => parameter),
    ...metadataFields.map((field) => ['kurel', field]),
    ...['create', 'exclude'].map((field) => ['global', 'namespaces', field]),
  ];
}

/** Keys of `global` that many packages have: a values file with them may be shared by several packages. */
const conventional = [
  'labels',
  'annotations',
  'resources',
  'securityContext',
  'nodeSelector',
  'tolerations',
  'imagePullPolicy',
  'namespaces',
];

// Each suggestion compares all neighbouring names, and more than this would not be read.
const mostGuesses = 100;

/** Reports values that a package neither declares nor uses. */
export function reportIdleValues(pkg: PatchPackage, undeclared: readonly UndeclaredValue[], check: GivenCheck): void {
  const uses = createUses(listUsedParameters(pkg, check));
  const overrides = pkg.schemaOverrides && readParameterSchema(pkg.schemaOverrides, () => undefined);
  // A parameter that only the local extension has may itself be mistyped.
  const guess = createGuess(pkg.layers[0]!.data, uses);
  let count = 0;
  for (const { layer, path, value } of undeclared) {
    for (const idle of findUnused({ path, value }, uses)) {
      if (overrides !== undefined && isInSchema(overrides, idle.path)) continue;
      if (layer.kind === 'values' && idle.path[0] === 'global' && conventional.includes(String(idle.path[1]))) continue;
      count += 1;
      const shown = extend(idle);
      const near = count > mostGuesses ? undefined : guess(idle.path, shown);
      const args = { parameter: formatReferencePath(shown), near, path: pkg.path };
      const location = findParameterOrigin([layer], idle.path)?.location;
      const place = location?.path === undefined ? location : { ...location, at: 'key' as const };
      check.report(packageProblems.create('value-without-effect', args, { location: place }));
    }
  }
}

/** `ingres` with nothing but `enabled` in it is `ingres.enabled`, as the user wrote it. */
function extend({ path, value }: ValueAt): Path {
  const keys = isJsonObject(value) ? Object.keys(value) : [];
  return keys.length === 1 ? extend({ path: [...path, keys[0]!], value: stepInto(value, keys[0]!)! }) : path;
}

/** Suggests a sibling with a similar name, or the only parameter with that name elsewhere. */
function createGuess(own: JsonObject, uses: Use): (unknown: Path, shown: Path) => string | undefined {
  const byName = once(() => groupBy([...listPaths(own, [])], (path) => path.at(-1)));

  function namesInside(path: Path): readonly string[] {
    const value = valueAt(own, path);
    let use: Use | undefined = uses;
    for (const step of path) use = use?.inside.get(String(step));
    return [...(isJsonObject(value) ? Object.keys(value) : []), ...(use?.inside.keys() ?? [])];
  }

  return (unknown, shown) => {
    const parent = unknown.slice(0, -1);
    const near = nearest(String(unknown.at(-1)), namesInside(parent));
    if (near === undefined) {
      const elsewhere = byName().get(shown.at(-1)) ?? [];
      return elsewhere.length === 1 ? formatReferencePath(elsewhere[0]!) : undefined;
    }
    const meant: (string | number)[] = [...parent, near];
    for (const step of shown.slice(unknown.length)) {
      const names = namesInside(meant);
      const next = names.includes(String(step)) ? step : nearest(String(step), names);
      if (next === undefined) break;
      meant.push(next);
    }
    return formatReferencePath(meant);
  };
}

function* listPaths(value: Json, path: Path): Iterable<Path> {
  if (!isJsonObject(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    const here = [...path, key];
    yield here;
    yield* listPaths(inner, here);
  }
}

/** Reports unused parameters; `refused` are those in references that are refused. */
export function reportUnusedParameters(pkg: PatchPackage, refused: readonly Path[], check: GivenCheck): void {
  const own = pkg.layers[0]!;
  const used = [...listUsedParameters(pkg, check), ...refused];
  // A misspelled reference is reported as such, and uses the parameter once it is corrected.
  const misspelled = used.filter((path) => !('value' in walkValues(own.data, path)));
  const meant = misspelled.slice(0, mostGuesses).map((path) => findMeant(path, own.data));
  for (const { path } of findUnusedIn(own.data, createUses([...used, ...meant]))) {
    const location = findParameterOrigin([own], path)?.location;
    const args = { name: formatReferencePath(path), where: 'a resource or a patch' };
    const place = location === undefined ? {} : { location: { ...location, at: 'key' as const } };
    check.report(parameterProblems.create('parameter-unused', args, place));
  }
}

/** The path with the nearest existing names. */
function findMeant(path: Path, data: JsonObject): Path {
  const meant: (string | number)[] = [];
  let value: Json | undefined = data;
  for (const step of path) {
    const names: readonly string[] = isJsonObject(value) ? Object.keys(value) : [];
    const isThere = typeof step === 'number' || names.includes(step);
    const next = isThere ? step : (nearest(step, names) ?? step);
    meant.push(next);
    value = isJsonObject(value) && Object.hasOwn(value, next) ? value[next] : undefined;
  }
  return meant;
}
