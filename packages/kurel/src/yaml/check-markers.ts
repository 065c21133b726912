import type { Diagnostic, Range, SourceFile } from '../model/index.ts';
import { yamlProblems } from './problems.ts';
import type { YamlReading } from './read-yaml.ts';

type MarkerProblem =
  | 'yaml-marker-text'
  | 'yaml-marker-return'
  | 'yaml-marker-unclear'
  | 'yaml-directive'
  | 'yaml-double-return';

/**
 * What separates the documents of manifests, as kubectl and kustomize look for it: before they read YAML, they cut the text at lines
 * that begin with `---`. Lines end with a line feed for them, and nothing but a comment may follow on the line.
 */
export function checkMarkers({ path, text }: SourceFile, { documents }: YamlReading): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  let documentAt = createFinder(documents);
  const report = (code: MarkerProblem, range: Range): void => {
    const location = { file: path, document: documentAt(range.start), range };
    found.push(yamlProblems.create(code, { word: text.slice(range.start, range.end) }, { location }));
  };
  for (let at = text.indexOf('---'); at !== -1; at = text.indexOf('---', at + 3)) {
    const before = text[at - 1];
    const isMarker = at + 3 === text.length || /^[ \t\r\n]$/.test(text[at + 3]!);
    if (before === '\r' && isMarker) report('yaml-marker-return', { start: at, end: at + 3 });
    if (at > 0 && before !== '\n') continue;
    const lineEnd = text.indexOf('\n', at);
    const rest = text.slice(at + 3, lineEnd === -1 ? text.length : lineEnd);
    if (!isMarker) {
      report('yaml-marker-unclear', { start: at, end: at + 3 + rest.trimEnd().length });
      continue;
    }
    const content = rest.search(/\S/);
    const isRefused = content !== -1 && rest[content] !== '#';
    if (isRefused && rest.slice(0, content).includes('\r')) {
      report('yaml-marker-return', { start: at, end: at + 3 });
    } else if (isRefused) {
      report('yaml-marker-text', { start: at + 3 + content, end: at + 3 + rest.trimEnd().length });
    }
  }
  // Both take the carriage return off the end of each line before they read YAML.
  documentAt = createFinder(documents);
  for (let at = text.indexOf('\r\r\n'); at !== -1; at = text.indexOf('\r\r\n', at + 3)) {
    report('yaml-double-return', { start: at, end: at + 2 });
  }
  // After `...` both read them.
  const lead = text.slice(0, documents[0]?.range.start ?? 0);
  const directive = /^\ufeff?(%.*)$/m.exec(lead);
  if (directive !== null) {
    const start = directive.index + directive[0].length - directive[1]!.length;
    documentAt = createFinder(documents);
    report('yaml-directive', { start, end: start + directive[1]!.trimEnd().length });
  }
  return found;
}

/** Positions are asked for from front to back: there may be many. */
function createFinder(documents: YamlReading['documents']): (position: number) => number {
  let next = 0;
  return (position) => {
    while (next < documents.length - 1 && position >= documents[next]!.range.end) next += 1;
    return documents[next]?.index ?? 0;
  };
}
