type Entries = Readonly<Record<string, string>>;

// Own keys only, so that inherited ones such as `constructor` do not count as labels.

export function hasKeys(entries: Entries, keys: readonly string[]): boolean {
  return keys.every((key) => Object.hasOwn(entries, key));
}

export function hasPairs(entries: Entries, pairs: readonly (readonly [string, string])[]): boolean {
  return pairs.every(([key, value]) => Object.hasOwn(entries, key) && entries[key] === value);
}
