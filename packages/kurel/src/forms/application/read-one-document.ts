import type { Diagnostic, Location, Memory, Path, Report, SourceFile } from '../../model/index.ts';
import { readYaml } from '../../yaml/index.ts';
import type { LocatedData } from './compose/located-data.ts';
import { applicationProblems } from './problems.ts';

/** The single document of a kurel file; `undefined` if it is unreadable or there are several, which is reported. */
export function readOneDocument(source: SourceFile, report: Report, memory?: Memory): LocatedData | undefined {
  let failed = false;
  const reportFinding = (diagnostic: Diagnostic): void => {
    failed ||= diagnostic.severity === 'error';
    report(diagnostic);
  };
  const { documents, diagnostics } = readYaml(source, { words: 'core', memory });
  for (const diagnostic of diagnostics) reportFinding(diagnostic);
  const filled = documents.filter(({ data }) => data !== undefined);
  const [first, second] = filled;
  if (second !== undefined) {
    const location = { file: source.path, document: second.index };
    reportFinding(applicationProblems.create('document-several', { count: filled.length }, { location }));
  }
  if (failed) return undefined;
  const locate = (path: Path): Location => ({ file: source.path, document: first?.index ?? 0, path });
  return { data: first?.data ?? null, locate };
}
