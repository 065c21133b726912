import type { Json, Location, Path, Range, SourceFile } from '../model/index.ts';
import type { EntryMark } from './marks.ts';
import { readMarkedDocument, type MarkedDocument } from './read-marked-document.ts';
import { readYaml } from './read-yaml.ts';
import { resolvePlainKey, type YamlWords } from './resolve-plain-scalar.ts';

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
  const marked = markedOf(source, location.document ?? 0);
  if (marked === undefined) return undefined;
  return findPlace(marked, { path: location.path ?? [], at: location.at ?? 'value', text: source.text });
}

/** A document with the places of its parts; `undefined` when it cannot be read. */
export function markedOf(source: SourceFile, index: number): MarkedDocument | undefined {
  const known = located.get(source) ?? { ranges: {}, marked: new Map<number, MarkedDocument>() };
  located.set(source, known);
  const marked = known.marked.get(index) ?? mark(source, index, known);
  if (marked !== undefined) known.marked.set(index, marked);
  return marked;
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

export function findEntry(entries: readonly EntryMark[], step: string | number, text: string): EntryMark | undefined {
  const found = entryOf(entries, step);
  if (found !== undefined || typeof step === 'number') return found;
  // A document that either words can read is marked as Kubernetes reads it: `y` is then `true`, also where it is a text.
  const meant = resolvePlainKey(step);
  const entry = meant === 'true' || meant === 'false' ? entryOf(entries, meant) : undefined;
  return entry !== undefined && text.slice(entry.keyRange.start, entry.keyRange.end) === step ? entry : undefined;
}

function entryOf(entries: readonly EntryMark[], step: string | number): EntryMark | undefined {
  return entries.length > fewEntries ? indexOf(entries).get(step) : entries.find(({ key }) => key === step);
}

const fewEntries = 16;
const indexes = new WeakMap<readonly EntryMark[], ReadonlyMap<string | number, EntryMark>>();

/** In a mapping of a hundred thousand keys, each of which is asked for, there is no time to look for them one by one. */
function indexOf(entries: readonly EntryMark[]): ReadonlyMap<string | number, EntryMark> {
  const known = indexes.get(entries);
  if (known !== undefined) return known;
  // Backwards, so that of two the first one stays.
  const made = new Map(entries.toReversed().map((entry) => [entry.key, entry]));
  indexes.set(entries, made);
  return made;
}
