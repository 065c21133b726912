import type { Json, Range, SourceFile } from '../model/index.ts';
import { createKeyCache } from './resolve-plain-scalar.ts';
import type { EntryMark, Marks } from './marks.ts';
import { readDocument } from './read-yaml.ts';
import { defaultLimits, type DocumentPlace } from './reading.ts';
import type { YamlWords } from './resolve-plain-scalar.ts';

export interface MarkedDocument {
  readonly data: Json;
  readonly marks: Marks;
  /** The root value's own place and style, which no collection tells. */
  readonly root: Pick<EntryMark, 'valueRange' | 'value' | 'decorated'>;
  /** Where the key stands that the reading stopped at; undefined when it went to the end of the document. */
  readonly stop: number | undefined;
  readonly hasAnchors: boolean;
}

/** What of a document is to be read and marked; everything unless said. */
interface Extent extends Pick<DocumentPlace, 'until' | 'markedDepth'> {
  /** Those that it was read by before; `kubernetes` unless said. */
  readonly words?: YamlWords | undefined;
}

/** Reads a document that was read well before once more, now with the places of its parts. */
export function readMarkedDocument(
  source: SourceFile,
  range: Range,
  { words = 'kubernetes', ...extent }: Extent = {},
): MarkedDocument {
  const { start, end } = range;
  const before = start === 0 ? '\n' : source.text.charAt(start - 1);
  const onFreshLine = before === '\n' || before === '\r' || before === '\ufeff';
  // Otherwise the document starts on the line of its `---`. Only its own part of the text is looked at, so that reading
  // many documents of one large text stays cheap.
  const base = onFreshLine ? start : start - 3;
  const text = `${source.text.slice(base, end)}\0`;
  const { reading, data, diagnostics } = readDocument(
    {
      source,
      text,
      base,
      keys: createKeyCache(words),
      limits: { ...defaultLimits, depth: Infinity },
      // It was within the budget when it was read first.
      values: { limit: Infinity, left: Infinity },
      document: 0,
      start: start - base,
      hasReturns: text.includes('\r'),
      lineStart: 0,
      ...extent,
    },
    true,
  );
  const [problem] = diagnostics;
  if (problem !== undefined) throw new Error(`${source.path} was not read well before: ${problem.message}`);
  return {
    data: data ?? null,
    marks: reading.marks ?? new Map(),
    root: {
      valueRange: { start: base + reading.valueStart, end: base + reading.contentEnd },
      value: reading.valueStyle,
      decorated: reading.valueDecorated,
    },
    stop: extent.until !== undefined && reading.column >= 0 ? base + reading.pos : undefined,
    hasAnchors: reading.anchors !== undefined,
  };
}
