const surrogate = /[\ud800-\udfff]/;

/** jq counts code points; a string without surrogates has as many of them as it has units. */
export function hasSurrogates(text: string): boolean {
  return surrogate.test(text);
}

export function countCodePoints(text: string): number {
  if (!hasSurrogates(text)) return text.length;
  let count = 0;
  for (const _character of text) count++;
  return count;
}

/** Cuts between two code point positions. */
export function sliceCodePoints(text: string, from: number, to: number): string {
  return hasSurrogates(text) ? Array.from(text).slice(from, to).join('') : text.slice(from, to);
}

/** The code point position of a unit position. */
export function codePointIndex(text: string, unitIndex: number): number {
  return countCodePoints(text.slice(0, unitIndex));
}
