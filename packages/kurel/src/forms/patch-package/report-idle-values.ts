import { nearest } from '../../diagnostics/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject, Path, Report } from '../../model/index.ts';
import { findParameterOrigin, formatReferencePath, mergeLayers } from '../../parameters/index.ts';
import type { ParameterLayer } from '../../parameters/index.ts';
import { traceReferences } from '../../patch/index.ts';
import type { PatchFile } from '../../patch/index.ts';
import type { GivenCheck, UndeclaredValue } from './check-given-values.ts';
import type { PatchPackage } from './patch-package.ts';
import { packageProblems } from './problems.ts';
import { knownMetadata } from './read-metadata.ts';
import { isInSchema } from './schema/cast-values.ts';
import { listUses } from './schema/list-uses.ts';
import { ownParameters } from './schema/own-parameters.ts';
import { readParameterSchema } from './schema/schema-cache-key.ts';

export interface IdleValues extends GivenCheck {
  readonly undeclared: readonly UndeclaredValue[];
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
export function reportIdleValues(pkg: PatchPackage, { undeclared, layers, patches = [], report }: IdleValues): void {
  const uses = collectUses(pkg, layers, patches);
  const overrides = pkg.schemaOverrides && readParameterSchema(pkg.schemaOverrides, silent);
  // A parameter that only the local extension has may itself be mistyped.
  const names = createNames(ownParameters(pkg.layers.slice(0, 1)), uses);
  let count = 0;
  for (const { layer, path, value } of undeclared) {
    for (const idle of findIdle({ path, value }, uses)) {
      if (overrides !== undefined && isInSchema(overrides, idle.path)) continue;
      if (layer.kind === 'values' && idle.path[0] === 'global' && conventional.includes(String(idle.path[1]))) continue;
      count += 1;
      const shown = extend(idle);
      const near = count > mostGuesses ? undefined : guess(idle.path, shown, names);
      const args = { parameter: formatReferencePath(shown), near, path: pkg.path };
      const location = findParameterOrigin([layer], idle.path)?.location;
      const place = location?.path === undefined ? location : { ...location, at: 'key' as const };
      report(packageProblems.create('value-without-effect', args, { location: place }));
    }
  }
}

const silent: Report = () => undefined;

interface Value {
  readonly path: Path;
  readonly value: Json;
}

/** A use of a whole parameter or of something inside it. */
interface Use {
  isWhole: boolean;
  readonly inside: Map<string, Use>;
}

function collectUses(pkg: PatchPackage, given: readonly ParameterLayer[], patches: readonly PatchFile[]): Use {
  const layers = [...pkg.layers, ...given];
  const values = mergeLayers(layers, silent);
  const laidOver = traceReferences(patches, {
    objects: [],
    store: undefined,
    variables: { scope: 'package', values },
  });
  const root: Use = { isWhole: false, inside: new Map() };
  for (const { parameter } of [
    ...listUses({ ...pkg, layers }, { store: undefined, values, given: values }),
    ...laidOver,
  ])
    use(parameter);
  for (const field of knownMetadata) use(['kurel', field]);
  for (const field of ['create', 'exclude']) use(['global', 'namespaces', field]);
  return root;

  function use(path: Path): void {
    let at = root;
    for (const step of path) {
      // A use of one item is a use of the list.
      if (typeof step === 'number') break;
      const next = at.inside.get(step) ?? { isWhole: false, inside: new Map<string, Use>() };
      at.inside.set(step, next);
      at = next;
    }
    at.isWhole = true;
  }
}

function findIdle({ path, value }: Value, uses: Use): readonly Value[] {
  let use: Use | undefined = uses;
  for (const step of path) {
    use = use.inside.get(String(step));
    if (use === undefined) return [{ path, value }];
    if (use.isWhole) return [];
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => findIdle({ path: [...path, key], value: inner }, uses));
}

/** `ingres` with only `enabled` in it is shown as `ingres.enabled`, as the user wrote it. */
function extend({ path, value }: Value): Path {
  const keys = isJsonObject(value) ? Object.keys(value) : [];
  return keys.length === 1 ? extend({ path: [...path, keys[0]!], value: (value as JsonObject)[keys[0]!]! }) : path;
}

interface Names {
  /** Names in the object at a path. */
  inside(path: Path): readonly string[];
  /** Paths that end with a name. */
  endingWith(name: string): readonly Path[];
}

function createNames(own: Json, uses: Use): Names {
  let byEnd: Map<string, Path[]> | undefined;
  return { inside, endingWith };

  function inside(path: Path): readonly string[] {
    let value: Json | undefined = own;
    let use: Use | undefined = uses;
    for (const step of path) {
      value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
      use = use?.inside.get(String(step));
    }
    return [...(isJsonObject(value) ? Object.keys(value) : []), ...(use?.inside.keys() ?? [])];
  }

  function endingWith(name: string): readonly Path[] {
    byEnd ??= collectEnds(own);
    return byEnd.get(name) ?? [];
  }
}

function collectEnds(own: Json): Map<string, Path[]> {
  const found = new Map<string, Path[]>();
  const walk = (value: Json, path: Path): void => {
    if (!isJsonObject(value)) return;
    for (const [key, inner] of Object.entries(value)) {
      const here = [...path, key];
      const known = found.get(key);
      if (known === undefined) found.set(key, [here]);
      else known.push(here);
      walk(inner, here);
    }
  };
  walk(own, []);
  return found;
}

/** A sibling with a similar name, or the only parameter with that name elsewhere. */
function guess(unknown: Path, shown: Path, names: Names): string | undefined {
  const parent = unknown.slice(0, -1);
  const near = nearest(String(unknown.at(-1)), names.inside(parent));
  if (near === undefined) {
    const elsewhere = names.endingWith(String(shown.at(-1)));
    return elsewhere.length === 1 ? formatReferencePath(elsewhere[0]!) : undefined;
  }
  const meant: (string | number)[] = [...parent, near];
  for (const step of shown.slice(unknown.length)) {
    const inside = names.inside(meant);
    const next = inside.includes(String(step)) ? step : nearest(String(step), inside);
    if (next === undefined) break;
    meant.push(next);
  }
  return formatReferencePath(meant);
}
