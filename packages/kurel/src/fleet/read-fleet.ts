import { readFleetDocument, readOneDocument } from '../forms/index.ts';
import type { FleetDocument } from '../forms/index.ts';
import type { Diagnostic, FileSystem, Memory, Path, Report, SourceFile } from '../model/index.ts';
import { readLexeme } from '../parameters/index.ts';
import { createRule } from '../signing/index.ts';
import { checkApart, checkArtifacts, checkOutsidePackages, checkPaths, exists } from './check-targets.ts';
import type { NamedPath } from './check-targets.ts';
import { createFormFinder, dropProfile } from './drop-profile.ts';
import type { AskForm } from './drop-profile.ts';
import { createValueFilter } from './drop-values.ts';
import type { ValueFilter } from './drop-values.ts';
import { expandTargets, mostTargets } from './expand-targets.ts';
import type { Candidate, Expansion } from './expand-targets.ts';
import type { Fleet, FleetTarget, TargetSettings } from './fleet.ts';
import { keyOfPackage, lockPathOf, readFleetLock } from './fleet-lock.ts';
import type { FleetLock } from './fleet-lock.ts';
import { checkGroups, createInheritance } from './inherit.ts';
import type { Inheritance } from './inherit.ts';
import { fillIn, mergeSettings } from './merge-settings.ts';
import type { MergedSettings, Merging } from './merge-settings.ts';
import { fleetProblems } from './problems.ts';
import { checkArtifact, createVersionUse, isInRegistry, readRegistryPackage, referenceTo } from './registry-package.ts';
import type { VersionUse } from './registry-package.ts';
import { reportOnce } from './report-once.ts';
import type { LocateEntry } from './report-once.ts';

export interface FleetRequest {
  readonly source: SourceFile;
  /** Paths are relative to the directory of the fleet file. */
  readonly fileSystem: FileSystem;
  readonly report: Report;
  readonly memory?: Memory | undefined;
  /** Called with the lock, which findings may point into. */
  readonly onLock?: ((source: SourceFile) => void) | undefined;
}

/** Reads a fleet file and expands its targets; `undefined` if there are errors. Reports all problems. */
export async function readFleet(request: FleetRequest): Promise<Fleet | undefined> {
  const { source, fileSystem, report, memory, onLock } = request;
  let hasErrors = false;
  const note = (diagnostic: Diagnostic): void => {
    hasErrors ||= diagnostic.severity === 'error';
    report(diagnostic);
  };
  const located = readOneDocument(source, note, memory);
  const document =
    located &&
    readFleetDocument(located.data, {
      locate: located.locate,
      report: note,
      writtenAt: (location, scalar) => readLexeme(source, location, scalar),
    });
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
  // Entries look unused while others have mistakes.
  if (candidates.length > 0 && !hasErrors) reportUnused(document.spec, { candidates, usedGroups, context });
  if (candidates.length === 0 && !hasErrors) {
    const place = { location: locate(['spec'], 'key') };
    note(fleetProblems.create('fleet-empty', { lacks: whatLacks(document.spec) }, place));
  }
  const { targets, paths } = await completeTargets(document.spec, candidates, context);
  checkApart(targets, context);
  checkArtifacts(targets, context);
  checkOutsidePackages(targets, context);
  await checkPaths(paths, context);
  const isLocked = targets.some(({ registered }) => registered !== undefined && registered.digest === undefined);
  const path = lockPathOf(source.path);
  const lock = isLocked ? await readFleetLock(path, { fileSystem, report: note, memory, onLock }) : undefined;
  if (hasErrors) return undefined;
  const signatures = (document.spec.signatures ?? []).map((rule, index) =>
    createRule(rule, locate(['spec', 'signatures', index])),
  );
  return { source, targets: useLock(targets, lock), reads: [...lists], signatures, lock };
}

/** Builds take the packages that the lock names. */
function useLock(targets: readonly FleetTarget[], lock: FleetLock | undefined): readonly FleetTarget[] {
  if (lock === undefined) return targets;
  const entries = new Map(lock.entries.map((entry) => [keyOfPackage(entry), entry]));
  return targets.map((target) => {
    const { registered, settings } = target;
    const locked = registered?.digest === undefined && registered && entries.get(keyOfPackage(registered));
    if (!registered || !locked) return target;
    const known = { ...registered, locked };
    const pinned = { ...settings, package: referenceTo(known) };
    return Object.assign({}, target, { registered: known, settings: pinned });
  });
}

