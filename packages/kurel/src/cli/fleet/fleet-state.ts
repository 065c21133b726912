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
import type { TargetFacts } from './cache/cached-target.ts';
import { createStamper } from './stamp-reads.ts';
import { openStateFile } from './state-file.ts';
import { writeBigInt } from './target-command.ts';

const noFindings: Omit<TargetFacts, 'objects'> = { diagnostics: [], accepted: 0, acceptedBy: [] };

/** What earlier runs left: targets whose inputs, options and outputs are unchanged are not built again. */
export type FleetState = NonNullable<ReturnType<typeof openState>>;

/** The state in the user's cache directory; `undefined` without such a directory, so that every target is built. */
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
      return { ...(entry.findings ?? noFindings), objects: entry.objects, keys };
    },
    add(target: FleetTarget, outcome: TargetOutcome): void {
      const { reads, isRepeatable, output, diagnostics, accepted, acceptedBy, objects } = outcome;
      const isKept = isRepeatable && (purpose === 'validate' || output !== undefined);
      const hasFindings = diagnostics.length > 0 || accepted > 0;
      const findings = hasFindings ? { diagnostics, accepted, acceptedBy } : undefined;
      file.add(target.name, isKept ? { key: keyOf(target, job), reads, output, objects, findings } : undefined);
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
