import type { Diagnostic, Location } from '../model/index.ts';
import { escapeControlsInJson } from './escape-controls.ts';
import { createPlaceFinder } from './find-place.ts';
import type { Place, PlaceOptions } from './find-place.ts';
import { hideWords } from './hide-words.ts';

/** The findings as a list for other programs. Lines and columns count from 1; the end is exclusive. */
export function toJson(diagnostics: readonly Diagnostic[], options: PlaceOptions): string {
  const findPlace = createPlaceFinder(options);
  const list = diagnostics.map((one) => describeFinding(hideWords(one, findPlace), findPlace));
  return `${escapeControlsInJson(JSON.stringify(list, undefined, 2))}\n`;
}

function describeFinding(
  { code, severity, message, hint, location, related, omitted }: Diagnostic,
  findPlace: (location: Location) => Place,
): object {
  return {
    code,
    severity,
    message,
    ...(omitted === undefined ? {} : { omitted }),
    ...(hint === undefined ? {} : { hint }),
    ...(location === undefined ? {} : describePlace(findPlace(location))),
    ...(related === undefined
      ? {}
      : { related: related.map((one) => ({ message: one.message, ...describePlace(findPlace(one.location)) })) }),
  };
}

function describePlace({ file, found }: Place): object {
  if (found === undefined) return { file };
  const { start, end } = found;
  return { file, line: start.line, column: start.column, endLine: end.line, endColumn: end.column };
}
