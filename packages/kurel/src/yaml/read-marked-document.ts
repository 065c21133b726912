import type { Json, Range, SourceFile } from '../model/index.ts';
import { createKeyCache } from './resolve-plain-scalar.ts';
import type { EntryMark, Marks } from './marks.ts';
import { readDocument } from './read-yaml.ts';
import { defaultLimits, type DocumentPlace } from './reading.ts';
import type { YamlWords } from './resolve-plain-scalar.ts';

export interface MarkedDocument {
  readonly data: Json;
  readonly marks: Marks;
  /** The range and style of the root value, which no collection records. */
  readonly root: Pick<EntryMark, 'valueRange' | 'value' | 'decorated'>;
  /** Offset of the key that the reading stopped at; undefined when it reached the end of the document. */
  readonly stop: number | undefined;
  readonly hasAnchors: boolean;
}

/** Which part of a document to read and mark; defaults to all of it. */
interface Extent extends Pick<DocumentPlace, 'until' | 'markedDepth'> {
  /** The words it was read with before; defaults to `kubernetes`. */
  readonly words?: YamlWords | undefined;
}

/** Reads a valid document again, this time with the positions of its parts. */
export function readMarkedDocument(
  source: SourceFile,
  range: Range,
  { words = 'kubernetes', ...extent }: Extent = {},
): MarkedDocument {
  const { start, end } = range;
  const before = start === 0 ? '\n' : source.text.charAt(start - 1);
  const onFreshLine = before === '\n' || before === '\r' || before === '\ufeff';
  // Otherwise the document starts on the line of its `---`. Only this part of the text is passed on, so that reading
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
      // The first reading already checked the budget.
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
  if (problem !== undefined) throw new Error(`${source.path} is not a valid document: ${problem.message}`);
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
