import {
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DiagnosticError } from '../diagnostics/index.ts';
import { parentsOf } from './check-output-paths.ts';
import { makeDirectory, statIfThere, toFileAccessError } from './file-errors.ts';
import { hostProblems } from './problems.ts';
import { pathAtFault } from './report-failure.ts';
import { keepStaging, makeStaging, removeStaging } from './staging-directory.ts';
import { createUndoLog, type UndoLog } from './undo-log.ts';

/** A file with its whole content. */
export interface NewFile {
  readonly path: string;
  readonly text: string | Uint8Array;
}

export interface Replacement {
  readonly plan: {
    readonly added: readonly NewFile[];
    readonly changed: readonly NewFile[];
    readonly removed: readonly { readonly path: string }[];
    /** Removed files whose empty parent directories may remain and are removed too. */
    readonly left?: readonly string[];
  };
  /** Replaces the inventory first. It lists old and new files, in case the process is killed and both remain. */
  readonly pending?: string;
  /** Replaced last, so that it never lists files that do not exist. */
  readonly inventory?: NewFile & { readonly exists: boolean };
  readonly rename?: (from: string, to: string) => void;
}

/** Carries out the whole plan, or undoes everything and throws. */
export function replaceFiles(directory: string, replacement: Replacement): void {
  const { plan, inventory, pending, rename = renameSync } = replacement;
  const log = createUndoLog();
  let staging = directory;

  function replace({ path, staged, copy }: Move): void {
    const target = join(directory, path);
    log.act(
      () => rename(staged, target),
      () => (copy === undefined ? rmSync(target) : rename(copy, target)),
    );
  }

  function remove({ path }: { readonly path: string }, index: number): void {
    const [target, gone] = [join(directory, path), join(staging, `gone-${index}`)];
    log.act(
      () => rename(target, gone),
      () => rename(gone, target),
    );
  }

  function makeParents({ path }: { readonly path: string }): void {
    makeDirectory(dirname(join(directory, path)), log);
  }

  function removeEmpty(): void {
    for (const { path } of plan.removed) removeEmptyParents(directory, path, log);
    for (const path of plan.left ?? []) removeEmptyParents(directory, path, log);
  }

  try {
    makeDirectory(directory, log);
    staging = makeStaging(directory);
    log.cleanUp(() => removeStaging(staging));
    const files = stage(directory, staging, replacement);
    const isTangled = hasFilesForDirectories(directory, plan);
    if (!isTangled) plan.added.forEach(makeParents);
    // From here on, a killed process leaves a mix of old and new files, so all other work is done before or after this block.
    const last = inventory === undefined ? undefined : files.pop();
    if (pending !== undefined && last !== undefined)
      replace(stagePending(staging, pending, { last, index: files.length + 1 }));
    plan.removed.forEach(remove);
    if (isTangled) removeEmpty();
    for (const file of files) {
      if (isTangled) makeParents(file);
      replace(file);
    }
    if (!isTangled) removeEmpty();
    if (last !== undefined) replace(last);
  } catch (error) {
    const failures = log.takeBack();
    if (failures.length === 0) throw error;
    if (staging !== directory) keepStaging(staging);
    throw notRestored(failures, { directory, staging, cause: error });
  }
  removeStaging(staging);
}

/** A staged file, with a copy of the file that it replaces. */
interface Move {
  readonly path: string;
  readonly staged: string;
  readonly copy: string | undefined;
}

/** Stages the files in the order of their moves, the inventory last. */
function stage(directory: string, staging: string, { plan, inventory }: Replacement): Move[] {
  const added = plan.added.map((file) => ({ ...file, exists: false }));
  const changed = plan.changed.map((file) => ({ ...file, exists: true }));
  return [...added, ...changed, ...(inventory === undefined ? [] : [inventory])].map(
    ({ path, text, exists }, index) => {
      const [staged, copy] = [join(staging, `new-${index}`), join(staging, `old-${index}`)];
      writeFileSync(staged, text);
      if (exists) keepCopy(join(directory, path), { copy, successor: staged });
      return { path, staged, copy: exists ? copy : undefined };
    },
  );
}

function stagePending(
  staging: string,
  text: string,
  { last, index }: { readonly last: Move; readonly index: number },
): Move {
  const staged = join(staging, `new-${index}`);
  writeFileSync(staged, text, { mode: statSync(last.staged).mode & 0o7777 });
  return { ...last, staged };
}

/** Whether a file replaces a directory or the other way round, so that removals have to come first. */
function hasFilesForDirectories(directory: string, { added, removed }: Replacement['plan']): boolean {
  const leaving = new Set(removed.map(({ path }) => path));
  return added.some(
    ({ path }) =>
      parentsOf(path).some((parent) => leaving.has(parent)) ||
      statIfThere(join(directory, path))?.isDirectory() === true,
  );
}

function removeEmptyParents(directory: string, path: string, log: UndoLog): void {
  for (const parent of parentsOf(path).toReversed()) {
    const target = join(directory, parent);
    const stats = statIfThere(target);
    if (stats === undefined) continue;
    // A file may have replaced the directory.
    if (!stats.isDirectory() || readdirSync(target).length > 0) return;
    log.act(
      () => rmdirSync(target),
      () => mkdirSync(target),
    );
  }
}

/** Keeps the old content under a second name, so that one rename can replace it, and copies its permissions. */
export function keepCopy(
  target: string,
  { copy, successor }: { readonly copy: string; readonly successor: string },
): void {
  try {
    linkSync(target, copy);
  } catch {
    copyFileSync(target, copy);
  }
  chmodSync(successor, statSync(target).mode & 0o7777);
}

function notRestored(
  failures: readonly unknown[],
  { directory, staging, cause }: { readonly directory: string; readonly staging: string; readonly cause: unknown },
): DiagnosticError {
  const problems = [cause, ...failures].map((error) => {
    const path = pathAtFault(error) ?? directory;
    const args = { path, reason: toFileAccessError(path, error).detail, kept: staging };
    return hostProblems.create(error === cause ? 'output-failed' : 'output-not-restored', args);
  });
  return new DiagnosticError(problems, { cause });
}
