// takes:   a fleet file with its lock, and the directories that its patterns name
// gives:   targets: what to build, with which settings, and which entry of the file set each of them
// refuses: expressions, cycles, targets that share an output directory; targets with paths that do not exist
export { problemsOf } from './check-targets.ts';
export { chooseTag, digestOfPackage, nameOfPackage, showPackage, versionOfTag } from './registry-package.ts';
export { dropForeign, isOwnEntry } from './drop-inherited.ts';
export type { Fleet, FleetTarget } from './fleet.ts';
export {
  describeUnlocked,
  listLockRequests,
  lockPathOf,
  placeOfVersion,
  planLock,
  reportUnlocked,
  writeFleetLock,
} from './fleet-lock.ts';
export { compileNamePattern, isInShard, isPattern, mostShards, parseShard } from './target-names.ts';
export type { LockChange, LockRequest } from './fleet-lock.ts';
export { trimPath } from './find-paths.ts';
export { fleetProblems } from './problems.ts';
export { readFleet } from './read-fleet.ts';
export { findSharedObjects, writtenName } from './shared-objects.ts';
export type { Shard } from './target-names.ts';