/** What to add so that there are targets. */
function whatLacks({ matrix, directories, clusters, applications }: FleetDocument['spec']) {
  if (matrix.length === 0) return directories.length === 0 ? 'entries' : 'pairs';
  if (Object.keys(clusters).length === 0) return 'clusters';
  return Object.keys(applications).length === 0 ? 'applications' : 'pairs';
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

/** Targets with all their settings, and the paths in them. Those with mistakes are left out, which are reported. */
async function completeTargets(
  spec: FleetDocument['spec'],
  candidates: readonly Candidate[],
  context: Expansion,
): Promise<{ readonly targets: readonly FleetTarget[]; readonly paths: readonly NamedPath[] }> {
  const inheritance = createInheritance(spec);
  const known = new Map<string, boolean>();
  const isThere = async (path: string): Promise<boolean> => {
    const found = known.get(path) ?? (await exists(path, context.fileSystem));
    known.set(path, found);
    return found;
  };
  const formOf = createFormFinder(context.fileSystem);
  const filter = createValueFilter(formOf);
  const versions = createVersionUse();
  const paths = new Map<string, NamedPath>();
  const onPath: Completing['onPath'] = (named, placeOf) => {
    if (!paths.has(named.path)) paths.set(named.path, { ...named, at: placeOf() });
  };
  for (const candidate of candidates) {
    await completeTarget(candidate, { inheritance, context, isThere, onPath, formOf, filter, versions });
  }
  versions.report(context.report, context.locate);
  return { targets: filter.finish(), paths: [...paths.values()] };
}

interface Completing {
  readonly inheritance: Inheritance;
  readonly context: Expansion;
  readonly isThere: (path: string) => Promise<boolean>;
  /** Called for each path that must exist. */
  readonly onPath: (named: Omit<NamedPath, 'at'>, placeOf: () => Path) => void;
  readonly formOf: AskForm;
  /** Takes complete targets. */
  readonly filter: ValueFilter;
  readonly versions: VersionUse;
}

async function completeTarget(
  candidate: Candidate,
  { inheritance, context, isThere, onPath, formOf, filter, versions }: Completing,
): Promise<void> {
  const { path, application, cluster, usualPackage } = candidate;
  const name = nameTarget(candidate, context);
  if (name === undefined) return;
  const placeholders = { ...candidate.placeholders, target: name };
  const levels = inheritance.levelsOf(candidate, candidate.entries);
  const { report, locate } = context;
  const merged = mergeSettings(levels, { target: name, placeholders, usualPackage, report, locate });
  const { settings: given, optional, placeOf } = merged;
  if (given === undefined) return;
  const dropped = await dropProfile({ settings: given, origins: merged.origins }, formOf);
  const { origins } = dropped;
  const { version, ...settings } = dropped.settings;
  if (!isComplete(settings)) {
    for (const setting of (['package', 'output'] as const).filter((one) => settings[one] === undefined)) {
      const isOfApplication = setting === 'package' && application !== undefined;
      const place = isOfApplication
        ? { location: locate(['spec', 'applications', application], 'key') }
        : { location: locate(path) };
      report(fleetProblems.create('fleet-setting-missing', { setting, target: name }, place));
    }
    return;
  }
  const complete = optional.length === 0 ? settings : await dropMissingValues(settings, { optional, isThere });
  const { package: input, policy, values, patches, crds, artifact } = complete;
  const places = { package: origins.package?.at(-1) ?? path, version: origins.version?.at(-1) ?? path };
  if (version !== undefined) versions.add({ package: input, version }, name, places.version);
  const about = { target: name, report, locate };
  if (artifact !== undefined) checkArtifact(artifact, { ...about, path: origins.artifact?.at(-1) ?? path });
  const isRegistered = isInRegistry(input);
  const registered = isRegistered ? readRegistryPackage({ package: input, version }, { ...about, places }) : undefined;
  if (isRegistered && registered === undefined) return;
  const { profile } = given;
  const pathsOf = { package: [input], profile: [profile], policy: [policy], values, patches, crds };
  for (const [setting, list] of Object.entries(pathsOf) as [keyof typeof pathsOf, readonly (string | undefined)[]][]) {
    for (const text of list) {
      if (text === undefined) continue;
      const named = { path: text, noun: nounsOfPaths[setting], target: name };
      onPath(named, () => placeOf(setting, text) ?? path);
    }
  }
  const missing = settings.values.filter((one) => !complete.values.includes(one));
  const { version: _, ...others } = origins;
  const inherits = {
    origins: isRegistered ? origins : others,
    levels: levels.map((level) => level.path),
    ...(missing.length === 0 ? {} : { missingValues: missing }),
  };
  const buildable = registered === undefined ? complete : { ...complete, package: referenceTo(registered) };
  const own = { name, application, cluster, path, settings: buildable, registered };
  await filter.add({ ...own, ...inherits }, placeOf);
}

const nounsOfPaths = {
  package: 'package',
  profile: 'profile',
  policy: 'policy',
  values: 'values file',
  patches: 'patch',
  crds: 'CRD path',
} as const;

const nameForm = /^[A-Za-z0-9][A-Za-z0-9._-]*(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;

function nameTarget(candidate: Candidate, context: Expansion): string | undefined {
  const { application, cluster, path, placeholders } = candidate;
  if (candidate.name === undefined) {
    if (application !== undefined && cluster !== undefined) return `${cluster}/${application}`;
    const args = { setting: 'name', target: undefined } as const;
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

function isComplete(settings: Omit<MergedSettings, 'version'>): settings is TargetSettings {
  return settings.package !== undefined && settings.output !== undefined;
}

interface OptionalValues {
  readonly optional: readonly string[];
  readonly isThere: Completing['isThere'];
}

async function dropMissingValues(
  settings: TargetSettings,
  { optional, isThere }: OptionalValues,
): Promise<TargetSettings> {
  const values: string[] = [];
  for (const path of settings.values) if (!optional.includes(path) || (await isThere(path))) values.push(path);
  return { ...settings, values };
}
