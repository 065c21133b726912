import { SPACE, isBlank, skipBlanks } from './characters.ts';
import { refuseControl, refuseSyntax } from './reading.ts';
import type { Reading } from './reading.ts';

export interface BlockHeader {
  readonly folded: boolean;
  readonly chomp: '' | '-' | '+';
  /** Indentation from the block header; 0 if the first non-empty line determines it. */
  readonly indent: number;
}

/** A multi-line string that starts with `|` or `>`. */
export interface Block extends BlockHeader {
  /** The resulting string. */
  readonly text: string;
  /** Lines without their indentation. Trailing empty lines are included only if they are kept. */
  readonly lines: readonly string[];
  /** Offset after the last of these lines; 0 if there are none. */
  readonly end: number;
}

/** Reads the lines indented deeper than the entry, whose own line has `parent` leading spaces and is already read. */
export function readBlock(reading: Reading, header: BlockHeader, parent: number): Block {
  const { text } = reading.source;
  const { starts, ends } = reading.lines;
  const first = reading.line;
  const indent = header.indent > 0 ? parent + header.indent : findIndent(reading, parent);
  const lines: string[] = [];
  /** Number of lines up to the last non-empty one. */
  let filled = 0;
  for (let line = first; line < starts.length; line += 1) {
    const start = starts[line]!;
    const end = ends[line]!;
    const content = skipBlanks(text, { from: start, to: end });
    const spaces = Math.min(countSpaces(text, start, end), indent);
    const isEmpty = content === end && (spaces < indent || start + spaces === end);
    if (!isEmpty && content - start <= parent) break;
    if (!isEmpty && spaces < indent) refuseIndentation(reading, { start, content, indent });
    refuseControl(reading, { start, end });
    lines.push(isEmpty ? '' : text.slice(start + spaces, end));
    if (!isEmpty) filled = lines.length;
  }
  const trailing = lines.length - filled;
  if (header.chomp !== '+') lines.length = filled;
  reading.line = first + lines.length;
  return {
    ...header,
    text: joinLines(lines.slice(0, filled), header.folded) + endLines(header, { filled, trailing }),
    lines,
    end: lines.length === 0 ? 0 : ends[first + lines.length - 1]!,
  };
}

/** Skips the lines of a block whose header is invalid, so that they are not parsed as entries. */
export function passBlock(reading: Reading, parent: number): void {
  const { text } = reading.source;
  const { starts, ends } = reading.lines;
  for (let line = reading.line; line < starts.length; line += 1) {
    const content = skipBlanks(text, { from: starts[line]!, to: ends[line]! });
    if (content === ends[line]!) continue;
    if (content - starts[line]! <= parent) return;
    reading.line = line + 1;
  }
}

/** Indentation of the first non-empty line. A longer empty line before it is an error because the indentation is then ambiguous. */
function findIndent(reading: Reading, parent: number): number {
  const { text } = reading.source;
  const { starts, ends } = reading.lines;
  let longest = { start: 0, end: 0 };
  for (let line = reading.line; line < starts.length; line += 1) {
    const start = starts[line]!;
    const end = ends[line]!;
    const spaces = countSpaces(text, start, end);
    if (skipBlanks(text, { from: start, to: end }) === end) {
      if (spaces > longest.end - longest.start) longest = { start, end: start + spaces };
      continue;
    }
    if (spaces <= parent) break;
    if (longest.end - longest.start > spaces) {
      refuseSyntax(reading, {
        reason: 'an empty line has more leading spaces than the first line of the multi-line string',
        hint: 'remove the spaces from the empty line, or set the indentation in the block header, as in `|2`',
        range: longest,
      });
    }
    return spaces;
  }
  return Math.max(parent + 1, longest.end - longest.start);
}

function countSpaces(text: string, start: number, end: number): number {
  let offset = start;
  while (offset < end && text.charCodeAt(offset) === SPACE) offset += 1;
  return offset - start;
}

interface BadLine {
  readonly start: number;
  readonly content: number;
  readonly indent: number;
}

function refuseIndentation(reading: Reading, { start, content, indent }: BadLine): void {
  const tab = reading.source.text.slice(start, content).indexOf('\t');
  if (tab === -1) {
    refuseSyntax(reading, {
      reason: `this line is indented by ${content - start} spaces, but its multi-line string by ${indent}`,
      hint: `indent it by ${indent} spaces, or like the key if the string ends above`,
      range: { start: content, end: content + 1 },
    });
  } else {
    const hint = 'use spaces';
    const range = { start: start + tab, end: start + tab + 1 };
    refuseSyntax(reading, { reason: 'a multi-line string cannot be indented with tabs', hint, range });
  }
}

function endLines(
  { chomp }: BlockHeader,
  { filled, trailing }: { readonly filled: number; readonly trailing: number },
): string {
  if (chomp === '+') return '\n'.repeat(trailing + (filled > 0 ? 1 : 0));
  return chomp === '' && filled > 0 ? '\n' : '';
}

/** As in YAML, folded lines are joined with a space, except around empty lines and lines that are indented further. */
function joinLines(lines: readonly string[], folded: boolean): string {
  if (!folded) return lines.join('\n');
  let text = '';
  let breaks = 0;
  let isStarted = false;
  let wasSpaced = false;
  for (const line of lines) {
    if (line !== '') {
      const isSpaced = isBlank(line.charCodeAt(0));
      if (!isStarted || isSpaced || wasSpaced) text += '\n'.repeat(breaks);
      else text += breaks === 1 ? ' ' : '\n'.repeat(breaks - 1);
      text += line;
      isStarted = true;
      wasSpaced = isSpaced;
      breaks = 0;
    }
    breaks += 1;
  }
  return text;
}
