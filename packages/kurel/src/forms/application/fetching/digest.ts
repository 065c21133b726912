import { sha256 } from '../../../engine/index.ts';

/** `sha256:` and 64 lower-case digits. */
export function digestOf(bytes: Uint8Array): string {
  return `sha256:${sha256(bytes)}`;
}

/** The digest in its one form; indexes of charts leave the `sha256:` out. `undefined` for other algorithms and other texts. */
export function readDigest(text: string): string | undefined {
  const digits = /^(?:sha256:)?([0-9a-f]{64})$/i.exec(text)?.[1];
  return digits === undefined ? undefined : `sha256:${digits.toLowerCase()}`;
}
