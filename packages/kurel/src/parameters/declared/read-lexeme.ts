import type { Location, SourceFile } from '../../model/index.ts';
import { locateInYaml, readYaml } from '../../yaml/index.ts';

/**
 * A number or boolean as its author wrote it: `1.10`, `0755`, `yes`. `undefined` when the value does not stand there itself
 * but came through an alias or a merge key.
 */
export function readLexeme(
  source: SourceFile,
  location: Location,
  value: number | bigint | boolean,
): string | undefined {
  // Values that were handed over as data were never written.
  if (source.text === '') return String(value);
  const range = locateInYaml(source, location);
  if (range === undefined) return undefined;
  const text = source.text.slice(range.start, range.end).replace(/^(?:[&!]\S*\s+)+/, '');
  return readYaml({ path: source.path, text }).documents[0]?.data === value ? text : undefined;
}
