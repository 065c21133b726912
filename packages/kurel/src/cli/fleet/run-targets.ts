import { availableParallelism } from 'node:os';

import type { FleetTarget } from '../../fleet/index.ts';
import type { Environment, WorkerProcess } from '../environment.ts';
import { cliProblems } from '../problems.ts';
import { openWorkshop } from './build-target.ts';
import type { FleetJob, TargetOutcome } from './build-target.ts';

export interface TargetRun {
  readonly job: FleetJob;
  readonly targets: readonly FleetTarget[];
  /** How many processes build; by default as many as there are cores, if there is enough to do. */
  readonly jobs?: number | undefined;
  readonly onOutcome: (target: FleetTarget, outcome: TargetOutcome) => void;
}

/** Starting a process takes as long as building this many targets. */
const targetsPerWorker = 30;
const batchSize = 16;

/** Builds targets in this process or in several; the results do not depend on how many. */
export async function runTargets(run: TargetRun, environment: Environment): Promise<void> {
  const { targets } = run;
  const useful = Math.min(availableParallelism(), Math.ceil(targets.length / targetsPerWorker));
  const count = Math.min(run.jobs ?? useful, targets.length);
  if (count <= 1 || environment.startWorker === undefined) {
    const workshop = openWorkshop(run.job, environment);
    for (const target of targets) {
      environment.signal?.throwIfAborted();
      run.onOutcome(target, await workshop.build(target));
    }
    return;
  }
  await runInWorkers(run, { environment, count, startWorker: environment.startWorker });
}

interface Pool {
  readonly environment: Environment;
  readonly count: number;
  readonly startWorker: () => WorkerProcess;
}

async function runInWorkers(run: TargetRun, { environment, count, startWorker }: Pool): Promise<void> {
  const queue = createQueue(run.targets);
  const workers = new Set<WorkerProcess>();
  const stop = (): void => {
    for (const worker of workers) worker.stop();
  };
  environment.signal?.addEventListener('abort', stop);
  try {
    await Promise.all(
      Array.from({ length: count }, async () => {
        while (!queue.isEmpty() && environment.signal?.aborted !== true) {
          await serve(run, { queue, workers, startWorker });
        }
      }),
    );
    environment.signal?.throwIfAborted();
  } finally {
    environment.signal?.removeEventListener('abort', stop);
    stop();
  }
}

interface Serving {
  readonly queue: TargetQueue;
  readonly workers: Set<WorkerProcess>;
  readonly startWorker: () => WorkerProcess;
}

/** Feeds one process until the queue is empty or the process stops. */
function serve({ job, onOutcome }: TargetRun, { queue, workers, startWorker }: Serving): Promise<void> {
  return new Promise((resolve) => {
    const worker = startWorker();
    workers.add(worker);
    let current: readonly FleetTarget[] = [];
    const next = (): void => {
      current = queue.take(worker);
      if (current.length === 0) worker.stop();
      else worker.send({ targets: current });
    };
    worker.onMessage((message) => {
      const outcomes = message as readonly TargetOutcome[];
      for (const [index, target] of current.entries()) onOutcome(target, outcomes[index]!);
      next();
    });
    worker.onExit((reason) => {
      workers.delete(worker);
      giveUp(current, { reason, queue, onOutcome });
      resolve();
    });
    worker.send({ job });
    next();
  });
}

interface Loss {
  readonly reason: string;
  readonly queue: TargetQueue;
  readonly onOutcome: TargetRun['onOutcome'];
}

/** A batch that made a process stop is tried again target by target, to find the one that does it. */
function giveUp(targets: readonly FleetTarget[], { reason, queue, onOutcome }: Loss): void {
  const [target, ...others] = targets;
  if (target === undefined) return;
  if (others.length > 0) return queue.putBack(targets);
  const diagnostics = [cliProblems.create('fleet-process-stopped', { target: target.name, reason })];
  const nothing = { sources: [], accepted: 0, acceptedBy: [], objects: 0, stdout: '', reads: [], isRepeatable: false };
  const outcome = { ...nothing, exitCode: 1, milliseconds: 0 };
  onOutcome(target, { name: target.name, diagnostics, ...outcome });
}

interface TargetQueue {
  /** The next targets for a process; empty if there are none left. */
  take(worker: WorkerProcess): readonly FleetTarget[];
  /** Gives targets out again, one by one. */
  putBack(targets: readonly FleetTarget[]): void;
  isEmpty(): boolean;
}

/** Targets that write next to each other go to one process if possible, because a new directory is locked through its parent. */
function createQueue(targets: readonly FleetTarget[]): TargetQueue {
  const groups = groupByParent(targets);
  const holders = new Map<FleetTarget[], WorkerProcess>();
  const single: FleetTarget[] = [];
  return {
    take(worker) {
      const open = groups.filter((group) => group.length > 0);
      const own = open.find((group) => holders.get(group) === worker);
      const group = own ?? open.find((one) => !holders.has(one)) ?? open.toSorted((a, b) => b.length - a.length)[0];
      if (group === undefined) return single.splice(0, 1);
      if (!holders.has(group)) holders.set(group, worker);
      return group.splice(0, batchSize);
    },
    putBack(list) {
      for (const target of list) single.push(target);
    },
    isEmpty: () => single.length === 0 && groups.every((group) => group.length === 0),
  };
}

function groupByParent(targets: readonly FleetTarget[]): readonly FleetTarget[][] {
  const groups = new Map<string, FleetTarget[]>();
  for (const target of targets) {
    const parent = target.settings.output.replace(/\/+$/, '').replace(/\/?[^/]*$/, '');
    const group = groups.get(parent);
    if (group === undefined) groups.set(parent, [target]);
    else group.push(target);
  }
  return [...groups.values()];
}
