import type { SourceFile } from '../../model/index.ts';
import { isHeaderLine, isUnfinishedHeader } from './is-header-line.ts';
import { createLineScanner } from './create-line-scanner.ts';

/**
 * How a patch file is written. The name decides; without a telling one, the content does. `empty` has nothing but comments;
 * `undefined` is neither format.
 */
export function detectPatchFormat(source: SourceFile): 'kpatch' | 'yaml' | 'empty' | undefined {
  const extension = /\.([a-z]+)$/i.exec(source.path)?.[1]?.toLowerCase();
  if (extension === 'kpatch') return 'kpatch';
  if (extension === 'yaml' || extension === 'yml' || extension === 'json') return 'yaml';
  return detectByContent(source.text);
}

/** The first line that says something: no blank line, comment, `---` or directive. */
export function findFirstLine(text: string): { readonly start: number; readonly end: number } | undefined {
  for (const match of text.matchAll(/[^\r\n]+/g)) {
    if (isSignificant(withoutMark(match[0]))) return { start: match.index, end: match.index + match[0].length };
  }
  return undefined;
}

function detectByContent(text: string): 'kpatch' | 'yaml' | 'empty' | undefined {
  const place = findFirstLine(text);
  if (place === undefined) return 'empty';
  const first = withoutMark(text.slice(place.start, place.end)).trim();
  if (/^(?:-(?:\s|$)|---\s|\{)/.test(first)) return 'yaml';
  if (isUnfinishedHeader(first)) return 'kpatch';
  const scanner = createLineScanner();
  const lines = /[^\r\n]+/g;
  lines.lastIndex = place.start;
  for (let match = lines.exec(text); match !== null; match = lines.exec(text)) {
    const line = withoutMark(match[0]);
    if (scanner.pass(line) && isHeaderLine(line.trim())) return 'kpatch';
  }
  // A list in brackets is YAML even when its first line holds nothing but the bracket.
  return first.includes(':') || first.startsWith('[') ? 'yaml' : undefined;
}

function isSignificant(line: string): boolean {
  return !/^(?:[ \t]*(?:#|$)|%|---[ \t]*(?:#|$))/.test(line);
}

/** The byte order mark at the start of a file belongs to no line. */
function withoutMark(line: string): string {
  return line.startsWith('\uFEFF') ? line.slice(1) : line;
}
