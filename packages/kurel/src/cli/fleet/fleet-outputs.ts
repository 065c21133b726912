import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import type { Fleet, FleetTarget } from '../../fleet/index.ts';
import { normalisePath } from '../../forms/index.ts';
import { DiagnosticError } from '../../diagnostics/index.ts';
import { inventoryName, realPathOf, writeOutputFile } from '../../host/index.ts';
import type { EarlierBuild, OutputRoots } from '../../host/index.ts';
import { compareText, isJsonObject, readJson } from '../../model/index.ts';
import type { Json } from '../../model/index.ts';
import type { WrittenOwner } from '../open-output.ts';
import { isOutside, refusePlace } from './output-limits.ts';

/** What is known about an output directory: the target that wrote it, and the instance that owns its files if the target does not say so. */
export interface RecordedOutput {
  readonly target: string;
  /** Absent if it is the default of the package, and no other instance is in the directory. */
  readonly instance?: string | undefined;
}

/** A directory that no target writes to any more. */
export interface LeftOutput extends RecordedOutput {
  readonly output: string;
  /** The output that the target has now; absent if there is no such target any more. */
  readonly now?: string | undefined;
}

const version = 2;
// Its entries name only targets.
const versionWithoutInstances = 1;

/**
 * The output directories that targets of a fleet file have written, in a file beside it. It belongs in the repository: without it, nobody
 * could say that a directory is the output of a target that was removed from the fleet file, or has moved. It has no digests, and only what
 * the fleet file says if possible, so that branches and shards write the same. The files are in the inventory of each directory.
 */
export function openOutputRecord(directory: string, { source, targets }: Fleet, roots: OutputRoots) {
  const name = `.${source.path.replace(/\.ya?ml$/, '')}.outputs`;
  const path = join(directory, name);
  const file = read(path);
  const recorded = new Map(file.outputs);
  const current = new Map(targets.map((target) => [normalisePath(target.settings.output), target]));
  const outputsNow = new Map(targets.map((target) => [target.name, target.settings.output]));
  /** Since the last save; `undefined` if an output is forgotten. */
  const changes = new Map<string, RecordedOutput | undefined>();
  let isOutdated = file.version === versionWithoutInstances;

  function put(output: string, entry: RecordedOutput): void {
    if (isSame(recorded.get(output), entry)) return;
    recorded.set(output, entry);
    changes.set(output, entry);
  }

  function remove(output: string): void {
    if (recorded.delete(output)) changes.set(output, undefined);
  }

  function save(): void {
    if (changes.size === 0 && !isOutdated) return;
    // Other shards may have written it in the meantime.
    const now = new Map(read(path).outputs);
    for (const [output, entry] of changes) {
      if (entry === undefined) now.delete(output);
      else now.set(output, entry);
    }
    changes.clear();
    isOutdated = false;
    const text = now.size === 0 ? undefined : format(now);
    const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    if (text === undefined || text === before) return;
    const refusal = refusePlace({ path: name, directory, subject: 'record' }, roots);
    if (refusal !== undefined) throw new DiagnosticError([refusal]);
    writeOutputFile(path, text);
  }

  /** Two ways to write a path, and names that differ only in case where case is ignored, are the same directory. */
  function findLeft(): readonly LeftOutput[] {
    const candidates = [...recorded].filter(
      ([output]) => !current.has(output) && existsSync(resolve(directory, output)),
    );
    if (candidates.length === 0) return [];
    const places = new Set([...current.keys()].map((output) => realPathOf(resolve(directory, output))));
    return candidates
      .filter(([output]) => !places.has(realPathOf(resolve(directory, output))))
      .map(([output, { target, instance }]) => ({ output, target, instance, now: outputsNow.get(target) }));
  }

  /** What the record should say about a target; the default instance is known only after a build. */
  function entryOf({ name: target, settings }: FleetTarget, owner?: WrittenOwner): RecordedOutput {
    const instance = settings.instance ?? (owner?.isShared === true ? owner.instance : undefined);
    return { target, instance };
  }

  /** The entry of the target's output, if the target has changed since it was written. */
  function findStale(target: FleetTarget): RecordedOutput | undefined {
    const entry = recorded.get(normalisePath(target.settings.output));
    if (entry === undefined) return undefined;
    const { instance } = target.settings;
    const isOther = instance !== undefined && entry.instance !== undefined && entry.instance !== instance;
    return entry.target !== target.name || isOther ? entry : undefined;
  }

  const left = findLeft();
  return {
    left,
    findStale,
    /** The builds that have written the outputs of targets before, by the names of the targets. */
    earlier: new Map(
      targets.flatMap((target): readonly (readonly [string, EarlierBuild])[] => {
        const entry = recorded.get(normalisePath(target.settings.output));
        return entry === undefined ? [] : [[target.name, { instance: entry.instance }]];
      }),
    ),
    /** Targets that a build has to look at, even if nothing that they read has changed. */
    moving: new Set([
      ...left.flatMap(({ target, now }) => (now === undefined ? [] : [target])),
      ...targets.flatMap((target) => (findStale(target) === undefined ? [] : [target.name])),
    ]),
    /** Whether an earlier build of the target, with this owner, is all that the record knows about its output. */
    isSettled(target: FleetTarget, instance: string): boolean {
      const entry = recorded.get(normalisePath(target.settings.output));
      if (entry === undefined) return true;
      return entry.target === target.name && (entry.instance ?? instance) === instance;
    },
    /**
     * Records the outputs of these targets before they are written: a run that is killed must not leave unknown outputs. A directory that
     * another build has written is not recorded before this fleet has written it, too.
     */
    begin(list: readonly FleetTarget[]): void {
      for (const target of list) {
        if (isOutside(target)) continue;
        const output = normalisePath(target.settings.output);
        if (!recorded.has(output) && !existsSync(join(directory, output, inventoryName))) put(output, entryOf(target));
      }
      for (const output of recorded.keys()) {
        if (!current.has(output) && !existsSync(resolve(directory, output))) remove(output);
      }
      save();
    },
    /** Records targets that are up to date; `owners` has those that were built. */
    complete(list: readonly FleetTarget[], owners: ReadonlyMap<string, WrittenOwner>): void {
      for (const target of list) {
        const output = normalisePath(target.settings.output);
        const owner = owners.get(target.name);
        const { instance } = owner === undefined ? (recorded.get(output) ?? {}) : {};
        put(output, { instance, ...definedIn(entryOf(target, owner)) });
      }
      save();
    },
    forget(outputs: readonly LeftOutput[]): void {
      for (const { output } of outputs) remove(output);
      save();
    },
  };
}

