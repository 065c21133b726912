import { DiagnosticError } from '../diagnostics/index.ts';
import { toFileAccessError } from './file-errors.ts';
import { hostProblems } from './problems.ts';

/** Runs disk work; what the system answers to it becomes a diagnostic about the path at fault. */
export function reportFailure<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof DiagnosticError) throw error;
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    const at = 'path' in error && typeof error.path === 'string' ? error.path : path;
    const problem = hostProblems.create('output-failed', { path: at, reason: toFileAccessError(at, error).detail });
    throw new DiagnosticError([problem], { cause: error });
  }
}
