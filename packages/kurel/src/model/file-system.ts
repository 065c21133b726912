import type { JsonObject } from './json.ts';
import type { Awaitable } from './pipeline.ts';

export type EntryKind = 'file' | 'directory' | 'other';

export interface DirectoryEntry {
  readonly name: string;
  /** What the entry is after following links; `other` for devices, pipes, sockets and dangling links. */
  readonly kind: EntryKind;
  /** Set when the entry is a link that points outside the root of its file system. */
  readonly escapes?: boolean;
  /** Set for a link: its real target, relative to the listed directory, so that a directory walk can detect loops. */
  readonly target?: string;
}

/**
 * Files as the modules see them: the disk through `host`, a table in memory in tests and browsers. Paths use `/`.
 * All functions throw `FileAccessError` when access fails (no permission, outside the root, too large).
 */
export interface FileSystem {
  readText(path: string): Awaitable<string>;
  /** For files that may be binary; without it all files must be text. */
  readBytes?(path: string): Awaitable<Uint8Array>;
  /** Entries sorted by name, by code unit, so that the locale never changes the output. */
  list(directory: string): Awaitable<readonly DirectoryEntry[]>;
  /** `undefined` when the path does not exist. */
  kindOf(path: string): Awaitable<EntryKind | undefined>;
  /** The package in a registry that has the path; a file system without such packages leaves it out. */
  packageAt?(path: string): PackageOrigin | undefined;
}

/** A package in a registry that files come from. */
export interface PackageOrigin {
  /** As the user wrote it: `oci://host/path:tag`. */
  readonly reference: string;
  /** The same content forever: `oci://host/path@sha256:…`. */
  readonly pinned: string;
  /** Whether the user wrote the digest. */
  readonly isPinned: boolean;
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
  /** The reason, worded to follow the path: `/etc/x: is 300 MiB, the limit is 256 MiB`. */
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

/** A file of the output: its path relative to the output directory, with `/`, and its full text. */
export interface OutputFile {
  readonly path: string;
  readonly text: string;
  /** Set when filters dropped objects that would also be in this file. */
  readonly isPartial?: boolean | undefined;
  /** The content, if the layout made it and it is none of the objects: a Flux Kustomization or a kustomization. */
  readonly generated?: JsonObject | undefined;
}

const deviceName = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(?:\.|$)/i;

/** Whether Windows opens a device instead of a file with this name, whatever its extension is. */
export function isDeviceName(name: string): boolean {
  return deviceName.test(name);
}
