import { createBudget, createMemory } from '../../budget/index.ts';
import { build, diffObjects, groupChanges, hideSecrets } from '../../index.ts';
import type { ComparedTarget, GroupedChange, SchemaStore } from '../../index.ts';
import type { Fleet, FleetTarget } from '../../fleet/index.ts';
import type { Diagnostic, FileSystem, KubeObject, Memory } from '../../model/index.ts';
import { keepReads } from '../../reads/index.ts';
import { build as buildCommand } from '../commands/build.ts';
import { createStore, withStore } from '../open-schemas.ts';
import type { Environment } from '../environment.ts';
import { openDisk, openInput, openWorld } from '../open-world.ts';
import { parseFlags } from '../parse-flags.ts';
import type { Findings } from '../print-diagnostics.ts';
import { readRequest } from '../read-request.ts';
import { adviseFleet } from './advise-fleet.ts';
import { describeFailure } from './build-target.ts';
import { atRevision } from './changed-targets.ts';
import type { FleetSince } from './changed-targets.ts';
import { openFleetPackages } from './fleet-packages.ts';
import type { FleetPackages } from './fleet-packages.ts';
import { collectPackageChanges } from './package-changes.ts';
import type { PackageChange } from './package-changes.ts';
import type { TargetSelection } from './select-shard.ts';
import { inlineOf, inputWordsOf } from './target-command.ts';

export interface FleetComparison extends Findings {
  /** Absent if a target cannot be built, on either side. */
  readonly review: FleetReview | undefined;
}

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

export interface FleetDiffing {
  readonly fleet: Fleet;
  readonly selection: TargetSelection;
  readonly words: readonly string[];
  /** The environment with the directory of the fleet file as its working directory. */
  readonly environment: Environment;
  readonly since: FleetSince;
}

