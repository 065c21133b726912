import { isUtf8 } from 'node:buffer';

import { FileAccessError } from '../model/index.ts';
import { toFileAccessError } from './file-errors.ts';

const usualBytes = 256 * 1024 * 1024;

/** The whole standard input as text; diagnostics call it `stdin`. */
export async function readStdin(
  input: AsyncIterable<Uint8Array> = process.stdin,
  maxBytes: number = usualBytes,
): Promise<string> {
  return await readStream(input, { path: 'stdin', maxBytes });
}

interface StreamReading {
  /** As messages name it. */
  readonly path: string;
  readonly maxBytes: number;
  /** The end of the sentence about the limit. */
  readonly of?: string;
}

export async function readStream(
  input: AsyncIterable<Uint8Array>,
  { path, maxBytes, of = '' }: StreamReading,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of input) {
      bytes += chunk.length;
      if (bytes > maxBytes) {
        const detail = `has more than the limit of ${maxBytes} bytes${of}`;
        throw new FileAccessError(path, 'too-large', { detail });
      }
      chunks.push(chunk);
    }
  } catch (error) {
    // Such as a directory: `kurel build - < .`
    throw toFileAccessError(path, error);
  }
  return decodeText(path, Buffer.concat(chunks));
}

/** Decodes UTF-8. Keeps a byte order mark, so that it is not lost when the text is written back. */
export function decodeText(path: string, bytes: Uint8Array): string {
  if (isUtf8(bytes)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  throw new FileAccessError(path, 'not-utf-8', {
    detail: isUtf16 ? 'is UTF-16 text; save it as UTF-8' : 'is not UTF-8 text',
  });
}
