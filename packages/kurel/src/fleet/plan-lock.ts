import type { FleetLockEntry } from '../forms/index.ts';
import type { Diagnostic, Path } from '../model/index.ts';
import type { Fleet, FleetTarget } from './fleet.ts';
import { keyOfPackage, lockPathOf } from './fleet-lock.ts';
import { fleetProblems } from './problems.ts';
import type { RegistryPackage } from './registry-package.ts';

/** A package of a fleet that `kurel update` resolves: one for each tag or range of a repository. */
export interface LockRequest extends Pick<RegistryPackage, 'url' | 'range' | 'tag'> {
  /** The entry of the fleet file that has the tag or range, of the first target. */
  readonly path: Path;
  /** The names of the targets that have it. */
  readonly targets: readonly string[];
}

/** All packages that need an entry in the lock, in the order of the fleet file. */
export function listLockRequests({ targets }: Pick<Fleet, 'targets'>): readonly LockRequest[] {
  const requests = new Map<string, LockRequest & { readonly targets: string[] }>();
  for (const target of targets) {
    const { registered } = target;
    if (registered === undefined || registered.digest !== undefined) continue;
    const { url, range, tag } = registered;
    const key = keyOfPackage(registered);
    const known = requests.get(key);
    if (known === undefined)
      requests.set(key, { url, range, tag, path: placeOfVersion(target), targets: [target.name] });
    else known.targets.push(target.name);
  }
  return [...requests.values()];
}

/** The entry that sets the version of a package in a registry, or else the package. */
export function placeOfVersion({ origins, path, registered }: FleetTarget): Path {
  return (registered?.range === undefined ? undefined : origins.version?.at(-1)) ?? origins.package?.at(-1) ?? path;
}

/** A finding for a range or tag that `kurel update` has not resolved yet. */
export function describeUnlocked(
  { url, range, tag, path }: Pick<LockRequest, 'url' | 'range' | 'tag' | 'path'>,
  file: string,
): Diagnostic {
  const noun = range === undefined ? 'tag' : 'version';
  const args = { url, noun, version: range ?? tag!, lock: lockPathOf(file) } as const;
  return fleetProblems.create('fleet-package-not-locked', args, { location: { file, document: 0, path } });
}

/** What is not in the lock: by default the ranges, which cannot be built without it. */
export function reportUnlocked(
  { targets, source, lock }: Fleet,
  { withTags = false }: { readonly withTags?: boolean } = {},
): readonly Diagnostic[] {
  const locked = new Set(lock?.entries.map(keyOfPackage));
  return listLockRequests({ targets })
    .filter(({ range }) => withTags || range !== undefined)
    .filter((request) => !locked.has(keyOfPackage(request)))
    .map((request) => describeUnlocked(request, source.path));
}

/** How an entry of the lock changes. */
export interface LockChange extends Pick<RegistryPackage, 'url' | 'range' | 'tag'> {
  /** Absent if it is new. */
  readonly before?: FleetLockEntry | undefined;
  /** Absent if no target needs it any more. */
  readonly after?: FleetLockEntry | undefined;
  readonly targets: readonly string[];
}

export interface LockPlan {
  readonly entries: readonly FleetLockEntry[];
  /** Entries that differ. */
  readonly changes: readonly LockChange[];
}

/** The lock after an update. Requests that were not resolved keep their entries; entries that nothing needs are removed. */
export function planLock(
  requests: readonly LockRequest[],
  { resolved, before }: { readonly resolved: readonly FleetLockEntry[]; readonly before: readonly FleetLockEntry[] },
): LockPlan {
  const [fresh, known] = [resolved, before].map((list) => new Map(list.map((entry) => [keyOfPackage(entry), entry])));
  const entries: FleetLockEntry[] = [];
  const changes: LockChange[] = [];
  for (const { url, range, tag, targets } of requests) {
    const key = keyOfPackage({ url, range, tag });
    const old = known!.get(key);
    const after = fresh!.get(key) ?? old;
    known!.delete(key);
    if (after === undefined) continue;
    entries.push(after);
    if (old === undefined || !isSame(old, after)) changes.push({ url, range, tag, before: old, after, targets });
  }
  for (const entry of known!.values()) {
    const { url, range, tag } = entry;
    changes.push({ url, range, tag: range === undefined ? tag : undefined, before: entry, targets: [] });
  }
  return { entries, changes };
}

function isSame(one: FleetLockEntry, other: FleetLockEntry): boolean {
  return one.digest === other.digest && one.tag === other.tag && one.version === other.version;
}
