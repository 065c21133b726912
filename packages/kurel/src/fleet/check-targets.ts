import { normalisePath, parentOf } from '../forms/index.ts';
import { FileAccessError } from '../model/index.ts';
import type { FileSystem, Path, Report } from '../model/index.ts';
import type { FleetTarget } from './fleet.ts';
import { findNearPath } from './near-path.ts';
import { fleetProblems } from './problems.ts';
import { isInRegistry } from './registry-package.ts';
import type { LocateEntry } from './report-once.ts';

interface Check {
  readonly report: Report;
  readonly locate: LocateEntry;
}

/** Each target has its own name and its own output directory, on file systems that ignore case too. */
export function checkApart(targets: readonly FleetTarget[], { report, locate }: Check): void {
  const names = new Map<string, FleetTarget>();
  const outputs = new Map<string, FleetTarget>();
  for (const target of targets) {
    const other = names.get(target.name);
    if (other !== undefined) {
      const isOneEntry = other.path === target.path;
      const related = [{ message: 'the other target is here', location: locate(other.path) }];
      const place = { location: locate(target.path), ...(isOneEntry ? {} : { related }) };
      report(fleetProblems.create('fleet-target-duplicate', { target: target.name, isOneEntry }, place));
      continue;
    }
    names.set(target.name, target);
    const output = foldPath(target.settings.output);
    const holder = outputs.get(output);
    if (holder === undefined) outputs.set(output, target);
    else {
      const args = {
        target: target.name,
        other: holder.name,
        output: target.settings.output,
        isOneEntry: isSamePath(originOf(target, 'output'), originOf(holder, 'output')),
        hasOtherCase: normalisePath(target.settings.output) !== normalisePath(holder.settings.output),
      };
      report(fleetProblems.create('fleet-output-shared', args, placeOfBoth(target, holder, { locate, of: 'output' })));
    }
  }
  const findOuter = createParentFinder(outputs);
  for (const [output, target] of outputs) {
    const holder = findOuter(output);
    if (holder === undefined) continue;
    const args = {
      target: target.name,
      other: holder.name,
      output: target.settings.output,
      outer: holder.settings.output,
    };
    report(fleetProblems.create('fleet-output-nested', args, placeOfBoth(target, holder, { locate, of: 'output' })));
  }
}

/** Each target has its own repository, because the tag is the same for all. */
export function checkArtifacts(targets: readonly FleetTarget[], { report, locate }: Check): void {
  const holders = new Map<string, FleetTarget>();
  for (const target of targets) {
    const { artifact } = target.settings;
    if (artifact === undefined) continue;
    const other = holders.get(artifact.toLowerCase());
    if (other === undefined) holders.set(artifact.toLowerCase(), target);
    else {
      const isOneEntry = isSamePath(originOf(target, 'artifact'), originOf(other, 'artifact'));
      const args = { target: target.name, other: other.name, artifact, isOneEntry };
      report(
        fleetProblems.create('fleet-artifact-shared', args, placeOfBoth(target, other, { locate, of: 'artifact' })),
      );
    }
  }
}

/**
 * An output inside the package of another target would become part of its input. Hidden directories are not read, and the build itself
 * reports an output inside its own package.
 */
export function checkOutsidePackages(targets: readonly FleetTarget[], { report, locate }: Check): void {
  const packages = new Map<string, FleetTarget>();
  for (const target of targets) {
    if (target.registered !== undefined) continue;
    const input = normalisePath(target.settings.package);
    if (!packages.has(input)) packages.set(input, target);
  }
  const findPackage = createParentFinder(packages);
  for (const target of targets) {
    const { output } = target.settings;
    const other = findPackage(normalisePath(output));
    if (other === undefined || isSameInput(target, other) || isHiddenBelow(output, other.settings.package)) continue;
    const args = { target: target.name, other: other.name, output, package: other.settings.package };
    report(fleetProblems.create('fleet-output-in-package', args, { location: locate(originOf(target, 'output')) }));
  }
}

function isSameInput(one: FleetTarget, other: FleetTarget): boolean {
  return normalisePath(one.settings.package) === normalisePath(other.settings.package);
}

function isHiddenBelow(output: string, input: string): boolean {
  const [inner, outer] = [normalisePath(output), normalisePath(input)];
  const below = outer === '.' ? inner : inner.slice(outer.length + 1);
  return below.split('/').some((part) => part.startsWith('.'));
}

interface PlaceOptions extends Pick<Check, 'locate'> {
  readonly of: 'output' | 'artifact';
}

function placeOfBoth(target: FleetTarget, other: FleetTarget, { locate, of }: PlaceOptions) {
  const [path, otherPath] = [originOf(target, of), originOf(other, of)];
  const related = [{ message: `target "${other.name}" is here`, location: locate(otherPath) }];
  return { location: locate(path), ...(isSamePath(path, otherPath) ? {} : { related }) };
}

/** The entry that sets a setting. */
function originOf({ origins, path }: FleetTarget, setting: PlaceOptions['of']): Path {
  return origins[setting]?.at(-1) ?? path;
}

function isSamePath(one: Path, other: Path): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function foldPath(path: string): string {
  return normalisePath(path).normalize('NFC').toLowerCase();
}

/** Finds what a table has for the nearest directory that contains a path. Outputs have few parents, so the answers are kept. */
function createParentFinder<Value>(table: ReadonlyMap<string, Value>): (path: string) => Value | undefined {
  const known = new Map<string, Value | undefined>();
  return (path) => {
    let found: Value | undefined;
    const passed: string[] = [];
    for (let inner = path; found === undefined && inner !== '.' && inner !== '/' && !inner.endsWith('..');) {
      inner = parentOf(inner);
      if (known.has(inner)) {
        found = known.get(inner);
        break;
      }
      passed.push(inner);
      found = table.get(inner);
    }
    for (const parent of passed) known.set(parent, found);
    return found;
  };
}

/** A path that the fleet file names, and where. */
export interface NamedPath {
  readonly path: string;
  readonly noun: 'package' | 'profile' | 'policy' | 'values file' | 'patch' | 'CRD path';
  readonly target: string;
  readonly at: Path;
}

/** Reports paths that do not exist. Patterns and standard input are left to the build. */
export async function checkPaths(
  paths: Iterable<NamedPath>,
  { fileSystem, report, locate }: Check & { readonly fileSystem: FileSystem },
): Promise<void> {
  for (const { path, noun, target, at } of paths) {
    if (path === '-' || /[*?[]/.test(path) || (noun === 'package' && isInRegistry(path))) continue;
    if (await exists(path, fileSystem)) continue;
    const near = await findNearPath(path, fileSystem);
    report(fleetProblems.create('fleet-path-missing', { path, setting: noun, target, near }, { location: locate(at) }));
  }
}

export async function exists(path: string, fileSystem: FileSystem): Promise<boolean> {
  try {
    return (await fileSystem.kindOf(path)) !== undefined;
  } catch (error) {
    // The build reports why a path cannot be read.
    if (error instanceof FileAccessError) return true;
    throw error;
  }
}
