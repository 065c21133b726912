import { isUtf8 } from 'node:buffer';
import { FileAccessError } from '../model/index.ts';

/** Bytes as text. A byte order mark stays in it: whoever writes the text back must not lose it. */
export function decodeText(path: string, bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  throw new FileAccessError(path, 'not-utf-8', {
    detail: isUtf16 ? 'is UTF-16 text; save it as UTF-8' : 'is not UTF-8 text',
  });
}
