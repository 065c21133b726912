import { resolve } from 'node:path';

import type { FleetTarget } from '../../fleet/index.ts';
import { normalisePath } from '../../forms/index.ts';
import { removeOutput } from '../../host/index.ts';
import type { OutputRoots } from '../../host/index.ts';
import type { Diagnostic } from '../../model/index.ts';
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
  readonly directory: string;
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
  const { action, prune, selection, failing, directory, roots } = run;
  if (action === 'validate') return { diagnostics: [], pruned: 0 };
  const isCheck = action === 'check';
  const selected = new Set(selection.targets.map(({ name }) => name));
  // A check fails for every target that moves, and says where its old files are.
  const isDone = ({ target }: LeftOutput): boolean => selected.has(target) && (isCheck || !failing.has(target));
  const moved = record.left.filter((each) => each.now !== undefined && isDone(each));
  const isOwn = ({ target, now }: LeftOutput): boolean => now === undefined && selection.owns(target);
  const removed = selection.isWhole || prune ? record.left.filter(isOwn) : [];
  const severity = isCheck || prune ? 'error' : 'warning';
  const inside = (list: readonly LeftOutput[]) =>
    list.filter((each) => refuse(each, { directory, roots }) === undefined);
  // Anybody could have written a path into the record.
  const refusals = [...moved, ...removed].flatMap((each) => {
    const problem = refuse(each, { directory, roots });
    return problem === undefined ? [] : [{ ...problem, severity } as const];
  });
  if (isCheck) {
    const list = [...inside(moved), ...inside(removed)].map((each) => report(each, 'error'));
    return { diagnostics: [...refusals, ...list, ...reportStale(record, run)], pruned: 0 };
  }
  const [movedHere, removedHere] = [inside(moved), inside(removed)];
  const gone = [...movedHere, ...(prune ? removedHere : [])];
  const findings = new Map(
    gone.map((each) => {
      const { output, instance, now } = each;
      return [each, removeOutput(resolve(directory, output), { instance, keepsRoot: now === undefined })] as const;
    }),
  );
  // One that nobody could remove is reported again by the next run.
  const isUnknown = (each: LeftOutput): boolean =>
    findings.get(each)?.some(({ code }) => code === 'output-earlier-unknown') === true;
  record.forget(gone.filter((each) => !isUnknown(each)));
  const diagnostics = [...findings.values()].flat();
  const reported = prune ? [] : removedHere.map((each) => report(each, 'warning'));
  return {
    diagnostics: [...refusals, ...diagnostics, ...reported],
    pruned: prune ? removedHere.filter((each) => !isUnknown(each)).length : 0,
  };
}

function refuse({ output }: LeftOutput, { directory, roots }: Pick<FinishedTargets, 'directory' | 'roots'>) {
  return refusePlace({ path: output, directory, subject: 'removed output' }, roots);
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
    const now = { target: name, instance: settings.instance };
    return cliProblems.create('fleet-record-stale', { output: normalisePath(settings.output), recorded, target: now });
  });
}
