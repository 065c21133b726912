import { createMemory } from '../../budget/index.ts';
import { digestOfPackage, nameOfPackage } from '../../fleet/index.ts';
import type { Fleet, FleetTarget } from '../../fleet/index.ts';
import { build, groupChanges, orderChanges } from '../../index.ts';
import type { ComparedTarget, GroupedChange } from '../../index.ts';
import type { JsonObject, KubeObject } from '../../model/index.ts';
import { keepReads } from '../../reads/index.ts';
import { readOutputRequest } from '../build-to-output.ts';
import { describeFailure } from '../describe-failure.ts';
import { withLimits } from '../limits.ts';
import { compareBuilds, comparedBuildOf } from '../diff/compare-builds.ts';
import type { ComparedBuild } from '../diff/compare-builds.ts';
import { openDisk } from '../open-world.ts';
import type { SourcedFindings } from '../sourced-findings.ts';
import { hasErrors } from '../usage-error.ts';
import { describeFindings, openCall, sourcesOf, targetHint } from './build-target.ts';
import { atRevision } from './changed-targets.ts';
import type { FleetSince } from './changed-targets.ts';
import { collectOutcomes, createGroups } from './collect-outcomes.ts';
import { diffDeliveries, findDeliveries } from './compare-deliveries.ts';
import { settingsForTargets } from './fleet-flags.ts';
import { openFleetPackages } from './fleet-packages.ts';
import { groupAlike } from './generalise.ts';
import type { TargetChange } from './generalise.ts';
import { definedFields } from './list-targets.ts';
import type { FleetCall } from './open-fleet.ts';
import { findMoves, groupMoves, pairTargets } from './target-moves.ts';
import type { GroupedMove, TargetMove, TargetPlace } from './target-moves.ts';

export interface FleetReview {
  /** Changes, identical ones once. */
  readonly changes: readonly ReviewedChange[];
  /** Settings that move the files of targets, equal ones once. */
  readonly moves: readonly GroupedMove[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Targets with other objects than before, or another delivery. */
  readonly changed: readonly string[];
  /** Targets whose files move. */
  readonly moved: readonly string[];
  /** How many targets were compared or cannot have changed. */
  readonly unchanged: number;
  /** Packages in registries that were replaced, whether or not that changes objects. */
  readonly packages: readonly PackageChange[];
}

export interface ReviewedChange extends GroupedChange {
  /** A change of what the layout adds to the objects of the package. */
  readonly delivery?: boolean | undefined;
}

/** Compares what targets build now with what they built at a revision; without a review if one cannot be built, on either side. */
export async function compareTargets(
  call: FleetCall,
  since: FleetSince,
): Promise<SourcedFindings & { readonly review: FleetReview | undefined }> {
  const { fleet, selection } = call;
  if (since.findings.diagnostics.length > 0) return { ...since.findings, review: undefined };
  const earlier = pairTargets(since.fleet?.targets ?? [], fleet.targets);
  const kept = new Set([...earlier.values()].map(({ name }) => name));
  const isGone = ({ name }: FleetTarget): boolean => !kept.has(name) && selection.owns(name);
  const gone = selection.isWhole ? (since.fleet?.targets ?? []).filter(isGone) : [];
  const shared = createShared(fleet, [...selection.targets, ...gone]);
  const [renderEarlier, renderNow] = [openSide(call, shared, since), openSide(call, shared)];
  const compared: ComparedTarget[] = [];
  const deliveries: TargetChange<Omit<ReviewedChange, 'targets'>>[] = [];
  const moves: TargetChange<TargetMove>[] = [];

  /** `undefined` if one of them cannot be built. */
  async function compare(before: FleetTarget | undefined, after: FleetTarget | undefined) {
    const target = after ?? before!;
    const from = before === undefined ? nothing : await renderEarlier(before);
    const to = after === undefined ? nothing : await renderNow(after);
    if (from === undefined || to === undefined) return undefined;
    const difference = compareBuilds(from, to);
    const delivered = diffDeliveries(from.deliveries, to.deliveries, { target, earlier: before });
    const movesHere = 'target' in from && 'target' in to ? findMoves(from, to) : [];
    compared.push({ target: target.name, difference });
    for (const each of delivered) deliveries.push({ ...each, change: { ...each.change, delivery: true } });
    for (const move of movesHere) moves.push(move);
    return { isChanged: difference.objects.length + delivered.length > 0, isMoved: movesHere.length > 0 };
  }

  const added: string[] = [];
  const changed: string[] = [];
  const moved: string[] = [];
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
    const result = await compare(before, target);
    if (result === undefined) continue;
    if (before === undefined) {
      added.push(target.name);
      continue;
    }
    if (result.isChanged) changed.push(target.name);
    if (result.isMoved) moved.push(target.name);
    if (!result.isChanged && !result.isMoved) unchanged += 1;
  }
  for (const target of gone) await compare(target, undefined);
  const { diagnostics, sources } = shared.outcomes.findings();
  const removed = gone.map(({ name }) => name);
  const changes = orderChanges([...groupChanges(compared), ...groupAlike(deliveries)]);
  const names = { added, removed, changed, moved };
  const review = { changes, moves: groupMoves(moves), ...names, unchanged, packages: packages.list() };
  return { diagnostics, sources, review: hasErrors(diagnostics) ? undefined : review };
}

