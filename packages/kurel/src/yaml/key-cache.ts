import { resolvePlainKey } from './resolve-plain-scalar.ts';

/**
 * The plain keys seen so far, by a hash of their characters. Manifests repeat few keys very often; a hit saves cutting the
 * key out of the text and looking for it among all strings of the program.
 */
export interface KeyCache {
  readonly texts: (string | undefined)[];
  readonly keys: (string | undefined)[];
  /** One less than the number of slots, which is a power of two. */
  readonly mask: number;
}

const fewSlots: readonly undefined[] = Array.from<undefined>({ length: 64 });
const manySlots: readonly undefined[] = Array.from<undefined>({ length: 2048 });

/**
 * A cache for a text of this length; a short one has few keys, and making many slots would cost more than reading it. The
 * slots are copied, which for thousands of short texts is much cheaper than making them one by one.
 */
export function createKeyCache(length: number): KeyCache {
  const slots = length < 10_000 ? fewSlots : manySlots;
  return { texts: slots.slice(), keys: slots.slice(), mask: slots.length - 1 };
}

/**
 * What the plain scalar between two offsets is as a key; `undefined` for null. One argument each, as this is called for
 * every key of every document.
 */
export function lookUpKey(cache: KeyCache, text: string, start: number, end: number, hash: number): string | undefined {
  const slot = (hash ^ (hash >>> 11)) & cache.mask;
  const known = cache.texts[slot];
  if (known !== undefined && known.length === end - start && text.startsWith(known, start)) return cache.keys[slot];
  const word = text.slice(start, end);
  const key = resolvePlainKey(word);
  cache.texts[slot] = word;
  cache.keys[slot] = key;
  return key;
}
