import type { Awaitable } from './pipeline.ts';

export type EntryKind = 'file' | 'directory' | 'other';

export interface DirectoryEntry {
  readonly name: string;
  /** What the entry is after following links; `other` for devices, pipes, sockets and dangling links. */
  readonly kind: EntryKind;
  /** Set when the entry is a link that leads out of the root of its file system. */
  readonly escapes?: boolean;
  /** Set for a link: the real way from the listed directory to what it leads to, so that a walk sees where it goes. */
  readonly target?: string;
}

/**
 * Files as the modules see them: the disk through `host`, a table in memory in tests and browsers. Paths use `/`.
 * All of them throw `FileAccessError` when the answer cannot be had (no permission, out of the root, too large).
 */
export interface FileSystem {
  readText(path: string): Awaitable<string>;
  /** For files that need not be text; without it all files must be. */
  readBytes?(path: string): Awaitable<Uint8Array>;
  /** Entries sorted by name, by code unit, so that no locale changes the output. */
  list(directory: string): Awaitable<readonly DirectoryEntry[]>;
  /** `undefined` when nothing is there. */
  kindOf(path: string): Awaitable<EntryKind | undefined>;
}

export type FileAccessReason =
  | 'not-found'
  | 'not-a-file'
  | 'not-a-directory'
  | 'outside-root'
  | 'no-permission'
  | 'too-large'
  | 'not-utf-8'
  | 'failed';

export class FileAccessError extends Error {
  readonly path: string;
  readonly reason: FileAccessReason;
  /** The reason in words that follow the path: `/etc/x: is 300 MiB, the limit is 256 MiB`. */
  readonly detail: string;

  constructor(
    path: string,
    reason: FileAccessReason,
    options?: { readonly detail?: string; readonly cause?: unknown },
  ) {
    const detail = options?.detail ?? reason.replaceAll('-', ' ');
    super(`${path}: ${detail}`, { cause: options?.cause });
    this.name = 'FileAccessError';
    this.path = path;
    this.detail = detail;
    this.reason = reason;
  }
}
