import { TarError } from '../../archive/index.ts';
import { createRenderedArtifact, pushArtifact, reportRegistry } from '../../artifact/index.ts';
import type { Artifact } from '../../artifact/index.ts';
import { createMemory } from '../../budget/index.ts';
import { DiagnosticError, escapeControls, quote } from '../../diagnostics/index.ts';
import type { Fleet, FleetTarget } from '../../fleet/index.ts';
import type { Diagnostic } from '../../model/index.ts';
import { keepReads } from '../../reads/index.ts';
import { openRepository, readOciReference } from '../../registry/index.ts';
import type { FetchAccess } from '../../registry/index.ts';
import { buildToOutput } from '../build-to-output.ts';
import type { OutputBuild } from '../build-to-output.ts';
import type { CommandResult } from '../command.ts';
import { describeFailure } from '../describe-failure.ts';
import { withLimits } from '../limits.ts';
import { openDisk } from '../open-world.ts';
import { checkTags, encodeFiles, readAnnotations } from '../packages/run-push.ts';
import type { SourcedFindings } from '../sourced-findings.ts';
import { cliProblems } from '../problems.ts';
import { createRegistryAccess } from '../registry-access.ts';
import { columnWidth } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import { describeFindings, openCall, targetHint } from './build-target.ts';
import { collectOutcomes } from './collect-outcomes.ts';
import { settingsForTargets } from './fleet-flags.ts';
import { openFleetPackages } from './fleet-packages.ts';
import type { FleetCall } from './open-fleet.ts';
import { formatCount, joinCounts, reportFleet } from './print-run.ts';
import { settingsOf } from '../setting-flags.ts';

/** Pushes the output of all targets that have an artifact, and lists their references. The words name targets. */
export async function runPush(call: FleetCall, words: readonly string[]): Promise<CommandResult> {
  const { flags, opened, selection } = call;
  const { targets } = selection;
  checkTags(flags.tag);
  const annotations = readAnnotations(flags.annotation);
  const chosen = targets.filter(({ settings }) => settings.artifact !== undefined);
  const without = targets.find(({ name, settings }) => settings.artifact === undefined && words.includes(name));
  if (without !== undefined || (chosen.length === 0 && targets.length > 0)) {
    const who = without === undefined ? 'no target has' : `target ${quote(without.name)} does not have`;
    throw new UsageError(`${who} an artifact`, 'set "artifact" in the fleet file, such as oci://host/{cluster}/{app}');
  }
  const access = flags['dry-run'] ? undefined : createRegistryAccess(settingsOf(flags), opened.environment);
  const { pushed, ...findings } = await pushTargets(chosen, { ...call, access, annotations });
  const reported = reportFleet(findings, { ...call, strict: flags.strict });
  return {
    ...reported,
    stdout: formatPushed(pushed),
    remark: `${summarisePushed(pushed)}\n`,
    exitCode: pushed.some(({ state }) => state === 'failed') ? 1 : reported.exitCode,
  };
}

/** One line per target, for other programs. */
function formatPushed(pushed: readonly PushedTarget[]): string {
  const rows = pushed.filter(({ reference }) => reference !== undefined);
  const width = columnWidth(rows.map(({ name }) => name));
  return rows
    .map(({ name, reference }) => `${escapeControls(name.padEnd(width))}  ${escapeControls(reference!)}\n`)
    .join('');
}

/** `12 targets: 10 pushed, 2 unchanged` */
function summarisePushed(pushed: readonly PushedTarget[]): string {
  const counts = { failed: 0, pushed: 0, moved: 0, unchanged: 0, 'not pushed': 0 };
  for (const { state } of pushed) counts[state] += 1;
  return `${formatCount(pushed.length, 'target')}: ${joinCounts(counts)}`;
}

interface FleetPush extends FleetCall {
  /** `undefined` to push nothing. */
  readonly access: FetchAccess | undefined;
  readonly annotations: Readonly<Record<string, string>>;
}

