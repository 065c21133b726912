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
import { toFileAccessError } from './file-errors.ts';
import { makeDirectory } from './make-directory.ts';
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
  };
  /** Moved into place last, so that the list never names files that are not there. */
  readonly inventory?: NewFile & { readonly exists: boolean };
  readonly rename?: (from: string, to: string) => void;
}

/** Carries out a plan whole, or puts everything back as it was and throws. */
export function replaceFiles(directory: string, replacement: Replacement): void {
  const { plan, inventory, rename = renameSync } = replacement;
  const log = createUndoLog();
  let staging = directory;

  function replace(path: string, index: number, exists: boolean): void {
    const [target, staged, old] = [join(directory, path), join(staging, `new-${index}`), join(staging, `old-${index}`)];
    makeDirectory(dirname(target), log);
    if (exists) keepCopy(target, { copy: old, successor: staged });
    log.act(
      () => rename(staged, target),
      () => (exists ? rename(old, target) : rmSync(target)),
    );
  }

  try {
    makeDirectory(directory, log);
    staging = makeStaging(directory);
    log.cleanUp(() => removeStaging(staging));
    const files = [...plan.added, ...plan.changed, ...(inventory === undefined ? [] : [inventory])];
    for (const [index, file] of files.entries()) writeFileSync(join(staging, `new-${index}`), file.text);

    for (const [index, { path }] of plan.removed.entries()) {
      const [target, gone] = [join(directory, path), join(staging, `gone-${index}`)];
      log.act(
        () => rename(target, gone),
        () => rename(gone, target),
      );
    }
    for (const { path } of plan.removed) removeEmptyParents(directory, path, log);
    for (const [index, file] of files.entries()) {
      const exists = inventory !== undefined && file === inventory ? inventory.exists : index >= plan.added.length;
      replace(file.path, index, exists);
    }
  } catch (error) {
    const failures = log.takeBack();
    if (failures.length === 0) throw error;
    if (staging !== directory) keepStaging(staging);
    throw notRestored(failures, { directory, staging, cause: error });
  }
  removeStaging(staging);
}

function removeEmptyParents(directory: string, path: string, log: UndoLog): void {
  for (const parent of parentsOf(path).toReversed()) {
    const target = join(directory, parent);
    const isThere = statSync(target, { throwIfNoEntry: false }) !== undefined;
    if (isThere && readdirSync(target).length > 0) return;
    if (!isThere) continue;
    log.act(
      () => rmdirSync(target),
      () => mkdirSync(target),
    );
  }
}

/** A second name for the old content, so that the new one takes its place in one step; and the same permissions. */
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
