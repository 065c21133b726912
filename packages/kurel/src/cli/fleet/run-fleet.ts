import type { FleetTarget } from '../../fleet/index.ts';
import type { CommandResult } from '../command.ts';
import type { WrittenOwner } from '../open-output.ts';
import { describeRefusal } from '../describe-failure.ts';
import { describeFindings } from './build-target.ts';
import type { FleetJob, TargetOutcome } from './build-target.ts';
import { readCacheFlags } from './cache/open-cache.ts';
import { collectOutcomes } from './collect-outcomes.ts';
import { readJobs, settingsForTargets } from './fleet-flags.ts';
import { fetchAtOnce, openFleetPackages } from './fleet-packages.ts';
import type { FleetPackages } from './fleet-packages.ts';
import { openOutputRecord } from './fleet-outputs.ts';
import { openState } from './fleet-state.ts';
import { handleLeftOutputs } from './left-outputs.ts';
import { openFleetWatch } from './stamp-reads.ts';
import { relocate, showPath } from './open-fleet.ts';
import type { FleetCall } from './open-fleet.ts';
import { addTexts, reportRun } from './print-run.ts';
import type { FinishedRun } from './print-run.ts';
import { openPool } from './run-targets.ts';
import { writeReport } from './shard-report.ts';

interface FleetRun extends FleetCall {
  readonly action: FleetJob['action'];
  /** Called with the keys of what each target read, such as `content apps/web/app.yaml`. */
  readonly onReads?: ((name: string, keys: readonly string[]) => void) | undefined;
}

/** Between them, other processes that build the first ones get their turn. */
const targetsPerTurn = 200;

export async function runFleet(run: FleetRun): Promise<CommandResult> {
  const { flags, opened, fleet, roots, selection, action, environment } = run;
  const jobs = readJobs(flags.jobs);
  const cache = readCacheFlags(flags, environment);
  const { targets } = selection;
  const directory = opened.environment.workingDirectory;
  const record = openOutputRecord(directory, fleet, roots);
  const { source, signatures } = fleet;
  const { earlier } = record;
  const job: FleetJob = {
    source,
    signatures,
    directory,
    action,
    settings: settingsForTargets(flags),
    earlier,
    roots,
    cache,
  };
  if (action === 'build') record.begin(selection.ofAllShards, targets);
  const state = flags['no-cache'] ? undefined : openState(job, environment);
  const outcomes = collectOutcomes(fleet, targets);
  const owners = new Map<string, WrittenOwner>();
  const startedAt = performance.now();
  const watch = openFleetWatch(directory, environment);
  let [stale, done] = [0, 0];
  const onOutcome = (target: FleetTarget, outcome: TargetOutcome): void => {
    outcomes.add(target, outcome);
    if (outcome.owner !== undefined) owners.set(target.name, outcome.owner);
    state?.add(target, outcome);
    watch.note(outcome.reads);
    run.onReads?.(
      target.name,
      outcome.reads.map(([key]) => key),
    );
    done += 1;
    environment.progress?.print(() => describeProgress(done, stale, performance.now() - startedAt));
  };
  const packages = openFleetPackages({ ...job, environment: opened.environment });
  const pool = openPool({ job, packages, jobs, onOutcome }, environment);
  const inRegistries: FleetTarget[] = [];
  try {
    for (const [index, target] of targets.entries()) {
      if (index % targetsPerTurn === targetsPerTurn - 1) await new Promise((resolve) => setImmediate(resolve));
      if (target.problems !== undefined) {
        stale += 1;
        onOutcome(target, describeFindings(target.name, { diagnostics: target.problems, sources: [] }));
        continue;
      }
      const kept = await state?.find(target);
      // A build replaces what the record still knows.
      if (kept !== undefined && (kept.instance === undefined || record.isSettled(target, kept.instance))) {
        outcomes.addKept(target, kept);
        watch.noteKept(kept.keys);
        run.onReads?.(target.name, kept.keys());
        continue;
      }
      stale += 1;
      if (target.registered === undefined) pool.add(target);
      else inRegistries.push(target);
    }
    for (const target of await prepareTargets(inRegistries, packages, onOutcome)) pool.add(target);
    await pool.finish();
  } finally {
    pool.stop();
  }
  state?.save(fleet.targets);
  if (await watch.hasMissedChange()) return runFleet(run);
  const results = outcomes.results();
  const failing = new Set(results.flatMap(({ name, state: ended }) => (ended === 'failed' ? [name] : [])));
  const { prune } = flags;
  const left = handleLeftOutputs(record, { action, prune, selection, failing, environment: opened.environment, roots });
  if (action === 'build') {
    record.complete(
      targets.filter(({ name }) => !failing.has(name)),
      owners,
    );
  }
  const findings = outcomes.findings();
  const own = [...opened.diagnostics, ...left.diagnostics];
  const sources = [...opened.sources, ...findings.sources];
  const result: FinishedRun = {
    action,
    file: showPath(fleet.source.path, opened, environment),
    results,
    own: relocate({ diagnostics: own, sources: [] }, run).diagnostics,
    found: relocate({ diagnostics: findings.diagnostics, sources: [] }, run).diagnostics,
    sources: relocate({ diagnostics: [], sources }, run).sources,
    accepted: outcomes.accepted(),
    acceptances: outcomes.acceptances(),
    isWhole: targets.length === fleet.targets.length,
    pruned: left.pruned,
  };
  const finished = await addTexts(result, environment, (path) => packages.readText(path));
  const unwritten = flags.report === undefined ? [] : writeReport(finished, flags.report, run);
  return reportRun({ ...finished, own: [...finished.own, ...unwritten] }, flags, environment);
}

/** Fetches packages, those of different targets at the same time. Targets whose package cannot be fetched have failed. */
async function prepareTargets(
  targets: readonly FleetTarget[],
  packages: FleetPackages,
  onOutcome: (target: FleetTarget, outcome: TargetOutcome) => void,
): Promise<readonly FleetTarget[]> {
  const prepared = await fetchAtOnce(targets, async (target) => {
    try {
      return [await packages.prepare(target)];
    } catch (error) {
      const refusal = describeRefusal(error);
      if (refusal === undefined) throw error;
      onOutcome(target, describeFindings(target.name, refusal));
      return [];
    }
  });
  return prepared.flat();
}

function describeProgress(done: number, all: number, milliseconds: number): string {
  const left = Math.ceil(((milliseconds / done) * (all - done)) / 1000);
  return `building targets: ${done.toLocaleString('en-US')} of ${all.toLocaleString('en-US')}, about ${left} s left`;
}
