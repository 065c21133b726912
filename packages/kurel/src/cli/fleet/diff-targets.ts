import { createMemory } from '../../budget/index.ts';
import { digestOfPackage, nameOfPackage } from '../../fleet/index.ts';
import type { Fleet, FleetTarget } from '../../fleet/index.ts';
import { build, diffObjects, groupChanges, hideSecrets } from '../../index.ts';
import type { ComparedTarget, GroupedChange } from '../../index.ts';
import type { JsonObject, KubeObject } from '../../model/index.ts';
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
import { definedFields } from './list-targets.ts';
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
  const shared = createShared(fleet, [...selection.targets, ...gone]);
  const [renderEarlier, renderNow] = [openSide(call, shared, since), openSide(call, shared)];

  /** `undefined` if one of them cannot be built. */
  async function compare(before: FleetTarget | undefined, after: FleetTarget | undefined) {
    const from = before === undefined ? [] : await renderEarlier(before);
    const to = after === undefined ? [] : await renderNow(after);
    if (from === undefined || to === undefined) return undefined;
    const store = () => shared.store.with([...from, ...to], () => 'the input');
    return hideSecrets(diffObjects(from, to, { store }));
  }

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
    const difference = await compare(before, target);
    if (difference === undefined) continue;
    if (before === undefined) added.push(target.name);
    else if (difference.objects.length > 0) changed.push(target.name);
    else unchanged += 1;
    compared.push({ target: target.name, difference });
  }
  for (const target of gone) {
    const difference = await compare(target, undefined);
    if (difference !== undefined) compared.push({ target: target.name, difference });
  }
  const { diagnostics, sources } = shared.outcomes.findings();
  const removed = gone.map(({ name }) => name);
  const changes = groupChanges(compared);
  const review = { changes, added, removed, changed, unchanged, packages: packages.list() };
  return { diagnostics, sources, review: hasErrors(diagnostics) ? undefined : review };
}

/** Renders targets one after the other, without validation, and hands on their objects. Returns the errors. */
export async function renderTargets(
  call: FleetCall,
  onObjects: (target: FleetTarget, objects: readonly KubeObject[]) => void,
): Promise<SourcedFindings> {
  const { targets } = call.selection;
  const shared = createShared(call.fleet, targets);
  const render = openSide(call, shared);
  for (const target of targets) {
    const objects = await render(target);
    if (objects !== undefined) onObjects(target, objects);
  }
  return shared.outcomes.findings();
}

/** What all targets share, on both sides. */
function createShared(fleet: Fleet, targets: readonly FleetTarget[]) {
  const memory = createMemory();
  return { memory, store: createStore(undefined, { memory }), outcomes: collectOutcomes(fleet, targets) };
}

/** Renders targets as they are now or were at a revision; gives no objects after an error. Warnings are left to builds. */
function openSide(
  { flags, opened, fleet: current }: FleetCall,
  { memory, store, outcomes }: ReturnType<typeof createShared>,
  since?: FleetSince,
) {
  const fleet = since?.fleet ?? current;
  const { source } = fleet;
  const words = wordsForTargets(flags);
  const outside = since === undefined ? opened.environment : { ...opened.environment, isOffDisk: true };
  const packages = openFleetPackages({ ...fleet, words, environment: outside, files: since?.files });
  const files = keepReads(since?.files ?? openDisk(outside)).fileSystem;

  async function render(
    target: FleetTarget,
  ): Promise<SourcedFindings & { readonly objects?: readonly KubeObject[] | undefined }> {
    if (target.problems !== undefined) return { diagnostics: target.problems, sources: [] };
    try {
      const limited = withLimits({ ...outside, files }, { memory });
      const { target: entered, environment } = await packages.enter(target, limited);
      const own = [...words, ...inputWordsOf(entered), '--', entered.settings.package];
      const { reading } = await readCall(parseCall(own, entered, { source, environment }));
      if (hasErrors(reading.diagnostics)) return reading;
      const { ok, objects, diagnostics, sources } = await build(withStore(reading.request, store));
      return { diagnostics, sources, objects: ok ? objects : undefined };
    } catch (error) {
      outside.signal?.throwIfAborted();
      return describeFailure(error, targetHint);
    }
  }

  return async (target: FleetTarget): Promise<readonly KubeObject[] | undefined> => {
    const { objects, ...findings } = await render(target);
    const { diagnostics, sources } = since === undefined ? findings : atRevision(findings, since.revision);
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    const ofErrors = { diagnostics: errors, sources: sourcesOf(errors, sources) };
    outcomes.add(target, describeFindings(target.name, ofErrors));
    return objects;
  };
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
  return { before: definedFields({ ...before }), after: definedFields({ ...after }), targets };
}
