import type { Json, Location, SourceFile } from '../model/index.ts';
import { locateWritten, readYaml } from '../yaml/index.ts';

/**
 * A number or boolean as written: `1.10`, `0755`, `yes`; a string that was parsed as one is returned unchanged. A value
 * from an alias or a merge key is written at its anchor. `undefined` when the value does not exist.
 */
export function readLexeme(source: SourceFile, location: Location, value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (value === undefined || typeof value === 'object') return undefined;
  // Values passed as data have no text.
  if (source.text === '') return String(value);
  const range = locateWritten(source, location);
  if (range === undefined) return undefined;
  const whole = source.text.slice(range.start, range.end);
  // Anchors, tags and comments may precede it.
  const text = whole.split(/[ \t\n\r]/).at(-1)!;
  return isWriting(text, value) ? text : undefined;
}

/** Whether a string is a notation of the value. */
export function isWriting(text: string, value: number | bigint | boolean): boolean {
  return readYaml({ path: '', text }).documents[0]?.data === value;
}
