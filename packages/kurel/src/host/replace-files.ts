import {
  chmodSync,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DiagnosticError } from '../diagnostics/index.ts';
import { isSystemError, statIfThere, toFileAccessError } from './file-errors.ts';
import { holdSignals } from './hold-signals.ts';
import { hostProblems } from './problems.ts';
import { isWithin, parentsOf, toSlashes } from './relative-path.ts';
import { isStaged, keepStaging, makeStaging, removeStaging, removeStaleStagings } from './staging-directory.ts';
import { getOrAdd } from '../budget/index.ts';

/** A file with its whole content. */
export interface NewFile {
  readonly path: string;
  readonly text: string | Uint8Array;
  /** Its permissions; defaults to those of the file that it replaces, or of new files. */
  readonly mode?: number | undefined;
}

interface Replacement {
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
  readonly inventory?: (NewFile & { readonly exists: boolean }) | undefined;
  readonly rename?: (from: string, to: string) => void;
}

/** Carries out the whole plan, or undoes everything and throws. */
export function replaceFiles(directory: string, replacement: Replacement): void {
  const { plan, inventory, pending, rename = renameSync } = replacement;
  const log = createUndoLog();
  let staging = directory;

  const replace = (move: Move): void => placeFile(move, log, rename);

  function remove({ path }: { readonly path: string }, index: number): void {
    const [target, gone] = [join(directory, path), join(staging, `gone-${index}`)];
    log.act(
      () => rename(target, gone),
      () => rename(gone, target),
    );
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
    if (!isTangled) for (const { path } of plan.added) makeDirectory(dirname(join(directory, path)), log);
    // From here on, a killed process leaves a mix of old and new files, so all other work is done before or after this block.
    const last = inventory === undefined ? undefined : files.pop();
    if (pending !== undefined && last !== undefined)
      replace(stagePending(staging, pending, { last, index: files.length + 1 }));
    plan.removed.forEach(remove);
    if (isTangled) removeEmpty();
    for (const file of files) {
      if (isTangled) makeDirectory(dirname(file.target), log);
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
  readonly target: string;
  readonly staged: string;
  readonly copy: string | undefined;
}

function placeFile({ target, staged, copy }: Move, log: UndoLog, rename: (from: string, to: string) => void): void {
  log.act(
    () => rename(staged, target),
    () => (copy === undefined ? rmSync(target) : rename(copy, target)),
  );
}

/** Stages the files in the order of their moves, the inventory last. */
function stage(directory: string, staging: string, { plan, inventory }: Replacement): Move[] {
  const added = plan.added.map((file) => ({ ...file, exists: false }));
  const changed = plan.changed.map((file) => ({ ...file, exists: true }));
  return [...added, ...changed, ...(inventory === undefined ? [] : [inventory])].map(
    ({ path, text, mode, exists }, index) => {
      const target = join(directory, path);
      const [staged, copy] = [join(staging, `new-${index}`), join(staging, `old-${index}`)];
      writeFileSync(staged, text);
      if (exists) keepCopy(target, { copy, successor: staged });
      if (mode !== undefined) chmodSync(staged, mode);
      return { target, staged, copy: exists ? copy : undefined };
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
function keepCopy(target: string, { copy, successor }: { readonly copy: string; readonly successor: string }): void {
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

type Undo = (failuresSoFar: readonly unknown[]) => void;

/** Disk operations that can be undone, newest first. */
export interface UndoLog {
  /** Runs a step and records how to undo it. */
  act(step: () => void, undo: () => void): void;
  /** Records an undo step that runs only if all later steps could be undone. */
  cleanUp(undo: () => void): void;
  /** Undoes everything and returns the failures. */
  takeBack(): readonly unknown[];
}

export function createUndoLog(): UndoLog {
  const undos: Undo[] = [];
  return {
    act(step, undo) {
      step();
      undos.push(undo);
    },
    cleanUp(undo) {
      undos.push((failures) => {
        if (failures.length === 0) undo();
      });
    },
    takeBack() {
      const failures: unknown[] = [];
      for (const undo of undos.reverse()) {
        try {
          undo(failures);
        } catch (error) {
          failures.push(error);
        }
      }
      return failures;
    },
  };
}

/** Creates a directory and its parents, so that the log can undo each step. */
export function makeDirectory(directory: string, log: UndoLog, mode?: number): void {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true) return;
  makeDirectory(dirname(directory), log, mode);
  log.act(
    () => mkdirSync(directory, mode),
    () => rmdirSync(directory),
  );
}

/** Runs disk work and turns system errors into diagnostics about the path at fault, or `always` about the path that the user knows. */
export function reportFailure<T>(path: string, work: () => T, about: 'fault' | 'always' = 'fault'): T {
  try {
    return work();
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    const at = about === 'always' ? path : (pathAtFault(cause) ?? path);
    throw hostProblems.error('output-failed', { path: at, reason: toFileAccessError(at, cause).detail }, { cause });
  }
}

/** The path of a system error; for a staged file, its destination. */
function pathAtFault(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const paths = ['path' in error ? error.path : undefined, 'dest' in error ? error.dest : undefined];
  const path = paths.find((name): name is string => typeof name === 'string' && !isStaged(name));
  return path === undefined ? undefined : toSlashes(path);
}

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

  function stageRewrite({ path, before, after }: Rewrite, index: number) {
    at = path;
    const target = realpathSync.native(resolve(workingDirectory, path));
    refuseLinkOut(path, target);
    if (!readFileSync(target).equals(Buffer.from(before))) throw hostProblems.error('file-changed', { path });
    const staging = stagingIn(dirname(target));
    const staged = join(staging, `new-${index}`);
    writeFileSync(staged, after);
    return { path, target, staged, copy: join(staging, `old-${index}`) };
  }

  /** A user who passes a link may not know that its target is outside of the working directory. */
  function refuseLinkOut(path: string, target: string): void {
    if (!lstatSync(resolve(workingDirectory, path)).isSymbolicLink()) return;
    if (isWithin(realpathSync.native(resolve(workingDirectory)), target)) return;
    throw hostProblems.error('file-link-out', { path, target });
  }

  function stagingIn(directory: string): string {
    return getOrAdd(stagings, directory, () => {
      removeStaleStagings(directory);
      const staging = makeStaging(directory);
      log.cleanUp(() => removeStaging(staging));
      return staging;
    });
  }

  try {
    // All files are staged before the first is moved, so that no copy is removed while it may still be needed.
    for (const { path, ...move } of rewrites.map(stageRewrite)) {
      at = path;
      keepCopy(move.target, { copy: move.copy, successor: move.staged });
      placeFile(move, log, rename);
    }
  } catch (error) {
    const isRestored = log.takeBack().length === 0;
    if (!isRestored) for (const staging of stagings.values()) keepStaging(staging);
    if (!isSystemError(error)) throw error;
    const args = { path: at, reason: toFileAccessError(at, error).detail, kept: [...stagings.values()].join('", "') };
    const codes = isRestored ? (['output-failed'] as const) : (['output-failed', 'output-not-restored'] as const);
    throw new DiagnosticError(
      codes.map((code) => hostProblems.create(code, args)),
      { cause: error },
    );
  } finally {
    release();
  }
  for (const staging of stagings.values()) removeStaging(staging);
}
