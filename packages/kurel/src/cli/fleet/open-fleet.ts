import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

import { didYouMean, nearest, quote } from '../../diagnostics/index.ts';
import { compileNamePattern, isInShard, isPattern, mostShards, parseShard, readFleet } from '../../fleet/index.ts';
import type { Fleet, FleetTarget, Shard } from '../../fleet/index.ts';
import type { OutputRoots } from '../../host/index.ts';
import { FileAccessError } from '../../model/index.ts';
import type { Diagnostic, FileSystem, SourceFile } from '../../model/index.ts';
import type { CommandCall } from '../command.ts';
import type { Environment } from '../environment.ts';
import { openDisk } from '../open-world.ts';
import { moveFindings } from '../sourced-findings.ts';
import type { SourcedFindings } from '../sourced-findings.ts';
import { UsageError } from '../usage-error.ts';
import { completeDelivery } from './delivery-settings.ts';
import type { FleetFlags } from './fleet-flags.ts';

const fleetFileName = 'kurel.fleet.yaml';

/** A fleet file on disk. All paths in it are relative to its directory, and so are those in findings. */
export interface OpenedFleet extends SourcedFindings {
  /** Absent if the file has errors. */
  readonly fleet: Fleet | undefined;
  /** The name of the fleet file in its directory. */
  readonly file: string;
  /** The environment with the directory of the fleet file as its working directory. */
  readonly environment: Environment;
}

/** What an action of `kurel fleet` works on. */
export interface FleetCall {
  readonly flags: CommandCall<FleetFlags>['flags'];
  /** With the working directory of the user. */
  readonly environment: Environment;
  readonly opened: OpenedFleet;
  readonly fleet: Fleet;
  readonly roots: OutputRoots;
  readonly selection: TargetSelection;
}

export type FleetPlace = Pick<FleetCall, 'opened' | 'environment'>;

/** Finds and reads the fleet file; `written` is `--fleet`. */
export async function openFleet(written: string | undefined, environment: Environment): Promise<OpenedFleet> {
  const path = written === undefined ? findUpwards(environment) : resolve(environment.workingDirectory, written);
  const file = path.slice(dirname(path).length).replace(/^[/\\]/, '');
  const inside = moveTo(dirname(path), environment);
  return readFrom({ file, fileSystem: openDisk(inside), environment: inside, written });
}

/** The environment with another working directory; `--watch` gets absolute paths. */
function moveTo(workingDirectory: string, environment: Environment): Environment {
  const { watched } = environment;
  if (watched === undefined) return { ...environment, workingDirectory };
  const { note, noteProgram } = watched;
  const place = (path: string): string => resolve(workingDirectory, path);
  return {
    ...environment,
    workingDirectory,
    watched: {
      ...watched,
      note: (path, look) => note(place(path), look),
      noteProgram: (call) =>
        noteProgram({ ...call, args: call.args.map((word) => (word.startsWith('.') ? place(word) : word)) }),
    },
  };
}

interface FleetText extends Pick<OpenedFleet, 'file' | 'environment'> {
  readonly fileSystem: FileSystem;
  /** The path as the user wrote it. */
  readonly written?: string | undefined;
}

/** Reads a fleet file from any file system, such as a git revision. */
export async function readFrom({ file, fileSystem, environment, written = file }: FleetText): Promise<OpenedFleet> {
  const diagnostics: Diagnostic[] = [];
  const source = await readSource(file, fileSystem, written);
  const sources = [source];
  const fleet = await readFleet({
    source,
    fileSystem,
    report: (diagnostic) => void diagnostics.push(diagnostic),
    memory: environment.budget?.memory,
    budget: environment.budget,
    onLock: (lock) => void sources.push(lock),
  });
  const completed = fleet && completeDelivery(fleet, environment.workingDirectory);
  return { fleet: completed, file, environment, diagnostics, sources };
}

async function readSource(file: string, fileSystem: FileSystem, written: string): Promise<SourceFile> {
  try {
    return { path: file, text: await fileSystem.readText(file) };
  } catch (error) {
    if (!(error instanceof FileAccessError)) throw error;
    throw new UsageError(
      `cannot read the fleet file ${quote(written)}: ${error.detail}`,
      'pass a fleet file with --fleet',
    );
  }
}

