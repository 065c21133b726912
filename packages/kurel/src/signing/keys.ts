/** A public key; `host` reads it from a file. */
export interface VerificationKey {
  /** Base64 of the SHA-256 digest of the key, which bundles name it by. */
  readonly hint: string;
  /** False also for signatures that cannot be read. */
  readonly verify: (message: Uint8Array, signature: Uint8Array) => boolean;
}

/** A private key; nothing of it leaves `host`. */
export interface SigningKey {
  readonly publicKey: VerificationKey;
  readonly sign: (message: Uint8Array) => Uint8Array;
}
