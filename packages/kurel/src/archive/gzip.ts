import { gzipSync } from 'fflate/browser';

/**
 * Compresses bytes, always to the same bytes. The zlib of a runtime differs between versions and processors, and with it the digest of an
 * archive, so this is done in JavaScript.
 */
export function gzip(bytes: Uint8Array): Uint8Array {
  // Without `mem`, the result depends on Math.log, which engines may round differently.
  return gzipSync(bytes, { level: 9, mem: 8, mtime: 0 });
}