interface PushedTarget {
  readonly name: string;
  /** `oci://host/path@sha256:…`; absent if the target failed. */
  readonly reference?: string;
  readonly state: 'pushed' | 'moved' | 'unchanged' | 'not pushed' | 'failed';
}

/** Builds targets and pushes their output. A target that fails does not stop the others, and its tags stay where they are. */
async function pushTargets(
  targets: readonly FleetTarget[],
  push: FleetPush,
): Promise<SourcedFindings & { readonly pushed: readonly PushedTarget[] }> {
  const { fleet, flags, opened } = push;
  const settings = settingsForTargets(flags);
  const outcomes = collectOutcomes(fleet, targets);
  const environment = { ...opened.environment, files: keepReads(openDisk(opened.environment)).fileSystem };
  const memory = createMemory();
  const packages = openFleetPackages({ ...fleet, settings, environment: opened.environment });
  const pushed: PushedTarget[] = [];

  async function buildFiles(target: FleetTarget): Promise<Omit<OutputBuild, 'destination'>> {
    if (target.problems !== undefined) return { exitCode: 1, diagnostics: target.problems, sources: [] };
    try {
      const limited = withLimits(environment, { memory });
      const call = await openCall(target, limited, { packages, job: { source: fleet.source, settings } });
      return await buildToOutput({ ...call, collectFor: target.settings.artifact });
    } catch (error) {
      environment.signal?.throwIfAborted();
      return describeFailure(error, targetHint);
    }
  }

  for (const target of targets) {
    const { diagnostics, sources, ...result } = await pushTarget(target, await buildFiles(target), push);
    outcomes.add(target, describeFindings(target.name, { diagnostics, sources }));
    pushed.push({ name: target.name, ...result });
  }
  return { ...outcomes.findings(), pushed };
}

async function pushTarget(
  target: FleetTarget,
  { result, diagnostics, sources, exitCode }: Omit<OutputBuild, 'destination'>,
  push: FleetPush,
): Promise<SourcedFindings & Omit<PushedTarget, 'name'>> {
  if (exitCode !== 0 || result === undefined) return { diagnostics, sources, state: 'failed' };
  try {
    const artifact = await createRenderedArtifact(encodeFiles(result), push.annotations);
    const reference = `${target.settings.artifact}@${artifact.digest}`;
    return { diagnostics, sources, reference, state: await upload(artifact, target, push) };
  } catch (error) {
    push.opened.environment.signal?.throwIfAborted();
    return { diagnostics: [...diagnostics, ...findingsIn(error, target, push.fleet)], sources, state: 'failed' };
  }
}

async function upload(
  artifact: Artifact,
  { settings }: FleetTarget,
  { access, flags: { tag: tags, force } }: FleetPush,
): Promise<PushedTarget['state']> {
  const reference = readOciReference(settings.artifact!);
  if (access === undefined || 'reason' in reference) return 'not pushed';
  const repository = openRepository(reference, access, 'pull,push');
  const states = await reportRegistry(() =>
    pushArtifact(artifact, repository, { url: settings.artifact!, tags, force }),
  );
  if (states.some(({ state }) => state === 'moved')) return 'moved';
  return states.every(({ state }) => state === 'unchanged') ? 'unchanged' : 'pushed';
}

/** What the registry or the archive refuses, at the artifact in the fleet file. */
function findingsIn(error: unknown, target: FleetTarget, { source }: Fleet): readonly Diagnostic[] {
  const { settings, origins, path } = target;
  const location = { file: source.path, document: 0, path: origins.artifact?.at(-1) ?? path };
  if (error instanceof DiagnosticError)
    return error.diagnostics.map((finding) => Object.assign({}, finding, { location }));
  if (!(error instanceof TarError)) throw error;
  const args = { path: settings.artifact!, reason: error.message, hint: undefined };
  return [cliProblems.create('push-file-refused', args, { location })];
}
