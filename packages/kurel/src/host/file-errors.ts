import { FileAccessError, type FileAccessReason } from '../model/index.ts';

const reasons: Readonly<Record<string, readonly [FileAccessReason, string]>> = {
  ENOENT: ['not-found', 'not found'],
  ENOTDIR: ['not-found', 'not found: a part of the path is not a directory'],
  // What newer releases of Node answer when a file stands where a directory is to be made.
  EEXIST: ['not-found', 'not found: a part of the path is not a directory'],
  EISDIR: ['not-a-file', 'is a directory'],
  EACCES: ['no-permission', 'no permission'],
  EPERM: ['no-permission', 'no permission'],
  ELOOP: ['failed', 'its links lead in a circle'],
  ENAMETOOLONG: ['failed', 'the name is too long for this file system'],
  EMFILE: ['failed', 'too many open files'],
  ENOSPC: ['failed', 'no space left on the device'],
  EROFS: ['failed', 'the file system is read-only'],
  ERR_INVALID_ARG_VALUE: ['failed', 'is not a path: it holds a NUL character'],
};

/** What the system said about a path, in the words of `FileAccessError`. */
export function toFileAccessError(path: string, error: unknown): FileAccessError {
  if (error instanceof FileAccessError) return error;
  const code = errorCode(error);
  const [reason, detail] = reasons[code] ?? ['failed', `the system answered ${code}`];
  return new FileAccessError(path, reason, { detail, cause: error });
}

/** The code of a system error, such as `ENOENT`; its text when it has none. */
export function errorCode(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return String(error);
}
