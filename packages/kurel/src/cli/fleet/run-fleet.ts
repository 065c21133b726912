import { createBudget, listFindings } from '../../budget/index.ts';
import { shouldUseColor } from '../../diagnostics/index.ts';
import type { Fleet, FleetTarget } from '../../fleet/index.ts';
import type { Diagnostic, Location } from '../../model/index.ts';
import type { ExitCode } from '../command.ts';
import type { Environment } from '../environment.ts';
import { printDiagnostics } from '../print-diagnostics.ts';
import type { Findings, PrintOptions } from '../print-diagnostics.ts';
import type { FleetJob } from './build-target.ts';
import { collectOutcomes } from './collect-outcomes.ts';
import { openOutputRecord, pruneOutputs, reportRemoved } from './fleet-outputs.ts';
import { noState, openState } from './fleet-state.ts';
import { noteKeys, openFleetWatch } from './fleet-watch.ts';
import { showPath } from './open-fleet.ts';
import type { OpenedFleet } from './open-fleet.ts';
import { formatSummary } from './print-summary.ts';
import { openPool } from './run-targets.ts';

export interface FleetRun extends PrintOptions {
  readonly opened: OpenedFleet;
  readonly fleet: Fleet;
  readonly targets: readonly FleetTarget[];
  readonly action: FleetJob['action'];
  /** Flags that apply to every target. */
  readonly words: readonly string[];
  readonly jobs: number | undefined;
  readonly prune: boolean;
  readonly isCached: boolean;
  readonly strict: boolean;
  readonly environment: Environment;
}

/** Builds, checks or validates targets, and prints one report. */
export async function runFleet(given: FleetRun): Promise<ExitCode> {
  const run = given.action === 'validate' ? { ...given, environment: reportToStdout(given.environment) } : given;
  const { opened, fleet, targets, action, words, environment } = run;
  const directory = opened.environment.workingDirectory;
  const record = openOutputRecord(directory, fleet);
  const job: FleetJob = { source: fleet.source, directory, action, words, written: record.written };
  if (action === 'build') record.begin(targets);
  const state = run.isCached ? openState(job, environment) : noState;
  const outcomes = collectOutcomes(fleet, targets);
  const startedAt = performance.now();
  const watch = openFleetWatch(directory, environment);
  let [stale, done] = [0, 0];
  const pool = openPool(
    {
      job,
      jobs: run.jobs,
      onOutcome(target, outcome) {
        outcomes.add(target, outcome);
        state.add(target, outcome);
        watch.note(outcome.reads);
        done += 1;
        environment.progress?.print(() => describeProgress(done, stale, performance.now() - startedAt));
      },
    },
    environment,
  );
  try {
    for await (const target of findStale(run, { state, outcomes, directory })) {
      stale += 1;
      pool.add(target);
    }
    await pool.finish();
  } finally {
    pool.stop();
  }
  state.save(fleet.targets);
  if (await watch.hasMissedChange()) return runFleet(given);
  const removed = targets.length === fleet.targets.length || run.prune ? record.removed : [];
  const pruned = run.prune ? pruneOutputs(removed, directory) : reportRemoved(removed, action === 'check');
  if (run.prune) record.forget(removed);
  const found = limitGroups(outcomes.findings(), environment);
  const own = [...opened.diagnostics, ...(action === 'validate' ? [] : pruned)];
  const diagnostics = [...own, ...found.diagnostics].map((one) => makeStrict(one, run.strict));
  const findings = relocate({ diagnostics, sources: [...opened.sources, ...found.sources] }, run);
  environment.progress?.clear();
  const results = outcomes.results();
  const failing = new Set(results.flatMap((one) => (one.state === 'failed' ? [one.name] : [])));
  if (action === 'build') record.complete(targets.filter(({ name }) => !failing.has(name)));
  const isText = (run.format ?? 'text') === 'text';
  environment.writeStdout(outcomes.stdout());
  await printDiagnostics(await withTexts(findings, run), run, environment);
  if (isText) {
    const color = run.color === 'always' || (run.color !== 'never' && useStderrColor(environment));
    environment.writeStderr(
      formatSummary(results, {
        color,
        accepted: outcomes.accepted(),
        action,
        pruned: run.prune ? removed.length : 0,
        showsTimes: environment.stderrIsTerminal,
      }),
    );
  }
  return failing.size > 0 || findings.diagnostics.some(({ severity }) => severity === 'error') ? 1 : 0;
}

