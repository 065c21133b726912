import { createMemory } from '../../budget/index.ts';
import type { FleetTarget } from '../../fleet/index.ts';
import { keepReads } from '../../reads/index.ts';
import { build as buildCommand } from '../commands/build.ts';
import type { Environment } from '../environment.ts';
import { readLimits } from '../limit-flags.ts';
import { openDisk } from '../open-world.ts';
import { parseFlags } from '../parse-flags.ts';
import { buildTarget, deliverTarget } from './build-target.ts';
import type { FleetJob, TargetOutcome } from './build-target.ts';
import type { TargetCache } from './cache/target-cache.ts';
import { isUnpinned, openFleetPackages } from './fleet-packages.ts';
import type { FleetPackages } from './fleet-packages.ts';

export interface TargetBuilder {
  /** Takes content of packages that another process has fetched, by digest. */
  receive(held: ReadonlyMap<string, Uint8Array>): void;
  /** `next` says before each target whether to go on. */
  build(targets: readonly FleetTarget[], next?: () => boolean): Promise<readonly TargetOutcome[]>;
}

/** Builds targets one after the other; what was read and parsed is kept for the next one. */
export function openTargetBuilder(job: FleetJob, environment: Environment, opened?: FleetPackages): TargetBuilder {
  const { flags } = parseFlags(buildCommand, [...job.words, '--', '.']);
  const inside = { ...environment, limits: readLimits(flags), workingDirectory: job.directory };
  const kept = keepReads(openDisk(inside));
  const memory = createMemory();
  const packages = opened ?? openFleetPackages({ ...job, environment: inside });
  const context = { job, environment: inside, kept, memory, packages };
  const cache =
    job.cache && import('./cache/target-cache.ts').then((module) => module.openTargetCache(job.cache!, context));
  return {
    receive(held) {
      for (const [digest, bytes] of held) packages.store.held.set(digest, bytes);
    },
    async build(targets, next = () => true) {
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
