import { TarError } from './check-entry-name.ts';
import { readTar } from './read-tar.ts';
import type { TarLimits } from './read-tar.ts';

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

/** Decompresses bytes. Stops as soon as the output exceeds the limit, however small the input is. */
export async function gunzip(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    const reader = new Blob([bytes as Uint8Array<ArrayBuffer>])
      .stream()
      .pipeThrough(new DecompressionStream('gzip'))
      .getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const piece: Uint8Array = next.value;
      length += piece.length;
      if (length > maxBytes) {
        await reader.cancel();
        throw new TarError(`it has more than ${maxBytes / 1_048_576} MiB of content`, 'size');
      }
      pieces.push(piece);
    }
  } catch (cause) {
    if (cause instanceof TarError) throw cause;
    // The runtime's message differs from run to run and is sometimes empty, so this uses its own.
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
    throw new TarError(isGzip ? 'its gzip data is damaged or cut short' : 'it is not a gzip file', 'encoding', {
      cause,
    });
  }
  const whole = new Uint8Array(length);
  let start = 0;
  for (const piece of pieces) {
    whole.set(piece, start);
    start += piece.length;
  }
  return whole;
}
