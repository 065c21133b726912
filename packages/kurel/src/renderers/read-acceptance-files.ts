import type { Acceptance } from '../accept/index.ts';
import type { Report, SourceFile } from '../model/index.ts';
import { readAcceptances } from './application/documents/read-acceptances.ts';
import { readOneDocument } from './application/read-one-document.ts';

/** All acceptances of these files; `undefined` when one of them cannot be read, which is reported. */
export function readAcceptanceSources(
  sources: readonly SourceFile[],
  report: Report,
): readonly Acceptance[] | undefined {
  const lists = sources.map((source) => {
    const located = readOneDocument(source, report);
    return located === undefined ? undefined : readAcceptances(located.data, { locate: located.locate, report });
  });
  return lists.every((list) => list !== undefined) ? lists.flat() : undefined;
}
