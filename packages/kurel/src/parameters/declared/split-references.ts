/** A piece of text, or the name between the braces of `${name}`. */
export type Piece = string | { readonly name: string };

/**
 * `a-${b}` → its pieces. The name is everything up to the brace, as it stands; `$${b}` is the text `${b}`. What has no name
 * or no end is text.
 */
export function splitReferences(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let literal = '';
  let from = 0;
  for (let start = text.indexOf('${'); start !== -1; start = text.indexOf('${', from)) {
    const end = text.indexOf('}', start + 2);
    if (end === -1) break;
    if (end === start + 2) {
      literal += text.slice(from, end + 1);
    } else if (start > from && text[start - 1] === '$') {
      literal += text.slice(from, start - 1) + text.slice(start, end + 1);
    } else {
      literal += text.slice(from, start);
      if (literal !== '') pieces.push(literal);
      literal = '';
      pieces.push({ name: text.slice(start + 2, end) });
    }
    from = end + 1;
  }
  literal += text.slice(from);
  if (literal !== '' || pieces.length === 0) pieces.push(literal);
  return pieces;
}

/** The names that a text refers to, each once. */
export function namesIn(text: string): readonly string[] {
  return [...new Set(splitReferences(text).flatMap((piece) => (typeof piece === 'string' ? [] : [piece.name])))];
}
