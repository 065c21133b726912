// takes:   a fleet file, and the directories that its patterns name
// gives:   targets: what to build, with which settings, and which entry of the file set each of them
// refuses: expressions, cycles, targets that share an output directory, paths that do not exist
export type { Fleet, FleetTarget, SettingName } from './fleet.ts';
export { compileNamePattern, isPattern } from './name-pattern.ts';
export { fleetProblems } from './problems.ts';
export { readFleet } from './read-fleet.ts';
export { isInShard, mostShards, parseShard } from './shard.ts';
export type { Shard } from './shard.ts';
