import type { Location, Range, SourceFile } from '../../../model/index.ts';
import { locateInYaml } from '../../../yaml/index.ts';
import type { LocateText } from '../catalog/define.ts';

interface Holder {
  readonly file: SourceFile;
  /** Location of the string in the file. */
  readonly place: Location;
}

/**
 * Locates parts of a string written as a literal block, where each line of the string is a line of the file. In any other
 * style, only the string as a whole can be located.
 */
export function locateInBlock(text: string, { file, place }: Holder): LocateText {
  let lines: readonly PairedLine[] | undefined;
  return (part) => {
    lines ??= pairLines(text, { file, place });
    const line = lines[findLine(lines, part.start)];
    if (line === undefined) return place;
    const { inner, outer, isSame } = line;
    const shift = (offset: number): number => outer.start + Math.min(offset, inner.end) - inner.start;
    return { ...place, range: isSame ? { start: shift(part.start), end: shift(part.end) } : outer };
  };
}

/** A line of the string and its position in the file. */
interface PairedLine {
  readonly inner: Range;
  readonly outer: Range;
  /** The line is the same in the file; otherwise a reference was filled in. */
  readonly isSame: boolean;
}

// An anchor and a tag may precede the indicator, and a comment may follow it.
const header = /^(?:[&!]\S*[ \t]+)*\|[-+0-9]*[ \t]*(?:#.*)?$/;

function pairLines(text: string, { file, place }: Holder): readonly PairedLine[] {
  const range = locateInYaml(file, place);
  const [first, ...block] = range === undefined ? [] : withoutBlankEnd(file.text, range);
  if (first === undefined || !header.test(file.text.slice(first.start, first.end))) return [];
  const lines = withoutBlankEnd(text, { start: 0, end: text.length });
  // A filled-in value may contain line breaks, so the lines can no longer be matched.
  if (lines.length !== block.length) return [];
  return lines.map((inner, index) => {
    const { start, end } = block[index]!;
    const [parsed, written] = [text.slice(inner.start, inner.end), file.text.slice(start, end)];
    const isSame = written.endsWith(parsed);
    const indent = isSame ? written.length - parsed.length : written.search(/\S|$/);
    return { inner, outer: { start: start + indent, end }, isSame };
  });
}

function linesIn(text: string, { start: from, end: to }: Range): readonly Range[] {
  const lines: Range[] = [];
  for (let start = from; start <= to;) {
    const lineFeed = text.indexOf('\n', start);
    const next = lineFeed === -1 || lineFeed > to ? to : lineFeed;
    const end = text.charAt(next - 1) === '\r' && next > start ? next - 1 : next;
    lines.push({ start, end });
    start = next + 1;
  }
  return lines;
}

/** The indicator determines how many blank lines end a block. */
function withoutBlankEnd(text: string, range: Range): readonly Range[] {
  const lines = linesIn(text, range);
  return lines.slice(0, lines.findLastIndex(({ start, end }) => text.slice(start, end).trim() !== '') + 1);
}

/** The last line that starts at or before the offset. */
function findLine(lines: readonly PairedLine[], offset: number): number {
  let [low, high] = [0, lines.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (lines[middle]!.inner.start <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
