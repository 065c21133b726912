import type { Diagnostic, Json } from '../model/index.ts';
import { HASH, isBreakOrEnd } from './char-codes.ts';
import { readBlockNode, refuseIndentation } from './read-block.ts';
import { skipBlanks } from './read-plain.ts';
import { enterLine, moveToContent } from './move-to-content.ts';
import { Reading, type DocumentPlace } from './reading.ts';
import { countLevels, mostLevels } from './count-levels.ts';
import { refuse, RefusedDocument } from './refuse.ts';

export interface DocumentReading {
  readonly reading: Reading;
  /** `undefined` for a document without a value, and when something was found. */
  readonly data: Json | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads one document up to the next marker or the end of the text, where the position of the reading is then. */
export function readDocument(place: DocumentPlace, marks: boolean): DocumentReading {
  const first = attempt(place, marks);
  // Only a reading with marks knows where a duplicate key stood first.
  return first.reading.sawDuplicate && !marks ? attempt(place, true) : first;
}

function attempt(place: DocumentPlace, marks: boolean): DocumentReading {
  const reading = new Reading(place, marks);
  try {
    const data = readRoot(reading);
    if (reading.isDeep && data !== undefined && countLevels(data) > mostLevels) {
      const range = { start: place.start, end: place.start };
      refuse(reading, 'yaml-too-many-levels', { limit: mostLevels }, { range });
    }
    const found = reading.diagnostics.length > 0;
    return { reading, data: found ? undefined : data, diagnostics: reading.diagnostics };
  } catch (error) {
    if (!(error instanceof RefusedDocument)) throw error;
    return { reading, data: undefined, diagnostics: [...reading.diagnostics, error.diagnostic] };
  }
}

function readRoot(r: Reading): Json | undefined {
  if (r.pos === r.lineStart) {
    enterLine(r, r.pos);
    if (r.column < 0) return undefined;
  } else {
    r.pos = skipBlanks(r.text, r.pos);
    const code = r.text.charCodeAt(r.pos);
    if (isBreakOrEnd(code) || code === HASH) {
      moveToContent(r);
      if (r.column < 0) return undefined;
    } else {
      // Content on the line of `---` is not on a fresh line, so no block mapping or list can start there.
      r.column = -1;
    }
  }
  const data = readBlockNode(r, -1, 'document');
  if (r.column >= 0 && r.until?.size !== 0) refuseIndentation(r, -1);
  return data;
}
