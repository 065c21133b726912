import { fstatSync, readSync } from 'node:fs';
import { FileAccessError } from '../model/index.ts';

const chunkBytes = 64 * 1024;

export interface OpenFile {
  /** As messages call it. */
  readonly path: string;
  readonly descriptor: number;
  readonly maxFileBytes: number;
}

/** All there is until the end, of pipes and of files that do not say how long they are, such as those of `/proc`. */
export function readToEnd({ path, descriptor, maxFileBytes }: OpenFile): Buffer {
  const chunks: Buffer[] = [];
  for (let bytes = 0; ;) {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    const count = readSync(descriptor, chunk);
    if (count === 0) return Buffer.concat(chunks);
    bytes += count;
    if (bytes > maxFileBytes) {
      const detail = `is longer than the ${maxFileBytes} bytes that are read of one file`;
      throw new FileAccessError(path, 'too-large', { detail });
    }
    chunks.push(chunk.subarray(0, count));
  }
}

/** As many bytes as the file has. One that somebody writes to meanwhile is neither what it was nor what it will be, and is refused. */
export function readUnchanged(file: OpenFile, before: { readonly size: number; readonly mtimeMs: number }): Buffer {
  const { path, descriptor } = file;
  const buffer = Buffer.allocUnsafe(before.size);
  let length = 0;
  for (let count = -1; count !== 0 && length < before.size; length += count) {
    count = readSync(descriptor, buffer, length, before.size - length, null);
  }
  const after = fstatSync(descriptor);
  if (after.size !== before.size || after.mtimeMs !== before.mtimeMs) {
    throw new FileAccessError(path, 'failed', { detail: 'was changed while it was read' });
  }
  return buffer.subarray(0, length);
}
