import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { sha256 } from '../../engine/index.ts';
import type { FleetTarget } from '../../fleet/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Diagnostic, Path, ProgramCall } from '../../model/index.ts';
import { digestOf } from '../../host/index.ts';
import { askVersion, keepReads } from '../../reads/index.ts';
import type { Look } from '../../reads/index.ts';
import type { Environment } from '../environment.ts';
import { kurelVersion } from '../kurel-version.ts';
import { openDisk, openPrograms } from '../open-world.ts';
import { openOwnCache } from '../own-cache.ts';
import { digestFiles, statFiles } from './build-target.ts';
import type { FleetJob, OutputStamp, StampedRead, TargetOutcome } from './build-target.ts';

/** The result of a target that does not have to be built again. */
export interface KeptOutcome {
  readonly diagnostics: readonly Diagnostic[];
  readonly accepted: number;
  readonly acceptedBy: readonly Path[];
  readonly objects: number;
}

/** What earlier runs left: targets whose inputs, options and outputs are unchanged are not built again. */
export interface FleetState {
  /** The kept result if the target is up to date, and the keys of what was read for it. */
  find(target: FleetTarget): Promise<(KeptOutcome & { readonly keys: readonly string[] }) | undefined>;
  add(target: FleetTarget, outcome: TargetOutcome): void;
  /** Keeps what was found and added for the next run; targets that no longer exist are forgotten. */
  save(targets: readonly FleetTarget[]): void;
}

interface Entry extends KeptOutcome {
  readonly key: string;
  /** Indexes into `reads`. */
  readonly reads: readonly number[];
  readonly output?: OutputStamp | undefined;
}

interface Saved {
  readonly version: string;
  readonly reads: readonly StampedRead[];
  readonly targets: Readonly<Record<string, Entry>>;
}

export const noState: FleetState = {
  find: async () => undefined,
  add: () => undefined,
  save: () => undefined,
};

// Part of the key, so that another version of kurel builds everything again.
const format = `2 ${kurelVersion} ${process.version}`;

/** The state in the user's cache directory; without such a directory every target is built. */
export function openState(job: FleetJob, environment: Environment): FleetState {
  const cache = openOwnCache({ variables: environment.variables, userId: process.getuid?.() });
  if (cache === undefined) return noState;
  const inside = { ...environment, workingDirectory: job.directory };
  // `--check` writes nothing, and compares with what builds have left.
  const purpose = job.action === 'validate' ? 'validate' : 'build';
  const name = `fleet-${sha256(`${purpose} ${join(job.directory, job.source.path)}`).slice(0, 24)}.json`;
  const saved = parse(cache.read(name)?.toString('utf8'));
  const isFresh = createFreshness(saved.reads, inside);
  const entries = new Map<string, Entry>();
  const fresh = new Set<string>();
  const built = new Set<string>();
  const table = createReadTable();
  return {
    async find(target) {
      const entry = Object.hasOwn(saved.targets, target.name) ? saved.targets[target.name]! : undefined;
      if (entry === undefined || entry.key !== keyOf(target, job)) return undefined;
      if (!isOutputFresh(target, entry, job)) return undefined;
      for (const index of entry.reads) {
        // Most are known already: a promise for each read of each target would take longer than the rest.
        const known = isFresh(index);
        if (known === false || (known !== true && !(await known))) return undefined;
      }
      fresh.add(target.name);
      return { ...entry, keys: entry.reads.map((index) => saved.reads[index]![0]) };
    },
    add(target, { reads, isRepeatable, output, diagnostics, accepted, acceptedBy, objects }) {
      built.add(target.name);
      if (!isRepeatable || (purpose === 'build' && output === undefined)) return;
      const indexes = reads.map(table.add);
      // A file that had another content for another target was changed during the run.
      if (indexes.includes(undefined)) return;
      const key = keyOf(target, job);
      entries.set(target.name, {
        key,
        reads: indexes as readonly number[],
        output,
        diagnostics,
        accepted,
        acceptedBy,
        objects,
      });
    },
    save(targets) {
      if (job.action === 'check') return;
      // Most runs change nothing.
      if (built.size === 0 && targets.length === fresh.size && fresh.size === Object.keys(saved.targets).length) return;
      const kept: Record<string, Entry> = {};
      // Targets share most of what they read.
      const moved: (number | undefined)[] = [];
      const addSaved = (index: number): number | undefined => {
        if (!(index in moved)) moved[index] = table.add(saved.reads[index]!);
        return moved[index];
      };
      for (const { name: target } of targets) {
        const known = entries.get(target);
        if (known !== undefined) kept[target] = known;
        else if (!built.has(target) && Object.hasOwn(saved.targets, target)) {
          const entry = saved.targets[target]!;
          const reads = entry.reads.map(addSaved);
          if (!reads.includes(undefined)) kept[target] = { ...entry, reads: reads as readonly number[] };
        }
      }
      cache.write(name, JSON.stringify({ version: format, reads: table.list(), targets: kept } satisfies Saved));
      cache.clear(
        (file, { mtimeMs }) => /^fleet-\w+\.json$/.test(file) && Date.now() - mtimeMs > quarterInMilliseconds,
      );
    },
  };
}

