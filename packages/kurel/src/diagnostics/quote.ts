import { escapeControls } from './escape-controls.ts';

const longest = 80;
const named = new Map([
  ['"', '\\"'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** The user's own word as messages show it: in quotes, on one line, nothing hidden, and not longer than a line. */
export function quote(text: string): string {
  return `"${escapeControls(shorten(text).replace(/["\n\r\t]/g, (character) => named.get(character)!))}"`;
}

function shorten(text: string): string {
  if (text.length <= longest) return text;
  const start = Array.from(text.slice(0, 2 * (longest + 1)));
  return start.length <= longest ? text : `${start.slice(0, longest - 1).join('')}…`;
}
