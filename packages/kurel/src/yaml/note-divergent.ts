import type { Diagnostic, Range, SourceFile } from '../model/index.ts';
import type { EntryMark } from './marks.ts';
import { yamlProblems } from './problems.ts';
import { readMarkedDocument } from './read-marked-document.ts';
import type { YamlReading } from './read-yaml.ts';
import { isDivergent, missingBreak, resolvePlainKey, resolvePlainScalar } from './resolve-plain-scalar.ts';

/**
 * One note about the plain scalars of a manifest that kustomize reads otherwise than kubectl, at the first of them. Tells
 * nothing when they all have tags, or stand where nobody looks for them.
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
  // A date is the same as a key to both.
  if (typeof key === 'string' && isDivergent(written) && key !== written) places.push({ range: keyRange, isKey: true });
  const isPlain = value === 'plain' && !decorated;
  if (isPlain && isDivergent(text.slice(valueRange.start, valueRange.end))) {
    places.push({ range: valueRange, isKey: false });
  }
  return places;
}
