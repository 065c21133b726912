import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { sha256 } from '../../engine/index.ts';
import type { FleetTarget } from '../../fleet/index.ts';
import { digestOf } from '../../host/index.ts';
import { keepReads } from '../../reads/index.ts';
import type { Environment } from '../environment.ts';
import { openDisk } from '../open-world.ts';
import { openOwnCache } from '../own-cache.ts';
import { digestFiles, hasStats } from './build-target.ts';
import type { FleetJob, OutputStamp, StampedRead, TargetOutcome } from './build-target.ts';
import { createStamper } from './stamp-reads.ts';
import { openStateFile } from './state-file.ts';
import type { SavedFindings } from './state-file.ts';

/** The result of a target that does not have to be built again. */
export interface KeptOutcome extends SavedFindings {
  readonly objects: number;
}

/** What earlier runs left: targets whose inputs, options and outputs are unchanged are not built again. */
interface FleetState {
  /** The kept result if the target is up to date, and the keys of what was read for it. */
  find(target: FleetTarget): Promise<(KeptOutcome & { readonly keys: () => readonly string[] }) | undefined>;
  add(target: FleetTarget, outcome: TargetOutcome): void;
  /** Keeps what was found and added for the next run; targets that no longer exist are forgotten. */
  save(targets: readonly FleetTarget[]): void;
}

export const noState: FleetState = {
  find: async () => undefined,
  add: () => undefined,
  save: () => undefined,
};

const noFindings: SavedFindings = { diagnostics: [], accepted: 0, acceptedBy: [] };

/** The state in the user's cache directory; without such a directory every target is built. */
export function openState(job: FleetJob, environment: Environment): FleetState {
  const cache = openOwnCache({ variables: environment.variables, userId: process.getuid?.() });
  if (cache === undefined) return noState;
  const inside = { ...environment, workingDirectory: job.directory };
  // `--check` writes nothing, and compares with what builds have left.
  const purpose = job.action === 'validate' ? 'validate' : 'build';
  const place = join(job.directory, job.source.path);
  const file = openStateFile(cache, `fleet-${sha256(`${purpose} ${place}`).slice(0, 24)}`);
  const isFresh = createFreshness(file.reads, inside);
  return {
    async find(target) {
      const entry = file.find(target.name);
      if (entry === undefined || entry.key !== keyOf(target, job)) return undefined;
      const { output } = entry;
      if (!isOutputFresh(target, output && { ...output, paths: file.paths[output.paths]! }, job)) return undefined;
      for (const index of entry.reads) {
        // Most are known already: a promise for each read of each target would take longer than the rest.
        const known = isFresh(index);
        if (known === false || (known !== true && !(await known))) return undefined;
      }
      const keys = (): readonly string[] => entry.reads.map((index) => file.reads[index]![0]);
      return { ...(entry.findings ?? noFindings), objects: entry.objects, keys };
    },
    add(target, { reads, isRepeatable, output, diagnostics, accepted, acceptedBy, objects }) {
      const isKept = isRepeatable && (purpose === 'validate' || output !== undefined);
      const hasFindings = diagnostics.length > 0 || accepted > 0;
      const findings = hasFindings ? { diagnostics, accepted, acceptedBy } : undefined;
      file.add(target.name, isKept ? { key: keyOf(target, job), reads, output, objects, findings } : undefined);
    },
    save(targets) {
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

export function writeBigInt(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
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
  const known: boolean[] = [];
  const compare = async (index: number): Promise<boolean> => {
    const [key, stamp] = reads[index]!;
    const isFresh = (await stampNow(key)) === stamp;
    known[index] = isFresh;
    return isFresh;
  };
  return (index) => known[index] ?? compare(index);
}
