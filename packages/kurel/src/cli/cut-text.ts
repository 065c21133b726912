/** Splits a text into chunks, so that not all of its bytes are in memory at once. */
export function* cutText(text: string, most = 1 << 20): Generator<string> {
  let start = 0;
  while (text.length - start > most) {
    const end = start + most;
    // Never between the two halves of a surrogate pair: a half cannot be encoded.
    const isSplit = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
    yield text.slice(start, isSplit ? end - 1 : end);
    start = isSplit ? end - 1 : end;
  }
  yield start === 0 ? text : text.slice(start);
}
