import { closeSync, openSync } from 'node:fs';
import { readToEnd } from './read-open-file.ts';

/** The whole content of a pipe, whose size nobody knows before its end. Waits for whoever writes it. */
export function readPipe(path: string, options: { readonly real: string; readonly maxFileBytes: number }): Buffer {
  const { real, maxFileBytes } = options;
  const descriptor = openSync(real, 'r');
  try {
    return readToEnd({ path, descriptor, maxFileBytes });
  } finally {
    closeSync(descriptor);
  }
}
