import type { Json, Location, Path, Range, SourceFile } from '../model/index.ts';
import { readMarkedDocument, type MarkedDocument } from './read-marked-document.ts';
import { readYaml, type YamlDocument } from './read-yaml.ts';

/** What was read of a text to find places in it; findings come in numbers, and each would read the text again. */
interface Located {
  readonly documents: readonly YamlDocument[];
  readonly marked: Map<number, MarkedDocument>;
}

const located = new WeakMap<SourceFile, Located>();

/**
 * The place of a value or key in its text; that of the nearest ancestor when the path does not exist, or when an alias or
 * merge key brought it. `undefined` when the document cannot be read.
 */
export function locateInYaml(source: SourceFile, location: Location): Range | undefined {
  if (location.range !== undefined) return location.range;
  const known = located.get(source) ?? {
    documents: readYaml(source).documents,
    marked: new Map<number, MarkedDocument>(),
  };
  located.set(source, known);
  const index = location.document ?? 0;
  const document = known.documents.find((candidate) => candidate.index === index);
  if (document === undefined) return undefined;
  const marked = known.marked.get(index) ?? readMarkedDocument(source, document.range);
  known.marked.set(index, marked);
  return findPlace(marked, location.path ?? [], location.at ?? 'value');
}

function findPlace(marked: MarkedDocument, path: Path, at: 'key' | 'value'): Range {
  let value: Json = marked.data;
  let place = { keyRange: marked.root.valueRange, valueRange: marked.root.valueRange };
  for (const step of path) {
    const mark = typeof value === 'object' && value !== null ? marked.marks.get(value) : undefined;
    const entry = mark?.entries.find(({ key }) => key === step);
    // The key says better than the whole value what something is missing from.
    if (entry === undefined) return place.keyRange;
    place = entry;
    value = (value as { readonly [key in string | number]: Json })[step]!;
  }
  return at === 'key' ? place.keyRange : place.valueRange;
}
