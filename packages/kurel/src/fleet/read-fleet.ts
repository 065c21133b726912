import { BudgetExhausted, createBudget, getOrAdd, limitFindings } from '../budget/index.ts';
import type { FindingLimit } from '../budget/index.ts';
import { watchErrors } from '../diagnostics/index.ts';
import { readFleetDocument, readOneDocument } from '../documents/index.ts';
import type { FleetDocument } from '../documents/index.ts';
import type { Budget, Path, Report } from '../model/index.ts';
import { createRule } from '../signing/index.ts';
import { checkPaths, checkTargets, exists } from './check-targets.ts';
import type { NamedPath } from './check-targets.ts';
import { createFormFinder, createValueFilter, dropForeign } from './drop-inherited.ts';
import { expandTargets, mostTargets } from './expand-targets.ts';
import type { Candidate } from './expand-targets.ts';
import type { Fleet, FleetContext, FleetLock, FleetRequest, FleetTarget, TargetSettings } from './fleet.ts';
import { keyOfPackage, lockPathOf, readFleetLock } from './fleet-lock.ts';
import { createFleetSteps } from './fleet-steps.ts';
import { checkGroups, createInheritance } from './inherit-levels.ts';
import { fillIn, mergeSettings } from './merge-settings.ts';
import type { MergedSettings } from './merge-settings.ts';
import { fleetProblems } from './problems.ts';
import { findArtifactProblem, isInRegistry, readRegistryPackage, referenceTo } from './registry-package.ts';

/** Reads a fleet file and expands its targets; `undefined` if there are errors. Reports all problems. */
export async function readFleet(request: FleetRequest): Promise<Fleet | undefined> {
  const budget = request.budget ?? createBudget();
  const limit = limitFindings(budget);
  const report: Report = (diagnostic) => {
    if (limit.takes(diagnostic)) request.report(diagnostic);
  };
  try {
    return await readTargets({ ...request, report, budget, limit });
  } catch (error) {
    if (!(error instanceof BudgetExhausted)) throw error;
    error.diagnostics.forEach(report);
    return undefined;
  } finally {
    limit.omitted().forEach(request.report);
  }
}

interface LimitedRequest extends FleetRequest {
  readonly budget: Budget;
  readonly limit: FindingLimit;
}

async function readTargets(request: LimitedRequest): Promise<Fleet | undefined> {
  const { source, fileSystem, memory, budget, limit } = request;
  const { report: note, hasErrors } = watchErrors(request.report);
  const located = readOneDocument(source, note, memory);
  const document = located && readFleetDocument(located.data, { ...located, report: note });
  if (located === undefined || document === undefined) return undefined;
  const { spec } = document;
  const { locate } = located;
  const context: FleetContext = {
    fileSystem,
    locate,
    steps: createFleetSteps(budget, locate),
    report: createReport(locate, note, limit),
    mostNear: budget.findings,
  };
  const usedGroups = checkGroups(spec, context);
  if (hasErrors()) return undefined;
  const candidates = await expandTargets(spec, context);
  if (candidates.length > mostTargets) {
    context.report('fleet-too-large', { limit: mostTargets, noun: 'targets' }, ['spec'], { at: 'key' });
    return undefined;
  }
  // Entries look unused while others have mistakes.
  if (candidates.length > 0 && !hasErrors()) reportUnused(spec, { candidates, usedGroups, context });
  if (candidates.length === 0 && !hasErrors()) {
    context.report('fleet-empty', { lacks: whatLacks(spec) }, ['spec'], { at: 'key' });
  }
  const targets = await completeTargets(spec, candidates, context);
  checkTargets(targets, context);
  const isLocked = targets.some(({ registered }) => registered !== undefined && registered.digest === undefined);
  const path = lockPathOf(source.path);
  const lock = isLocked ? await readFleetLock(path, { ...request, report: note }) : undefined;
  if (hasErrors()) return undefined;
  const signatures = (spec.signatures ?? []).map((rule, index) =>
    createRule(rule, located.locate(['spec', 'signatures', index])),
  );
  return { source, targets: useLock(targets, lock), signatures, lock };
}