function definedIn({ target, instance }: RecordedOutput): RecordedOutput {
  return instance === undefined ? { target } : { target, instance };
}

function isSame(a: RecordedOutput | undefined, b: RecordedOutput): boolean {
  return a !== undefined && a.target === b.target && a.instance === b.instance;
}

/** An output without an instance has only the name of its target, in one line. */
function format(outputs: ReadonlyMap<string, RecordedOutput>): string {
  const sorted = [...outputs].sort(([a], [b]) => compareText(a, b));
  const entries = sorted.map(
    ([output, { target, instance }]) => [output, instance === undefined ? target : { target, instance }] as const,
  );
  return `${JSON.stringify({ version, outputs: Object.fromEntries(entries) }, undefined, 2)}\n`;
}

interface RecordFile {
  readonly version?: number | undefined;
  readonly outputs: ReadonlyMap<string, RecordedOutput>;
}

/** A record that is not valid counts as empty: it only says what could be removed. */
function read(path: string): RecordFile {
  const nothing: RecordFile = { outputs: new Map() };
  try {
    const reading = readJson(readFileSync(path));
    const data = 'data' in reading ? reading.data : undefined;
    if (!isJsonObject(data)) return nothing;
    const readable = [version, versionWithoutInstances].find((each) => each === data['version']);
    const outputs = data['outputs'];
    if (readable === undefined || !isJsonObject(outputs)) return nothing;
    const entries = Object.entries(outputs).flatMap(([output, value]) => {
      const entry = readEntry(value);
      return entry === undefined ? [] : [[normalisePath(output), entry] as const];
    });
    return { version: readable, outputs: new Map(entries) };
  } catch {
    return nothing;
  }
}

function readEntry(value: Json): RecordedOutput | undefined {
  if (typeof value === 'string') return { target: value };
  if (!isJsonObject(value)) return undefined;
  const { target, instance } = value;
  if (typeof target !== 'string' || (instance !== undefined && typeof instance !== 'string')) return undefined;
  return { target, instance };
}
