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

/** The unit position that is so many code points after another. */
function unitIndex(text: string, start: number, points: number): number {
  let at = start;
  for (let left = points; left > 0 && at < text.length; left--) at += text.codePointAt(at)! > 0xffff ? 2 : 1;
  return at;
}

/** Cuts between two code point positions. */
export function sliceCodePoints(text: string, from: number, to: number): string {
  if (!hasSurrogates(text)) return text.slice(from, to);
  const start = unitIndex(text, 0, from);
  return text.slice(start, unitIndex(text, start, to - from));
}

/** Turns unit positions into code point positions; fast when one position is near the one asked for before. */
export function codePointIndices(text: string): (unitIndex: number) => number {
  if (!hasSurrogates(text)) return (unitIndex) => unitIndex;
  let units = 0;
  let points = 0;
  return (unitIndex) => {
    points +=
      unitIndex < units
        ? -countCodePoints(text.slice(unitIndex, units))
        : countCodePoints(text.slice(units, unitIndex));
    units = unitIndex;
    return points;
  };
}
