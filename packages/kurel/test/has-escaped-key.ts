/**
 * Whether a key of the data has a character that JSON escapes. The JSON.parse of Node 24.21 mixes such keys up, depending on what was
 * parsed before, so it cannot say whether they were written well.
 */
export function hasEscapedKey(data: unknown): boolean {
  if (typeof data !== 'object' || data === null) return false;
  if (Array.isArray(data)) return data.some(hasEscapedKey);
  return Object.entries(data).some(([key, value]) => JSON.stringify(key) !== `"${key}"` || hasEscapedKey(value));
}
