import { TarError } from '../../archive/index.ts';
import { createRenderedArtifact, pushArtifact, reportRegistry } from '../../artifact/index.ts';
import type { Artifact } from '../../artifact/index.ts';
import { createBudget, createMemory } from '../../budget/index.ts';
import { DiagnosticError } from '../../diagnostics/index.ts';
import type { Fleet, FleetTarget } from '../../fleet/index.ts';
import type { Diagnostic } from '../../model/index.ts';
import { keepReads } from '../../reads/index.ts';
import { openRepository, readOciReference } from '../../registry/index.ts';
import type { FetchAccess } from '../../registry/index.ts';
import { buildToOutput } from '../build-to-output.ts';
import type { OutputBuild } from '../build-to-output.ts';
import { build as buildCommand } from '../commands/build.ts';
import type { Environment } from '../environment.ts';
import { createJqBudget } from '../limits.ts';
import { openDisk } from '../open-world.ts';
import { parseFlags } from '../parse-flags.ts';
import type { Findings } from '../print-diagnostics.ts';
import { cliProblems } from '../problems.ts';
import { describeFailure, describeFindings } from './build-target.ts';
import { collectOutcomes } from './collect-outcomes.ts';
import { openFleetPackages } from './fleet-packages.ts';
import type { FleetPackages } from './fleet-packages.ts';
import { inlineOf, wordsOf } from './target-command.ts';

interface FleetPush {
  readonly fleet: Fleet;
  /** All of them have an artifact. */
  readonly targets: readonly FleetTarget[];
  readonly words: readonly string[];
  /** With the directory of the fleet file as its working directory. */
  readonly environment: Environment;
  /** `undefined` to push nothing. */
  readonly access: FetchAccess | undefined;
  readonly tags: readonly string[];
  readonly annotations: Readonly<Record<string, string>>;
  readonly force: boolean;
}

/** What happened to the output of a target. */
export interface PushedTarget {
  readonly name: string;
  /** `oci://host/path@sha256:…`; absent if the target failed. */
  readonly reference?: string;
  readonly state: 'pushed' | 'moved' | 'unchanged' | 'not pushed' | 'failed';
}

interface FleetPushResult extends Findings {
  readonly pushed: readonly PushedTarget[];
}

/** Builds targets and pushes their output. A target that fails does not stop the others, and its tags stay where they are. */
export async function pushTargets(push: FleetPush): Promise<FleetPushResult> {
  const { fleet, targets, words, environment } = push;
  const outcomes = collectOutcomes(fleet, targets);
  const shop = {
    files: keepReads(openDisk(environment)).fileSystem,
    memory: createMemory(),
    packages: openFleetPackages({ ...fleet, words, environment }),
  };
  const pushed: PushedTarget[] = [];
  for (const target of targets) {
    const { diagnostics, sources, ...result } = await pushTarget(target, push, shop);
    outcomes.add(target, describeFindings(target.name, { diagnostics, sources }));
    pushed.push({ name: target.name, ...result });
  }
  return { ...outcomes.findings(), pushed };
}

interface PushShop {
  readonly files: Environment['files'];
  readonly memory: ReturnType<typeof createMemory>;
  readonly packages: FleetPackages;
}

type TargetPush = Findings & Omit<PushedTarget, 'name'>;

async function pushTarget(target: FleetTarget, push: FleetPush, shop: PushShop): Promise<TargetPush> {
  const { environment } = push;
  const { result, diagnostics, sources, exitCode } = await buildFiles(target, push, shop);
  if (exitCode !== 0 || result === undefined) return { diagnostics, sources, state: 'failed' };
  try {
    const encoder = new TextEncoder();
    const files = result.files.map(({ path, text }) => ({ path, bytes: encoder.encode(text) }));
    const artifact = await createRenderedArtifact(files, push.annotations);
    const reference = `${target.settings.artifact}@${artifact.digest}`;
    return { diagnostics, sources, reference, state: await upload(artifact, target, push) };
  } catch (error) {
    environment.signal?.throwIfAborted();
    return { diagnostics: [...diagnostics, ...findingsIn(error, target, push.fleet)], sources, state: 'failed' };
  }
}

async function buildFiles(
  given: FleetTarget,
  { fleet, words, environment: outside }: FleetPush,
  { files, memory, packages }: PushShop,
): Promise<Omit<OutputBuild, 'destination'>> {
  try {
    const limits = { budget: createBudget(outside.limits?.budget, memory), jqBudget: createJqBudget(outside.limits) };
    const { target, environment } = await packages.enter(given, { ...outside, ...limits, files });
    const { positionals, flags } = parseFlags(buildCommand, [...words, ...wordsOf(target)]);
    return await buildToOutput({
      path: positionals[0]!,
      flags,
      environment,
      inline: inlineOf(target, fleet.source),
      collectFor: target.settings.artifact,
    });
  } catch (error) {
    outside.signal?.throwIfAborted();
    return describeFailure(error);
  }
}

async function upload(
  artifact: Artifact,
  { settings }: FleetTarget,
  { access, tags, force }: FleetPush,
): Promise<PushedTarget['state']> {
  const reference = readOciReference(settings.artifact!);
  if (access === undefined || 'reason' in reference) return 'not pushed';
  const states = await reportRegistry(async () => {
    const repository = openRepository(reference, access, 'pull,push');
    return await pushArtifact(artifact, repository, { url: settings.artifact!, tags, force });
  });
  if (states.some(({ state }) => state === 'moved')) return 'moved';
  return states.every(({ state }) => state === 'unchanged') ? 'unchanged' : 'pushed';
}

/** What the registry or the archive refuses, at the artifact in the fleet file. */
function findingsIn(error: unknown, target: FleetTarget, { source }: Fleet): readonly Diagnostic[] {
  const { settings, origins, path } = target;
  const location = { file: source.path, document: 0, path: origins.artifact?.at(-1) ?? path };
  if (error instanceof DiagnosticError) return error.diagnostics.map((one) => Object.assign({}, one, { location }));
  if (!(error instanceof TarError)) throw error;
  const args = { path: settings.artifact!, reason: error.message, hint: undefined };
  return [cliProblems.create('push-file-refused', args, { location })];
}
