import type { Json } from '../model/index.ts';
import { editDocument, readYaml, writeYaml } from '../yaml/index.ts';

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

/**
 * The text with a line break at its end. `undefined` when that would change what the text says: a block scalar that ends
 * a file without a line break would get one.
 */
export function endWithLineBreak(text: string): string | undefined {
  if (text.endsWith('\n')) return text;
  const ended = text + lineBreakOf(text);
  return writeYaml(readLast(ended)) === writeYaml(readLast(text)) ? ended : undefined;
}

/** One document with a line break at its end. A block scalar that must not get one is marked as ending without: `|-`. */
export function endDocument(text: string): string {
  const ended = endWithLineBreak(text);
  if (ended !== undefined) return ended;
  const source = { path: '', text: text + lineBreakOf(text) };
  return editDocument(source, { start: 0, end: source.text.length }, { wanted: readLast(text) });
}

/** The line break that a text uses. */
export function lineBreakOf(text: string): string {
  return text[text.indexOf('\n') - 1] === '\r' ? '\r\n' : '\n';
}

function readLast(text: string): Json {
  return readYaml({ path: '', text }).documents.at(-1)?.data ?? null;
}
