import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { sha256 } from '../../engine/index.ts';
import type { FleetTarget } from '../../fleet/index.ts';
import { digestOf } from '../../host/index.ts';
import { isJsonObject } from '../../model/index.ts';
import { keepReads } from '../../reads/index.ts';
import type { Environment } from '../environment.ts';
import { kurelVersion } from '../kurel-version.ts';
import type { StampedRead } from '../observe-reads.ts';
import { openDisk } from '../open-world.ts';
import { openOwnCache } from '../own-cache.ts';
import type { OwnCache } from '../own-cache.ts';
import { digestFiles, hasStats } from './build-target.ts';
import type { FleetJob, OutputStamp, TargetOutcome } from './build-target.ts';
import type { TargetFacts } from './cache/cached-target.ts';
import { createStamper } from './stamp-reads.ts';
import { writeBigInt } from './target-command.ts';

const noFindings: TargetFacts = { diagnostics: [], accepted: 0, acceptedBy: [] };

/**
 * What earlier runs left: targets whose inputs, options and outputs are unchanged are not built again. It is in the user's cache directory;
 * `undefined` without such a directory, so that every target is built.
 */
export function openState(job: FleetJob, environment: Environment) {
  const cache = openOwnCache({ variables: environment.variables, userId: process.getuid?.() });
  if (cache === undefined) return undefined;
  const inside = { ...environment, workingDirectory: job.directory };
  // `--check` writes nothing, and compares with what builds have left.
  const purpose = job.action === 'validate' ? 'validate' : 'build';
  const place = join(job.directory, job.source.path);
  const file = openStateFile(cache, `fleet-${sha256(`${purpose} ${place}`).slice(0, 24)}`);
  const isFresh = createFreshness(file.reads, inside);
  return {
    /** The kept result if the target is up to date, and the keys of what was read for it. */
    async find(target: FleetTarget): Promise<(TargetFacts & { readonly keys: () => readonly string[] }) | undefined> {
      const entry = file.find(target.name);
      if (entry === undefined || entry.key !== keyOf(target, job)) return undefined;
      const { output } = entry;
      if (!isOutputFresh(target, output && { ...output, paths: file.paths[output.paths]! }, job)) return undefined;
      for (const index of entry.reads) {
        // Most are known already: a promise for each read of each target would take longer than the rest.
        const answer = isFresh(index);
        if (answer === false || (answer !== true && !(await answer))) return undefined;
      }
      const keys = (): readonly string[] => entry.reads.map((index) => file.reads[index]![0]);
      return { ...(entry.findings ?? noFindings), keys };
    },
    add(target: FleetTarget, outcome: TargetOutcome): void {
      const { reads, isRepeatable, output, diagnostics, accepted, acceptedBy } = outcome;
      const isKept = isRepeatable && (purpose === 'validate' || output !== undefined);
      const hasFindings = diagnostics.length > 0 || accepted > 0;
      const findings = hasFindings ? { diagnostics, accepted, acceptedBy } : undefined;
      file.add(target.name, isKept ? { key: keyOf(target, job), reads, output, findings } : undefined);
    },
    /** Keeps what was found and added for the next run; targets that no longer exist are forgotten. */
    save(targets: readonly FleetTarget[]): void {
      if (job.action !== 'check') file.save(new Set(targets.map(({ name }) => name)));
    },
  };
}

/** Everything that decides the result, apart from what is read. */
function keyOf({ settings, registered }: FleetTarget, { words, source, signatures }: FleetJob): string {
  const all = [words, source.path, settings, ...(registered === undefined ? [] : signatures)];
  // Paths and names are compared as they are, which is quicker. Values may be secret, and have integers that JSON does not have.
  return settings.set.length === 0 ? JSON.stringify(all) : digestOf(JSON.stringify(all, writeBigInt));
}

