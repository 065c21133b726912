import { getOrAdd } from '../budget/index.ts';
import { normalisePath, parentOf } from '../forms/index.ts';
import { FileAccessError } from '../model/index.ts';
import type { Diagnostic, FileSystem, Path } from '../model/index.ts';
import { findNearPath } from './find-paths.ts';
import type { FleetContext, FleetTarget } from './fleet.ts';
import { fleetProblems } from './problems.ts';
import { isInRegistry } from './registry-package.ts';

export function checkTargets(targets: readonly FleetTarget[], context: FleetContext): void {
  checkApart(targets, context);
  checkArtifacts(targets, context);
  checkOutsidePackages(targets, context);
}

/** Each target has its own name and its own output directory, on file systems that ignore case too. */
function checkApart(targets: readonly FleetTarget[], { report, locate, steps }: FleetContext): void {
  const names = new Map<string, FleetTarget>();
  const outputs = new Map<string, FleetTarget>();
  for (const target of targets) {
    const { name, path } = target;
    const other = getOrAdd(names, name, () => target);
    if (other !== target) {
      const isOneEntry = other.path === path;
      const related = [{ message: 'the other target is here', location: locate(other.path) }];
      report('fleet-target-duplicate', { target: name, isOneEntry }, path, isOneEntry ? {} : { related });
      continue;
    }
    const { output } = target.settings;
    const folded = normalisePath(output).normalize('NFC').toLowerCase();
    const holder = getOrAdd(outputs, folded, () => target);
    if (holder === target) continue;
    const { path: at, isOneEntry, more } = placeOfBoth(target, holder, { locate, of: 'output' });
    const hasOtherCase = normalisePath(output) !== normalisePath(holder.settings.output);
    report('fleet-output-shared', { target: name, other: holder.name, output, isOneEntry, hasOtherCase }, at, more);
  }
  const findOuter = createParentFinder(outputs, steps);
  for (const [folded, target] of outputs) {
    const holder = findOuter(folded, target.path);
    if (holder === undefined) continue;
    const [{ output }, { output: outer }] = [target.settings, holder.settings];
    const { path, more } = placeOfBoth(target, holder, { locate, of: 'output' });
    report('fleet-output-nested', { target: target.name, other: holder.name, output, outer }, path, more);
  }
}

/** Each target has its own repository, because the tag is the same for all. */
function checkArtifacts(targets: readonly FleetTarget[], { report, locate }: FleetContext): void {
  const holders = new Map<string, FleetTarget>();
  for (const target of targets) {
    const { artifact } = target.settings;
    if (artifact === undefined) continue;
    const other = getOrAdd(holders, artifact.toLowerCase(), () => target);
    if (other === target) continue;
    const { path, isOneEntry, more } = placeOfBoth(target, other, { locate, of: 'artifact' });
    report('fleet-artifact-shared', { target: target.name, other: other.name, artifact, isOneEntry }, path, more);
  }
}

/**
 * An output inside the package of another target would become part of its input. Hidden directories are not read, and the build itself
 * reports an output inside its own package.
 */
function checkOutsidePackages(targets: readonly FleetTarget[], { report, steps }: FleetContext): void {
  const packages = new Map<string, FleetTarget>();
  for (const target of targets) {
    if (target.registered !== undefined) continue;
    const input = normalisePath(target.settings.package);
    getOrAdd(packages, input, () => target);
  }
  const findPackage = createParentFinder(packages, steps);
  for (const target of targets) {
    const { output } = target.settings;
    const other = findPackage(normalisePath(output), target.path);
    if (other === undefined) continue;
    const { package: input } = other.settings;
    const isOwn = normalisePath(target.settings.package) === normalisePath(input);
    if (isOwn || isHiddenBelow(output, input)) continue;
    const args = { target: target.name, other: other.name, output, package: input };
    report('fleet-output-in-package', args, originOf(target, 'output'));
  }
}

function isHiddenBelow(output: string, input: string): boolean {
  const [inner, outer] = [normalisePath(output), normalisePath(input)];
  const below = outer === '.' ? inner : inner.slice(outer.length + 1);
  return below.split('/').some((part) => part.startsWith('.'));
}

interface SharedSetting extends Pick<FleetContext, 'locate'> {
  readonly of: 'output' | 'artifact';
}

function placeOfBoth(target: FleetTarget, other: FleetTarget, { locate, of }: SharedSetting) {
  const [path, otherPath] = [originOf(target, of), originOf(other, of)];
  const isOneEntry = JSON.stringify(path) === JSON.stringify(otherPath);
  const related = [{ message: `target "${other.name}" is here`, location: locate(otherPath) }];
  return { path, isOneEntry, more: isOneEntry ? {} : { related } };
}

function originOf({ origins, path }: FleetTarget, setting: SharedSetting['of']): Path {
  return origins[setting]?.at(-1) ?? path;
}

/** Finds what a table has for the nearest directory that contains a path. Outputs have few parents, so the answers are kept. */
function createParentFinder<Value>(
  table: ReadonlyMap<string, Value>,
  { takeText }: FleetContext['steps'],
): (path: string, place: Path) => Value | undefined {
  const answers = new Map<string, Value | undefined>();
  return (path, place) => {
    let value: Value | undefined;
    const passed: string[] = [];
    for (let inner = path; value === undefined && inner !== '.' && inner !== '/' && !inner.endsWith('..');) {
      inner = parentOf(inner);
      takeText(inner.length, place);
      if (answers.has(inner)) {
        value = answers.get(inner);
        break;
      }
      passed.push(inner);
      value = table.get(inner);
    }
    for (const parent of passed) answers.set(parent, value);
    return value;
  };
}

/** A path that the fleet file names, and where. */
export interface NamedPath {
  readonly path: string;
  readonly noun: 'package' | 'profile' | 'policy' | 'values file' | 'patch' | 'CRD path';
  readonly target: string;
  readonly at: Path;
}

/** Findings about paths that do not exist, by path. Patterns and standard input are left to the build. */
export async function checkPaths(
  paths: Iterable<NamedPath>,
  { fileSystem, locate, steps, mostNear }: Pick<FleetContext, 'fileSystem' | 'locate' | 'steps' | 'mostNear'>,
): Promise<ReadonlyMap<string, Diagnostic>> {
  const missing = new Map<string, Diagnostic>();
  for (const { path, noun, target, at } of paths) {
    if (path === '-' || /[*?[]/.test(path) || (noun === 'package' && isInRegistry(path))) continue;
    steps.takeLookUp(at);
    if (await exists(path, fileSystem)) continue;
    const near = missing.size < mostNear ? await findNearPath(path, fileSystem) : undefined;
    const args = { path, setting: noun, target, near };
    missing.set(path, fleetProblems.create('fleet-path-missing', args, { location: locate(at) }));
  }
  return missing;
}

/** The problems of some targets. Many targets share one entry: the same mistake in it is reported for the first of them only. */
export function problemsOf(targets: readonly FleetTarget[]): readonly Diagnostic[] {
  const byEntry = new Map<string, Diagnostic>();
  for (const problem of targets.flatMap(({ problems = [] }) => problems)) {
    const key = JSON.stringify([problem.code, problem.location, problem.hint]);
    if (!byEntry.has(key)) byEntry.set(key, problem);
  }
  return [...byEntry.values()];
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
