import { createMemory } from '../../budget/index.ts';
import { digestOfPackage, nameOfPackage } from '../../fleet/index.ts';
import type { Fleet, FleetTarget } from '../../fleet/index.ts';
import { build, diffObjects, groupChanges, hideSecrets } from '../../index.ts';
import type { ComparedTarget, GroupedChange } from '../../index.ts';
import type { FileSystem, JsonObject, KubeObject } from '../../model/index.ts';
import { keepReads } from '../../reads/index.ts';
import { describeFailure } from '../describe-failure.ts';
import { withLimits } from '../limits.ts';
import { createStore, withStore } from '../open-schemas.ts';
import { openDisk } from '../open-world.ts';
import type { SourcedFindings } from '../sourced-findings.ts';
import { hasErrors } from '../usage-error.ts';
import { describeFindings, parseCall, readCall, sourcesOf, targetHint } from './build-target.ts';
import { atRevision } from './changed-targets.ts';
import type { FleetSince } from './changed-targets.ts';
import { collectOutcomes, createGroups } from './collect-outcomes.ts';
import { wordsForTargets } from './fleet-flags.ts';
import { openFleetPackages } from './fleet-packages.ts';
import type { FleetCall } from './open-fleet.ts';
import { inputWordsOf } from './target-command.ts';

