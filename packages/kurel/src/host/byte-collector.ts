export interface ByteCollector {
  /** `false`, and nothing kept, once there is more than the limit. */
  readonly add: (chunk: Uint8Array) => boolean;
  readonly bytes: () => Uint8Array;
}

/** Copies chunks into one growing array: a list of millions of tiny chunks would take far more memory than their bytes. */
export function createByteCollector(maxBytes: number): ByteCollector {
  let bytes = new Uint8Array(Math.min(maxBytes, 65_536));
  let length = 0;
  return {
    add(chunk) {
      const end = length + chunk.length;
      if (end > maxBytes) return false;
      if (end > bytes.length) {
        const larger = new Uint8Array(Math.min(maxBytes, Math.max(end, 2 * bytes.length)));
        larger.set(bytes.subarray(0, length));
        bytes = larger;
      }
      bytes.set(chunk, length);
      length = end;
      return true;
    },
    bytes: () => bytes.slice(0, length),
  };
}
