import type { Diagnostic, Location, Range, SourceFile } from '../../model/index.ts';
import { findControlCharacter, isClusterBreak, nameCharacter } from '../../yaml/index.ts';
import type { SyntaxProblem } from './cursor.ts';
import { kpatchProblems } from './problems.ts';

/** State of reading one file. */
export interface Reading {
  readonly source: SourceFile;
  readonly lines: Lines;
  /** The next line to read. */
  line: number;
  /** Offset of the next forbidden control character; the length of the text if there is none. */
  control: number;
  readonly problems: Diagnostic[];
  /** Number of problems that were counted but not kept. */
  omitted: number;
}

/** A file with millions of invalid lines must not fill the memory with messages. */
const mostProblems = 1000;

export function startReading(source: SourceFile): Reading {
  const { text } = source;
  const lines = splitLines(text);
  const control = findControlCharacter(text, lines.starts[0] ?? text.length);
  return { source, lines, line: 0, control, problems: [], omitted: 0 };
}

/** Reports the first forbidden control character of the line; false if there is none. */
export function refuseControl(reading: Reading, { start, end }: Range): boolean {
  if (reading.control < start) reading.control = findControlCharacter(reading.source.text, start);
  const { control } = reading;
  if (control >= end) return false;
  const { text } = reading.source;
  const code = nameCharacter(text, control);
  const [reason, escape] = isClusterBreak(text, control)
    ? ['which kubectl and kustomize treat as a line break', `\`\\u${code.slice(2).toLowerCase()}\``]
    : ['which is not allowed in a patch file', '`\\x00`'];
  refuseSyntax(reading, {
    reason: `the file contains the character ${code}, ${reason}`,
    hint: `remove it, or use an escape such as ${escape} in double quotes`,
    range: { start: control, end: control + 1 },
  });
  return true;
}

export function refuseSyntax(reading: Reading, { reason, hint, range }: SyntaxProblem): void {
  addProblem(reading, range, (place) => kpatchProblems.create('kpatch-syntax', { reason, hint }, place));
}

/** Adds a problem at a place in the file, unless there are too many. */
export function addProblem(
  reading: Reading,
  range: Range,
  create: (place: { readonly location: Location }) => Diagnostic,
): void {
  if (hasRoom(reading)) reading.problems.push(create({ location: locate(reading, range) }));
}

export function countProblems({ problems, omitted }: Reading): number {
  return problems.length + omitted;
}

/** False if there are so many problems that further ones are only counted. */
export function hasRoom(reading: Reading): boolean {
  if (reading.problems.length < mostProblems) return true;
  reading.omitted += 1;
  return false;
}

export function locate({ source }: Reading, range: Range): Location {
  return { file: source.path, range };
}

/** All problems in file order. */
export function finishProblems(reading: Reading): readonly Diagnostic[] {
  const { problems, omitted } = reading;
  const sorted = problems.toSorted((a, b) => a.location!.range!.start - b.location!.range!.start);
  if (omitted === 0) return sorted;
  const { length } = reading.source.text;
  const location = locate(reading, { start: length, end: length });
  const reason = `${omitted} more problems in this file are not shown`;
  const hint = 'check that this is a .kpatch file';
  return [...sorted, kpatchProblems.create('kpatch-syntax', { reason, hint }, { location })];
}

/** Line offsets without line breaks; text after the last line break is a line unless it is empty. */
interface Lines {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** Lines end with LF, CR LF or CR, as in positions. A byte order mark is not part of any line. */
function splitLines(text: string): Lines {
  const starts: number[] = [];
  const ends: number[] = [];
  let start = text.startsWith('\ufeff') ? 1 : 0;
  for (const { index, 0: end } of text.matchAll(/\r\n?|\n/g)) {
    starts.push(start);
    ends.push(index);
    start = index + end.length;
  }
  if (start < text.length) {
    starts.push(start);
    ends.push(text.length);
  }
  return { starts, ends };
}
