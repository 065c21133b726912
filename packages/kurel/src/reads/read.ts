import type { DirectoryEntry, EntryKind, FileAccessReason, FetchFailure, ProgramCall } from '../model/index.ts';

/** How a path was looked at: only what is there, what is in the file, or which names are in the directory. */
export type Look = 'kind' | 'content' | 'names';

/** One thing that a build has looked at, and what it found. */
export type Read =
  | { readonly type: 'file'; readonly path: string; readonly sha256: string }
  | { readonly type: 'directory'; readonly path: string; readonly entries: readonly DirectoryEntry[] }
  /** Only what is at the path was asked, or that nothing is. */
  | { readonly type: 'kind'; readonly path: string; readonly kind: EntryKind | 'absent' }
  /** It was to be read, listed or looked at, and could not be. */
  | { readonly type: 'failure'; readonly path: string; readonly look: Look; readonly reason: FileAccessReason }
  /** The version is absent when the program does not print one. */
  | { readonly type: 'program'; readonly program: ProgramCall['program']; readonly version: string | undefined }
  /** An environment variable that a program was given; absent values are not set. They may be secret, so there is only a digest. */
  | { readonly type: 'variable'; readonly name: string; readonly sha256: string | undefined }
  | { readonly type: 'url'; readonly url: string; readonly sha256: string }
  | { readonly type: 'url-failure'; readonly url: string; readonly failure: FetchFailure };
