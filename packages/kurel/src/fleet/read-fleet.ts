import { readFleetDocument, readOneDocument } from '../forms/index.ts';
import type { FleetDocument } from '../forms/index.ts';
import type { Diagnostic, FileSystem, Memory, Report, SourceFile } from '../model/index.ts';
import { checkApart, checkInputs, checkPaths, exists } from './check-targets.ts';
import type { NamedPath } from './check-targets.ts';
import { expandTargets, mostTargets } from './expand-targets.ts';
import type { Candidate, Expansion } from './expand-targets.ts';
import type { Fleet, FleetTarget, TargetSettings } from './fleet.ts';
import { checkGroups, createInheritance } from './inherit.ts';
import type { Inheritance } from './inherit.ts';
import { fillIn, mergeSettings } from './merge-settings.ts';
import type { MergedSettings, Merging } from './merge-settings.ts';
import { fleetProblems } from './problems.ts';
import { reportOnce } from './report-once.ts';
import type { LocateEntry } from './report-once.ts';

export interface FleetRequest {
  readonly source: SourceFile;
  /** Paths are relative to the directory of the fleet file. */
  readonly fileSystem: FileSystem;
  readonly report: Report;
  readonly memory?: Memory | undefined;
}

/** Reads a fleet file and expands its targets; `undefined` if there are errors. Reports all problems. */
export async function readFleet({ source, fileSystem, report, memory }: FleetRequest): Promise<Fleet | undefined> {
  let hasErrors = false;
  const note = (diagnostic: Diagnostic): void => {
    hasErrors ||= diagnostic.severity === 'error';
    report(diagnostic);
  };
  const located = readOneDocument(source, note, memory);
  const document = located && readFleetDocument(located.data, { locate: located.locate, report: note });
  if (located === undefined || document === undefined) return undefined;
  const locate: LocateEntry = (path, at) => ({ ...located.locate(path), ...(at === undefined ? {} : { at }) });
  const lists = new Set<string>();
  const context = { fileSystem, report: reportOnce(note), locate, onList: (path: string) => void lists.add(path) };
  const usedGroups = checkGroups(document.spec, context);
  if (hasErrors) return undefined;
  const candidates = await expandTargets(document.spec, context);
  if (candidates.length > mostTargets) {
    const place = { location: locate(['spec'], 'key') };
    note(fleetProblems.create('fleet-too-large', { limit: mostTargets, noun: 'targets' }, place));
    return undefined;
  }
  reportUnused(document.spec, { candidates, usedGroups, context });
  if (candidates.length === 0 && !hasErrors)
    note(fleetProblems.create('fleet-empty', {}, { location: locate(['spec'], 'key') }));
  const targets = await completeTargets(document.spec, candidates, context);
  checkApart(targets, context);
  checkInputs(targets, context);
  await checkPaths(namedPaths(targets), context);
  return hasErrors ? undefined : { source, targets, reads: [...lists] };
}

interface Usage {
  readonly candidates: readonly Candidate[];
  readonly usedGroups: ReadonlySet<string>;
  readonly context: Expansion;
}

function reportUnused(
  spec: FleetDocument['spec'],
  { candidates, usedGroups, context: { report, locate } }: Usage,
): void {
  const used = {
    applications: new Set(candidates.map(({ application }) => application)),
    clusters: new Set(candidates.map(({ cluster }) => cluster)),
    groups: usedGroups as ReadonlySet<string | undefined>,
  };
  for (const noun of ['groups', 'clusters', 'applications'] as const) {
    for (const name of Object.keys(spec[noun])) {
      if (used[noun].has(name)) continue;
      const place = { location: locate(['spec', noun, name], 'key') };
      report(fleetProblems.create('fleet-unused', { noun, name }, place));
    }
  }
}

