import { closeSync, openSync, readSync } from 'node:fs';
import { FileAccessError } from '../model/index.ts';

const chunkBytes = 64 * 1024;

/** The whole content of a pipe, whose size nobody knows before its end. Waits for whoever writes it. */
export function readPipe(path: string, options: { readonly real: string; readonly maxFileBytes: number }): Buffer {
  const { real, maxFileBytes } = options;
  const descriptor = openSync(real, 'r');
  try {
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
  } finally {
    closeSync(descriptor);
  }
}
