import { availableParallelism } from 'node:os';

import { createMemory, getOrAdd } from '../../budget/index.ts';
import type { FleetTarget } from '../../fleet/index.ts';
import { keepReads } from '../../reads/index.ts';
import type { Environment, WorkerProcess } from '../environment.ts';
import { withLimits } from '../limits.ts';
import { openDisk } from '../open-world.ts';
import { cliProblems } from '../problems.ts';
import { buildTarget, deliverTarget, describeFindings } from './build-target.ts';
import type { FleetJob, TargetOutcome } from './build-target.ts';
import type { TargetCache } from './cache/target-cache.ts';
import { isUnpinned, openFleetPackages } from './fleet-packages.ts';
import type { FleetPackages } from './fleet-packages.ts';

interface TargetRun {
  readonly job: FleetJob;
  /** The packages of all targets that are added, so that no other process has to fetch them. */
  readonly packages: FleetPackages;
  /** How many processes build; by default as many as there are cores, if there is enough to do. */
  readonly jobs?: number | undefined;
  readonly onOutcome: (target: FleetTarget, outcome: TargetOutcome) => void;
}

/** Starting a process takes as long as building this many targets. */
const targetsPerWorker = 30;

/** How many targets are looked up in the cache at the same time. */
const targetsPerLookup = 16;

/** Builds targets in this process or in several; the results do not depend on how many. */
export function openPool({ job, packages, jobs, onOutcome }: TargetRun, environment: Environment) {
  const queue = createTargetQueue();
  const workers = new Set<WorkerProcess>();
  const { signal, startWorker } = environment;
  const slots: Promise<void>[] = [];
  let count = 0;

  function stop(): void {
    for (const worker of workers) worker.stop();
  }

  async function buildHere(): Promise<void> {
    const builder = openTargetBuilder(job, environment, packages);
    const targets = queue.takeAll();
    const size = job.cache === undefined ? 1 : targetsPerLookup;
    for (let start = 0; start < targets.length; start += size) {
      const batch = targets.slice(start, start + size);
      const outcomes = await builder.build(batch, () => signal?.aborted !== true);
      signal?.throwIfAborted();
      for (const [index, outcome] of outcomes.entries()) onOutcome(batch[index]!, outcome);
    }
  }

  /** Starts another process if one stops before the queue is empty. */
  async function keepServing(start: () => WorkerProcess): Promise<void> {
    while (!queue.isDone() && environment.signal?.aborted !== true) await serve(start());
  }

  /** Feeds one process until the queue is empty or the process stops. */
  function serve(worker: WorkerProcess): Promise<void> {
    return new Promise((resolve) => {
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
        giveUp(current, reason);
        resolve();
      });
      worker.send({ job });
      next();
    });
  }

  /** A batch that made a process stop is tried again target by target, to find the one that does it. */
  function giveUp(targets: readonly FleetTarget[], reason: string): void {
    const [target, ...others] = targets;
    if (target === undefined) return;
    if (others.length > 0) return queue.putBack(targets);
    const diagnostics = [cliProblems.create('fleet-process-stopped', { target: target.name, reason })];
    onOutcome(target, describeFindings(target.name, { diagnostics, sources: [] }));
  }

  return {
    /** Other processes begin while further targets are added. */
    add(target: FleetTarget): void {
      count += 1;
      queue.add(target);
      const useful = Math.min(availableParallelism(), Math.ceil(count / targetsPerWorker));
      const wanted = Math.min(jobs ?? useful, count);
      if (wanted <= 1 || startWorker === undefined) return;
      while (slots.length < wanted) slots.push(keepServing(startWorker));
    },
    async finish(): Promise<void> {
      queue.close();
      if (slots.length === 0) return buildHere();
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
}

const batchSize = 16;

/**
 * Targets that wait for a process, while more are added. Those that write next to each other go to one process if possible, because a new
 * directory is locked through its parent.
 */
function createTargetQueue() {
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
    add(target: FleetTarget): void {
      const parent = target.settings.output.replace(/\/+$/, '').replace(/\/?[^/]*$/, '');
      getOrAdd(groups, parent, () => []).push(target);
      waits += 1;
      // A batch is worth the message that it takes.
      if (waiting.size > 0 && waits >= batchSize) wake();
    },
    close(): void {
      isClosed = true;
      wake();
    },
    /** Gives the next targets to a process as soon as there are some; none at the end. */
    take(worker: WorkerProcess, give: (targets: readonly FleetTarget[]) => void): void {
      const targets = isClosed || waits >= batchSize || single.length > 0 ? pick(worker) : [];
      if (targets.length > 0 || isClosed) give(targets);
      else waiting.set(worker, give);
    },
    leave: (worker: WorkerProcess) => void waiting.delete(worker),
    /** Gives targets out again, one by one. */
    putBack(targets: readonly FleetTarget[]): void {
      for (const target of targets) single.push(target);
      wake();
    },
    /** All targets in the order in which they were added. */
    takeAll: () => [...groups.values()].flatMap((group) => group.splice(0)),
    /** Whether all targets were given out, and no more will come. */
    isDone: () => isClosed && waits === 0 && single.length === 0,
  };
}