export interface FleetReview {
  /** Changes, identical ones once. */
  readonly changes: readonly GroupedChange[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Targets with other objects than before. */
  readonly changed: readonly string[];
  /** How many targets were compared or cannot have changed. */
  readonly unchanged: number;
  /** Packages in registries that were replaced, whether or not that changes objects. */
  readonly packages: readonly PackageChange[];
}

/** Compares what targets build now with what they built at a revision; without a review if one cannot be built, on either side. */
export async function compareTargets(
  call: FleetCall,
  since: FleetSince,
): Promise<SourcedFindings & { readonly review: FleetReview | undefined }> {
  const { fleet, selection } = call;
  if (since.findings.diagnostics.length > 0) return { ...since.findings, review: undefined };
  const earlier = new Map((since.fleet?.targets ?? []).map((target) => [target.name, target]));
  const current = new Set(fleet.targets.map(({ name }) => name));
  const isGone = ({ name }: FleetTarget): boolean => !current.has(name) && selection.owns(name);
  const gone = selection.isWhole ? [...earlier.values()].filter(isGone) : [];
  const outcomes = collectOutcomes(fleet, [...selection.targets, ...gone]);
  const sides = openSides(call, since, outcomes);
  const added: string[] = [];
  const changed: string[] = [];
  const compared: ComparedTarget[] = [];
  const packages = createGroups<Omit<PackageChange, 'targets'>>();
  let unchanged = 0;
  for (const target of selection.targets) {
    if (!since.isAffected(target)) {
      unchanged += 1;
      continue;
    }
    const before = earlier.get(target.name);
    if (before !== undefined && isReplaced(before, target)) {
      const change = { before: describeSide(before), after: describeSide(target) };
      packages.add(JSON.stringify(change), change, target.name);
    }
    const difference = await sides.compare(before, target);
    if (difference === undefined) continue;
    if (before === undefined) added.push(target.name);
    else if (difference.objects.length > 0) changed.push(target.name);
    else unchanged += 1;
    compared.push({ target: target.name, difference });
  }
  for (const target of gone) {
    const difference = await sides.compare(target, undefined);
    if (difference !== undefined) compared.push({ target: target.name, difference });
  }
  const { diagnostics, sources } = outcomes.findings();
  const removed = gone.map(({ name }) => name);
  const changes = groupChanges(compared);
  const review = { changes, added, removed, changed, unchanged, packages: packages.list() };
  return { diagnostics, sources, review: hasErrors(diagnostics) ? undefined : review };
}

type Outcomes = ReturnType<typeof collectOutcomes>;

function openSides(call: FleetCall, since: FleetSince, outcomes: Outcomes) {
  const { fleet } = call;
  const shared = createShared();
  const { store } = shared;
  const now = openSide(call, { ...shared, fleet });
  const then = openSide(call, { ...shared, fleet: since.fleet ?? fleet, files: since.files });
  return {
    /** `undefined` if one of them cannot be built. */
    async compare(before: FleetTarget | undefined, after: FleetTarget | undefined) {
      const [a, b] = [before && (await renderTarget(before, then)), after && (await renderTarget(after, now))];
      if (before !== undefined) addErrors(outcomes, before, atRevision(a!, since.revision));
      if (after !== undefined) addErrors(outcomes, after, b!);
      const [from, to] = [before === undefined ? [] : a!.objects, after === undefined ? [] : b!.objects];
      if (from === undefined || to === undefined) return undefined;
      return hideSecrets(diffObjects(from, to, { store: () => store.with([...from, ...to], () => 'the input') }));
    },
  };
}

/** Renders targets one after the other, without validation, and hands on their objects. Returns the errors. */
export async function renderTargets(
  call: FleetCall,
  onObjects: (target: FleetTarget, objects: readonly KubeObject[]) => void,
): Promise<SourcedFindings> {
  const { fleet, selection } = call;
  const outcomes = collectOutcomes(fleet, selection.targets);
  const side = openSide(call, { ...createShared(), fleet });
  for (const target of selection.targets) {
    const rendered = await renderTarget(target, side);
    addErrors(outcomes, target, rendered);
    if (rendered.objects !== undefined) onObjects(target, rendered.objects);
  }
  return outcomes.findings();
}

/** Warnings are left to builds. */
function addErrors(outcomes: Outcomes, target: FleetTarget, { diagnostics, sources }: SourcedFindings): void {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const findings = { diagnostics: errors, sources: sourcesOf(errors, sources) };
  outcomes.add(target, describeFindings(target.name, findings));
}

/** What all targets share, on both sides. */
function createShared() {
  const memory = createMemory();
  return { memory, store: createStore(undefined, { memory }) };
}

interface Side extends ReturnType<typeof createShared> {
  readonly fleet: Fleet;
  /** Those of a revision. */
  readonly files?: FileSystem;
}

function openSide({ flags, opened }: FleetCall, { fleet, memory, store, files }: Side) {
  const { source } = fleet;
  const words = wordsForTargets(flags);
  const environment = files === undefined ? opened.environment : { ...opened.environment, isOffDisk: true };
  const packages = openFleetPackages({ ...fleet, words, environment, files });
  const kept = keepReads(files ?? openDisk(environment)).fileSystem;
  return { source, words, memory, store, packages, environment: { ...environment, files: kept } };
}

async function renderTarget(
  target: FleetTarget,
  { words, source, environment: outside, memory, store, packages }: ReturnType<typeof openSide>,
): Promise<SourcedFindings & { readonly objects?: readonly KubeObject[] | undefined }> {
  if (target.problems !== undefined) return { diagnostics: target.problems, sources: [] };
  try {
    const limited = withLimits(outside, { memory });
    const { target: entered, environment } = await packages.enter(target, limited);
    const own = [...words, ...inputWordsOf(entered), '--', entered.settings.package];
    const { reading } = await readCall(parseCall(own, entered, { source, environment }));
    if (!reading.ok) return reading;
    const { ok, objects, diagnostics, sources } = await build(withStore(reading.request, store));
    return { diagnostics, sources, objects: ok ? objects : undefined };
  } catch (error) {
    outside.signal?.throwIfAborted();
    return describeFailure(error, targetHint);
  }
}

interface ComparedPackage {
  /** Its name in its registry, or its path. */
  readonly name: string;
  /** Absent for a path. */
  readonly url?: string | undefined;
  /** Of the lock, or its tag. */
  readonly version?: string | undefined;
  readonly digest?: string | undefined;
}

/** A package that targets have replaced by another one, most often by another version of it. */
interface PackageChange {
  readonly before: ComparedPackage;
  readonly after: ComparedPackage;
  readonly targets: readonly string[];
}

/** Whether a target has another package, which is or was in a registry. */
function isReplaced(before: FleetTarget, after: FleetTarget): boolean {
  if (before.settings.package === after.settings.package) return false;
  return before.registered !== undefined || after.registered !== undefined;
}

function describeSide({ registered, settings }: FleetTarget): ComparedPackage {
  if (registered === undefined) return { name: settings.package };
  const { url, tag, locked } = registered;
  const digest = digestOfPackage(registered);
  return { name: nameOfPackage(registered), url, version: locked?.version ?? locked?.tag ?? tag, digest };
}

/** `shop 1.2.0 → 1.3.0` */
export function showPackageChange({ before, after }: PackageChange): string {
  if (before.url !== after.url) return `${showWhole(before)} → ${showWhole(after)}`;
  const { name, version } = before;
  // Somebody has moved a tag.
  if (version !== undefined && version === after.version)
    return `${name} ${version} (${showDigest(before)} → ${showDigest(after)})`;
  return `${name} ${version ?? showDigest(before)} → ${after.version ?? showDigest(after)}`;
}

function showWhole({ name, url, version, digest }: ComparedPackage): string {
  return url === undefined ? name : `${url} ${version ?? showDigest({ digest })}`;
}

function showDigest({ digest }: Pick<ComparedPackage, 'digest'>): string {
  return digest?.slice(0, 'sha256:'.length + 12) ?? 'not locked';
}

export function packageChangeToJson({ before, after, targets }: PackageChange): JsonObject {
  const side = (packaged: ComparedPackage): JsonObject => JSON.parse(JSON.stringify(packaged)) as JsonObject;
  return { before: side(before), after: side(after), targets: [...targets] };
}
