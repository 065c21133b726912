import type { AcceptedFinding, Diagnostic, Location } from '../model/index.ts';
import { escapeControlsInJson } from './quote.ts';
import { createPlaceFinder } from './find-place.ts';
import type { Place, PlaceOptions } from './find-place.ts';
import { hideWords } from './hide-words.ts';

export interface JsonOptions extends PlaceOptions {
  readonly accepted?: readonly AcceptedFinding[] | undefined;
}

/** The findings as a list for other programs, accepted ones last. Lines and columns count from 1; the end is exclusive. */
export function toJson(diagnostics: readonly Diagnostic[], { accepted = [], ...options }: JsonOptions): string {
  const findPlace = createPlaceFinder(options);
  const describe = (one: Diagnostic, reason?: string): object =>
    describeFinding(hideWords(one, findPlace), { findPlace, reason });
  const list = [
    ...diagnostics.map((one) => describe(one)),
    ...accepted.map(({ diagnostic, reason }) => describe(diagnostic, reason)),
  ];
  return `${escapeControlsInJson(JSON.stringify(list, undefined, 2))}\n`;
}

function describeFinding(
  { code, severity, message, hint, location, related, omitted, object, targets }: Diagnostic,
  { findPlace, reason }: { readonly findPlace: (location: Location) => Place; readonly reason: string | undefined },
): object {
  return {
    code,
    severity,
    message,
    ...(omitted === undefined ? {} : { omitted }),
    ...(hint === undefined ? {} : { hint }),
    ...(object === undefined ? {} : { object }),
    ...(location === undefined ? {} : describePlace(findPlace(location))),
    ...(related === undefined
      ? {}
      : { related: related.map((one) => ({ message: one.message, ...describePlace(findPlace(one.location)) })) }),
    ...(targets === undefined ? {} : { targets }),
    ...(reason === undefined ? {} : { accepted: { reason } }),
  };
}

function describePlace({ file, found }: Place): object {
  if (found === undefined) return { file };
  const { start, end } = found;
  return { file, line: start.line, column: start.column, endLine: end.line, endColumn: end.column };
}
