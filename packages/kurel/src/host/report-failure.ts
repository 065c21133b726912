import { DiagnosticError } from '../diagnostics/index.ts';
import { isSystemError, toFileAccessError } from './file-errors.ts';
import { hostProblems } from './problems.ts';
import { toSlashes } from './relative-path.ts';
import { isStaged } from './staging-directory.ts';

/** Runs disk work and turns system errors into diagnostics about the path at fault. */
export function reportFailure<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof DiagnosticError) throw error;
    if (!isSystemError(error)) throw error;
    const at = pathAtFault(error) ?? path;
    const problem = hostProblems.create('output-failed', { path: at, reason: toFileAccessError(at, error).detail });
    throw new DiagnosticError([problem], { cause: error });
  }
}

/** The path of a system error; for a staged file, its destination. */
export function pathAtFault(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const paths = ['path' in error ? error.path : undefined, 'dest' in error ? error.dest : undefined];
  const path = paths.find((one): one is string => typeof one === 'string' && !isStaged(one));
  return path === undefined ? undefined : toSlashes(path);
}
