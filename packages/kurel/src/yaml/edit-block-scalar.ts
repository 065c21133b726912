import type { Range } from '../model/index.ts';
import type { Sheet } from './edit-sheet.ts';
import { afterBreak, beforeBreak, lineEnd, skipSpaces, withoutLastBreak } from './edit-sheet.ts';
import type { Splice } from './edit-splice.ts';
import type { EntryMark } from './marks.ts';
import { canBeLiteral, literalParts, type LiteralPlace } from './write-literal.ts';
import { textTraits } from './write-string.ts';

const HEADER = /([|>])([1-9]?)([-+]?)([1-9]?)([ \t]*(?:#[^\r\n]*)?)/uy;

interface BlockScalar {
  readonly style: string;
  readonly indicator: string;
  readonly chomping: string;
  /** With the blanks in front of it. */
  readonly comment: string;
  /** Column of the text; undefined when there is none. */
  readonly column: number | undefined;
}

/** The header of a block scalar in a range, and where its text stands. */
export function readBlockScalar(sheet: Sheet, { start, end }: Range): BlockScalar | undefined {
  HEADER.lastIndex = start;
  const header = HEADER.exec(sheet.text);
  if (header === null) return undefined;
  const [, style = '', before = '', chomping = '', after = '', comment = ''] = header;
  let line = afterBreak(sheet, lineEnd(sheet, start));
  let content = skipSpaces(sheet, line);
  while (content < end && lineEnd(sheet, content) === content) {
    line = afterBreak(sheet, content);
    content = skipSpaces(sheet, line);
  }
  const indicator = before === '' ? after : before;
  return { style, indicator, chomping, comment, column: content < end ? content - line : undefined };
}

/** New text in a block scalar that keeps its header, its comment and its column; undefined when it cannot carry it. */
export function editBlockScalar(
  sheet: Sheet,
  { entry, start, parent, text }: { entry: EntryMark; start: number; parent: number; text: string },
): Splice | undefined {
  const { end } = entry.valueRange;
  const old = readBlockScalar(sheet, { start, end });
  if (old?.column === undefined || !canBeLiteral(text, textTraits(text))) return undefined;
  const column = old.indicator === '' ? old.column : parent + Number(old.indicator);
  // Empty lines below would become part of a text that keeps its trailing line breaks.
  const keep = lineEnd(sheet, end) > end;
  const written = writeInStyle(text, old, { parent, column, keep });
  if (written === undefined) return undefined;
  const lines = withoutLastBreak(sheet, written.lines);
  const header = `${written.style}${written.indicator}${written.chomping}${old.comment}`;
  return { start, end: beforeBreak(sheet, end), text: `${header}${sheet.eol}${lines}` };
}

function writeInStyle(text: string, old: BlockScalar, place: LiteralPlace) {
  const folds = old.style === '>' && !/(?:^|\n)[ \t]/u.test(text) && !text.startsWith('\n');
  // A line break inside folded text is written as an empty line.
  const inner = folds ? text.replaceAll(/(?<!\n)\n+(?!\n|$)/gu, (breaks) => `${breaks}\n`) : text;
  const parts = literalParts(inner, place);
  if (parts === undefined) return undefined;
  const keepsAll = old.chomping === '+' && text.endsWith('\n') && place.keep;
  return {
    style: folds ? '>' : '|',
    indicator: old.indicator === '' ? parts.indicator : old.indicator,
    chomping: keepsAll ? '+' : parts.chomping,
    lines: parts.lines,
  };
}