/** Outputs are compared by size and time, with `--check` by content. `validate` writes nothing. */
function isOutputFresh(
  { settings }: FleetTarget,
  output: OutputStamp | undefined,
  { directory, action }: FleetJob,
): boolean {
  if (action === 'validate') return true;
  if (output === undefined) return false;
  const place = resolve(directory, settings.output);
  if (action === 'build') return hasStats(place, output);
  try {
    return digestFiles(output.paths, (path) => readFileSync(join(place, path), 'utf8')) === output.sha256;
  } catch {
    return false;
  }
}

/** Compares each input once with what an earlier run found there. */
function createFreshness(
  reads: readonly StampedRead[],
  environment: Environment,
): (index: number) => boolean | Promise<boolean> {
  const stampNow = createStamper(keepReads(openDisk(environment)), environment);
  const answers: boolean[] = [];
  const compare = async (index: number): Promise<boolean> => {
    const [key, stamp] = reads[index]!;
    const isFresh = (await stampNow(key)) === stamp;
    answers[index] = isFresh;
    return isFresh;
  };
  return (index) => answers[index] ?? compare(index);
}

/** What is kept of a target that was built, so that it does not have to be built again. */
interface StateEntry {
  /** Everything that decides the result, apart from what is read. */
  readonly key: string;
  /** Indexes into the table of reads: targets share most of what they read. */
  readonly reads: readonly number[];
  readonly output?: SavedOutput | undefined;
  /** Most targets have none. */
  readonly findings?: TargetFacts | undefined;
}

interface SavedOutput extends Omit<OutputStamp, 'paths'> {
  /** An index into the table of paths: an application has the same files on every cluster. */
  readonly paths: number;
}

export interface FreshEntry extends Omit<StateEntry, 'reads' | 'output'> {
  readonly reads: readonly StampedRead[];
  readonly output?: OutputStamp | undefined;
}

interface SavedTables {
  readonly reads: readonly StampedRead[];
  readonly paths: readonly (readonly string[])[];
}

interface WholeFile extends SavedTables {
  readonly version: string;
  readonly id: string;
  readonly targets: Readonly<Record<string, StateEntry>>;
}

/** What has changed since the whole state was written: after most runs that is little, and writing all would take longer than building it. */
interface ChangesFile extends SavedTables {
  readonly version: string;
  /** The `id` of the whole state. */
  readonly since: string;
  /** `null` if a target has no entry any more. */
  readonly targets: Readonly<Record<string, StateEntry | null>>;
}

// Another version of kurel builds everything again.
const format = `3 ${kurelVersion} ${process.version}`;

/** The whole state is written again when more than this part of its targets has changed. */
const partChanged = 1 / 8;

const quarterInMilliseconds = 90 * 24 * 60 * 60 * 1000;

export function openStateFile(cache: OwnCache, name: string) {
  const [wholeName, changesName] = [`${name}.json`, `${name}.changes.json`];
  const whole = (parse(cache.read(wholeName)) as WholeFile | undefined) ?? {
    version: format,
    id: '',
    reads: [],
    paths: [],
    targets: {},
  };
  const read = parse(cache.read(changesName)) as ChangesFile | undefined;
  const changes = read?.since === whole.id ? read : undefined;
  const saved = {
    reads: [...whole.reads, ...(changes?.reads ?? [])],
    paths: [...whole.paths, ...(changes?.paths ?? [])],
  };
  const changed = new Map<string, StateEntry | null>();
  for (const [target, entry] of Object.entries(changes?.targets ?? {})) changed.set(target, shift(entry, whole));
  const find = (target: string): StateEntry | undefined => {
    const entry = changed.get(target);
    if (entry !== undefined) return entry ?? undefined;
    return Object.hasOwn(whole.targets, target) ? whole.targets[target] : undefined;
  };
  const tables = createTables();
  const fresh = new Map<string, StateEntry | null>();

  function collect(targets: Iterable<string>): Record<string, StateEntry | null> {
    const move = tables.mover(saved);
    const collected: Record<string, StateEntry | null> = {};
    for (const target of targets) {
      const entry = fresh.get(target);
      collected[target] = entry === undefined ? move(find(target)) : entry;
    }
    return collected;
  }

  return {
    ...saved,
    find,
    /** Replaces the entry of a target; `undefined` removes it. */
    add: (target: string, entry: FreshEntry | undefined): void =>
      void fresh.set(target, entry === undefined ? null : tables.add(entry)),
    /** Keeps everything for the next run, except targets that no longer exist. */
    save(targets: ReadonlySet<string>): void {
      const removed = [...Object.keys(whole.targets), ...changed.keys()].filter(
        (target) => !targets.has(target) && find(target) !== undefined,
      );
      for (const target of removed) fresh.set(target, null);
      if (fresh.size === 0) return;
      const all = new Set([...changed.keys(), ...fresh.keys()]);
      if (all.size <= Object.keys(whole.targets).length * partChanged) {
        const file: ChangesFile = { version: format, since: whole.id, targets: collect(all), ...tables.saved };
        cache.write(changesName, JSON.stringify(file));
      } else {
        const kept = Object.entries(collect(targets)).filter((pair): pair is [string, StateEntry] => pair[1] !== null);
        const id = randomUUID();
        const file: WholeFile = { version: format, id, targets: Object.fromEntries(kept), ...tables.saved };
        cache.write(wholeName, JSON.stringify(file));
      }
      cache.clear(
        (file, { mtimeMs }) =>
          /^fleet-\w+(?:\.changes)?\.json$/.test(file) && Date.now() - mtimeMs > quarterInMilliseconds,
      );
    },
  };
}