/** The limit of a single command applies to the whole run. */
function limitGroups({ diagnostics, sources }: Findings, { budget }: Environment): Findings {
  const { report, all } = listFindings(budget ?? createBudget());
  diagnostics.forEach(report);
  return { diagnostics: all(), sources };
}

/** The report is the output of a validation, as it is for single inputs. */
function reportToStdout(environment: Environment): Environment {
  return { ...environment, writeStderr: environment.writeStdout, stderrIsTerminal: environment.stdoutIsTerminal };
}

interface Freshness {
  readonly state: ReturnType<typeof openState>;
  readonly outcomes: ReturnType<typeof collectOutcomes>;
  readonly directory: string;
}

/** Between them, other processes that build the first ones get their turn. */
const targetsPerTurn = 200;

async function* findStale(
  { targets, environment }: FleetRun,
  { state, outcomes, directory }: Freshness,
): AsyncGenerator<FleetTarget, void, undefined> {
  for (const [index, target] of targets.entries()) {
    if (index % targetsPerTurn === targetsPerTurn - 1) await new Promise((resolve) => setImmediate(resolve));
    const known = await state.find(target);
    if (known === undefined) yield target;
    else {
      outcomes.addKept(target, known);
      noteKeys(known.keys, directory, environment);
    }
  }
}

function describeProgress(done: number, all: number, milliseconds: number): string {
  const left = Math.ceil(((milliseconds / done) * (all - done)) / 1000);
  return `building targets: ${done.toLocaleString('en-US')} of ${all.toLocaleString('en-US')}, about ${left} s left`;
}

export function makeStrict(diagnostic: Diagnostic, strict: boolean): Diagnostic {
  return strict && diagnostic.severity === 'warning' ? { ...diagnostic, severity: 'error' } : diagnostic;
}

function useStderrColor({ stderrIsTerminal, variables }: Environment): boolean {
  return shouldUseColor({ isTerminal: stderrIsTerminal, environment: variables });
}

/** Paths in findings are relative to the fleet file; people and editors need them relative to their working directory. */
export function relocate(
  { diagnostics, sources }: Findings,
  { opened, environment }: Pick<FleetRun, 'opened' | 'environment'>,
): Findings {
  const show = (path: string): string => showPath(path, opened, environment);
  if (show('x') === 'x') return { diagnostics, sources };
  const place = (location: Location): Location => ({ ...location, file: show(location.file) });
  return {
    sources: sources.map((source) => ({ ...source, path: show(source.path) })),
    diagnostics: diagnostics.map((one) => ({
      ...one,
      ...(one.location === undefined ? {} : { location: place(one.location) }),
      ...(one.related === undefined
        ? {}
        : { related: one.related.map((other) => ({ ...other, location: place(other.location) })) }),
    })),
  };
}

/** Findings of targets that were not built again point into files that this run has not read. */
async function withTexts(findings: Findings, { environment }: FleetRun): Promise<Findings> {
  const known = new Set(findings.sources.map(({ path }) => path));
  const { openDisk } = await import('../open-world.ts');
  const disk = openDisk({ ...environment, watched: undefined });
  const sources = [...findings.sources];
  for (const { location } of findings.diagnostics) {
    if (location === undefined || known.has(location.file)) continue;
    known.add(location.file);
    try {
      sources.push({ path: location.file, text: await disk.readText(location.file) });
    } catch {
      // The finding is printed without an excerpt.
      continue;
    }
  }
  return { ...findings, sources };
}
