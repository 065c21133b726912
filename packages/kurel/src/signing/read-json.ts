import type { Json } from '../model/index.ts';

/** `undefined` if the bytes are not JSON in UTF-8. */
export function readJson(bytes: Uint8Array): Json | undefined {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)) as Json;
  } catch {
    return undefined;
  }
}
