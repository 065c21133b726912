import { gunzip } from './gunzip.ts';
import { readTar } from './read-tar.ts';
import type { TarLimits } from './read-tar.ts';

/** A file in an archive. */
export interface ArchiveFile {
  /** With `/`, relative to the root of the archive. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface ArchiveLimits extends TarLimits {
  /** Size of the uncompressed content. */
  readonly maxBytes?: number;
}

export const largestContent = 100 * 1_048_576;

/** The files in a `.tgz`. Throws a `TarError` for everything that `readTar` refuses. */
export async function readArchive(
  archive: Uint8Array,
  { maxBytes = largestContent, ...limits }: ArchiveLimits = {},
): Promise<readonly ArchiveFile[]> {
  const entries = readTar(await gunzip(archive, maxBytes), limits);
  return entries.filter(({ type }) => type === 'file').map(({ name, bytes }) => ({ path: name, bytes }));
}
