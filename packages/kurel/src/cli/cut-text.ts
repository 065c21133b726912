/** A text in pieces that are written one after another, so that its bytes need not be in memory all at once. */
export function* cutText(text: string, most = 1 << 20): Generator<string> {
  let start = 0;
  while (text.length - start > most) {
    const end = start + most;
    // The two halves of a character that takes two units have no bytes of their own.
    const isSplit = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
    yield text.slice(start, isSplit ? end - 1 : end);
    start = isSplit ? end - 1 : end;
  }
  yield start === 0 ? text : text.slice(start);
}
