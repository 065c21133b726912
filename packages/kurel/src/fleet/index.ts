// takes:   a fleet file with its lock, and the directories that its patterns name
// gives:   targets: what to build, with which settings, and which entry of the file set each of them
// refuses: expressions, cycles, targets that share an output directory, paths that do not exist
export { chooseTag, versionOfTag } from './choose-tag.ts';
export { dropProfile } from './drop-profile.ts';
export type { Fleet, FleetTarget, SettingName } from './fleet.ts';
export { lockPathOf, writeFleetLock } from './fleet-lock.ts';
export { compileNamePattern, isPattern } from './name-pattern.ts';
export { describeUnlocked, listLockRequests, placeOfVersion, planLock, reportUnlocked } from './plan-lock.ts';
export type { LockChange, LockRequest } from './plan-lock.ts';
export { fleetProblems } from './problems.ts';
export { readFleet } from './read-fleet.ts';
export { digestOfPackage, nameOfPackage, showPackage } from './registry-package.ts';
export type { RegistryPackage } from './registry-package.ts';
export { isInShard, mostShards, parseShard } from './shard.ts';
export type { Shard } from './shard.ts';
