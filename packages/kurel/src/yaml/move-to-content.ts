import { CR, DASH, DOT, END, HASH, LF, SPACE, TAB } from './char-codes.ts';
import { isMarker, type Reading } from './reading.ts';
import { refuse, restOfLine, wordIn } from './refuse.ts';

/** Moves from the blank rest of a line over blank lines and comments to the next content. */
export function moveToContent(r: Reading): void {
  const { text } = r;
  let pos = r.pos;
  let code = text.charCodeAt(pos);
  while (code === SPACE || code === TAB) code = text.charCodeAt(++pos);
  const comment = code === HASH;
  if (comment) {
    do code = text.charCodeAt(++pos);
    while (code !== LF && code !== CR && code !== END);
  }
  if (code === LF) pos++;
  else if (code === CR) pos += text.charCodeAt(pos + 1) === LF ? 2 : 1;
  r.passedComment = comment;
  enterLine(r, pos);
}

/** Moves from the start of a line to the next content. */
export function enterLine(r: Reading, start: number): void {
  const { text } = r;
  let pos = start;
  r.tabColumn = Infinity;
  for (;;) {
    const lineStart = pos;
    let code = text.charCodeAt(pos);
    while (code === SPACE) code = text.charCodeAt(++pos);
    let column = pos - lineStart;
    const hasTab = code === TAB;
    if (hasTab) {
      passTab(r, pos, column);
      while (code === SPACE || code === TAB) code = text.charCodeAt(++pos);
    }
    if (code === HASH) {
      r.passedComment = true;
      do code = text.charCodeAt(++pos);
      while (code !== LF && code !== CR && code !== END);
    }
    if (code === LF) {
      pos++;
      continue;
    }
    if (code === CR) {
      pos += text.charCodeAt(pos + 1) === LF ? 2 : 1;
      continue;
    }
    if (code === END) column = -1;
    else if (column === 0 && !hasTab && (code === DASH || code === DOT) && isMarker(text, pos)) column = -1;
    r.pos = pos;
    r.lineStart = lineStart;
    r.column = column;
    return;
  }
}

/** Outside brackets, kubectl and kustomize reject a tab at the start of any line, even a blank one or a comment. */
function passTab(r: Reading, pos: number, column: number): void {
  if (r.flowDepth === 0) refuseTab(r, pos);
  if (column >= r.tabColumn) return;
  r.tabColumn = column;
  r.tabAt = pos;
}

export function refuseTab(r: Reading, tab: number): never {
  const word = wordIn(r, restOfLine(r, tab)).trimStart();
  refuse(r, 'yaml-tab-indentation', { word }, { range: { start: tab, end: tab + 1 } });
}
