import { resolvePlainKey } from './resolve-plain-scalar.ts';

/**
 * What the plain keys seen so far are as keys. Manifests repeat few keys very often, and the string that stands here is the one
 * that the objects have already: setting a property under a string that was just cut out of the text costs several times as much.
 */
export type KeyCache = Map<string, string>;

export function createKeyCache(): KeyCache {
  return new Map();
}

/** More than any text that people write has; a text made of nothing but new keys must not keep them all twice. */
const mostKeys = 10_000;

/** What a plain scalar is as a key; `undefined` for null. */
export function lookUpKey(cache: KeyCache, word: string): string | undefined {
  const known = cache.get(word);
  if (known !== undefined) return known;
  const key = resolvePlainKey(word);
  if (key !== undefined && cache.size < mostKeys) cache.set(word, key);
  return key;
}
