import { lstatSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';

import { FileAccessError } from '../model/index.ts';
import type { FileAccessReason } from '../model/index.ts';

const reasons: Readonly<Record<string, readonly [FileAccessReason, string]>> = {
  ENOENT: ['not-found', 'not found'],
  ENOTDIR: ['not-found', 'not found: a parent of the path is not a directory'],
  // Newer releases of Node report this if a file is in the way of a directory.
  EEXIST: ['not-found', 'not found: a parent of the path is not a directory'],
  EISDIR: ['not-a-file', 'is a directory'],
  EACCES: ['no-permission', 'permission denied'],
  EPERM: ['no-permission', 'permission denied'],
  ELOOP: ['failed', 'its links form a cycle'],
  ENAMETOOLONG: ['failed', 'the name is too long for this file system'],
  EMFILE: ['failed', 'too many open files'],
  ENOSPC: ['failed', 'no space left on the device'],
  EROFS: ['failed', 'the file system is read-only'],
  ERR_INVALID_ARG_VALUE: ['failed', 'is not a valid path: it contains a NUL character'],
};

/** Converts a system error about a path to a `FileAccessError`. */
export function toFileAccessError(path: string, error: unknown): FileAccessError {
  if (error instanceof FileAccessError) return error;
  const code = errorCode(error);
  const [reason, detail] = reasons[code] ?? ['failed', `the system reported ${code}`];
  return new FileAccessError(path, reason, { detail, cause: error });
}

/** The code of a system error, such as `ENOENT`, or else its text. */
export function errorCode(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return String(error);
}

/** Whether the system refused a call. Some errors of Bun do not name the call. */
export function isSystemError(error: unknown): error is Error {
  return error instanceof Error && ('syscall' in error || 'errno' in error);
}

export const minute = 60 * 1000;
export const day = 24 * 60 * minute;

/** Whether a file or directory was last written more than this many milliseconds ago. */
export function isOlderThan(path: string, milliseconds: number): boolean {
  return Date.now() - lstatSync(path).mtimeMs > milliseconds;
}

/** Empty if it cannot be read. Only Linux has /proc, and it may hide the files of other users and of processes that have ended. */
export function readIfThere(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

/** Follows links. Node 20 throws ENOTDIR in spite of `throwIfNoEntry`; later releases do not. */
export function statIfThere(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (errorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}