/** Only this user can write to the file, but it may be cut off or of another version. */
function parse(bytes: Uint8Array | undefined): unknown {
  if (bytes === undefined) return undefined;
  try {
    const data: unknown = JSON.parse(bytes.toString());
    return isJsonObject(data) && data['version'] === format ? data : undefined;
  } catch {
    return undefined;
  }
}

/** The tables of changes come after those of the whole state. */
function shift(entry: StateEntry | null, { reads, paths }: SavedTables): StateEntry | null {
  if (entry === null) return null;
  return {
    ...entry,
    reads: entry.reads.map((index) => index + reads.length),
    output: entry.output && { ...entry.output, paths: entry.output.paths + paths.length },
  };
}

function createTables() {
  const [reads, paths]: [StampedRead[], (readonly string[])[]] = [[], []];
  const [readIndexes, pathIndexes] = [new Map<string, number>(), new Map<string, number>()];
  const addRead = ([key, stamp]: StampedRead): number | undefined => {
    const index = readIndexes.get(key);
    if (index !== undefined) return reads[index]![1] === stamp ? index : undefined;
    readIndexes.set(key, reads.length);
    return reads.push([key, stamp]) - 1;
  };
  const addPaths = (list: readonly string[]): number => {
    const key = JSON.stringify(list);
    const index = pathIndexes.get(key) ?? paths.push(list) - 1;
    pathIndexes.set(key, index);
    return index;
  };
  const complete = (
    { key, output, findings }: FreshEntry | StateEntry,
    indexes: readonly (number | undefined)[],
    list: number | undefined,
  ): StateEntry | null => {
    if (indexes.includes(undefined)) return null;
    const savedOutput = output && { paths: list!, stats: output.stats, sha256: output.sha256 };
    return { key, reads: indexes as readonly number[], output: savedOutput, findings };
  };
  return {
    saved: { reads, paths },
    /** `null` if another target found something else in a file, which was changed during the run. */
    add: (entry: FreshEntry) => complete(entry, entry.reads.map(addRead), entry.output && addPaths(entry.output.paths)),
    /** Gives entries of an earlier run the indexes that they have in these tables. */
    mover(from: SavedTables) {
      const moveRead = once((index) => addRead(from.reads[index]!));
      const movePaths = once((index) => addPaths(from.paths[index]!));
      return (entry: StateEntry | undefined): StateEntry | null =>
        entry === undefined
          ? null
          : complete(entry, entry.reads.map(moveRead), entry.output && movePaths(entry.output.paths));
    },
  };
}

/** Most entries share their indexes. */
function once<Value>(move: (index: number) => Value): (index: number) => Value {
  const moved: Value[] = [];
  return (index) => (index in moved ? moved[index]! : (moved[index] = move(index)));
}
