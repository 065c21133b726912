import { escapeControls, quote } from '../../diagnostics/index.ts';
import { writeYaml } from '../../index.ts';
import { isJsonArray, isJsonObject } from '../../model/index.ts';
import type { Json } from '../../model/index.ts';

const widestLine = 160;
const widestText = 80;
const mostLines = 100;

/** A value as YAML: what stands behind its key, and the lines below, as many as a person reads. */
export function showValue(value: Json, most = mostLines): { readonly head: string; readonly below: readonly string[] } {
  const text = writeYaml(value).replace(/\n$/, '');
  if (isFilled(value)) return { head: '', below: clipLines(text.split('\n'), most) };
  const [head = '', ...below] = text.split('\n');
  return { head: clipLine(head), below: clipLines(below, most) };
}

function isFilled(value: Json): boolean {
  if (isJsonArray(value)) return value.length > 0;
  return isJsonObject(value) && Object.keys(value).length > 0;
}

/** Lines of a text of the user, on which nothing is hidden and nothing steers a terminal. */
export function clipLines(lines: readonly string[], most = mostLines): readonly string[] {
  const shown = lines.slice(0, most).map(clipLine);
  const left = lines.length - shown.length;
  return left === 0 ? shown : [...shown, `… ${left} more ${left === 1 ? 'line' : 'lines'}`];
}

function clipLine(line: string): string {
  if (line.length <= widestLine) return escapeControls(line);
  const start = cutText(line, 0, widestLine - 40);
  return `${escapeControls(start)}… (${line.length - start.length} more characters)`;
}

/** Two values that fit on one line; of long texts, the parts where they begin to differ. */
export function showPair(before: Json, after: Json): readonly [string, string] | undefined {
  if ([before, after].some((value) => isFilled(value) || (typeof value === 'string' && value.includes('\n')))) {
    return undefined;
  }
  if (typeof before !== 'string' || typeof after !== 'string' || Math.max(before.length, after.length) <= widestText) {
    return [showValue(before).head, showValue(after).head];
  }
  let shared = 0;
  while (shared < before.length && before[shared] === after[shared]) shared += 1;
  const start = shared > widestText / 2 ? shared - 20 : 0;
  const [from, to] = [before, after].map((text) =>
    quote(`${start === 0 ? '' : '…'}${cutText(text, start, text.length)}`),
  );
  return [from!, to!];
}

/** Never between the halves of a character. */
function cutText(text: string, start: number, end: number): string {
  const isHalf = (at: number): boolean => /^[\uDC00-\uDFFF]/.test(text.slice(at, at + 1));
  return text.slice(isHalf(start) ? start + 1 : start, isHalf(end) ? end - 1 : end);
}
