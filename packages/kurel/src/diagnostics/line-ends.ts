/** Where the line ends in which an offset is. */
export function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/** The end of a line and of all below it that stand further right than a column, or are blank between them. */
export function endBelow(text: string, from: number, column: number): number {
  let end = endOfLine(text, from);
  for (let at = end + 1; at < text.length; at = endOfLine(text, at) + 1) {
    const lineEnd = endOfLine(text, at);
    const start = skipBlanks(text, at);
    if (start >= lineEnd) continue;
    if (start - at <= column) break;
    end = lineEnd;
  }
  return end;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t' || text[at] === '\r') at += 1;
  return at;
}
