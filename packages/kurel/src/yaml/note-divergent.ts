import type { Diagnostic, Range, SourceFile } from '../model/index.ts';
import { yamlProblems } from './problems.ts';
import { readMarkedDocument } from './read-yaml.ts';
import type { EntryMark } from './reading.ts';
import type { YamlReading } from './read-yaml.ts';
import { isDivergent, missingBreak, resolvePlainKey, resolvePlainScalar } from './resolve-plain-scalar.ts';

/**
 * One note, at the first of the plain scalars of a manifest that kubectl and kustomize read differently. No
 * note if all of them have tags or are in places without marks.
 */
export function noteDivergent(source: SourceFile, { documents, divergent }: YamlReading): readonly Diagnostic[] {
  if (divergent.size === 0) return [];
  if (divergent.has(missingBreak)) {
    const words = new Set([...divergent].filter((word) => word !== missingBreak));
    const location = { file: source.path, document: documents.at(-1)?.index ?? 0, range: endOf(source.text) };
    const note = yamlProblems.create('yaml-final-break', {}, { location });
    return [note, ...noteDivergent(source, { documents, diagnostics: [], divergent: words })];
  }
  for (const { index, range, data } of documents) {
    const place = data === undefined ? undefined : findFirst(source, range);
    if (place === undefined) continue;
    const word = source.text.slice(place.range.start, place.range.end);
    const args = {
      word,
      kubectl: place.isKey ? resolvePlainKey(word)! : (resolvePlainScalar(word) as string | boolean),
      isKey: place.isKey,
      others: [...divergent].filter((other) => other !== word),
    };
    const location = { file: source.path, document: index, range: place.range };
    return [yamlProblems.create('yaml-kustomize-differs', args, { location })];
  }
  return [];
}

/** The last line, up to its end. */
function endOf(text: string): Range {
  return { start: Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1, end: text.length };
}

interface Place {
  readonly range: Range;
  readonly isKey: boolean;
}

function findFirst(source: SourceFile, range: Range): Place | undefined {
  const { marks } = readMarkedDocument(source, range);
  let first: Place | undefined;
  for (const { entries } of marks.values()) {
    for (const entry of entries) {
      for (const place of placesOf(source.text, entry)) {
        if (first === undefined || place.range.start < first.range.start) first = place;
      }
    }
  }
  return first;
}

function placesOf(text: string, { key, keyRange, valueRange, value, decorated }: EntryMark): readonly Place[] {
  const places: Place[] = [];
  const written = text.slice(keyRange.start, keyRange.end);
  // As keys, both read dates the same way.
  if (typeof key === 'string' && isDivergent(written) && key !== written) places.push({ range: keyRange, isKey: true });
  const isPlain = value === 'plain' && !decorated;
  if (isPlain && isDivergent(text.slice(valueRange.start, valueRange.end))) {
    places.push({ range: valueRange, isKey: false });
  }
  return places;
}

type MarkerProblem =
  | 'yaml-marker-text'
  | 'yaml-marker-return'
  | 'yaml-marker-unclear'
  | 'yaml-directive'
  | 'yaml-double-return';

/**
 * Checks document separators as kubectl and kustomize see them: before they parse YAML, they split the text at lines
 * that start with `---`. For them, lines end with a line feed, and only a comment may follow on the line.
 */
export function checkMarkers({ path, text }: SourceFile, { documents }: YamlReading): readonly Diagnostic[] {
  const findings: Diagnostic[] = [];
  let documentAt = createFinder(documents);
  const report = (code: MarkerProblem, range: Range): void => {
    const location = { file: path, document: documentAt(range.start), range };
    findings.push(yamlProblems.create(code, { word: text.slice(range.start, range.end) }, { location }));
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
  // Both remove the carriage return at the end of each line before they parse YAML.
  documentAt = createFinder(documents);
  for (let at = text.indexOf('\r\r\n'); at !== -1; at = text.indexOf('\r\r\n', at + 3)) {
    report('yaml-double-return', { start: at, end: at + 2 });
  }
  // After `...`, both accept directives.
  const lead = text.slice(0, documents[0]?.range.start ?? 0);
  const directive = /^\ufeff?(%.*)$/m.exec(lead);
  if (directive !== null) {
    const start = directive.index + directive[0].length - directive[1]!.length;
    documentAt = createFinder(documents);
    report('yaml-directive', { start, end: start + directive[1]!.trimEnd().length });
  }
  return findings;
}

/** Expects increasing positions, because there may be many. */
function createFinder(documents: YamlReading['documents']): (position: number) => number {
  let next = 0;
  return (position) => {
    while (next < documents.length - 1 && position >= documents[next]!.range.end) next += 1;
    return documents[next]?.index ?? 0;
  };
}
