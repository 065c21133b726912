import { createMemory } from '../../budget/index.ts';
import type { FleetTarget } from '../../fleet/index.ts';
import { keepReads } from '../../reads/index.ts';
import { build as buildCommand } from '../commands/build.ts';
import type { Environment } from '../environment.ts';
import { readLimits } from '../limits.ts';
import { openDisk } from '../open-world.ts';
import { parseFlags } from '../parse-flags.ts';
import { buildTarget, deliverTarget } from './build-target.ts';
import type { FleetJob, TargetOutcome, Workshop } from './build-target.ts';
import type { CacheSettings } from './cache/open-cache.ts';
import type { FoundTarget, TargetCache } from './cache/target-cache.ts';
import { isUnpinned, openFleetPackages } from './fleet-packages.ts';
import type { FleetPackages } from './fleet-packages.ts';
import { createStamper } from './stamp-reads.ts';

export interface TargetWorkshop {
  /** Takes content of packages that another process has fetched, by digest. */
  receive(held: ReadonlyMap<string, Uint8Array>): void;
  /** `next` says before each target whether to go on. */
  build(targets: readonly FleetTarget[], next?: () => boolean): Promise<readonly TargetOutcome[]>;
}

/** Builds targets one after the other; what was read and parsed is kept for the next one. */
export function openWorkshop(job: FleetJob, environment: Environment, opened?: FleetPackages): TargetWorkshop {
  const { flags } = parseFlags(buildCommand, [...job.words, '--', '.']);
  const inside = { ...environment, limits: readLimits(flags), workingDirectory: job.directory };
  const kept = keepReads(openDisk(inside));
  const memory = createMemory();
  const packages = opened ?? openFleetPackages({ ...job, environment: inside });
  const shop = { job, environment: inside, kept, memory, packages };
  const cache = job.cache === undefined ? undefined : openCache(job.cache, shop);
  return {
    receive(held) {
      for (const [digest, bytes] of held) packages.store.held.set(digest, bytes);
    },
    async build(targets, next = () => true) {
      const outcomes: TargetOutcome[] = [];
      const shared = await cache;
      // The network is slow, so all targets are looked up and stored at the same time.
      const found = new Map(targets.map((target) => [target, lookUp(target, shared)]));
      const storing: (Promise<void> | undefined)[] = [];
      for (const target of targets) {
        if (!next()) break;
        const hit = await found.get(target);
        const again = hit && (await deliverTarget(target, shop, hit));
        const { keeping, ...outcome } = again ?? (await buildTarget(target, shop));
        outcomes.push(outcome);
        if (keeping !== undefined) storing.push(shared?.keep(target, keeping, outcome.reads));
      }
      await Promise.all([...found.values(), ...storing]);
      const findings = shared?.takeFindings();
      return outcomes.map((one) => Object.assign(one, { cacheFindings: findings?.get(one.name) }));
    },
  };
}

async function openCache(settings: CacheSettings, { job, environment, kept }: Workshop): Promise<TargetCache> {
  const [{ openTargetCache }, { keyOf, openStore }] = await Promise.all([
    import('./cache/target-cache.ts'),
    import('./cache/open-cache.ts'),
  ]);
  return openTargetCache({
    store: await openStore(settings, environment),
    key: keyOf(environment.variables),
    isReadOnly: settings.isReadOnly,
    job,
    stamp: createStamper(kept, environment),
  });
}

/** A target that cannot be looked up is built. */
async function lookUp(target: FleetTarget, cache: TargetCache | undefined): Promise<FoundTarget | undefined> {
  try {
    return isUnpinned(target) ? undefined : await cache?.find(target);
  } catch {
    return undefined;
  }
}
