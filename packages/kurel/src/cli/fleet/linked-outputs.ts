import { lstatSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';

import { getOrAdd } from '../../budget/index.ts';
import { fleetProblems } from '../../fleet/index.ts';
import type { Fleet, FleetTarget } from '../../fleet/index.ts';
import { realPathOf, toSlashes } from '../../host/index.ts';
import type { Diagnostic } from '../../model/index.ts';

interface Place {
  readonly target: FleetTarget;
  readonly isLinked: boolean;
}

/**
 * Outputs that are in the output or the package of another target only because of links. Reading the fleet file has compared the paths that it
 * names.
 */
export function findLinkedOutputs(
  { targets, source }: Pick<Fleet, 'targets' | 'source'>,
  directory: string,
  realOf: (path: string) => string,
): ReadonlyMap<FleetTarget, Diagnostic> {
  const start = realPathOf(directory);
  const [outputs, packages] = [new Map<string, Place>(), new Map<string, Place>()];
  const list = targets.map((target) => {
    const { output, package: input } = target.settings;
    const place = resolve(start, output);
    const real = realOf(place);
    const own = { target, isLinked: real !== place };
    getOrAdd(outputs, real, () => own);
    const inputPlace = resolve(start, input);
    if (target.registered === undefined) {
      getOrAdd(packages, inputPlace, () => ({ target, isLinked: false }));
      getOrAdd(packages, realOf(inputPlace), () => ({ target, isLinked: true }));
    }
    return { ...own, real };
  });
  const isAnyLinked = list.some(({ isLinked }) => isLinked) || [...packages.values()].some(({ isLinked }) => isLinked);
  if (!isAnyLinked) return new Map();

  function find({ target, isLinked, real }: (typeof list)[number]): Diagnostic | undefined {
    const { settings, origins, path } = target;
    const { output } = settings;
    const more = { location: { file: source.path, document: 0, path: origins.output?.at(-1) ?? path } };
    for (let at = real; ; at = dirname(at)) {
      const holder = outputs.get(at);
      if (holder !== undefined && holder.target !== target && (isLinked || holder.isLinked)) {
        const args = { target: target.name, other: holder.target.name, output };
        return at === real
          ? fleetProblems.create('fleet-output-shared', { ...args, isOneEntry: false, hasOtherCase: false }, more)
          : fleetProblems.create('fleet-output-nested', { ...args, outer: holder.target.settings.output }, more);
      }
      const owner = packages.get(at);
      if (owner !== undefined && (isLinked || owner.isLinked) && isRead(at, real)) {
        const args = { target: target.name, other: owner.target.name, output, package: owner.target.settings.package };
        // The build reports an output inside its own package.
        if (args.package !== settings.package) return fleetProblems.create('fleet-output-in-package', args, more);
      }
      if (at === dirname(at)) return undefined;
    }
  }

  return new Map(
    list.flatMap((each) => {
      const problem = find(each);
      return problem === undefined ? [] : [[each.target, problem] as const];
    }),
  );
}

/** Hidden directories of a package are not read. */
function isRead(directory: string, place: string): boolean {
  return !toSlashes(relative(directory, place))
    .split('/')
    .some((part) => part.startsWith('.'));
}

/** The real paths of many absolute paths, which have few parents, and few of which are links. */
export function rememberRealPaths(): (path: string) => string {
  const parents = new Map<string, string>();
  return (path) => {
    const parent = dirname(path);
    const place = join(
      getOrAdd(parents, parent, () => realPathOf(parent)),
      basename(path),
    );
    return isLink(place) ? realPathOf(place) : place;
  };
}

/** False also for a path that cannot be examined. */
export function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch {
    return false;
  }
}
