import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { trimPath } from '../../fleet/index.ts';
import type { Fleet } from '../../fleet/index.ts';
import { DiagnosticError } from '../../diagnostics/index.ts';
import { inventoryName, removeOutputDirectory, writeOutputFile } from '../../host/index.ts';
import type { OutputRoots } from '../../host/index.ts';
import { compareText, isJsonObject, readJson } from '../../model/index.ts';
import type { Diagnostic } from '../../model/index.ts';
import { cliProblems } from '../problems.ts';
import { isOutside, refusePlace } from './output-limits.ts';

export interface RemovedOutput {
  readonly output: string;
  readonly target: string;
}

/**
 * The output directories that targets of a fleet file have written, in a file beside it. It belongs in the repository: without it, nobody
 * could say that a directory is the output of a target that was removed from the fleet file.
 */
export function openOutputRecord(directory: string, { source, targets }: Fleet, roots: OutputRoots) {
  const name = `.${source.path.replace(/\.ya?ml$/, '')}.outputs`;
  const path = join(directory, name);
  const recorded = read(path);
  const current = new Set(targets.map(({ settings }) => trimPath(settings.output)));
  /** Since the last save; `undefined` if an output is forgotten. */
  const changes = new Map<string, string | undefined>();
  const put = (output: string, target: string): void => {
    if (recorded.get(output) === target) return;
    recorded.set(output, target);
    changes.set(output, target);
  };
  const remove = (output: string): void => {
    if (recorded.delete(output)) changes.set(output, undefined);
  };
  const save = (): void => {
    if (changes.size === 0) return;
    // Other shards may have written it in the meantime.
    const now = read(path);
    for (const [output, name] of changes) {
      if (name === undefined) now.delete(output);
      else now.set(output, name);
    }
    changes.clear();
    const sorted = Object.fromEntries([...now].sort(([a], [b]) => compareText(a, b)));
    const text = now.size === 0 ? undefined : `${JSON.stringify({ version: 1, outputs: sorted }, undefined, 2)}\n`;
    const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    if (text === undefined || text === before) return;
    const refusal = refusePlace({ path: name, directory, subject: 'record' }, roots);
    if (refusal !== undefined) throw new DiagnosticError([refusal]);
    writeOutputFile(path, text);
  };
  return {
    /** Recorded directories that no target writes to any more, with the name of the target that did. */
    removed: [...recorded]
      .filter(([output]) => !current.has(output) && existsSync(resolve(directory, output)))
      .map(([output, target]) => ({ output, target })),
    /** The names of targets whose output was written by an earlier run. */
    written: new Set(targets.flatMap(({ name, settings }) => (recorded.has(trimPath(settings.output)) ? [name] : []))),
    /**
     * Records the outputs of these targets before they are written: a run that is killed must not leave unknown outputs. A directory that
     * another build has written is not recorded before this fleet has written it, too.
     */
    begin(list: Fleet['targets']): void {
      for (const target of list) {
        if (isOutside(target)) continue;
        const { name: owner, settings } = target;
        const output = trimPath(settings.output);
        if (recorded.has(output) || !existsSync(join(directory, output, inventoryName))) put(output, owner);
      }
      for (const output of recorded.keys()) {
        if (!current.has(output) && !existsSync(resolve(directory, output))) remove(output);
      }
      save();
    },
    complete(list: Fleet['targets']): void {
      for (const { name, settings } of list) put(trimPath(settings.output), name);
      save();
    },
    forget(outputs: readonly RemovedOutput[]): void {
      for (const { output } of outputs) remove(output);
      save();
    },
  };
}

/** A record that is not valid counts as empty: it only says what could be removed. */
function read(path: string): Map<string, string> {
  try {
    const reading = readJson(readFileSync(path));
    const data = 'data' in reading ? reading.data : undefined;
    const outputs = isJsonObject(data) && data['version'] === 1 ? data['outputs'] : undefined;
    if (!isJsonObject(outputs)) return new Map();
    return new Map(Object.entries(outputs).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  } catch {
    return new Map();
  }
}

interface RemovalPlace {
  readonly directory: string;
  readonly roots: OutputRoots;
  /** Reported as errors, because the repository is not what the fleet file says. */
  readonly isError: boolean;
}

/** The outputs of removed targets that kurel may delete, and findings about all others: anybody could have written them into the record. */
export function checkRemoved(
  removed: readonly RemovedOutput[],
  { directory, roots, isError }: RemovalPlace,
): { readonly inside: readonly RemovedOutput[]; readonly diagnostics: readonly Diagnostic[] } {
  const severity = isError ? 'error' : 'warning';
  const refusals = new Map(
    removed.map((entry) => {
      return [entry, refusePlace({ path: entry.output, directory, subject: 'removed output' }, roots)];
    }),
  );
  return {
    inside: removed.filter((entry) => refusals.get(entry) === undefined),
    diagnostics: [...refusals.values()].flatMap((problem) => (problem === undefined ? [] : [{ ...problem, severity }])),
  };
}

export function reportRemoved(removed: readonly RemovedOutput[], isError: boolean): readonly Diagnostic[] {
  return removed.map((output) =>
    cliProblems.create('fleet-output-removed', output, { severity: isError ? 'error' : 'warning' }),
  );
}

/** Deletes the files that kurel wrote for removed targets. Edited files are kept and reported. */
export function pruneOutputs(removed: readonly RemovedOutput[], directory: string): readonly Diagnostic[] {
  return removed.flatMap(({ output }) => removeOutputDirectory(resolve(directory, output)));
}