/** Compares what targets build now with what they built at a revision. */
export async function compareTargets(diffing: FleetDiffing): Promise<FleetComparison> {
  const { fleet, selection, since } = diffing;
  if (since.findings.diagnostics.length > 0) return { ...since.findings, review: undefined };
  const sides = openSides(diffing);
  const earlier = new Map((since.fleet?.targets ?? []).map((target) => [target.name, target]));
  const current = new Set(fleet.targets.map(({ name }) => name));
  const isGone = ({ name }: FleetTarget): boolean => !current.has(name) && selection.owns(name);
  const gone = selection.isWhole ? [...earlier.values()].filter(isGone) : [];
  const added: string[] = [];
  const changed: string[] = [];
  const compared: ComparedTarget[] = [];
  const packages = collectPackageChanges();
  let unchanged = 0;
  for (const target of selection.targets) {
    if (!since.isAffected(target)) {
      unchanged += 1;
      continue;
    }
    const before = earlier.get(target.name);
    packages.add(before, target);
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
  const { diagnostics, sources } = sides.findings();
  const hasErrors = diagnostics.some(({ severity }) => severity === 'error');
  const removed = gone.map(({ name }) => name);
  const changes = groupChanges(compared);
  const review = { changes, added, removed, changed, unchanged, packages: packages.changes() };
  return { diagnostics, sources, review: hasErrors ? undefined : review };
}

interface Sides {
  /** `undefined` if one of them cannot be built. */
  compare(
    before: FleetTarget | undefined,
    after: FleetTarget | undefined,
  ): Promise<ReturnType<typeof diffObjects> | undefined>;
  findings(): Findings;
}

function openSides({ fleet, words, environment, since }: FleetDiffing): Sides {
  const memory = createMemory();
  const store = createStore(undefined, { memory });
  const notes = collectErrors(fleet);
  const disk = openDisk(environment);
  const shared = { words, memory, store };
  const now = {
    ...shared,
    fleet,
    environment: withFiles(environment, disk),
    packages: openFleetPackages({ ...fleet, words, environment }),
  };
  const then = {
    ...shared,
    fleet: since.fleet ?? fleet,
    environment: { ...withFiles(environment, since.files), isOffDisk: true },
    packages: openFleetPackages({ ...(since.fleet ?? fleet), words, environment, files: since.files }),
  };
  return {
    async compare(before, after) {
      const [a, b] = [before && (await renderTarget(before, then)), after && (await renderTarget(after, now))];
      if (before !== undefined) notes.add(before, atRevision(a!, since.revision));
      if (after !== undefined) notes.add(after, b!);
      const [from, to] = [before === undefined ? [] : a!.objects, after === undefined ? [] : b!.objects];
      if (from === undefined || to === undefined) return undefined;
      return hideSecrets(diffObjects(from, to, { store: () => store.with([...from, ...to], () => 'the input') }));
    },
    findings: () => notes.findings(),
  };
}

function withFiles(environment: Environment, files: FileSystem): Environment {
  return { ...environment, files: keepReads(files).fileSystem };
}

interface RenderingCall extends Omit<FleetDiffing, 'selection' | 'since'> {
  readonly targets: readonly FleetTarget[];
}

/** Renders targets one after the other, without validation, and hands on their objects. Returns the errors. */
export async function renderTargets(
  { fleet, targets, words, environment }: RenderingCall,
  onObjects: (target: FleetTarget, objects: readonly KubeObject[]) => void,
): Promise<Findings> {
  const memory = createMemory();
  const store = createStore(undefined, { memory });
  const notes = collectErrors(fleet);
  const packages = openFleetPackages({ ...fleet, words, environment });
  const files = withFiles(environment, openDisk(environment));
  const rendering = { words, fleet, memory, store, packages, environment: files };
  for (const target of targets) {
    const rendered = await renderTarget(target, rendering);
    notes.add(target, rendered);
    if (rendered.objects !== undefined) onObjects(target, rendered.objects);
  }
  return notes.findings();
}

/** Warnings are left to builds. */
function collectErrors({ source }: Fleet): {
  add(target: FleetTarget, findings: Findings): void;
  findings(): Findings;
} {
  const found = new Map<string, { readonly diagnostic: Diagnostic; readonly targets: string[] }>();
  const texts = new Map<string, Findings['sources'][number]>();
  return {
    add(target, { diagnostics, sources }) {
      const { name } = target;
      for (const one of diagnostics.filter(({ severity }) => severity === 'error')) {
        const diagnostic = adviseFleet(one, target, source.path);
        const key = JSON.stringify([diagnostic.code, diagnostic.message, diagnostic.location]);
        const known = found.get(key);
        if (known === undefined) found.set(key, { diagnostic, targets: [name] });
        else known.targets.push(name);
        for (const source of sources) texts.set(source.path, source);
      }
    },
    findings: () => ({
      diagnostics: [...found.values()].map(({ diagnostic, targets }) => Object.assign({}, diagnostic, { targets })),
      sources: [source, ...texts.values()],
    }),
  };
}

interface Rendering {
  readonly words: readonly string[];
  readonly fleet: Fleet;
  readonly environment: Environment;
  readonly memory: Memory;
  readonly store: SchemaStore;
  readonly packages: FleetPackages;
}

async function renderTarget(
  given: FleetTarget,
  { words, fleet, environment: outside, memory, store, packages }: Rendering,
): Promise<Findings & { readonly objects?: readonly KubeObject[] | undefined }> {
  try {
    const limited = { ...outside, budget: createBudget(outside.limits?.budget, memory) };
    const { target, environment } = await packages.enter(given, limited);
    const { positionals, flags } = parseFlags(buildCommand, [
      ...words,
      ...inputWordsOf(target),
      '--',
      target.settings.package,
    ]);
    const input = await openInput(positionals[0]!, flags, environment);
    const inline = inlineOf(target, fleet.source);
    const request = await readRequest(input, flags, environment, { ...openWorld(environment), inline });
    if (!request.ok) return request;
    const { ok, objects, diagnostics, sources } = await build(withStore(request.request, store));
    return { diagnostics, sources, objects: ok ? objects : undefined };
  } catch (error) {
    outside.signal?.throwIfAborted();
    return describeFailure(error);
  }
}
