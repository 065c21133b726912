import { lastPartOf, normalisePath, parentOf } from '../forms/index.ts';
import { nearest } from '../diagnostics/index.ts';
import { FileAccessError } from '../model/index.ts';
import type { FileSystem, Path, Report } from '../model/index.ts';
import type { FleetTarget } from './fleet.ts';
import { fleetProblems } from './problems.ts';
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
      const related = [{ message: 'the other target is here', location: locate(other.path) }];
      const place = { location: locate(target.path), related };
      report(fleetProblems.create('fleet-target-duplicate', { target: target.name }, place));
      continue;
    }
    names.set(target.name, target);
    const output = foldPath(target.settings.output);
    const holder = outputs.get(output);
    if (holder === undefined) outputs.set(output, target);
    else {
      const args = { target: target.name, other: holder.name, output: target.settings.output };
      report(fleetProblems.create('fleet-output-shared', args, placeOfOutputs(target, holder, locate)));
    }
  }
  for (const [output, target] of outputs) {
    const holder = parentsOf(output)
      .map((parent) => outputs.get(parent))
      .find((found) => found !== undefined);
    if (holder === undefined) continue;
    const args = {
      target: target.name,
      other: holder.name,
      output: target.settings.output,
      outer: holder.settings.output,
    };
    report(fleetProblems.create('fleet-output-nested', args, placeOfOutputs(target, holder, locate)));
  }
}

/** No target may read what another one writes. */
export function checkInputs(targets: readonly FleetTarget[], { report, locate }: Check): void {
  const inputs = new Map(targets.map((target) => [foldPath(target.settings.package), target]));
  for (const target of targets) {
    const output = foldPath(target.settings.output);
    const holder = [output, ...parentsOf(output)].map((path) => inputs.get(path)).find((found) => found !== undefined);
    // The build of a target reports what is wrong with its own output.
    if (holder === undefined || holder.settings.package === target.settings.package) continue;
    const { settings } = target;
    const args = { target: target.name, other: holder.name, output: settings.output, input: holder.settings.package };
    const place = { location: locate(originOf(target, 'output')) };
    report(fleetProblems.create('fleet-output-in-package', args, place));
  }
}

function placeOfOutputs(target: FleetTarget, other: FleetTarget, locate: LocateEntry) {
  const related = [{ message: `target "${other.name}" is here`, location: locate(originOf(other, 'output')) }];
  return { location: locate(originOf(target, 'output')), related };
}

function originOf({ origins, path }: FleetTarget, setting: 'output'): Path {
  return origins[setting]?.at(-1) ?? path;
}

function foldPath(path: string): string {
  return normalisePath(path).normalize('NFC').toLowerCase();
}

function parentsOf(path: string): readonly string[] {
  const parents: string[] = [];
  for (let parent = parentOf(path); parent !== '.' && parent !== '/' && parent !== '..'; parent = parentOf(parent)) {
    parents.push(parent);
  }
  return [...parents, '.'];
}

/** A path that the fleet file names, and where. */
export interface NamedPath {
  readonly path: string;
  readonly noun: 'package' | 'profile' | 'policy' | 'values file' | 'patch';
  readonly target: string;
  readonly at: Path;
}

/** Reports paths that do not exist, each once. Patterns and standard input are left to the build. */
export async function checkPaths(
  paths: Iterable<NamedPath>,
  { fileSystem, report, locate }: Check & { readonly fileSystem: FileSystem },
): Promise<void> {
  const seen = new Set<string>();
  for (const { path, noun, target, at } of paths) {
    if (seen.has(path)) continue;
    seen.add(path);
    if (path === '-' || /[*?[]/.test(path) || (await exists(path, fileSystem))) continue;
    const near = await findNear(path, fileSystem);
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

async function findNear(path: string, fileSystem: FileSystem): Promise<string | undefined> {
  const parent = parentOf(path);
  try {
    const near = nearest(
      lastPartOf(path),
      (await fileSystem.list(parent)).map(({ name }) => name),
    );
    return near === undefined || parent === '.' ? near : `${parent}/${near}`;
  } catch {
    return undefined;
  }
}
