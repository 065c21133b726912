import type { Acceptance } from '../accept/index.ts';
import type { Memory, Report, SourceFile } from '../model/index.ts';

/** All acceptances of these files; `undefined` when one of them cannot be read, which is reported. */
export async function readAcceptanceSources(
  sources: readonly SourceFile[],
  report: Report,
  memory?: Memory,
): Promise<readonly Acceptance[] | undefined> {
  // Most builds have none, and our documents are read by the code of applications.
  const { readAcceptances, readOneDocument } = await import('./application/form.ts');
  const lists = sources.map((source) => {
    const located = readOneDocument(source, report, memory);
    return located === undefined ? undefined : readAcceptances(located.data, { locate: located.locate, report });
  });
  return lists.every((list) => list !== undefined) ? lists.flat() : undefined;
}
