import { posix } from 'node:path';

import { diagnosticsOf, nearest } from '../diagnostics/index.ts';
import { hostProblems } from '../host/index.ts';
import { FileAccessError } from '../model/index.ts';
import type { Diagnostic, FileSystem } from '../model/index.ts';
import { ifReadable } from '../reads/index.ts';

/** The finding for a file that cannot be read, such as one of a package in a registry; other errors are rethrown. */
export function fileProblem(error: unknown, near?: string): Diagnostic {
  if (!(error instanceof FileAccessError)) throw error;
  const [diagnostic] = diagnosticsOf(error) ?? [];
  return (
    diagnostic ??
    hostProblems.create('file-unreadable', { reason: error.message, near }, { location: { file: error.path } })
  );
}

/** The same, with the nearest existing file name as a hint. */
export async function fileProblemWithHint(error: unknown, fileSystem: FileSystem): Promise<Diagnostic> {
  if (!(error instanceof FileAccessError) || error.reason !== 'not-found') return fileProblem(error);
  const { dir, base } = posix.parse(error.path);
  const entries = await ifReadable(() => fileSystem.list(dir === '' ? '.' : dir), []);
  const near = nearest(
    base,
    entries.map(({ name }) => name),
  );
  return fileProblem(error, near === undefined ? undefined : posix.join(dir, near));
}
