import { nearest } from '../../diagnostics/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Json, JsonObject, Path, Report } from '../../model/index.ts';
import { findParameterOrigin, formatReferencePath } from '../../parameters/index.ts';
import type { GivenCheck, UndeclaredValue } from './check-given-values.ts';
import type { PatchPackage } from './patch-package.ts';
import { packageProblems } from './problems.ts';
import { isInSchema } from './schema/cast-values.ts';
import { readParameterSchema } from './schema/check-schema.ts';
import { createUses, findUnused, listUsedParameters } from './used-parameters.ts';
import type { Use, ValueAt } from './used-parameters.ts';

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
export function reportIdleValues(pkg: PatchPackage, { undeclared, layers, patches, report }: IdleValues): void {
  const uses = createUses(listUsedParameters(pkg, { layers, patches }));
  const overrides = pkg.schemaOverrides && readParameterSchema(pkg.schemaOverrides, silent);
  // A parameter that only the local extension has may itself be mistyped.
  const names = createNames(pkg.layers[0]!.data, uses);
  let count = 0;
  for (const { layer, path, value } of undeclared) {
    for (const idle of findUnused({ path, value }, uses)) {
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

/** `ingres` with nothing but `enabled` in it is `ingres.enabled`, as the user wrote it. */
function extend({ path, value }: ValueAt): Path {
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