function createReport(locate: FleetContext['locate'], report: Report, limit: FindingLimit): FleetContext['report'] {
  const seen = new Set<string>();
  return (code, args, path, { at, related } = {}) => {
    const { severity } = fleetProblems.definitions[code];
    if (limit.isFull(code, severity)) {
      // It is expensive to look for near names that nobody will see.
      const key = JSON.stringify([code, path]);
      if (!seen.has(key)) limit.takesNext(code, severity);
      seen.add(key);
      return;
    }
    const location = { ...locate(path), ...(at === undefined ? {} : { at }) };
    const diagnostic = fleetProblems.create(code, args, { location, ...(related === undefined ? {} : { related }) });
    const key = JSON.stringify([code, location, diagnostic.hint]);
    if (!seen.has(key)) report(diagnostic);
    seen.add(key);
  };
}

/** Builds take the packages that the lock names. */
function useLock(targets: readonly FleetTarget[], lock: FleetLock | undefined): readonly FleetTarget[] {
  if (lock === undefined) return targets;
  const entries = new Map(lock.entries.map((entry) => [keyOfPackage(entry), entry]));
  return targets.map((target) => {
    const { registered, settings } = target;
    const locked = registered?.digest === undefined && registered && entries.get(keyOfPackage(registered));
    if (!registered || !locked) return target;
    const resolved = { ...registered, locked };
    const pinned = { ...settings, package: referenceTo(resolved) };
    return Object.assign({}, target, { registered: resolved, settings: pinned });
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
  readonly usedGroups: ReadonlySet<string | undefined>;
  readonly context: FleetContext;
}

function reportUnused(spec: FleetDocument['spec'], { candidates, usedGroups, context: { report } }: Usage): void {
  const used = {
    groups: usedGroups,
    clusters: new Set(candidates.map(({ cluster }) => cluster)),
    applications: new Set(candidates.map(({ application }) => application)),
  };
  for (const noun of ['groups', 'clusters', 'applications'] as const) {
    for (const name of Object.keys(spec[noun])) {
      if (!used[noun].has(name)) report('fleet-unused', { noun, name }, ['spec', noun, name], { at: 'key' });
    }
  }
}

/** Targets with all their settings. Those with mistakes in the fleet file are left out, which are reported. */
async function completeTargets(
  spec: FleetDocument['spec'],
  candidates: readonly Candidate[],
  context: FleetContext,
): Promise<readonly FleetTarget[]> {
  const { report, steps } = context;
  const levelsOf = createInheritance(spec, context);
  const formOf = createFormFinder(context);
  const filter = createValueFilter(formOf);
  const versions = createVersionUse();
  const paths = new Map<string, NamedPath>();
  const pathsByTarget = new Map<string, readonly string[]>();
  const existing = new Map<string, Promise<boolean>>();
  const isThere = (path: string, place: Path): Promise<boolean> =>
    getOrAdd(existing, path, () => {
      steps.takeLookUp(place);
      return exists(path, context.fileSystem);
    });

  async function complete(candidate: Candidate): Promise<void> {
    const { path, application, cluster, usualPackage } = candidate;
    const name = nameTarget(candidate, context);
    if (name === undefined) return;
    const placeholders = { ...candidate.placeholders, target: name };
    const levels = levelsOf(candidate);
    const merged = mergeSettings(levels, { target: name, placeholders, usualPackage, report, steps });
    const { optional, placeOf } = merged;
    if (merged.settings === undefined) return;
    const dropped = await dropForeign({ settings: merged.settings, origins: merged.origins }, formOf);
    const { origins } = dropped;
    const { version, ...settings } = dropped.settings;
    if (!isComplete(settings)) {
      for (const setting of (['package', 'output'] as const).filter((required) => settings[required] === undefined)) {
        const args = { setting, target: name };
        if (setting === 'output' || application === undefined) report('fleet-setting-missing', args, path);
        else report('fleet-setting-missing', args, ['spec', 'applications', application], { at: 'key' });
      }
      return;
    }
    const values: string[] = [];
    const missing: string[] = [];
    for (const file of settings.values) {
      (!optional.has(file) || (await isThere(file, path)) ? values : missing).push(file);
    }
    const { package: input, policy, patches, crds, artifact } = settings;
    const placeFor = (setting: 'package' | 'version' | 'artifact'): Path => origins[setting]?.at(-1) ?? path;
    const places = { package: placeFor('package'), version: placeFor('version') };
    if (version !== undefined) versions.add({ version, package: input, target: name }, places.version);
    const reason = artifact === undefined ? undefined : findArtifactProblem(artifact);
    if (reason !== undefined) {
      const args = { setting: 'artifact', reference: artifact!, target: name, reason } as const;
      report('fleet-reference-invalid', args, placeFor('artifact'));
    }
    const isRegistered = isInRegistry(input);
    const reading = { version, target: name, places, report, locate: context.locate };
    const registered = isRegistered ? readRegistryPackage(input, reading) : undefined;
    if (isRegistered && registered === undefined) return;
    const { profile } = merged.settings;
    const pathsOf = { package: [input], profile: [profile], policy: [policy], values, patches, crds };
    const own: string[] = [];
    for (const setting of Object.keys(nounsOfPaths) as (keyof typeof nounsOfPaths)[]) {
      for (const text of pathsOf[setting]) {
        if (text === undefined) continue;
        own.push(text);
        if (paths.has(text)) continue;
        const at = placeOf(setting, text) ?? path;
        paths.set(text, { path: text, noun: nounsOfPaths[setting], target: name, at });
      }
    }
    pathsByTarget.set(name, own);
    const { version: _, ...others } = origins;
    const target: FleetTarget = {
      name,
      application,
      cluster,
      path,
      settings: { ...settings, values, package: registered === undefined ? input : referenceTo(registered) },
      registered,
      origins: isRegistered ? origins : others,
      levels: levels.map((level) => level.path),
      ...(missing.length === 0 ? {} : { missingValues: missing }),
    };
    await filter.add(target, placeOf);
  }

  for (const candidate of candidates) await complete(candidate);
  for (const [path, args] of versions.unused()) report('fleet-version-unused', args, path);
  const missing = await checkPaths(paths.values(), context);
  if (missing.size === 0) return filter.finish();
  return filter.finish().map((target) => {
    const problems = pathsByTarget.get(target.name)!.flatMap((text) => missing.get(text) ?? []);
    return problems.length === 0 ? target : Object.assign({}, target, { problems });
  });
}

interface SetVersion {
  readonly version: string;
  readonly package: string;
  readonly target: string;
}

/** Finds versions that no target uses, because its package is not in a registry. */
function createVersionUse() {
  const used = new Set<string>();
  const idle = new Map<string, readonly [path: Path, set: SetVersion]>();
  return {
    add(set: SetVersion, path: Path): void {
      const key = JSON.stringify(path);
      if (isInRegistry(set.package)) used.add(key);
      else idle.set(key, idle.get(key) ?? [path, set]);
    },
    unused: () => [...idle].filter(([key]) => !used.has(key)).map(([, entry]) => entry),
  };
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

function nameTarget({ name: written, ...candidate }: Candidate, { report, steps }: FleetContext): string | undefined {
  const { application, cluster, path, placeholders } = candidate;
  if (written === undefined) {
    if (application !== undefined && cluster !== undefined) return `${cluster}/${application}`;
    report('fleet-setting-missing', { setting: 'name', target: undefined }, path);
    return undefined;
  }
  const name = fillIn(written.text, written.path, { target: written.text, placeholders, report, steps });
  if (name === undefined || nameForm.test(name)) return name;
  report('fleet-target-name', { name }, written.path);
  return undefined;
}

function isComplete(settings: Omit<MergedSettings, 'version'>): settings is TargetSettings {
  return settings.package !== undefined && settings.output !== undefined;
}