/** Searches the working directory and those above it, up to the root of the git repository. */
function findUpwards({ workingDirectory, watched }: Environment): string {
  for (let directory = workingDirectory; ; directory = dirname(directory)) {
    const path = join(directory, fleetFileName);
    watched?.note(path, 'kind');
    if (existsSync(path)) return path;
    if (existsSync(join(directory, '.git')) || dirname(directory) === directory) break;
  }
  throw new UsageError(
    `no ${fleetFileName} in this directory or above it`,
    'pass a file with --fleet, or create one, for example\n' +
      '  apiVersion: launcher.gokure.dev/v1alpha1\n  kind: Fleet\n  spec:\n    targets:\n' +
      '      - name: web\n        package: web\n        output: rendered/web',
  );
}

/** The targets that names and patterns select; all of them without any. */
export function selectTargets({ targets }: Fleet, words: readonly string[]): readonly FleetTarget[] {
  if (words.length === 0) return targets;
  const chosen = new Set<FleetTarget>();
  for (const word of words) {
    const matches = isPattern(word) ? compileNamePattern(word) : (name: string): boolean => name === word;
    const matching = targets.filter(({ name }) => matches(name));
    if (matching.length === 0) throw noTarget(word, targets);
    for (const target of matching) chosen.add(target);
  }
  return targets.filter((target) => chosen.has(target));
}

function noTarget(word: string, targets: readonly FleetTarget[]): UsageError {
  const names = targets.map(({ name }) => name);
  if (isPattern(word)) {
    return new UsageError(
      `pattern ${quote(word)} matches no target`,
      '* matches within a part of a name, ** across parts; kurel fleet list prints all targets',
    );
  }
  const near = nearest(word, names) ?? names.find((name) => name.startsWith(`${word}/`) || name.endsWith(`/${word}`));
  return new UsageError(
    `target ${quote(word)} does not exist`,
    didYouMean(near) ?? 'kurel fleet list prints all targets',
  );
}

/** A path of the fleet as seen from the user's working directory. */
export function showPath(path: string, opened: Pick<OpenedFleet, 'environment'>, from: Environment): string {
  if (/^(?:[/-]|[a-z]+:\/\/)/.test(path)) return path;
  const prefix = directoryOf(opened, from);
  return prefix === '' ? path : `${prefix}/${path}`;
}

/** Paths in findings are relative to the fleet file; people and editors need them relative to their working directory. */
export function relocate(
  { diagnostics, sources }: SourcedFindings,
  { opened, environment }: FleetPlace,
): SourcedFindings {
  const show = (path: string): string => showPath(path, opened, environment);
  if (show('x') === 'x') return { diagnostics, sources };
  return {
    sources: sources.map((source) => ({ ...source, path: show(source.path) })),
    diagnostics: moveFindings(diagnostics, (location) => ({ ...location, file: show(location.file) })),
  };
}

/** The directory of the fleet file as seen from the user's working directory; empty if it is the same. */
export function directoryOf({ environment }: Pick<OpenedFleet, 'environment'>, from: Environment): string {
  return relative(from.workingDirectory, environment.workingDirectory).replaceAll('\\', '/');
}

export interface TargetSelection {
  readonly targets: readonly FleetTarget[];
  /** Those of this run and of the other shards. */
  readonly ofAllShards: readonly FleetTarget[];
  /** Whether all shards together process the whole fleet. */
  readonly isWhole: boolean;
  readonly shard?: Shard | undefined;
  /** Whether a target is or would be part of this run, also one that is no longer in the fleet file. */
  readonly owns: (name: string) => boolean;
}

export function readShard(text: string | undefined): Shard | undefined {
  if (text === undefined) return undefined;
  const shard = parseShard(text);
  if (shard !== undefined) return shard;
  throw new UsageError(
    `--shard must be I/N with an integer N from 1 to ${mostShards} and I from 0 to N, got ${quote(text)}`,
    'for example --shard 3/8 is the third of eight shards',
  );
}

/** Limits the targets that names and `--since` select to one shard. */
export function limitToShard(
  { targets: all }: Fleet,
  selected: readonly FleetTarget[],
  shard: Shard | undefined,
): TargetSelection {
  const owns = (name: string): boolean => shard === undefined || isInShard(name, shard);
  return {
    targets: selected.filter(({ name }) => owns(name)),
    ofAllShards: selected,
    isWhole: selected.length === all.length,
    shard,
    owns,
  };
}
