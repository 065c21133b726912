import type { Json, Location, SourceFile } from '../model/index.ts';
import { locateWritten, readYaml } from '../yaml/index.ts';

/**
 * A number or boolean as its author wrote it: `1.10`, `0755`, `yes`; a string that was read as one is written as it is. What came
 * through an alias or a merge key is written where its anchor is. `undefined` when the value is not there.
 */
export function readLexeme(source: SourceFile, location: Location, value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (value === undefined || typeof value === 'object') return undefined;
  // Values that were handed over as data were never written.
  if (source.text === '') return String(value);
  const range = locateWritten(source, location);
  if (range === undefined) return undefined;
  const whole = source.text.slice(range.start, range.end);
  // Anchors, tags and comments may come before it.
  const text = whole.split(/[ \t\n\r]/).at(-1)!;
  return isWriting(text, value) ? text : undefined;
}

/** Whether a string is how the value can be written. */
export function isWriting(text: string, value: number | bigint | boolean): boolean {
  return readYaml({ path: '', text }).documents[0]?.data === value;
}
