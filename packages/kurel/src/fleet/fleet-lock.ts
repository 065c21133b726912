import { getOrAdd } from '../budget/index.ts';
import { readOneDocument } from '../documents/index.ts';
import { readFleetLockDocument } from '../forms/index.ts';
import type { FleetLockEntry } from '../forms/index.ts';
import { compareText, withoutUndefined } from '../model/index.ts';
import type { Diagnostic, Path } from '../model/index.ts';
import { writeYaml } from '../yaml/index.ts';
import type { Fleet, FleetLock, FleetRequest, FleetTarget, RegistryPackage } from './fleet.ts';
import { fleetProblems } from './problems.ts';

/** `kurel.fleet.yaml` has `kurel.fleet.lock` beside it. */
export function lockPathOf(fleetFile: string): string {
  return `${fleetFile.replace(/\.ya?ml$/, '')}.lock`;
}

/** Reads the lock of a fleet; `undefined` if there is none, or after an error, which is reported. */
export async function readFleetLock(
  path: string,
  { fileSystem, report, memory, onLock }: Omit<FleetRequest, 'source'>,
): Promise<FleetLock | undefined> {
  if ((await fileSystem.kindOf(path)) === undefined) return undefined;
  const source = { path, text: await fileSystem.readText(path) };
  onLock?.(source);
  const located = readOneDocument(source, report, memory);
  if (located === undefined) return undefined;
  const entries = readFleetLockDocument(located.data, { ...located, report });
  if (entries === undefined) return undefined;
  const keys = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    const key = keyOfPackage(entry);
    if (keys.has(key)) {
      const location = located.locate(['spec', 'packages', index]);
      const { url, range, tag } = entry;
      report(fleetProblems.create('fleet-lock-duplicate', { url, version: range ?? tag }, { location }));
    }
    keys.add(key);
  }
  return { source, entries };
}

/** The same for a package of the fleet file and its entry in the lock. */
export function keyOfPackage({ url, range, tag }: Pick<RegistryPackage, 'url' | 'range' | 'tag'>): string {
  return JSON.stringify([url, range ?? null, range === undefined ? tag : null]);
}

/** The text of the lock, sorted by the package so that it changes only with its content. */
export function writeFleetLock(entries: readonly FleetLockEntry[]): string {
  const sorted = entries.toSorted((a, b) => compareText(keyOfPackage(a), keyOfPackage(b)));
  const packages = sorted.map(({ url, range, tag, version, digest }) =>
    withoutUndefined({ url, range, tag, version, digest }),
  );
  const document = { apiVersion: 'launcher.gokure.dev/v1alpha1', kind: 'Lock', spec: { packages } };
  return `# Written by kurel update: the packages of the fleet in registries, and which versions it uses.\n${writeYaml(document)}`;
}

/** A package of a fleet that `kurel update` resolves: one for each tag or range of a repository. */
export interface LockRequest extends Pick<RegistryPackage, 'url' | 'range' | 'tag'> {
  /** The entry of the fleet file that has the tag or range, of the first target. */
  readonly path: Path;
  readonly targets: readonly string[];
}

/** All packages that need an entry in the lock, in the order of the fleet file. */
export function listLockRequests({ targets }: Pick<Fleet, 'targets'>): readonly LockRequest[] {
  const requests = new Map<string, LockRequest & { readonly targets: string[] }>();
  for (const target of targets) {
    const { registered } = target;
    if (registered === undefined || registered.digest !== undefined) continue;
    const { url, range, tag } = registered;
    const create = () => ({ url, range, tag, path: placeOfVersion(target), targets: [] });
    getOrAdd(requests, keyOfPackage(registered), create).targets.push(target.name);
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

/** The lock after an update, and the entries that differ. Requests that were not resolved keep their entries; entries that nothing needs are removed. */
export function planLock(
  requests: readonly LockRequest[],
  { resolved, before }: { readonly resolved: readonly FleetLockEntry[]; readonly before: readonly FleetLockEntry[] },
): { readonly entries: readonly FleetLockEntry[]; readonly changes: readonly LockChange[] } {
  const [fresh, earlier] = [resolved, before].map((list) => new Map(list.map((entry) => [keyOfPackage(entry), entry])));
  const entries: FleetLockEntry[] = [];
  const changes: LockChange[] = [];
  for (const { url, range, tag, targets } of requests) {
    const key = keyOfPackage({ url, range, tag });
    const old = earlier!.get(key);
    const after = fresh!.get(key) ?? old;
    earlier!.delete(key);
    if (after === undefined) continue;
    entries.push(after);
    const isSame = old?.digest === after.digest && old.tag === after.tag && old.version === after.version;
    if (!isSame) changes.push({ url, range, tag, before: old, after, targets });
  }
  for (const entry of earlier!.values()) {
    const { url, range, tag } = entry;
    changes.push({ url, range, tag: range === undefined ? tag : undefined, before: entry, targets: [] });
  }
  return { entries, changes };
}
