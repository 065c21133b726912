import { CR, DASH, DIGIT_0, DIGIT_9, END, HASH, LF, PIPE, PLUS, SPACE, TAB, isBreakOrEnd } from './char-codes.ts';
import { skipBlanks } from './read-plain.ts';
import { enterLine, refuseTab } from './move-to-content.ts';
import { endOfLine, isMarker, passBreak, type Reading } from './reading.ts';
import { refuse, refuseRest } from './refuse.ts';
import { missingBreak } from './resolve-plain-scalar.ts';

interface Header {
  readonly folded: boolean;
  readonly chomp: 'clip' | 'strip' | 'keep';
  /** Extra indentation from the header; 0 if it has to be detected from the text. */
  readonly indent: number;
  /** Start of the line after the header. */
  readonly next: number;
}

/** Reads a literal (`|`) or folded (`>`) scalar and moves on to the next content. */
export function readBlockScalar(r: Reading, parent: number): string {
  const header = readHeader(r);
  const { text } = r;
  const indent = header.indent > 0 ? Math.max(parent, 0) + header.indent : findIndent(r, { from: header.next, parent });
  const plain = r.quick && !header.folded && indent > 0 ? readPlainLines(r, { header, indent }) : undefined;
  if (plain !== undefined) return plain;
  let value = '';
  /** Pending line breaks between the last line of text and the next one. */
  let breaks = 0;
  let end = header.next;
  let started = false;
  let lastWasSpaced = false;
  let pos = header.next;
  for (;;) {
    const lineStart = pos;
    while (pos - lineStart < indent && text.charCodeAt(pos) === SPACE) pos++;
    const code = text.charCodeAt(pos);
    const lineEnd = endOfLine(text, pos);
    if (isBreakOrEnd(code)) {
      if (code === END) {
        if (header.chomp === 'keep') {
          end = pos;
          // For kubectl, blanks at the end are a line.
          if (r.words.isOfCluster && pos > lineStart) {
            breaks++;
            r.words.divergent.add(missingBreak);
          }
        }
        break;
      }
      breaks++;
    } else {
      if (pos - lineStart < indent || (pos === lineStart && isMarker(text, pos))) {
        if (code === TAB) refuseTab(r, pos);
        pos = lineStart;
        break;
      }
      const spaced = code === SPACE || code === TAB;
      value += joinLines({ header, breaks, started, spaced: spaced || lastWasSpaced });
      value += text.slice(pos, lineEnd);
      lastWasSpaced = spaced;
      started = true;
      breaks = 1;
    }
    const next = passBreak(text, lineEnd);
    const content = !isBreakOrEnd(code);
    if (content || header.chomp === 'keep') end = next;
    if (content && text.charCodeAt(lineEnd) === END) {
      // kubectl adds a final line break to the text before it parses it; kustomize does not.
      if (!r.words.isOfCluster) breaks = 0;
      else if (header.chomp !== 'strip') r.words.divergent.add(missingBreak);
    }
    pos = next;
    if (text.charCodeAt(lineEnd) === END) break;
  }
  r.contentEnd = end;
  r.passedComment = false;
  enterLine(r, pos);
  return value + endLines(header, { breaks, started });
}

/**
 * Reads a literal scalar whose lines are all indented or blank and that is followed by other content: as one slice, which is
 * many times as fast as line by line. Undefined if it does not qualify; nothing is consumed then.
 */
function readPlainLines(
  r: Reading,
  { header, indent }: { readonly header: Header; readonly indent: number },
): string | undefined {
  const { text } = r;
  const margin = ' '.repeat(indent);
  let pos = header.next;
  let end = pos;
  for (;;) {
    const isIndented = text.startsWith(margin, pos);
    if (!isIndented && text.charCodeAt(pos) !== LF) break;
    const lineEnd = text.indexOf('\n', pos);
    if (lineEnd === -1) return undefined;
    const isEmpty = !isIndented || pos + indent === lineEnd;
    pos = lineEnd + 1;
    if (!isEmpty || header.chomp === 'keep') end = pos;
  }
  const after = text.charCodeAt(skipBlanks(text, pos));
  if (end === header.next || isBreakOrEnd(after)) return undefined;
  r.contentEnd = end;
  r.passedComment = false;
  enterLine(r, pos);
  const lines = text.slice(header.next - 1, header.chomp === 'strip' ? end - 1 : end);
  return lines.split(`\n${margin}`).join('\n').slice(1);
}

function joinLines(options: {
  readonly header: Header;
  readonly breaks: number;
  readonly started: boolean;
  readonly spaced: boolean;
}): string {
  const { header, breaks, started, spaced } = options;
  if (!started || !header.folded || spaced) return '\n'.repeat(breaks);
  return breaks === 1 ? ' ' : '\n'.repeat(breaks - 1);
}

function endLines(header: Header, { breaks, started }: { readonly breaks: number; readonly started: boolean }): string {
  if (header.chomp === 'keep') return '\n'.repeat(breaks);
  return header.chomp === 'clip' && started && breaks > 0 ? '\n' : '';
}

function readHeader(r: Reading): Header {
  const { text } = r;
  const start = r.pos;
  let pos = start + 1;
  let chomp: Header['chomp'] | undefined;
  let indent = 0;
  for (;;) {
    const code = text.charCodeAt(pos);
    if ((code === PLUS || code === DASH) && chomp === undefined) chomp = code === PLUS ? 'keep' : 'strip';
    else if (code > DIGIT_0 && code <= DIGIT_9 && indent === 0) indent = code - DIGIT_0;
    else break;
    pos++;
  }
  const afterBlanks = skipBlanks(text, pos);
  const code = text.charCodeAt(afterBlanks);
  if (!isBreakOrEnd(code) && !(code === HASH && afterBlanks > pos)) refuseRest(r, 'yaml-bad-block-header', start);
  const lineEnd = endOfLine(text, afterBlanks);
  return {
    folded: text.charCodeAt(start) !== PIPE,
    chomp: chomp ?? 'clip',
    indent,
    next: passBreak(text, lineEnd),
  };
}

/** The indentation of the first line with text; if there is none, that of the longest blank line. */
function findIndent(r: Reading, { from, parent }: { readonly from: number; readonly parent: number }): number {
  const { text } = r;
  // At the root the parent is -1, but kubectl and kustomize do not accept text at column 0.
  const least = Math.max(parent + 1, 1);
  let longest = 0;
  let longestAt = from;
  let pos = from;
  for (;;) {
    const lineStart = pos;
    while (text.charCodeAt(pos) === SPACE) pos++;
    const column = pos - lineStart;
    const code = text.charCodeAt(pos);
    if (code === END) return Math.max(least, longest, column);
    if (code === TAB) refuseTab(r, pos);
    if (code === LF || code === CR) {
      if (column > longest) {
        longest = column;
        longestAt = lineStart;
      }
      pos = passBreak(text, pos);
      continue;
    }
    if (column < least) return Math.max(least, longest);
    if (longest > column) {
      refuse(
        r,
        'yaml-bad-block-indentation',
        { column: longest, expected: column },
        { range: { start: longestAt, end: longestAt + longest } },
      );
    }
    return column;
  }
}
