import type { Json, Location, Path, Range, SourceFile } from '../model/index.ts';
import type { EntryMark } from './marks.ts';
import { readMarkedDocument, type MarkedDocument } from './read-marked-document.ts';
import { readYaml } from './read-yaml.ts';
import type { YamlWords } from './resolve-plain-scalar.ts';

/** What was read of a text to find places in it; findings come in numbers, and each would read the text again. */
interface Located {
  readonly ranges: Partial<Record<YamlWords, ReadonlyMap<number, Range>>>;
  readonly marked: Map<number, MarkedDocument>;
}

const located = new WeakMap<SourceFile, Located>();

/**
 * The place of a value or key in its text; that of the nearest ancestor when the path does not exist, or when an alias or
 * merge key brought it. `undefined` when the document cannot be read. By which words the path was read need not be known.
 */
export function locateInYaml(source: SourceFile, location: Location): Range | undefined {
  if (location.range !== undefined) return location.range;
  const known = located.get(source) ?? { ranges: {}, marked: new Map<number, MarkedDocument>() };
  located.set(source, known);
  const index = location.document ?? 0;
  const marked = known.marked.get(index) ?? mark(source, index, known);
  if (marked === undefined) return undefined;
  known.marked.set(index, marked);
  return findPlace(marked, { path: location.path ?? [], at: location.at ?? 'value', text: source.text });
}

/** `{y: 1, yes: 2}` can only be read by the words of YAML 1.2, and `{y: 1, "y": 2}` only by the others. */
function mark(source: SourceFile, index: number, { ranges }: Located): MarkedDocument | undefined {
  for (const words of ['kubernetes', 'core'] as const) {
    const all = (ranges[words] ??= new Map(readYaml(source, { words }).documents.map((one) => [one.index, one.range])));
    const range = all.get(index);
    if (range !== undefined) return readMarkedDocument(source, range, { words });
  }
  return undefined;
}

interface Sought {
  readonly path: Path;
  readonly at: 'key' | 'value';
  readonly text: string;
}

function findPlace(marked: MarkedDocument, { path, at, text }: Sought): Range {
  let value: Json = marked.data;
  let place = { keyRange: marked.root.valueRange, valueRange: marked.root.valueRange };
  for (const step of path) {
    const mark = typeof value === 'object' && value !== null ? marked.marks.get(value) : undefined;
    const entry = mark === undefined ? undefined : findEntry(mark.entries, step, text);
    // The key says better than the whole value what something is missing from.
    if (entry === undefined) return place.keyRange;
    place = entry;
    value = (value as { readonly [key in string | number]: Json })[entry.key]!;
  }
  return at === 'key' ? place.keyRange : place.valueRange;
}

/** A document that both can read may have been read by either, and the key `y` be the text that it looks like. */
function findEntry(entries: readonly EntryMark[], step: string | number, text: string): EntryMark | undefined {
  const entry = entries.find(({ key }) => key === step);
  if (entry !== undefined || typeof step === 'number') return entry;
  return entries.find(({ keyRange: { start, end } }) => end - start === step.length && text.startsWith(step, start));
}