const quarterInMilliseconds = 90 * 24 * 60 * 60 * 1000;

/** Only this user can write to the file, but it may be cut off or of another version. */
function parse(text: string | undefined): Saved {
  const empty: Saved = { version: format, reads: [], targets: {} };
  if (text === undefined) return empty;
  try {
    const data: unknown = JSON.parse(text);
    return isJsonObject(data) && data['version'] === format ? (data as unknown as Saved) : empty;
  } catch {
    return empty;
  }
}

/** Everything that decides the result, apart from what is read. */
function keyOf({ settings }: FleetTarget, { words, source }: FleetJob): string {
  const all = [words, source.path, settings];
  // Paths and names are compared as they are, which is quicker. Values may be secret, and have integers that JSON does not have.
  return settings.set.length === 0 ? JSON.stringify(all) : digestOf(JSON.stringify(all, writeBigInt));
}

function writeBigInt(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}

/** Outputs are compared by size and time, with `--check` by content. `validate` writes nothing. */
function isOutputFresh({ settings }: FleetTarget, { output }: Entry, { directory, action }: FleetJob): boolean {
  if (action === 'validate') return true;
  if (output === undefined) return false;
  const place = resolve(directory, settings.output);
  const paths = output.files.map(([path]) => path);
  if (action === 'check') {
    try {
      return digestFiles(paths, (path) => readFileSync(join(place, path), 'utf8')) === output.sha256;
    } catch {
      return false;
    }
  }
  const now = statFiles(place, paths);
  return now !== undefined && now.every(([, size, time], index) => isSame(output.files[index]!, size, time));
}

function isSame([, size, time]: OutputStamp['files'][number], nowSize: number, nowTime: number): boolean {
  return size === nowSize && time === nowTime;
}

/** Compares each input once with what an earlier run found there. */
function createFreshness(
  reads: readonly StampedRead[],
  environment: Environment,
): (index: number) => boolean | Promise<boolean> {
  const kept = keepReads(openDisk(environment));
  const known = new Map<number, boolean>();
  const stampNow = async (key: string): Promise<string> => {
    const space = key.indexOf(' ');
    const [kind, name] = [key.slice(0, space), key.slice(space + 1)];
    if (kind === 'program') {
      return (await askVersion(name as ProgramCall['program'], openPrograms(environment))) ?? '';
    }
    if (kind === 'variable') {
      const value = environment.variables[name];
      return value === undefined ? '' : sha256(value);
    }
    return kept.stampOf(name, kind as Look);
  };
  const compare = async (index: number): Promise<boolean> => {
    const [key, stamp] = reads[index]!;
    const isFresh = (await stampNow(key)) === stamp;
    known.set(index, isFresh);
    return isFresh;
  };
  return (index) => known.get(index) ?? compare(index);
}

interface ReadTable {
  /** The index of a read; `undefined` if another target found something else there. */
  readonly add: (read: StampedRead) => number | undefined;
  readonly list: () => readonly StampedRead[];
}

function createReadTable(): ReadTable {
  const list: StampedRead[] = [];
  const indexes = new Map<string, number>();
  return {
    add([key, stamp]) {
      const index = indexes.get(key);
      if (index !== undefined) return list[index]![1] === stamp ? index : undefined;
      indexes.set(key, list.length);
      return list.push([key, stamp]) - 1;
    },
    list: () => list,
  };
}
