import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

import type { Fleet, FleetTarget } from '../../fleet/index.ts';
import { normalisePath } from '../../forms/index.ts';
import { DiagnosticError } from '../../diagnostics/index.ts';
import { inventoryName, realPathOf, writeOutputFile } from '../../host/index.ts';
import type { EarlierBuild, OutputRoots } from '../../host/index.ts';
import type { WrittenOwner } from '../open-output.ts';
import { isOutside, refusePlace } from './output-limits.ts';
import { findOthersOutputs, formatRecord, nameRecord, readRecord } from './output-record.ts';
import type { RecordedOutput } from './output-record.ts';

/** A directory that no target writes to any more. */
export interface LeftOutput extends RecordedOutput {
  readonly output: string;
  /** The output that the target has now; absent if there is no such target any more. */
  readonly now?: string | undefined;
}

/**
 * The output directories that targets of a fleet file have written, in a file beside it. It belongs in the repository: without it, nobody
 * could say that a directory is the output of a target that was removed from the fleet file, or has moved. It has no digests, and only what
 * the fleet file says if possible, so that branches and shards write the same. The files are in the inventory of each directory.
 */
export function openOutputRecord(directory: string, { source, targets }: Fleet, roots: OutputRoots) {
  const name = nameRecord(source.path);
  const path = join(directory, name);
  const file = readRecord(directory, name);
  const recorded = new Map(file.outputs);
  const current = new Map(targets.map((target) => [normalisePath(target.settings.output), target]));
  const outputsNow = new Map(targets.map((target) => [target.name, target.settings.output]));
  /** Since the last save; `undefined` if an output is forgotten. */
  const changes = new Map<string, RecordedOutput | undefined>();
  let { isOutdated } = file;

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
    const now = new Map(readRecord(directory, name).outputs);
    for (const [output, entry] of changes) {
      if (entry === undefined) now.delete(output);
      else now.set(output, entry);
    }
    changes.clear();
    isOutdated = false;
    const text = now.size === 0 ? undefined : formatRecord(now);
    const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    if (text === undefined || text === before) return;
    const refusal = refusePlace({ path: name, directory, subject: 'record' }, roots);
    if (refusal !== undefined) throw new DiagnosticError([refusal]);
    writeOutputFile(path, text);
  }

  const unused = [...recorded.keys()].filter((output) => !current.has(output));
  // Another fleet may have taken over the target.
  const others = unused.length === 0 ? new Set() : findOthersOutputs(directory, name);
  const isGone = (output: string): boolean => others.has(output) || !isDirectory(resolve(directory, output));

  function findLeft(): readonly LeftOutput[] {
    const candidates = unused.filter((output) => !isGone(output));
    if (candidates.length === 0) return [];
    const places = new Map([...current.keys()].map((output) => [realPathOf(resolve(directory, output)), output]));
    return candidates.flatMap((output) => {
      const { target, instances } = recorded.get(output)!;
      const same = places.get(realPathOf(resolve(directory, output)));
      if (same === undefined) return [{ output, target, instances, now: outputsNow.get(target) }];
      renameOutput(output, same);
      return [];
    });
  }

  /** Links, and names that differ only in case where case is ignored, are the same directory with another path. */
  function renameOutput(output: string, same: string): void {
    const { target, instances } = recorded.get(output)!;
    const { target: owner = target, instances: more = [] } = recorded.get(same) ?? {};
    put(same, { target: owner, instances: [...new Set([...more, ...instances])] });
    remove(output);
  }

  /** If a run that changes the instance is killed, the files may be of either. */
  function addInstance({ instance, output }: FleetTarget['settings']): void {
    const { target, instances = [] } = recorded.get(normalisePath(output)) ?? {};
    if (target === undefined || instance === undefined || instances.length === 0 || instances.includes(instance))
      return;
    put(normalisePath(output), { target, instances: [...instances, instance] });
  }

  /** What the record should say about a target; the default instance is known only after a build. */
  function entryOf({ name: target, settings }: FleetTarget, owner?: WrittenOwner): RecordedOutput {
    const instance = settings.instance ?? (owner?.isShared === true ? owner.instance : undefined);
    return { target, instances: instance === undefined ? [] : [instance] };
  }

  /** The entry of the target's output, if the target has changed since it was written. */
  function findStale(target: FleetTarget): RecordedOutput | undefined {
    const entry = recorded.get(normalisePath(target.settings.output));
    if (entry === undefined) return undefined;
    const { instance = entry.instances[0] } = target.settings;
    return entry.target === target.name && entry.instances.every((each) => each === instance) ? undefined : entry;
  }

  const left = findLeft();
  return {
    left,
    findStale,
    /** The builds that have written the outputs of targets before, by the names of the targets. */
    earlier: new Map(
      targets.flatMap((target): readonly (readonly [string, EarlierBuild])[] => {
        const entry = recorded.get(normalisePath(target.settings.output));
        return entry === undefined ? [] : [[target.name, { instances: entry.instances }]];
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
      return entry.target === target.name && entry.instances.every((each) => each === instance);
    },
    /**
     * Records the outputs of these targets before they are written: a run that is killed must not leave unknown outputs. A directory that
     * another build has written is not recorded before this fleet has written it, too. `own` are those of this shard.
     */
    begin(list: readonly FleetTarget[], own: readonly FleetTarget[]): void {
      for (const target of list) {
        if (isOutside(target)) continue;
        const output = normalisePath(target.settings.output);
        if (!recorded.has(output) && !existsSync(join(directory, output, inventoryName))) put(output, entryOf(target));
      }
      for (const { settings } of own) addInstance(settings);
      for (const output of unused.filter(isGone)) remove(output);
      save();
    },
    /** Records targets that are up to date; `owners` has those that were built. */
    complete(list: readonly FleetTarget[], owners: ReadonlyMap<string, WrittenOwner>): void {
      for (const target of list) {
        const output = normalisePath(target.settings.output);
        const owner = owners.get(target.name);
        const entry = entryOf(target, owner);
        const isKnown = owner !== undefined || entry.instances.length > 0;
        put(output, isKnown ? entry : { ...entry, instances: recorded.get(output)?.instances ?? [] });
      }
      save();
    },
    forget(outputs: readonly LeftOutput[]): void {
      for (const { output } of outputs) remove(output);
      save();
    },
  };
}

function isSame(a: RecordedOutput | undefined, b: RecordedOutput): boolean {
  return a !== undefined && a.target === b.target && a.instances.join(' ') === b.instances.join(' ');
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
