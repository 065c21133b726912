import { availableParallelism } from 'node:os';

import type { FleetTarget } from '../../fleet/index.ts';
import type { Environment, WorkerProcess } from '../environment.ts';
import { cliProblems } from '../problems.ts';
import { describeFindings } from './build-target.ts';
import type { FleetJob, TargetOutcome } from './build-target.ts';
import type { FleetPackages } from './fleet-packages.ts';
import { openTargetBuilder } from './target-builder.ts';

interface TargetRun {
  readonly job: FleetJob;
  /** The packages of all targets that are added, so that no other process has to fetch them. */
  readonly packages: FleetPackages;
  /** How many processes build; by default as many as there are cores, if there is enough to do. */
  readonly jobs?: number | undefined;
  readonly onOutcome: (target: FleetTarget, outcome: TargetOutcome) => void;
}

/** Builds targets in this process or in several; the results do not depend on how many. */
interface TargetPool {
  /** Other processes begin while further targets are added. */
  add(target: FleetTarget): void;
  /** Waits until all targets are built. */
  finish(): Promise<void>;
  /** Stops the other processes. */
  stop(): void;
}

/** Starting a process takes as long as building this many targets. */
const targetsPerWorker = 30;

/** How many targets are looked up in the cache at the same time. */
const targetsPerLookup = 16;

export function openPool(run: TargetRun, environment: Environment): TargetPool {
  const queue = createTargetQueue();
  const workers = new Set<WorkerProcess>();
  const { signal, startWorker } = environment;
  const slots: Promise<void>[] = [];
  let count = 0;
  const stop = (): void => {
    for (const worker of workers) worker.stop();
  };
  return {
    add(target) {
      count += 1;
      queue.add(target);
      const useful = Math.min(availableParallelism(), Math.ceil(count / targetsPerWorker));
      const wanted = Math.min(run.jobs ?? useful, count);
      if (wanted <= 1 || startWorker === undefined) return;
      while (slots.length < wanted) slots.push(keepServing(startWorker));
    },
    async finish() {
      queue.close();
      if (slots.length === 0) return buildHere(run, queue, environment);
      signal?.addEventListener('abort', stop);
      if (signal?.aborted === true) stop();
      try {
        await Promise.all(slots);
        signal?.throwIfAborted();
      } finally {
        signal?.removeEventListener('abort', stop);
        stop();
      }
    },
    stop,
  };

  /** Starts another process if one stops before the queue is empty. */
  async function keepServing(start: () => WorkerProcess): Promise<void> {
    while (!queue.isDone() && environment.signal?.aborted !== true) await serve(run, { queue, workers, start });
  }
}

async function buildHere(
  { job, packages, onOutcome }: TargetRun,
  queue: TargetQueue,
  environment: Environment,
): Promise<void> {
  const builder = openTargetBuilder(job, environment, packages);
  const targets = queue.takeAll();
  const size = job.cache === undefined ? 1 : targetsPerLookup;
  for (let start = 0; start < targets.length; start += size) {
    const batch = targets.slice(start, start + size);
    const outcomes = await builder.build(batch, () => environment.signal?.aborted !== true);
    environment.signal?.throwIfAborted();
    for (const [index, outcome] of outcomes.entries()) onOutcome(batch[index]!, outcome);
  }
}

interface Serving {
  readonly queue: TargetQueue;
  readonly workers: Set<WorkerProcess>;
  readonly start: () => WorkerProcess;
}

/** Feeds one process until the queue is empty or the process stops. */
function serve({ job, packages, onOutcome }: TargetRun, { queue, workers, start }: Serving): Promise<void> {
  return new Promise((resolve) => {
    const worker = start();
    workers.add(worker);
    let current: readonly FleetTarget[] = [];
    const sent = new Set<string>();
    const takeHeld = (): ReadonlyMap<string, Uint8Array> => {
      const fresh = [...packages.store.held].filter(([digest]) => !sent.has(digest));
      for (const [digest] of fresh) sent.add(digest);
      return new Map(fresh);
    };
    const next = (): void => {
      current = [];
      queue.take(worker, (targets) => {
        current = targets;
        if (targets.length === 0) worker.stop();
        else worker.send({ targets, held: takeHeld() });
      });
    };
    worker.onMessage((message) => {
      const outcomes = message as readonly TargetOutcome[];
      for (const [index, target] of current.entries()) onOutcome(target, outcomes[index]!);
      next();
    });
    worker.onExit((reason) => {
      workers.delete(worker);
      queue.leave(worker);
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
  onOutcome(target, describeFindings(target.name, { diagnostics, sources: [] }));
}

/** Targets that wait for a process, while more are added. */
export interface TargetQueue {
  add(target: FleetTarget): void;
  /** No more targets will be added. */
  close(): void;
  /** Gives the next targets to a process as soon as there are some; none at the end. */
  take(worker: WorkerProcess, give: (targets: readonly FleetTarget[]) => void): void;
  /** Forgets a process that has stopped. */
  leave(worker: WorkerProcess): void;
  /** Gives targets out again, one by one. */
  putBack(targets: readonly FleetTarget[]): void;
  /** All targets in the order in which they were added. */
  takeAll(): readonly FleetTarget[];
  /** Whether all targets were given out, and no more will come. */
  isDone(): boolean;
}

const batchSize = 16;

/** Targets that write next to each other go to one process if possible, because a new directory is locked through its parent. */
export function createTargetQueue(): TargetQueue {
  const groups = new Map<string, FleetTarget[]>();
  const holders = new Map<string, WorkerProcess>();
  const waiting = new Map<WorkerProcess, (targets: readonly FleetTarget[]) => void>();
  const single: FleetTarget[] = [];
  let waits = 0;
  let isClosed = false;

  function pick(worker: WorkerProcess): readonly FleetTarget[] {
    const open = [...groups].filter(([, group]) => group.length > 0);
    const own = open.find(([parent]) => holders.get(parent) === worker);
    const free = own ?? open.find(([parent]) => !holders.has(parent));
    const [parent, group] = free ?? open.toSorted(([, a], [, b]) => b.length - a.length)[0] ?? [];
    if (parent === undefined || group === undefined) return single.splice(0, 1);
    if (!holders.has(parent)) holders.set(parent, worker);
    const batch = group.splice(0, batchSize);
    waits -= batch.length;
    return batch;
  }

  function wake(): void {
    for (const [worker, give] of waiting) {
      const targets = pick(worker);
      if (targets.length === 0 && !isClosed) return;
      waiting.delete(worker);
      give(targets);
    }
  }

  return {
    add(target) {
      const parent = target.settings.output.replace(/\/+$/, '').replace(/\/?[^/]*$/, '');
      const group = groups.get(parent);
      if (group === undefined) groups.set(parent, [target]);
      else group.push(target);
      waits += 1;
      // A batch is worth the message that it takes.
      if (waiting.size > 0 && waits >= batchSize) wake();
    },
    close() {
      isClosed = true;
      wake();
    },
    take(worker, give) {
      const targets = isClosed || waits >= batchSize || single.length > 0 ? pick(worker) : [];
      if (targets.length > 0 || isClosed) give(targets);
      else waiting.set(worker, give);
    },
    leave: (worker) => void waiting.delete(worker),
    putBack(targets) {
      for (const target of targets) single.push(target);
      wake();
    },
    takeAll: () => [...groups.values()].flatMap((group) => group.splice(0)),
    isDone: () => isClosed && waits === 0 && single.length === 0,
  };
}
