import { DiagnosticError } from '../../diagnostics/index.ts';
import type { FleetTarget } from '../../fleet/index.ts';
import { normalisePath } from '../../forms/index.ts';
import { removeOutput } from '../../host/index.ts';
import type { OutputRoots } from '../../host/index.ts';
import type { Diagnostic } from '../../model/index.ts';
import type { Environment } from '../environment.ts';
import { placeOnDisk } from '../open-world.ts';
import { cliProblems } from '../problems.ts';
import type { LeftOutput, openOutputRecord } from './fleet-outputs.ts';
import type { TargetSelection } from './open-fleet.ts';
import { refusePlace } from './output-limits.ts';

interface FinishedTargets {
  readonly action: 'build' | 'check' | 'validate';
  readonly prune: boolean;
  readonly selection: TargetSelection;
  /** Names of targets that failed. */
  readonly failing: ReadonlySet<string>;
  /** With the directory of the fleet file as its working directory. */
  readonly environment: Environment;
  readonly roots: OutputRoots;
}

type OutputRecord = ReturnType<typeof openOutputRecord>;

interface LeftReport {
  readonly diagnostics: readonly Diagnostic[];
  /** How many outputs of removed targets were removed. */
  readonly pruned: number;
}

/**
 * Directories that no target writes to any more. That of a target which has moved is removed by the build that has written the new one; those
 * of targets that no longer exist need `--prune`. Both are errors with `--check`, because the repository is not what the fleet file says.
 */
export function handleLeftOutputs(record: OutputRecord, run: FinishedTargets): LeftReport {
  const { action, prune, selection, failing } = run;
  if (action === 'validate') return { diagnostics: [], pruned: 0 };
  const isCheck = action === 'check';
  const selected = new Set(selection.targets.map(({ name }) => name));
  // A check fails for every target that moves, and says where its old files are.
  const isDone = ({ target }: LeftOutput): boolean => selected.has(target) && (isCheck || !failing.has(target));
  const moved = record.left.filter((each) => each.now !== undefined && isDone(each));
  const isOwn = ({ target, now }: LeftOutput): boolean => now === undefined && selection.owns(target);
  const removed = selection.isWhole || prune ? record.left.filter(isOwn) : [];
  const severity = isCheck || prune ? 'error' : 'warning';
  const inside = (list: readonly LeftOutput[]) => list.filter((each) => refuse(each, run) === undefined);
  // Anybody could have written a path into the record.
  const refusals = [...moved, ...removed].flatMap((each) => {
    const problem = refuse(each, run);
    return problem === undefined ? [] : [{ ...problem, severity } as const];
  });
  if (isCheck) {
    const list = [...inside(moved), ...inside(removed)].map((each) => report(each, 'error'));
    return { diagnostics: [...refusals, ...list, ...reportStale(record, run)], pruned: 0 };
  }
  const [movedHere, removedHere] = [inside(moved), inside(removed)];
  const gone = [...movedHere, ...(prune ? removedHere : [])];
  const findings = new Map(gone.map((each) => [each, removeLeft(each, run)] as const));
  // One that could not be removed is reported again by the next run.
  const isRemoved = (each: LeftOutput): boolean =>
    findings.get(each)?.some(({ code, severity: grade }) => grade === 'error' || keptCodes.includes(code)) !== true;
  record.forget(gone.filter(isRemoved));
  const diagnostics = [...findings.values()].flat();
  const reported = prune ? [] : removedHere.map((each) => report(each, 'warning'));
  return {
    diagnostics: [...refusals, ...diagnostics, ...reported],
    pruned: prune ? removedHere.filter(isRemoved).length : 0,
  };
}

/** Findings about outputs whose files are not known. */
const keptCodes: readonly string[] = ['output-earlier-unknown', 'output-inventory-missing'];

/** A removal that fails does not prevent the others. */
function removeLeft(
  { output, instances, now }: LeftOutput,
  { environment }: Pick<FinishedTargets, 'environment'>,
): readonly Diagnostic[] {
  try {
    return removeOutput(placeOnDisk(output, environment), { instances, keepsRoot: now === undefined });
  } catch (error) {
    if (error instanceof DiagnosticError) return error.diagnostics;
    throw error;
  }
}

function refuse({ output }: LeftOutput, { environment, roots }: Pick<FinishedTargets, 'environment' | 'roots'>) {
  return refusePlace({ path: output, directory: environment.workingDirectory, subject: 'removed output' }, roots);
}

function report({ output, target, now }: LeftOutput, severity: 'error' | 'warning'): Diagnostic {
  return now === undefined
    ? cliProblems.create('fleet-output-removed', { output, target }, { severity })
    : cliProblems.create('fleet-output-moved', { output, target, now: normalisePath(now) }, { severity });
}

/** For targets whose files are up to date, but not what the record says about them. */
function reportStale(record: OutputRecord, { selection, failing }: FinishedTargets): readonly Diagnostic[] {
  const isStale = (target: FleetTarget): boolean => !failing.has(target.name) && record.findStale(target) !== undefined;
  return selection.targets.filter(isStale).map((target) => {
    const { name, settings } = target;
    const recorded = record.findStale(target)!;
    const now = { target: name, instances: settings.instance === undefined ? [] : [settings.instance] };
    return cliProblems.create('fleet-record-stale', { output: normalisePath(settings.output), recorded, target: now });
  });
}
