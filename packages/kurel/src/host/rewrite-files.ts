import { lstatSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DiagnosticError } from '../diagnostics/index.ts';
import { isSystemError, toFileAccessError } from './file-errors.ts';
import { holdSignals } from './hold-signals.ts';
import { hostProblems } from './problems.ts';
import { isWithin } from './relative-path.ts';
import { keepCopy } from './replace-files.ts';
import { keepStaging, makeStaging, removeStaging, removeStaleStagings } from './staging-directory.ts';
import { createUndoLog } from './undo-log.ts';

export interface Rewrite {
  readonly path: string;
  /** The content that was read. A file with other content is not written. */
  readonly before: string;
  readonly after: string;
}

export interface RewriteOptions {
  /** Where relative paths start. Defaults to the current directory. */
  readonly workingDirectory?: string;
  readonly rename?: (from: string, to: string) => void;
}

interface Move {
  readonly path: string;
  readonly target: string;
  readonly staged: string;
  readonly copy: string;
}

/**
 * Rewrites existing files: all of them or, if anything fails, none. Signals wait until it is done. Writes the target of a link, and keeps
 * permissions.
 */
export function rewriteFiles(rewrites: readonly Rewrite[], options: RewriteOptions = {}): void {
  const { workingDirectory = '.', rename = renameSync } = options;
  const log = createUndoLog();
  const stagings = new Map<string, string>();
  const release = holdSignals();
  let at = '';

  function stage({ path, before, after }: Rewrite, index: number): Move {
    at = path;
    const target = realpathSync.native(resolve(workingDirectory, path));
    refuseLinkOut(path, target);
    if (!readFileSync(target).equals(Buffer.from(before))) {
      throw new DiagnosticError([hostProblems.create('file-changed', { path })]);
    }
    const staging = stagingIn(dirname(target));
    const staged = join(staging, `new-${index}`);
    writeFileSync(staged, after);
    return { path, target, staged, copy: join(staging, `old-${index}`) };
  }

  /** A user who passes a link may not know that its target is outside of the working directory. */
  function refuseLinkOut(path: string, target: string): void {
    if (!lstatSync(resolve(workingDirectory, path)).isSymbolicLink()) return;
    if (isWithin(realpathSync.native(resolve(workingDirectory)), target)) return;
    throw new DiagnosticError([hostProblems.create('file-link-out', { path, target })]);
  }

  function stagingIn(directory: string): string {
    const known = stagings.get(directory);
    if (known !== undefined) return known;
    removeStaleStagings(directory);
    const staging = makeStaging(directory);
    stagings.set(directory, staging);
    log.cleanUp(() => removeStaging(staging));
    return staging;
  }

  try {
    // All files are staged before the first is moved, so that no copy is removed while it may still be needed.
    for (const { path, target, staged, copy } of rewrites.map(stage)) {
      at = path;
      keepCopy(target, { copy, successor: staged });
      log.act(
        () => rename(staged, target),
        () => rename(copy, target),
      );
    }
  } catch (error) {
    const failures = log.takeBack();
    if (failures.length > 0) for (const staging of stagings.values()) keepStaging(staging);
    if (error instanceof DiagnosticError && failures.length === 0) throw error;
    throw explain(error, { path: at, isRestored: failures.length === 0, kept: [...stagings.values()] });
  } finally {
    release();
  }
  for (const staging of stagings.values()) removeStaging(staging);
}

interface Failure {
  readonly path: string;
  readonly isRestored: boolean;
  readonly kept: readonly string[];
}

function explain(error: unknown, { path, isRestored, kept }: Failure): unknown {
  if (!isSystemError(error)) return error;
  const args = { path, reason: toFileAccessError(path, error).detail };
  const failed = hostProblems.create('output-failed', args);
  if (isRestored) return new DiagnosticError([failed], { cause: error });
  const lost = hostProblems.create('output-not-restored', { ...args, kept: kept.join('", "') });
  return new DiagnosticError([failed, lost], { cause: error });
}
