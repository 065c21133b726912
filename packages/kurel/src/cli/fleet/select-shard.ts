import { quote } from '../../diagnostics/index.ts';
import { isInShard, mostShards, parseShard } from '../../fleet/index.ts';
import type { Fleet, FleetTarget, Shard } from '../../fleet/index.ts';
import { UsageError } from '../usage-error.ts';

/** The targets of a run. */
export interface TargetSelection {
  readonly targets: readonly FleetTarget[];
  /** Those of this run and of the other shards. */
  readonly ofAllShards: readonly FleetTarget[];
  /** Whether all shards together process the whole fleet. */
  readonly isWhole: boolean;
  readonly shard?: Shard | undefined;
  /** Whether a target is or would be part of this run, also one that is no longer in the fleet file. */
  readonly owns: (name: string) => boolean;
}

export function readShard(text: string | undefined): Shard | undefined {
  if (text === undefined) return undefined;
  const shard = parseShard(text);
  if (shard !== undefined) return shard;
  throw new UsageError(
    `--shard must be I/N with an integer N from 1 to ${mostShards} and I from 0 to N, got ${quote(text)}`,
    'for example --shard 3/8 is the third of eight shards',
  );
}

/** Limits the targets that names and `--since` select to one shard. */
export function limitToShard(
  { targets: all }: Fleet,
  selected: readonly FleetTarget[],
  shard: Shard | undefined,
): TargetSelection {
  const owns = (name: string): boolean => shard === undefined || isInShard(name, shard);
  return {
    targets: selected.filter(({ name }) => owns(name)),
    ofAllShards: selected,
    isWhole: selected.length === all.length,
    shard,
    owns,
  };
}
