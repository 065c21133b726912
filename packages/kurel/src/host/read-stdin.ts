import { FileAccessError } from '../model/index.ts';
import { decodeText } from './decode-text.ts';
import { toFileAccessError } from './file-errors.ts';

const usualBytes = 256 * 1024 * 1024;

/** The whole standard input as text; diagnostics call it `stdin`. */
export async function readStdin(
  input: AsyncIterable<Uint8Array> = process.stdin,
  maxBytes: number = usualBytes,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of input) {
      bytes += chunk.length;
      if (bytes > maxBytes) {
        const detail = `is longer than the ${maxBytes} bytes that are read`;
        throw new FileAccessError('stdin', 'too-large', { detail });
      }
      chunks.push(chunk);
    }
  } catch (error) {
    // Such as a directory: `kurel build - < .`
    throw toFileAccessError('stdin', error);
  }
  return decodeText('stdin', Buffer.concat(chunks));
}
