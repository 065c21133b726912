import type { Report, SourceFile } from '../../model/index.ts';
import { readKpatch } from './read-kpatch.ts';
import type { Line } from './read-line.ts';

/**
 * Formats a .kpatch file, with all comments. The result means the same and is already formatted. Returns `undefined` if the
 * file has errors, which are reported.
 */
export function formatSections(source: SourceFile, report: Report): string | undefined {
  const lines: Line[] = [];
  const { problems } = readKpatch(source, (line) => void lines.push(line));
  const errors = problems.filter(({ severity }) => severity === 'error');
  for (const error of errors) report(error);
  if (errors.length > 0) return undefined;
  const leading = findLeading(lines);
  const output: string[] = [];
  let previous: Line | undefined;
  for (const [index, line] of lines.entries()) {
    if (line.type === 'blank') continue;
    const above = lines[index - 1];
    const isApart =
      leading[index] === true ? above?.type !== 'comment' : above?.type === 'blank' && previous?.type !== 'header';
    if (previous !== undefined && isApart && !keepsBlankLines(previous)) output.push('');
    for (const written of writeLine(line)) output.push(written);
    previous = line;
  }
  return output.map((line) => `${line}\n`).join('');
}

/** Marks headers and the comment lines directly above them, which belong to the header. */
function findLeading(lines: readonly Line[]): readonly boolean[] {
  const leading = lines.map(({ type }) => type === 'header');
  for (let index = lines.length - 2; index >= 0; index -= 1) {
    if (lines[index]!.type === 'comment') leading[index] = leading[index + 1]!;
  }
  return leading;
}

/** Blank lines after such a block are part of its value, so none may be added. */
function keepsBlankLines(line: Line): boolean {
  return line.type === 'entry' && line.block?.chomp === '+';
}

function writeLine(line: Exclude<Line, { readonly type: 'blank' }>): readonly string[] {
  if (line.type === 'comment') return [line.text];
  if (line.type === 'header') return [withComment(line.header!.text, line.comment)];
  const { block } = line;
  const value =
    block === undefined ? line.written : `${line.written.charAt(0)}${block.chomp}${block.indent > 0 ? '2' : ''}`;
  const first = withComment(`${line.key!.text}:${value === '' ? '' : ` ${value}`}`, line.comment);
  return [first, ...(block?.lines ?? []).map((text) => (text === '' ? '' : `  ${text}`))];
}

function withComment(text: string, comment: string): string {
  return comment === '' ? text : `${text}  ${comment}`;
}
