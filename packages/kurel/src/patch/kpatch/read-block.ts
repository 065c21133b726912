import { SPACE, isBlank, skipBlanks } from './characters.ts';
import { refuseControl, refuseSyntax } from './reading.ts';
import type { Reading } from './reading.ts';

export interface BlockHeader {
  readonly folded: boolean;
  readonly chomp: '' | '-' | '+';
  /** Indentation that the header says; 0 when the first line of the text tells it. */
  readonly indent: number;
}

/** A text over several lines, as `|` or `>` starts it. */
export interface Block extends BlockHeader {
  /** The text that is meant. */
  readonly text: string;
  /** Its lines without their indentation. Empty lines at the end are only here when they count. */
  readonly lines: readonly string[];
  /** End of the last of these lines in the file; 0 when there are none. */
  readonly end: number;
}

/** Reads the lines that are indented deeper than the entry, whose line has been passed and has `parent` blanks in front. */
export function readBlock(reading: Reading, header: BlockHeader, parent: number): Block {
  const { text } = reading.source;
  const { starts, ends } = reading.lines;
  const first = reading.line;
  const indent = header.indent > 0 ? parent + header.indent : findIndent(reading, parent);
  const lines: string[] = [];
  /** How many of the lines there are up to the last one with text. */
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

/** Passes the lines of a block whose header could not be read, so that they are not taken for entries. */
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

/** The indentation of the first line with text. An empty line above it must not be longer: nobody could say what is meant. */
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
        reason: 'an empty line at the top of the text has more spaces than the first line of the text',
        hint: 'remove the spaces from the empty line, or say the indentation in the header, as in `|2`',
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
      reason: `this line is indented by ${content - start}, but the text it belongs to by ${indent}`,
      hint: `indent it by ${indent} spaces, or like the key if the text ends above`,
      range: { start: content, end: content + 1 },
    });
  } else {
    const hint = 'use spaces';
    const range = { start: start + tab, end: start + tab + 1 };
    refuseSyntax(reading, { reason: 'a text of several lines cannot be indented with tabs', hint, range });
  }
}

function endLines(
  { chomp }: BlockHeader,
  { filled, trailing }: { readonly filled: number; readonly trailing: number },
): string {
  if (chomp === '+') return '\n'.repeat(trailing + (filled > 0 ? 1 : 0));
  return chomp === '' && filled > 0 ? '\n' : '';
}

/** As YAML does it: folded lines are joined by a blank, except around empty lines and lines that are indented further. */
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
