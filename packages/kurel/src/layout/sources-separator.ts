/** Where the `---` of the document at `start` begins, with the directives above it; `start` when it has none behind `from`. */
export function separatorStart(
  text: string,
  { start, from }: { readonly start: number; readonly from: number },
): number {
  if (start - 3 >= from && isSeparator(text, start - 3, start)) return withDirectives(text, { start: start - 3, from });
  const line = previousLine(text, start);
  if (line < from || !isSeparator(text, line, start)) return start;
  return withDirectives(text, { start: line, from });
}

/** The place behind a `---` that has its line for itself: a document without one in front takes that of the next with it. */
export function skipSeparator(text: string, position: number): number {
  const end = nextLine(text, position);
  return isSeparator(text, position, end) ? end : skipDocumentEnd(text, position);
}

/** The place behind the line of a `...`, which may have a comment. */
export function skipDocumentEnd(text: string, position: number): number {
  const end = nextLine(text, position);
  return /^\.\.\.(?:\s+#.*)?\s*$/.test(text.slice(position, end)) ? end : position;
}

function isSeparator(text: string, start: number, end: number): boolean {
  return text.startsWith('---', start) && text.slice(start + 3, end).trim() === '';
}

function withDirectives(text: string, { start, from }: { readonly start: number; readonly from: number }): number {
  let first = start;
  for (;;) {
    const line = previousLine(text, first);
    if (line === first || line < from || text[line] !== '%') return first;
    first = line;
  }
}

/** The start of the line that ends right before `position`, which is the start of a line. */
function previousLine(text: string, position: number): number {
  return position < 2 ? 0 : text.lastIndexOf('\n', position - 2) + 1;
}

function nextLine(text: string, position: number): number {
  const end = text.indexOf('\n', position);
  return end === -1 ? text.length : end + 1;
}
