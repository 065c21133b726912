import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { getOrAdd } from '../../budget/index.ts';
import { sha256 } from '../../engine/index.ts';
import type { FleetTarget } from '../../fleet/index.ts';
import { digestOf } from '../../host/index.ts';
import { isJsonObject } from '../../model/index.ts';
import { once } from '../../provenance/index.ts';
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

interface KeptTarget extends TargetFacts {
  /** The owner of its output, if it has one. */
  readonly instance: string | undefined;
  /** What was read. */
  readonly keys: () => readonly string[];
}

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
    async find(target: FleetTarget): Promise<KeptTarget | undefined> {
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
      const written = entry.written === undefined ? undefined : file.written[entry.written];
      return { ...(entry.findings ?? noFindings), written, instance: output?.instance, keys };
    },
    add(target: FleetTarget, outcome: TargetOutcome): void {
      const { reads, isRepeatable, output, written, diagnostics, accepted, acceptedBy } = outcome;
      const isKept = isRepeatable && (purpose === 'validate' || output !== undefined);
      const hasFindings = diagnostics.length > 0 || accepted > 0;
      const findings = hasFindings ? { diagnostics, accepted, acceptedBy } : undefined;
      file.add(target.name, isKept ? { key: keyOf(target, job), reads, output, written, findings } : undefined);
    },
    /** Keeps what was found and added for the next run; targets that no longer exist are forgotten. */
    save(targets: readonly FleetTarget[]): void {
      if (job.action !== 'check') file.save(new Set(targets.map(({ name }) => name)));
    },
  };
}

/** Everything that decides the result, apart from what is read. */
function keyOf({ settings, registered }: FleetTarget, { settings: common, source, signatures }: FleetJob): string {
  const all = [common, source.path, settings, ...(registered === undefined ? [] : signatures)];
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
  /** An index into the table of what is written: an application has the same objects on many clusters. */
  readonly written?: number | undefined;
  /** Most targets have none. */
  readonly findings?: TargetFacts | undefined;
}

interface SavedOutput extends Omit<OutputStamp, 'paths'> {
  /** An index into the table of paths: an application has the same files on every cluster. */
  readonly paths: number;
}

export interface FreshEntry extends Omit<StateEntry, 'reads' | 'output' | 'written'> {
  readonly reads: readonly StampedRead[];
  readonly output?: OutputStamp | undefined;
  readonly written?: readonly string[] | undefined;
}

/**
 * The whole state, or what has changed since it was written: after most runs that is little, and writing all would take longer than building
 * it. The tables of changes continue those of the whole state.
 */
interface StateFile {
  readonly version: string;
  /** The same in the whole state and in changes of it. */
  readonly id: string;
  readonly reads: readonly StampedRead[];
  readonly paths: readonly (readonly string[])[];
  readonly written: readonly (readonly string[])[];
  /** `null` if a target has no entry any more. */
  readonly targets: Readonly<Record<string, StateEntry | null>>;
}

// Another version of kurel builds everything again.
const format = `6 ${kurelVersion} ${process.version}`;

const empty: StateFile = { version: format, id: '', reads: [], paths: [], written: [], targets: {} };

/** The whole state is written again when more than this part of its targets has changed. */
const partChanged = 1 / 8;

/** The whole state is also written again when the tables are so much longer than before: they still have what earlier runs read. */
const partGrown = 2;

const quarterInMilliseconds = 90 * 24 * 60 * 60 * 1000;

export function openStateFile(cache: OwnCache, name: string) {
  const [wholeName, changesName] = [`${name}.json`, `${name}.changes.json`];
  const whole = parse(cache.read(wholeName)) ?? empty;
  const saved = parse(cache.read(changesName));
  const changes = saved?.id === whole.id ? saved : empty;
  // Paths cannot contain the separator.
  const reads = openTable<StampedRead>([...whole.reads, ...changes.reads], ([key, stamp]) => `${key}\0${stamp}`);
  const paths = openTable([...whole.paths, ...changes.paths], (list) => JSON.stringify(list));
  const lists = openTable([...whole.written, ...changes.written], (list) => JSON.stringify(list));
  const targets = new Map(Object.entries(whole.targets));
  const changed = new Map(Object.entries(changes.targets));
  for (const [target, entry] of changed) targets.set(target, entry);
  let isSaved = true;

  function put(target: string, entry: StateEntry | null): void {
    targets.set(target, entry);
    changed.set(target, entry);
    isSaved = false;
  }

  return {
    reads: reads.items,
    paths: paths.items,
    written: lists.items,
    find: (target: string): StateEntry | undefined => targets.get(target) ?? undefined,
    /** Replaces the entry of a target; `undefined` removes it. */
    add(target: string, entry: FreshEntry | undefined): void {
      if (entry === undefined) return put(target, null);
      const { key, output, written, findings } = entry;
      put(target, {
        key,
        reads: entry.reads.map(reads.add),
        output: output && { ...output, paths: paths.add(output.paths) },
        written: written && lists.add(written),
        findings,
      });
    },
    /** Keeps everything for the next run, except targets that no longer exist. */
    save(names: ReadonlySet<string>): void {
      for (const [target, entry] of targets) if (entry !== null && !names.has(target)) put(target, null);
      if (isSaved) return;
      const isLittle =
        changed.size <= Object.keys(whole.targets).length * partChanged &&
        reads.items.length <= whole.reads.length * partGrown;
      if (isLittle) {
        const tables = {
          reads: reads.items.slice(whole.reads.length),
          paths: paths.items.slice(whole.paths.length),
          written: lists.items.slice(whole.written.length),
        };
        const file: StateFile = { version: format, id: whole.id, ...tables, targets: Object.fromEntries(changed) };
        cache.write(changesName, JSON.stringify(file));
      } else {
        const [usedReads, usedPaths] = [keepUsed(reads.items), keepUsed(paths.items)];
        const usedLists = keepUsed(lists.items);
        const kept = [...targets].flatMap(([target, entry]): readonly (readonly [string, StateEntry])[] => {
          if (entry === null) return [];
          const output = entry.output && { ...entry.output, paths: usedPaths.move(entry.output.paths) };
          const written = entry.written === undefined ? undefined : usedLists.move(entry.written);
          return [[target, { ...entry, reads: entry.reads.map(usedReads.move), output, written }]];
        });
        const tables = { reads: usedReads.items, paths: usedPaths.items, written: usedLists.items };
        const file: StateFile = { version: format, id: randomUUID(), ...tables, targets: Object.fromEntries(kept) };
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
function parse(bytes: Uint8Array | undefined): StateFile | undefined {
  if (bytes === undefined) return undefined;
  try {
    const data: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return isJsonObject(data) && data['version'] === format ? (data as unknown as StateFile) : undefined;
  } catch {
    return undefined;
  }
}

/** Items by index, each of them once. */
function openTable<Item>(items: Item[], keyOf: (item: Item) => string) {
  // Most runs add nothing.
  const indexes = once(() => new Map(items.map((item, index) => [keyOf(item), index])));
  return {
    items: items as readonly Item[],
    add: (item: Item): number => getOrAdd(indexes(), keyOf(item), () => items.push(item) - 1),
  };
}

/** Gives those items of a table that are still used new indexes. */
function keepUsed<Item>(table: readonly Item[]) {
  const items: Item[] = [];
  const indexes: number[] = [];
  return { items, move: (index: number): number => (indexes[index] ??= items.push(table[index]!) - 1) };
}
