import { createWordTable, resolvePlainKey, type WordTable, type YamlWords } from './resolve-plain-scalar.ts';

/**
 * What the plain keys seen so far are as keys. Manifests repeat few keys very often, and the string that stands here is the one
 * that the objects have already: setting a property under a string that was just cut out of the text costs several times as much.
 */
export interface KeyCache {
  readonly known: Map<string, string>;
  /** The keys are what they are by these, so that no reading by others may share them. */
  readonly words: WordTable;
}

export function createKeyCache(words: YamlWords): KeyCache {
  return { known: new Map(), words: createWordTable(words) };
}

/** More than any text that people write has; a text made of nothing but new keys must not keep them all twice. */
const mostKeys = 10_000;

/** What a plain scalar is as a key; `undefined` for null. */
export function lookUpKey(cache: KeyCache, word: string): string | undefined {
  const known = cache.known.get(word);
  if (known !== undefined) return known;
  const key = resolvePlainKey(word, cache.words);
  if (key !== undefined && cache.known.size < mostKeys) cache.known.set(word, key);
  return key;
}
