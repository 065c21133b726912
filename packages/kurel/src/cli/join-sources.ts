import { readYaml, writeYaml } from '../index.ts';
import type { OutputFile } from '../model/index.ts';

/**
 * Several texts of documents as one stream, each as it is; a single one is not touched at all. `undefined` when a text cannot
 * stand in front of another: a block of text at its end would get a line break that it does not have.
 */
export function joinSources(files: readonly OutputFile[]): string | undefined {
  const texts = files.map(({ text }) => text).filter((text) => text !== '');
  const pieces: string[] = [];
  for (const [index, given] of texts.entries()) {
    // A byte order mark belongs to the start of a stream only.
    const text = index === 0 ? given : given.replace(/^\uFEFF/, '');
    const ended = index === texts.length - 1 ? text : endWithLineBreak(text);
    if (ended === undefined) return undefined;
    pieces.push(index === 0 ? '' : separatorBefore(text), ended);
  }
  return pieces.join('');
}

/** A text that brings its own `---`, perhaps behind comments, needs no other; directives need the end of what is before. */
function separatorBefore(text: string): string {
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end === -1 ? text.length : end);
    if (line.startsWith('%')) return '...\n';
    if (/^---(?:\s|$)/.test(line)) return '';
    if (!/^\s*(?:#|$)/.test(line)) break;
    start += line.length + 1;
  }
  return '---\n';
}

function endWithLineBreak(text: string): string | undefined {
  if (text.endsWith('\n')) return text;
  const ended = `${text}\n`;
  return lastDocument(text) === lastDocument(ended) ? ended : undefined;
}

function lastDocument(text: string): string {
  return writeYaml(readYaml({ path: '', text }).documents.at(-1)?.data ?? null);
}
