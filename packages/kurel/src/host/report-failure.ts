import { DiagnosticError } from '../diagnostics/index.ts';
import { toFileAccessError } from './file-errors.ts';
import { hostProblems } from './problems.ts';
import { isStaged } from './staging-directory.ts';

/** Runs disk work; what the system answers to it becomes a diagnostic about the path at fault. */
export function reportFailure<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof DiagnosticError) throw error;
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    const at = pathAtFault(error) ?? path;
    const problem = hostProblems.create('output-failed', { path: at, reason: toFileAccessError(at, error).detail });
    throw new DiagnosticError([problem], { cause: error });
  }
}

/** The path that a system error speaks of; of a file on its way, the place that it was to go to. */
export function pathAtFault(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const paths = ['path' in error ? error.path : undefined, 'dest' in error ? error.dest : undefined];
  return paths.find((path): path is string => typeof path === 'string' && !isStaged(path));
}