const nothing = { objects: [], deliveries: [], secretWords: [] } as const;

/** Renders targets one after the other, without validation, and hands on their objects. Returns the errors. */
export async function renderTargets(
  call: FleetCall,
  onObjects: (target: FleetTarget, objects: readonly KubeObject[]) => void,
): Promise<SourcedFindings> {
  const { targets } = call.selection;
  const shared = createShared(call.fleet, targets);
  const render = openSide(call, shared);
  for (const target of targets) {
    const rendered = await render(target);
    if (rendered !== undefined) onObjects(target, rendered.objects);
  }
  return shared.outcomes.findings();
}

/** What all targets share, on both sides. */
function createShared(fleet: Fleet, targets: readonly FleetTarget[]) {
  const memory = createMemory();
  return { memory, outcomes: collectOutcomes(fleet, targets) };
}

/** Renders targets as they are now or were at a revision; gives no objects after an error. Warnings are left to builds. */
function openSide(
  { flags, opened, fleet: current }: FleetCall,
  { memory, outcomes }: ReturnType<typeof createShared>,
  since?: FleetSince,
) {
  const fleet = since?.fleet ?? current;
  const { source } = fleet;
  const settings = settingsForTargets(flags);
  const outside = since === undefined ? opened.environment : { ...opened.environment, isOffDisk: true };
  const packages = openFleetPackages({ ...fleet, settings, environment: outside, files: since?.files });
  const files = keepReads(since?.files ?? openDisk(outside)).fileSystem;

  async function render(target: FleetTarget): Promise<SourcedFindings & { readonly rendered?: RenderedTarget }> {
    if (target.problems !== undefined) return { diagnostics: target.problems, sources: [] };
    try {
      const limited = withLimits({ ...outside, files }, { memory });
      const opening = await openCall(target, limited, { packages, job: { source, settings } });
      const { reading, output } = await readOutputRequest({ ...opening, collectFor: target.settings.output });
      if (hasErrors(reading.diagnostics)) return reading;
      const { request } = reading;
      const result = await build(request);
      const { diagnostics, sources, rendering, files: written } = result;
      if (!result.ok) return { diagnostics, sources };
      // A build refuses to empty an output.
      const { diagnostics: refused } = since === undefined ? await output.deliver(result) : { diagnostics: [] };
      if (refused.length > 0) return { diagnostics: refused, sources };
      const instance = target.settings.instance ?? rendering.facts.name;
      const place = { target, instance, layout: request.layout };
      return {
        diagnostics,
        sources,
        rendered: { ...place, ...comparedBuildOf(result), deliveries: findDeliveries(written) },
      };
    } catch (error) {
      outside.signal?.throwIfAborted();
      return describeFailure(error, targetHint);
    }
  }

  return async (target: FleetTarget): Promise<RenderedTarget | undefined> => {
    const { rendered, ...findings } = await render(target);
    const { diagnostics, sources } = since === undefined ? findings : atRevision(findings, since.revision);
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    const ofErrors = { diagnostics: errors, sources: sourcesOf(errors, sources) };
    outcomes.add(target, describeFindings(target.name, ofErrors));
    return rendered;
  };
}

/** What a target writes, without the texts. */
interface RenderedTarget extends TargetPlace, ComparedBuild {
  readonly deliveries: readonly KubeObject[];
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
