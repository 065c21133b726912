import { expect } from 'vitest';
import type { Json, JsonArray, JsonObject, Path, Range, SourceFile } from '../../src/model/index.ts';
import type { CollectionMark, EntryMark } from '../../src/yaml/reading.ts';
import type { MarkedDocument } from '../../src/yaml/read-yaml.ts';
import { readYaml } from '../../src/yaml/read-yaml.ts';

/** Fails when a mark of a document is not where `reading.ts` says. */
export function checkMarks(source: SourceFile, document: Range, { data, marks }: MarkedDocument): void {
  const visit = (value: Json, path: Path): void => {
    const mark = typeof value === 'object' && value !== null ? marks.get(value) : undefined;
    if (mark === undefined) return;
    const collection = value as JsonObject | JsonArray;
    checkCollection(mark, document);
    for (const entry of mark.entries) {
      if (entry.key === '<<') continue;
      const inner = (collection as JsonObject)[entry.key] ?? null;
      checkEntry(source, { entry, mark, inner, innerMark: marks.get(inner as JsonObject) });
      if (entry.value === 'literal' || entry.value === 'folded') {
        // Nothing after the range belongs to the value: the text up to there says the same.
        const text = source.text.slice(0, entry.valueRange.end);
        const last = readYaml({ path: source.path, text }).documents.at(-1);
        expect(dig(last?.data, [...path, entry.key])).toBe(inner);
      }
      visit(inner, [...path, entry.key]);
    }
  };
  visit(data, []);
}

function dig(data: Json | undefined, path: Path): Json | undefined {
  return path.reduce<Json | undefined>((value, step) => (value as JsonObject | undefined)?.[step], data);
}

function contains(outer: Range, inner: Range): boolean {
  return outer.start <= inner.start && inner.start <= inner.end && inner.end <= outer.end;
}

function checkCollection({ style, range, entries }: CollectionMark, document: Range): void {
  expect(contains(document, range)).toBe(true);
  let before = range.start;
  for (const entry of entries) {
    expect(contains(range, entry.range)).toBe(true);
    expect(contains(entry.range, entry.keyRange)).toBe(true);
    expect(contains(entry.range, entry.valueRange)).toBe(true);
    expect(entry.range.start >= before).toBe(true);
    expect(entry.keyRange.end <= entry.valueRange.start).toBe(true);
    before = entry.range.end;
  }
  if (style === 'block') {
    expect(entries[0]?.range.start).toBe(range.start);
    expect(entries.at(-1)?.range.end).toBe(range.end);
  }
}

interface EntryCheck {
  readonly entry: EntryMark;
  readonly mark: CollectionMark;
  readonly inner: Json;
  readonly innerMark: CollectionMark | undefined;
}

function checkEntry({ text }: SourceFile, { entry, mark, inner, innerMark }: EntryCheck): void {
  const { keyRange, valueRange } = entry;
  const key = text.slice(keyRange.start, keyRange.end);
  const value = text.slice(valueRange.start, valueRange.end);
  const isFlow = mark.style === 'flow';
  if (typeof entry.key === 'number') expect(key).toBe(isFlow ? '' : '-');
  else if (!key.startsWith('*') && !/^[|>]/.test(key)) {
    const inBlock = key.includes('\n') || key.includes('\r') ? `? ${key}\n: 1` : `${key}: 1`;
    const whole = reread(isFlow ? `{? ${key} : 1}` : inBlock);
    expect(whole).toEqual({ [entry.key]: 1 });
  }
  switch (entry.value) {
    case 'plain':
    case 'single-quoted':
    case 'double-quoted':
      expect(reread(isFlow ? `[${value}]` : `- ${value}`)).toEqual([inner]);
      break;
    case 'missing':
      if (!entry.decorated) expect(value).toBe('');
      if (!entry.decorated && !isFlow && valueRange.start !== keyRange.end) {
        expect(':').toBe(text.charAt(valueRange.start - 1));
      }
      break;
    case 'alias':
      expect(value).toMatch(/^\*\S+$/);
      break;
    case 'literal':
    case 'folded':
      expect(value).toMatch(entry.decorated ? /[|>]/ : /^[|>]/);
      break;
    default:
      expect(innerMark).toBeDefined();
      expect(entry.decorated ? innerMark!.range.end : innerMark!.range).toEqual(
        entry.decorated ? valueRange.end : valueRange,
      );
  }
}

function reread(text: string): Json | undefined {
  const { documents, diagnostics } = readYaml({ path: 'part.yaml', text });
  expect(diagnostics).toEqual([]);
  return documents[0]?.data;
}
