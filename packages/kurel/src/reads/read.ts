import type { DirectoryEntry, EntryKind, FileAccessReason, FetchFailure, ProgramCall } from '../model/index.ts';

/** How a path was read: only its kind, the content of the file, or the names in the directory. */
export type Look = 'kind' | 'content' | 'names';

/** One read of a build, with its result. */
export type Read =
  | { readonly type: 'file'; readonly path: string; readonly sha256: string }
  | { readonly type: 'directory'; readonly path: string; readonly entries: readonly DirectoryEntry[] }
  /** Only the kind of the path was queried, or that it does not exist. */
  | { readonly type: 'kind'; readonly path: string; readonly kind: EntryKind | 'absent' }
  /** The path could not be read, listed or queried. */
  | { readonly type: 'failure'; readonly path: string; readonly look: Look; readonly reason: FileAccessReason }
  /** The version is absent if the program does not print one. */
  | { readonly type: 'program'; readonly program: ProgramCall['program']; readonly version: string | undefined }
  /** An environment variable passed to a program; absent if it is not set. Values may be secret, so only a digest is kept. */
  | { readonly type: 'variable'; readonly name: string; readonly sha256: string | undefined }
  /** A package in a registry by its digest, which stands for everything that was read from it. */
  | { readonly type: 'package'; readonly reference: string }
  | { readonly type: 'url'; readonly url: string; readonly sha256: string }
  | { readonly type: 'url-failure'; readonly url: string; readonly failure: FetchFailure };
