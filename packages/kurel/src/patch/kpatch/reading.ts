import type { Diagnostic, Location, Range, SourceFile } from '../../model/index.ts';
import { findControlCharacter, isClusterBreak, nameCharacter } from '../../yaml/index.ts';
import { CR, LF } from './characters.ts';
import type { SyntaxProblem } from './cursor.ts';
import { kpatchProblems } from './problems.ts';

/** A file while it is read. */
export interface Reading {
  readonly source: SourceFile;
  readonly lines: Lines;
  /** The line to be read next. */
  line: number;
  /** Offset of the next character that no text may have; the length of the text when there is none. */
  control: number;
  readonly problems: Diagnostic[];
  /** Problems beyond those that are kept. */
  omitted: number;
}

/** Enough to see what is wrong; a file of millions of wrong lines must not fill the memory with messages. */
const mostProblems = 1000;

export function startReading(source: SourceFile): Reading {
  const { text } = source;
  const lines = splitLines(text);
  const control = findControlCharacter(text, lines.starts[0] ?? text.length);
  return { source, lines, line: 0, control, problems: [], omitted: 0 };
}

/** Reports the first character of the line that no text may have; false when all are allowed. */
export function refuseControl(reading: Reading, { start, end }: Range): boolean {
  if (reading.control < start) reading.control = findControlCharacter(reading.source.text, start);
  const { control } = reading;
  if (control >= end) return false;
  const { text } = reading.source;
  const code = nameCharacter(text, control);
  const [reason, escape] = isClusterBreak(text, control)
    ? ['at which kubectl and kustomize end the line', `the escape \`\\u${code.slice(2).toLowerCase()}\``]
    : ['which no patch file may have', 'an escape such as `\\x00`'];
  refuseSyntax(reading, {
    reason: `the text has the character ${code}, ${reason}`,
    hint: `remove it; in double quotes it can be written as ${escape}`,
    range: { start: control, end: control + 1 },
  });
  return true;
}

export function refuseSyntax(reading: Reading, { reason, hint, range }: SyntaxProblem): void {
  if (hasRoom(reading)) {
    const location = locate(reading, range);
    reading.problems.push(kpatchProblems.create('kpatch-syntax', { reason, hint }, { location }));
  }
}

export function countProblems({ problems, omitted }: Reading): number {
  return problems.length + omitted;
}

/** False when there are so many problems already that one more is only counted. */
export function hasRoom(reading: Reading): boolean {
  if (reading.problems.length < mostProblems) return true;
  reading.omitted += 1;
  return false;
}

export function locate({ source }: Reading, range: Range): Location {
  return { file: source.path, range };
}

/** All problems in the order of the file. */
export function finishProblems(reading: Reading): readonly Diagnostic[] {
  const { problems, omitted } = reading;
  const sorted = problems.toSorted((a, b) => a.location!.range!.start - b.location!.range!.start);
  if (omitted === 0) return sorted;
  const { length } = reading.source.text;
  const location = locate(reading, { start: length, end: length });
  const reason = `there are ${omitted} more problems in this file`;
  const hint = 'check that it is a .kpatch file at all';
  return [...sorted, kpatchProblems.create('kpatch-syntax', { reason, hint }, { location })];
}

/** Offsets of the lines of a text, without their breaks; what follows the last break is a line unless it is empty. */
interface Lines {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** Lines end as positions count them: with LF, CR LF or CR. A byte order mark belongs to no line. */
function splitLines(text: string): Lines {
  const starts: number[] = [];
  const ends: number[] = [];
  let start = text.startsWith('\ufeff') ? 1 : 0;
  for (let offset = start; offset < text.length; offset += 1) {
    const code = text.charCodeAt(offset);
    if (code !== LF && code !== CR) continue;
    starts.push(start);
    ends.push(offset);
    if (code === CR && text.charCodeAt(offset + 1) === LF) offset += 1;
    start = offset + 1;
  }
  if (start < text.length) {
    starts.push(start);
    ends.push(text.length);
  }
  return { starts, ends };
}
