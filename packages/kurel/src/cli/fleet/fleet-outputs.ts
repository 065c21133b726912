import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import type { Fleet } from '../../fleet/index.ts';
import { removeOutputDirectory, writeOutputFile } from '../../host/index.ts';
import { isJsonObject } from '../../model/index.ts';
import type { Diagnostic } from '../../model/index.ts';
import { cliProblems } from '../problems.ts';

/**
 * The output directories that targets of a fleet file have written, in a file beside it. It belongs in the repository: without it, nobody
 * could say that a directory is the output of a target that was removed from the fleet file.
 */
interface OutputRecord {
  /** Recorded directories that no target writes to any more, with the name of the target that did. */
  readonly removed: readonly RemovedOutput[];
  /** The names of targets whose output was written by an earlier run. */
  readonly written: ReadonlySet<string>;
  /**
   * Records the outputs of these targets before they are written: a run that is killed must not leave unknown outputs. A directory that
   * another build has written is not recorded before this fleet has written it, too.
   */
  begin(targets: Fleet['targets']): void;
  /** Records the outputs of targets that were built. */
  complete(targets: Fleet['targets']): void;
  /** Forgets outputs that were pruned. */
  forget(outputs: readonly RemovedOutput[]): void;
}

export interface RemovedOutput {
  readonly output: string;
  readonly target: string;
}

export function openOutputRecord(directory: string, { source, targets }: Fleet): OutputRecord {
  const path = join(directory, `.${source.path.replace(/\.ya?ml$/, '')}.outputs`);
  const known = read(path);
  const current = new Set(targets.map(({ settings }) => trim(settings.output)));
  /** Since the last save; `undefined` if an output is forgotten. */
  const changes = new Map<string, string | undefined>();
  const put = (output: string, name: string): void => {
    if (known.get(output) === name) return;
    known.set(output, name);
    changes.set(output, name);
  };
  const remove = (output: string): void => {
    if (known.delete(output)) changes.set(output, undefined);
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
    const sorted = Object.fromEntries([...now].sort(([a], [b]) => (a < b ? -1 : 1)));
    const text = now.size === 0 ? undefined : `${JSON.stringify({ version: 1, outputs: sorted }, undefined, 2)}\n`;
    const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    if (text !== undefined && text !== before) writeOutputFile(path, text);
  };
  return {
    removed: [...known]
      .filter(([output]) => !current.has(output) && existsSync(resolve(directory, output)))
      .map(([output, target]) => ({ output, target })),
    written: new Set(targets.flatMap(({ name, settings }) => (known.has(trim(settings.output)) ? [name] : []))),
    begin(list) {
      for (const { name, settings } of list) {
        const output = trim(settings.output);
        if (known.has(output) || !existsSync(join(directory, output, '.kurel-inventory'))) put(output, name);
      }
      for (const output of known.keys()) {
        if (!current.has(output) && !existsSync(resolve(directory, output))) remove(output);
      }
      save();
    },
    complete(list) {
      for (const { name, settings } of list) put(trim(settings.output), name);
      save();
    },
    forget(outputs) {
      for (const { output } of outputs) remove(output);
      save();
    },
  };
}

function trim(output: string): string {
  return output.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
}

/** A record that is not valid counts as empty: it only says what could be removed. */
function read(path: string): Map<string, string> {
  try {
    const data: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const outputs = isJsonObject(data) && data['version'] === 1 ? data['outputs'] : undefined;
    if (!isJsonObject(outputs)) return new Map();
    return new Map(Object.entries(outputs).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  } catch {
    return new Map();
  }
}

/** Warnings about outputs of removed targets; errors with `--check`, because the repository is not what the fleet file says. */
export function reportRemoved(removed: readonly RemovedOutput[], isCheck: boolean): readonly Diagnostic[] {
  return removed.map((one) =>
    cliProblems.create('fleet-output-removed', one, { severity: isCheck ? 'error' : 'warning' }),
  );
}

/** Deletes the files that kurel wrote for removed targets. Edited files are kept and reported. */
export function pruneOutputs(removed: readonly RemovedOutput[], directory: string): readonly Diagnostic[] {
  return removed.flatMap(({ output }) => removeOutputDirectory(resolve(directory, output)));
}
