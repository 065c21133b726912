import type { Location, SourceFile } from '../../model/index.ts';
import { locateWritten, readYaml } from '../../yaml/index.ts';

/**
 * A number or boolean as its author wrote it: `1.10`, `0755`, `yes`. What came through an alias or a merge key is
 * written where its anchor is. `undefined` when the value does not stand there.
 */
export function readLexeme(
  source: SourceFile,
  location: Location,
  value: number | bigint | boolean,
): string | undefined {
  // Values that were handed over as data were never written.
  if (source.text === '') return String(value);
  const range = locateWritten(source, location);
  if (range === undefined) return undefined;
  const whole = source.text.slice(range.start, range.end);
  // Anchors, tags and comments may stand in front of it.
  const text = whole.split(/[ \t\n\r]/).at(-1)!;
  return isWriting(text, value) ? text : undefined;
}

/** Whether a text is how the value can be written. */
export function isWriting(text: string, value: number | bigint | boolean): boolean {
  return readYaml({ path: '', text }).documents[0]?.data === value;
}
