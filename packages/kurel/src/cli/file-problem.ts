import { hostProblems } from '../host/index.ts';
import { FileAccessError } from '../model/index.ts';
import type { Diagnostic } from '../model/index.ts';

/** A file that a flag names and that cannot be read, as a finding; anything else is thrown on. */
export function fileProblem(error: unknown): Diagnostic {
  if (!(error instanceof FileAccessError)) throw error;
  return hostProblems.create('file-unreadable', { reason: error.message }, { location: { file: error.path } });
}