/** Targets with all their settings. Those with mistakes are left out, which are reported. */
async function completeTargets(
  spec: FleetDocument['spec'],
  candidates: readonly Candidate[],
  context: Expansion,
): Promise<readonly FleetTarget[]> {
  const inheritance = createInheritance(spec);
  const known = new Map<string, boolean>();
  const isThere = async (path: string): Promise<boolean> => {
    const found = known.get(path) ?? (await exists(path, context.fileSystem));
    known.set(path, found);
    return found;
  };
  const targets: FleetTarget[] = [];
  for (const candidate of candidates) {
    const target = await completeTarget(candidate, { inheritance, context, isThere });
    if (target !== undefined) targets.push(target);
  }
  return targets;
}

interface Completing {
  readonly inheritance: Inheritance;
  readonly context: Expansion;
  readonly isThere: (path: string) => Promise<boolean>;
}

async function completeTarget(
  candidate: Candidate,
  { inheritance, context, isThere }: Completing,
): Promise<FleetTarget | undefined> {
  const { path, application, cluster, usualPackage } = candidate;
  const name = nameTarget(candidate, context);
  if (name === undefined) return undefined;
  const placeholders = { ...candidate.placeholders, target: name };
  const levels = inheritance.levelsOf(candidate, candidate.entries);
  const { settings, origins } = mergeSettings(levels, { ...context, target: name, placeholders });
  const complete = await requireSettings({ ...settings, package: settings.package ?? usualPackage }, isThere);
  if ('missing' in complete) {
    for (const setting of complete.missing) {
      const place = { location: context.locate(path) };
      context.report(fleetProblems.create('fleet-setting-missing', { setting, target: name }, place));
    }
    return undefined;
  }
  return { name, application, cluster, path, settings: complete, origins, levels: levels.map((level) => level.path) };
}

const nameForm = /^[A-Za-z0-9][A-Za-z0-9._-]*(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;

function nameTarget(candidate: Candidate, context: Expansion): string | undefined {
  const { application, cluster, path, placeholders } = candidate;
  if (candidate.name === undefined) {
    if (application !== undefined && cluster !== undefined) return `${cluster}/${application}`;
    const args = { setting: 'name', target: application ?? cluster ?? '' };
    context.report(fleetProblems.create('fleet-setting-missing', args, { location: context.locate(path) }));
    return undefined;
  }
  const { text, path: at } = candidate.name;
  const merging: Merging = { ...context, target: text, placeholders };
  const name = fillIn(text, at, merging);
  if (nameForm.test(name)) return name;
  if (!/[{}]/.test(name)) {
    context.report(fleetProblems.create('fleet-target-name', { name }, { location: context.locate(at) }));
  }
  return undefined;
}

/** Drops optional values files that do not exist. */
async function requireSettings(
  { optional, package: input, output, ...rest }: MergedSettings,
  isThere: Completing['isThere'],
): Promise<TargetSettings | { readonly missing: readonly string[] }> {
  if (input === undefined || output === undefined) {
    return { missing: [...(input === undefined ? ['package'] : []), ...(output === undefined ? ['output'] : [])] };
  }
  const values: string[] = [];
  for (const path of rest.values) if (!optional.has(path) || (await isThere(path))) values.push(path);
  return { ...rest, package: input, output, values };
}

function* namedPaths(targets: readonly FleetTarget[]): Iterable<NamedPath> {
  for (const { name: target, settings, origins, path } of targets) {
    const at = (setting: keyof typeof origins): FleetTarget['path'] => origins[setting]?.at(-1) ?? path;
    yield { path: settings.package, noun: 'package', target, at: at('package') };
    if (settings.profile !== undefined) yield { path: settings.profile, noun: 'profile', target, at: at('profile') };
    if (settings.policy !== undefined) yield { path: settings.policy, noun: 'policy', target, at: at('policy') };
    for (const file of settings.values) yield { path: file, noun: 'values file', target, at: at('values') };
    for (const file of settings.patches) yield { path: file, noun: 'patch', target, at: at('patches') };
  }
}
