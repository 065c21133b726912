import type { FleetTarget } from '../../fleet/index.ts';
import type { WorkerProcess } from '../environment.ts';

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
