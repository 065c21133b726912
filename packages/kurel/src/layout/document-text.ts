export function isJson(text: string): boolean {
  if (!startsAsJson(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** What kubectl goes by when it guesses whether a stream is JSON. */
export function startsAsJson(text: string): boolean {
  return /^[ \t\r\n]*\{/.test(text);
}

/** The text with a line break at its end. That changes no value: kubectl adds one to a block scalar without it. */
export function endWithLineBreak(text: string): string {
  return text.endsWith('\n') ? text : text + lineBreakOf(text);
}

/** The line break that a text uses. */
export function lineBreakOf(text: string): string {
  return text[text.indexOf('\n') - 1] === '\r' ? '\r\n' : '\n';
}
