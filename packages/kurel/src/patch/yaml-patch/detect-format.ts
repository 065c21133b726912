import type { Range, SourceFile } from '../../model/index.ts';
import { findQuoteEnd, findVariableEnd, isBlankOrEnd, isQuote, skipBlanks } from '../kpatch/cursor.ts';

/**
 * Detects the format of a patch file by its name; a .kpatch file whose first line is a list item contains YAML. Without a
 * known extension, the content decides. `empty` has only comments; `undefined` is neither format.
 */
export function detectPatchFormat(source: SourceFile): 'kpatch' | 'yaml' | 'empty' | undefined {
  const extension = /\.([a-z]+)$/i.exec(source.path)?.[1]?.toLowerCase();
  if (extension === 'kpatch') return /^-(?:\s|$)/.test(findFirstLine(source.text)?.line ?? '') ? 'yaml' : 'kpatch';
  if (extension === 'yaml' || extension === 'yml' || extension === 'json') return 'yaml';
  return detectByContent(source.text);
}

/** The first line that is not empty, a comment, `---` or a directive; `line` is without blanks around it. */
export function findFirstLine(text: string): { readonly range: Range; readonly line: string } | undefined {
  for (const match of text.matchAll(/[^\r\n]+/g)) {
    const line = withoutMark(match[0]);
    // Empty lines, comments, directives and the start of a document are not significant.
    if (/^(?:[ \t]*(?:#|$)|%|---[ \t]*(?:#|$))/.test(line)) continue;
    return { range: { start: match.index, end: match.index + match[0].length }, line: line.trim() };
  }
  return undefined;
}

function detectByContent(text: string): 'kpatch' | 'yaml' | 'empty' | undefined {
  const first = findFirstLine(text);
  if (first === undefined) return 'empty';
  const { line, range } = first;
  if (/^(?:-(?:\s|$)|---\s|\{)/.test(line)) return 'yaml';
  // Also a header without a name: `[deployment]`.
  if (shapeOf(line) === 'nameless' && /^\[[ \t]*\p{L}/u.test(line)) return 'kpatch';
  if (findHeader(text, range.start) !== undefined) return 'kpatch';
  // A flow list is YAML even if its first line is only the bracket.
  return line.includes(':') || line.startsWith('[') ? 'yaml' : undefined;
}

/** The first line that can be a header and is not inside a block or a flow collection. */
export function findHeader(text: string, from: number): Range | undefined {
  const isOwnLine = createLineScanner();
  const lines = /[^\r\n]+/g;
  lines.lastIndex = from;
  for (let match = lines.exec(text); match !== null; match = lines.exec(text)) {
    const line = withoutMark(match[0]);
    if (isOwnLine(line) && shapeOf(line.trim()) === 'named') return { start: match.index, end: lines.lastIndex };
  }
  return undefined;
}

/** The byte order mark at the start of a file is not part of any line. */
function withoutMark(line: string): string {
  return line.startsWith('\uFEFF') ? line.slice(1) : line;
}

/** Form of a trimmed line in brackets, optionally with a comment: `[kind.name…]`, `[kind]`. Each character is read once. */
function shapeOf(line: string): 'named' | 'nameless' | undefined {
  const nameCharacter = /[\p{L}\p{M}\p{N}_\-/@~%:.*?=+]/u;
  let offset = /^\[[ \t]*(?=[\p{L}*"'$])/u.exec(line)?.[0].length ?? line.length;
  let depth = 1;
  let named = false;
  let isValue = false;
  let isGroup = false;
  while (offset < line.length) {
    const character = String.fromCodePoint(line.codePointAt(offset)!);
    let next = offset + character.length;
    if (character === ']') {
      depth -= 1;
      if (depth === 0) return endsLine(line, next) ? (named ? 'named' : 'nameless') : undefined;
    } else if (character === '[') {
      named ||= depth === 1;
      depth += 1;
    } else if (isQuote(character)) {
      next = endOfQuote(line, offset);
    } else if (character === '$') {
      next = Math.max(findVariableEnd(line, { from: offset, to: line.length }), next);
    } else if (depth === 1 && (character === ' ' || character === '\t')) {
      // Inside the outer brackets, spaces are allowed only at the edges.
      next = skipBlanks(line, { from: offset, to: line.length });
      if (line[next] !== ']') return undefined;
    } else if (depth === 1) {
      // A comma distinguishes a flow list from a header, except in the value of a selector.
      if (!isValue && !nameCharacter.test(character)) return undefined;
      isValue = character === '=' || (isValue && character !== '.');
      isGroup ||= character === '@';
      named ||= character === '.' || (isGroup && character === '/');
    }
    offset = next;
  }
  return undefined;
}

function endsLine(line: string, offset: number): boolean {
  const next = skipBlanks(line, { from: offset, to: line.length });
  return next === line.length || (next > offset && line[next] === '#');
}

/** An unclosed quote ends with the line. */
function endOfQuote(line: string, from: number): number {
  const end = findQuoteEnd(line, { from, to: line.length });
  return end === -1 ? line.length : end;
}

const blockHeader = /^[|>](?:[+-]?[1-9]?|[1-9][+-])[ \t]*(?:$|(?<=[ \t])#)/;

/**
 * Tracks multi-line blocks (`|`, `>`) and flow collections, whose lines are not lines of the patch. The result reads the next
 * line; it is false if that continues something that an earlier line opened. Empty lines may be skipped.
 */
function createLineScanner(): (line: string) => boolean {
  /** Column of the key or dash whose block is being skipped; its lines are indented further. */
  let block: number | undefined;
  let depth = 0;
  let quote = '';
  /** The last non-space character in the brackets; a quote opens a string only at the start of a value. */
  let before = '';

  function passBrackets(line: string, start: number): void {
    for (let offset = start; offset < line.length; offset += 1) {
      const character = line[offset]!;
      if (quote !== '') {
        if (character === '\\' && quote === '"') offset += 1;
        else if (character === quote) quote = '';
      } else if (isQuote(character) && '[{,:'.includes(before)) quote = character;
      else if (character === '#' && (offset === 0 || isBlankOrEnd(line[offset - 1]))) return;
      else if (character === '[' || character === '{') depth += 1;
      else if (character === ']' || character === '}') {
        depth -= 1;
        if (depth === 0) return;
      }
      if (!isBlankOrEnd(character)) before = character;
    }
  }

  function openValue(line: string, start: number, column: number): void {
    const offset = skipProperties(line, start);
    const character = line[offset];
    if (character === '[' || character === '{') passBrackets(line, offset);
    else if ((character === '|' || character === '>') && blockHeader.test(line.slice(offset))) block = column;
  }

  return (line) => {
    const indent = skipBlanks(line, { from: 0, to: line.length });
    if (block !== undefined) {
      if (indent > block || indent === line.length) return false;
      block = undefined;
    }
    if (depth > 0) {
      passBrackets(line, 0);
      return false;
    }
    let dash = indent;
    let offset = indent;
    while ((line[offset] === '-' || line[offset] === '?') && isBlankOrEnd(line[offset + 1])) {
      dash = offset;
      offset = skipBlanks(line, { from: offset + 1, to: line.length });
    }
    const value = findValue(line, offset);
    if (value === -1) openValue(line, offset, dash);
    else openValue(line, value, offset);
    return true;
  };
}

/** Offset after the `:` that ends the key at `start`, -1 if there is none. Both formats share this syntax, except for brackets. */
function findValue(line: string, start: number): number {
  let offset = skipProperties(line, start);
  if (isQuote(line[offset])) offset = endOfQuote(line, offset);
  else if (line[offset] === '[' || line[offset] === '{') return -1;
  // Searches for a closing quote only once, so that a long line is scanned once.
  let mayClose = true;
  while (offset < line.length) {
    const character = line[offset];
    if (character === ':' && isBlankOrEnd(line[offset + 1])) return offset + 1;
    if (character === '#' && isBlankOrEnd(line[offset - 1])) return -1;
    let next = offset + 1;
    if (mayClose && (character === '$' || character === '[')) {
      const end =
        character === '[' ? findBracketEnd(line, offset) : findVariableEnd(line, { from: offset, to: line.length });
      mayClose = end !== -1;
      next = Math.max(next, end);
    }
    offset = next;
  }
  return -1;
}

/** Offset after the `]` that closes the bracket at `start`, -1 if there is none. */
function findBracketEnd(line: string, start: number): number {
  let depth = 0;
  for (let offset = start; offset < line.length; offset += 1) {
    const character = line[offset];
    if (isQuote(character)) offset = endOfQuote(line, offset) - 1;
    else if (character === '[') depth += 1;
    else if (character === ']') {
      depth -= 1;
      if (depth === 0) return offset + 1;
    }
  }
  return -1;
}

/** Skips spaces, anchors and tags. */
function skipProperties(line: string, start: number): number {
  let offset = skipBlanks(line, { from: start, to: line.length });
  while (line[offset] === '&' || line[offset] === '!') {
    while (!isBlankOrEnd(line[offset])) offset += 1;
    offset = skipBlanks(line, { from: offset, to: line.length });
  }
  return offset;
}