export type TargetBuilder = ReturnType<typeof openTargetBuilder>;

/** Builds targets one after the other; what was read and parsed is kept for the next one. */
export function openTargetBuilder(job: FleetJob, environment: Environment, opened?: FleetPackages) {
  const inside = { ...withLimits(environment, { settings: job.settings }), workingDirectory: job.directory };
  const kept = keepReads(openDisk(inside));
  const memory = createMemory();
  const packages = opened ?? openFleetPackages({ ...job, environment: inside });
  const context = { job, environment: inside, kept, memory, packages };
  const cache =
    job.cache && import('./cache/target-cache.ts').then((module) => module.openTargetCache(job.cache!, context));
  return {
    /** Takes content of packages that another process has fetched, by digest. */
    receive(held: ReadonlyMap<string, Uint8Array>): void {
      for (const [digest, bytes] of held) packages.store.held.set(digest, bytes);
    },
    /** `next` says before each target whether to go on. */
    async build(targets: readonly FleetTarget[], next = (): boolean => true): Promise<readonly TargetOutcome[]> {
      const outcomes: TargetOutcome[] = [];
      const shared = await cache;
      // The network is slow, so all targets are looked up and stored at the same time.
      const lookups = new Map(targets.map((target) => [target, lookUp(target, shared)]));
      const storing: (Promise<void> | undefined)[] = [];
      for (const target of targets) {
        if (!next()) break;
        const hit = await lookups.get(target);
        const again = hit && (await deliverTarget(target, context, hit));
        const { keeping, ...outcome } = again ?? (await buildTarget(target, context));
        outcomes.push(outcome);
        if (keeping !== undefined) storing.push(shared?.keep(target, keeping, outcome.reads));
      }
      await Promise.all([...lookups.values(), ...storing]);
      const findings = shared?.takeFindings();
      return outcomes.map((outcome) => Object.assign(outcome, { cacheFindings: findings?.get(outcome.name) }));
    },
  };
}

/** A target that cannot be looked up is built. */
async function lookUp(target: FleetTarget, cache: TargetCache | undefined) {
  try {
    return isUnpinned(target) ? undefined : await cache?.find(target);
  } catch {
    return undefined;
  }
}

/** What the process that started this one sends: first the job, then batches of targets. */
interface Message {
  readonly job?: FleetJob;
  readonly targets?: readonly FleetTarget[];
  /** Content of packages that is in no file, by digest. */
  readonly held?: ReadonlyMap<string, Uint8Array>;
}

/** Builds batches of targets for the process that started this one, until it disconnects. */
export async function serveTargets(environment: Environment): Promise<0> {
  let builder: TargetBuilder | undefined;
  let work = Promise.resolve();
  const handle = async ({ job, targets, held = new Map() }: Message): Promise<void> => {
    if (job !== undefined) builder = openTargetBuilder(job, environment);
    builder?.receive(held);
    if (targets === undefined) return;
    // The other process may have been stopped.
    const outcomes = await builder!.build(targets, () => process.connected);
    if (!process.connected) return;
    process.send!(outcomes, undefined, undefined, () => undefined);
  };
  process.on('message', (message) => {
    work = work.then(() => handle(message as Message));
  });
  await new Promise<void>((resolve) => {
    process.on('disconnect', resolve);
  });
  await work;
  return 0;
}
