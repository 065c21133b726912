import { spendSteps } from '../run-state.ts';

/** Longer strings are not left to the host, whose search takes quadratic time for some of them. */
const longestForHost = 64;

/** Where a string occurs in another, from left to right. */
export function forEachOccurrence(
  text: string,
  wanted: string,
  overlapping: boolean,
  visit: (at: number) => void,
): void {
  if (wanted === '') return;
  if (wanted.length > longestForHost) {
    findLong(text, wanted, overlapping, (at) => {
      visit(at);
      return false;
    });
    return;
  }
  let from = 0;
  for (;;) {
    const at = text.indexOf(wanted, from);
    spendSteps(1 + (((at < 0 ? text.length : at) - from) >> 3));
    if (at < 0) return;
    visit(at);
    from = at + (overlapping ? 1 : wanted.length);
  }
}

export function contains(text: string, wanted: string): boolean {
  if (wanted.length > longestForHost) return findLong(text, wanted, false, () => true);
  spendSteps(text.length >> 3);
  return text.includes(wanted);
}

/** Knuth, Morris and Pratt: every character of the text is looked at about once. `visit` gives whether to stop. */
function findLong(text: string, wanted: string, overlapping: boolean, visit: (at: number) => boolean): boolean {
  if (wanted.length > text.length) return false;
  spendSteps((text.length + wanted.length) >> 2);
  const shorter = new Int32Array(wanted.length + 1);
  let matched = 0;
  for (let at = 1; at < wanted.length; at++) {
    while (matched > 0 && wanted.charCodeAt(at) !== wanted.charCodeAt(matched)) matched = shorter[matched]!;
    if (wanted.charCodeAt(at) === wanted.charCodeAt(matched)) matched++;
    shorter[at + 1] = matched;
  }
  matched = 0;
  for (let at = 0; at < text.length; at++) {
    while (matched > 0 && text.charCodeAt(at) !== wanted.charCodeAt(matched)) matched = shorter[matched]!;
    if (text.charCodeAt(at) === wanted.charCodeAt(matched)) matched++;
    if (matched < wanted.length) continue;
    if (visit(at + 1 - wanted.length)) return true;
    matched = overlapping ? shorter[matched]! : 0;
  }
  return false;
}
