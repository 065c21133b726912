/** Where finished targets are kept, as in Bazel's HTTP cache: results under `ac`, content by its SHA-256 under `cas`. */
export interface CacheStore {
  /** The bytes, or `undefined` if there are none. Throws a `CacheFailure`. */
  get(area: CacheArea, name: string, maxBytes: number): Promise<Uint8Array | undefined>;
  /** Throws a `CacheFailure`. */
  put(area: CacheArea, name: string, bytes: Uint8Array): Promise<void>;
}

export type CacheArea = 'ac' | 'cas';

/** A cache that cannot be used. The message is the end of a sentence. */
export class CacheFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CacheFailure';
  }
}
