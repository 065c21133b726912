import { lstatSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { writtenName } from '../../fleet/index.ts';
import type { FleetTarget } from '../../fleet/index.ts';
import type { BuildResult } from '../../index.ts';
import type { Diagnostic, Memory, OutputFile, SourceFile } from '../../model/index.ts';
import { filesOf } from '../../reads/index.ts';
import type { KeptFiles } from '../../reads/index.ts';
import { completeSettings } from '../../settings/index.ts';
import type { BuildSettings } from '../../settings/index.ts';
import type { SignatureRule } from '../../signing/index.ts';
import { digestOf, inventoryName, toSlashes } from '../../host/index.ts';
import type { EarlierBuild, OutputRoots } from '../../host/index.ts';
import { buildToOutput, deliverAgain } from '../build-to-output.ts';
import type { OutputBuild } from '../build-to-output.ts';
import { describeFailure } from '../describe-failure.ts';
import type { Environment } from '../environment.ts';
import { withLimits } from '../limits.ts';
import { observeReads } from '../observe-reads.ts';
import type { StampedRead } from '../observe-reads.ts';
import type { WrittenOwner } from '../open-output.ts';
import { buildValidated } from '../build-validated.ts';
import { openInput } from '../open-input.ts';
import { isRemotePath } from '../packages/mount-packages.ts';
import type { SourcedFindings } from '../sourced-findings.ts';
import { readRequest } from '../read-request.ts';
import type { CacheSettings } from './cache/open-cache.ts';
import { hasSecretData } from './cache/cached-target.ts';
import type { CachedTarget, TargetFacts } from './cache/cached-target.ts';
import { findDeliveries } from './compare-deliveries.ts';
import { isUnpinned } from './fleet-packages.ts';
import type { FleetPackages } from './fleet-packages.ts';
import { refuseOutput } from './output-limits.ts';
import { inlineOf, settingsOfTarget } from './target-command.ts';
import type { SettingsFile } from './target-command.ts';

export type TargetAction = 'build' | 'check' | 'validate';

/** What all targets of a run have in common. Plain data, so that it can be sent to another process. */
export interface FleetJob {
  readonly source: SourceFile;
  /** Signatures that packages in registries must have. */
  readonly signatures: readonly SignatureRule[];
  readonly directory: string;
  readonly action: TargetAction;
  /** Settings of every target. */
  readonly settings: Partial<BuildSettings>;
  /** By the name of the target: the build that has written its output in an earlier run. */
  readonly earlier: ReadonlyMap<string, EarlierBuild>;
  readonly roots: OutputRoots;
  readonly cache?: CacheSettings | undefined;
}

export interface TargetOutcome extends TargetFacts {
  readonly name: string;
  readonly exitCode: number;
  readonly sources: readonly SourceFile[];
  /** The changes on disk in a few words. */
  readonly effect?: string | undefined;
  readonly owner?: WrittenOwner | undefined;
  /** What the command would print, for `--check`. */
  readonly stdout: string;
  readonly reads: readonly StampedRead[];
  /** Whether a later run with the same reads has the same result, so that it can be reused. */
  readonly isRepeatable: boolean;
  readonly output?: OutputStamp | undefined;
  readonly milliseconds: number;
  readonly isCached?: boolean | undefined;
  /** Findings about that cache, which are not about the target. */
  readonly cacheFindings?: readonly Diagnostic[] | undefined;
}

/** The state of the files that a target wrote. */
export interface OutputStamp {
  readonly paths: readonly string[];
  /** Size and time of each file in turn. */
  readonly stats: readonly number[];
  /** Digest of names and content. */
  readonly sha256: string;
  /** The owner of the files. */
  readonly instance: string;
}

export interface TargetContext {
  readonly job: FleetJob;
  /** With the directory of the fleet file as its working directory. */
  readonly environment: Environment;
  readonly kept: KeptFiles;
  readonly memory: Memory;
  readonly packages: FleetPackages;
}

type TargetBuild = Omit<OutputBuild, 'destination'>;

/** An outcome, and what other machines can use of it. */
interface BuiltTarget extends TargetOutcome {
  readonly keeping?: CachedTarget | undefined;
}

/** Writes or compares what another machine has built; `undefined` if that is not possible here. */
export async function deliverTarget(
  target: FleetTarget,
  { job, environment: outside, packages }: TargetContext,
  { result, reads }: { readonly result: CachedTarget; readonly reads: readonly StampedRead[] },
): Promise<BuiltTarget | undefined> {
  const startedAt = performance.now();
  let stdout = '';
  const writeStdout = (text: string): void => void (stdout += text);
  const environment = { ...outside, watched: undefined, progress: undefined, writeStdout };
  const { files, diagnostics: built, accepted, acceptedBy, written } = result;
  let delivered: Awaited<ReturnType<typeof deliverAgain>> = nothingWritten;
  try {
    if (job.action !== 'validate') {
      delivered = await deliverAgain(await openCall(target, environment, { packages, job }), result);
    }
  } catch {
    environment.signal?.throwIfAborted();
    // A build reports it.
    return undefined;
  }
  // If it cannot be written or compared, a build says why.
  const isStale =
    job.action === 'check' && delivered?.diagnostics.every(({ code }) => code === 'output-stale') === true;
  if (delivered === undefined || (delivered.exitCode !== 0 && !isStale)) return undefined;
  const { exitCode, diagnostics, effect, owner } = delivered;
  const hasOutput = job.action === 'build' && exitCode === 0;
  return {
    name: target.name,
    exitCode,
    diagnostics: [...built, ...diagnostics],
    sources: [],
    accepted,
    acceptedBy,
    written,
    effect,
    owner,
    stdout,
    reads,
    isRepeatable: exitCode === 0,
    output: hasOutput ? stampOutput(resolve(job.directory, target.settings.output), { files, owner }) : undefined,
    milliseconds: performance.now() - startedAt,
    isCached: true,
  };
}

const nothingWritten = { exitCode: 0, diagnostics: [], effect: undefined, owner: undefined } as const;

export async function buildTarget(
  target: FleetTarget,
  { job, environment: outside, kept, memory, packages }: TargetContext,
): Promise<BuiltTarget> {
  const startedAt = performance.now();
  const observed = observeReads(kept);
  let stdout = '';
  const environment: Environment = {
    // Each target has the limits of a single command.
    ...withLimits(outside, { memory }),
    files: kept.fileSystem,
    watched: observed.watched,
    progress: undefined,
    writeStdout: (text) => void (stdout += text),
  };
  let built: TargetBuild;
  try {
    built = await runTarget(await openCall(target, environment, { packages, job }), job);
  } catch (error) {
    environment.signal?.throwIfAborted();
    // A target that fails must not stop the others, whatever the reason is.
    built = describeFailure(error, targetHint);
  }
  const { exitCode, diagnostics, sources, accepted = [], result, effect, owner } = built;
  const hasOutput = job.action === 'build' && exitCode === 0 && result !== undefined;
  const facts = {
    written: exitCode === 0 ? result && listWritten(result) : undefined,
    accepted: accepted.length,
    acceptedBy: accepted.flatMap(({ entries = [] }) =>
      entries.flatMap(({ path }) => (path === undefined ? [] : [path])),
    ),
  };
  const canReuse = !observed.hasFetched() && !isUnpinned(target) && canRepeat(built, { kept, job, packages });
  const mayLeave = job.cache?.storesSecrets === true || result?.objects.some(hasSecretData) === false;
  const isStored = canReuse && job.cache !== undefined && result !== undefined && mayLeave;
  return {
    name: target.name,
    exitCode,
    diagnostics,
    sources: sourcesOf(diagnostics, sources),
    ...facts,
    effect,
    owner,
    stdout,
    reads: await observed.reads(result),
    isRepeatable: exitCode === 0 && canReuse,
    output: hasOutput
      ? stampOutput(resolve(job.directory, target.settings.output), { files: result.files, owner })
      : undefined,
    milliseconds: performance.now() - startedAt,
    keeping: isStored && built.kept !== undefined ? { ...facts, ...built.kept } : undefined,
  };
}

/** What the cluster gets from a target. */
function listWritten({ objects, files }: Pick<BuildResult, 'objects' | 'files'>): readonly string[] {
  return [...objects, ...findDeliveries(files)].flatMap((object) => writtenName(object) ?? []);
}

interface CallContext {
  readonly packages: FleetPackages;
  readonly job: Pick<FleetJob, 'source' | 'settings'> & Partial<FleetJob>;
}

/** The build of a target, whose package is fetched if it is in a registry. */
export async function openCall(target: FleetTarget, outside: Environment, { packages, job }: CallContext) {
  const { source, settings, action, earlier, roots, directory } = job;
  const { target: entered, environment } = await packages.enter(target, outside);
  const refusePlace =
    roots === undefined || directory === undefined
      ? undefined
      : () => refuseOutput(target, { directory, roots, fleet: { source } });
  return {
    ...createCall(entered, settings, { source, environment, isShared: true }),
    check: action === 'check',
    earlier: earlier?.get(target.name),
    refusePlace,
  };
}

/** The build that settings in a file describe, with settings that the caller has for all builds. */
export function createCall(
  target: { readonly settings: FleetTarget['settings'] },
  common: Partial<BuildSettings>,
  { environment, ...file }: SettingsFile & { readonly environment: Environment },
) {
  const own = settingsOfTarget(target);
  const settings = completeSettings({ ...common, ...own, strict: common.strict === true || own.strict === true });
  return { path: toSlashes(target.settings.package), settings, environment, inline: inlineOf(target, file) };
}

type TargetCall = ReturnType<typeof createCall>;

async function readCall({ path, settings, environment, inline }: TargetCall) {
  const input = await openInput(path, settings, environment);
  const reading = await readRequest(input, settings, environment, { inline });
  return { form: input.form, reading };
}

/** Builds and validates, and writes nothing. */
export async function validateCall(call: TargetCall) {
  const { form, reading } = await readCall(call);
  return await buildValidated(reading, { ...call, form });
}

async function runTarget(call: TargetCall, { action }: FleetJob): Promise<TargetBuild> {
  if (action !== 'validate') return buildToOutput(call);
  // With the layout and the output of the target, which a build could refuse.
  const built = await buildToOutput({ ...call, collectFor: call.settings.output });
  return { ...built, kept: built.kept && { files: [], directory: '', diagnostics: built.diagnostics } };
}

/** For bugs: the target can be built alone. */
export const targetHint = 'report it with the fleet file and the target';

export function describeFindings(name: string, { diagnostics, sources }: SourcedFindings): TargetOutcome {
  const nothing = { accepted: 0, acceptedBy: [], stdout: '', reads: [], isRepeatable: false };
  return { ...nothing, name, exitCode: 1, diagnostics, sources, milliseconds: 0 };
}

export function sourcesOf(diagnostics: readonly Diagnostic[], sources: readonly SourceFile[]): readonly SourceFile[] {
  const files = filesOf(diagnostics);
  const byPath = new Map(sources.map((source) => [source.path, source]));
  return [...byPath.values()].filter(({ path }) => files.has(path));
}

/** Findings of a target that is not built again are printed from the files they point into, which must not quote a Secret. */
function canRepeat(
  { diagnostics, sources }: Pick<OutputBuild, 'diagnostics' | 'sources'>,
  { kept, job, packages }: Pick<TargetContext, 'kept' | 'job' | 'packages'>,
): boolean {
  const canRead = (path: string): boolean =>
    isRemotePath(path) ? packages.store.held.size === 0 : path === job.source.path || kept.hasRead(path);
  return sourcesOf(diagnostics, sources).every(({ path, secrets = [] }) => secrets.length === 0 && canRead(path));
}

/** The files of a target as they are on disk now; `undefined` if one of them is missing. */
function stampOutput(
  directory: string,
  { files, owner }: { readonly files: readonly OutputFile[]; readonly owner: WrittenOwner | undefined },
): OutputStamp | undefined {
  if (owner === undefined) return undefined;
  const paths = [...files.map(({ path }) => path), inventoryName].sort();
  const stats = paths.flatMap((path) => {
    const entry = lstatSync(join(directory, path), missingIsUndefined);
    return entry?.isFile() === true ? [entry.size, entry.mtimeMs] : [];
  });
  if (stats.length < 2 * paths.length) return undefined;
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  texts.set(inventoryName, readFileSync(join(directory, inventoryName), 'utf8'));
  return { paths, stats, sha256: digestFiles(paths, (path) => texts.get(path)!), instance: owner.instance };
}

const missingIsUndefined = { throwIfNoEntry: false } as const;

export function hasStats(directory: string, { paths, stats }: OutputStamp): boolean {
  return paths.every((path, index) => {
    // A fleet has many thousand files, and joining these paths properly would take as long as looking at them.
    const entry = lstatSync(`${directory}/${path}`, missingIsUndefined);
    return entry?.isFile() === true && entry.size === stats[2 * index] && entry.mtimeMs === stats[2 * index + 1];
  });
}

export function digestFiles(paths: readonly string[], read: (path: string) => string): string {
  return digestOf(JSON.stringify(paths.map((path) => [path, read(path)])));
}
