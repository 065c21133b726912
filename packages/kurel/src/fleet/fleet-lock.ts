import { readFleetLockDocument, readOneDocument } from '../forms/index.ts';
import type { FleetLockEntry } from '../forms/index.ts';
import type { FileSystem, Json, Memory, Report, SourceFile } from '../model/index.ts';
import { readLexeme } from '../parameters/index.ts';
import { writeYaml } from '../yaml/index.ts';
import { fleetProblems } from './problems.ts';
import type { RegistryPackage } from './registry-package.ts';

/** What `kurel update` has resolved the packages of a fleet file to. */
export interface FleetLock {
  readonly source: SourceFile;
  readonly entries: readonly FleetLockEntry[];
}

/** `kurel.fleet.yaml` has `kurel.fleet.lock` beside it. */
export function lockPathOf(fleetFile: string): string {
  return `${fleetFile.replace(/\.ya?ml$/, '')}.lock`;
}

interface LockReading {
  readonly fileSystem: FileSystem;
  readonly report: Report;
  readonly memory?: Memory | undefined;
  readonly onLock?: ((source: SourceFile) => void) | undefined;
}

/** Reads the lock of a fleet; `undefined` if there is none, or after an error, which is reported. */
export async function readFleetLock(
  path: string,
  { fileSystem, report, memory, onLock }: LockReading,
): Promise<FleetLock | undefined> {
  if ((await fileSystem.kindOf(path)) === undefined) return undefined;
  const source = { path, text: await fileSystem.readText(path) };
  onLock?.(source);
  const located = readOneDocument(source, report, memory);
  if (located === undefined) return undefined;
  const { data, locate } = located;
  const entries = readFleetLockDocument(data, {
    locate,
    report,
    writtenAt: (location, scalar) => readLexeme(source, location, scalar),
  });
  if (entries === undefined) return undefined;
  const known = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    const key = keyOfPackage(entry);
    if (known.has(key)) {
      const location = locate(['spec', 'packages', index]);
      const { url, range, tag } = entry;
      report(fleetProblems.create('fleet-lock-duplicate', { url, version: range ?? tag }, { location }));
    }
    known.add(key);
  }
  return { source, entries };
}

/** The same for a package of the fleet file and its entry in the lock. */
export function keyOfPackage({ url, range, tag }: Pick<RegistryPackage, 'url' | 'range' | 'tag'>): string {
  return JSON.stringify([url, range ?? null, range === undefined ? tag : null]);
}

/** The text of the lock, sorted by the package so that it changes only with its content. */
export function writeFleetLock(entries: readonly FleetLockEntry[]): string {
  const sorted = entries.toSorted((a, b) => (keyOfPackage(a) < keyOfPackage(b) ? -1 : 1));
  const packages = sorted.map(({ url, range, tag, version, digest }): Json =>
    JSON.parse(JSON.stringify({ url, range, tag, version, digest })),
  );
  const document = { apiVersion: 'launcher.gokure.dev/v1alpha1', kind: 'Lock', spec: { packages } };
  return `# Written by kurel update: the packages of the fleet in registries, and which versions it uses.\n${writeYaml(document)}`;
}
