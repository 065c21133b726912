/** Offset behind the quote that closes the one at `start`; the end of the text when there is none. */
export function findQuoteEnd(text: string, start: number): number {
  const quote = text[start];
  for (let offset = start + 1; offset < text.length; offset += 1) {
    if (text[offset] === '\\' && quote === '"') offset += 1;
    else if (text[offset] === quote) {
      if (quote === '"' || text[offset + 1] !== quote) return offset + 1;
      offset += 1;
    }
  }
  return text.length;
}
