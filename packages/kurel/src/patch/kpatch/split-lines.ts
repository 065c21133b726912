import { CR, LF } from './characters.ts';

/** Offsets of the lines of a text, without their breaks; what follows the last break is a line unless it is empty. */
export interface Lines {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** Lines end as positions count them: with LF, CR LF or CR. A byte order mark belongs to no line. */
export function splitLines(text: string): Lines {
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
