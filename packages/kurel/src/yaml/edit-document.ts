import { isJsonObject, type Json, type Range, type SourceFile } from '../model/index.ts';
import { attemptEdit, type Attempt, readsAs } from './edit-attempt.ts';
import type { Reprint } from './edit-context.ts';
import { isSame } from './edit-equal.ts';
import { editFront, findChangedKeys } from './edit-front.ts';
import { editLines } from './edit-lines.ts';
import { endsLine, makeSheet, MARKER, type Sheet, startsLine, withLineBreaks } from './edit-sheet.ts';
import { type MarkedDocument, readMarkedDocument } from './read-marked-document.ts';
import { writeYaml } from './write-yaml.ts';

export interface DocumentChange {
  readonly wanted: Json;
  /** What the document says, as it was read; where it is known, less of the text has to be read again. */
  readonly said?: Json | undefined;
}

export interface EditResult {
  readonly text: string;
  /** What was printed anew to make the document say what was wanted, beside the values that changed. */
  readonly printed: Reprint | 'document';
}

/**
 * The text of a document changed as little as possible so that it reads as `wanted`: only the differences to what it
 * says are written; comments, order, quotes and blank lines around them stay.
 */
export function editDocument(source: SourceFile, range: Range, change: DocumentChange): string {
  return editText(source, range, change).text;
}

/** As `editDocument`, and says how. An edited text is read again, and printed anew unless it is right; `editLines` says why it need not be. */
export function editText(source: SourceFile, range: Range, { wanted, said }: DocumentChange): EditResult {
  const changed = findChangedKeys(said, wanted);
  if (changed?.size === 0) return { text: source.text.slice(range.start, range.end), printed: 'nothing' };
  const plain = changed?.size === 1 ? editPlain(source, range, { wanted, said, key: [...changed][0]! }) : undefined;
  if (plain !== undefined) return { text: plain, printed: 'nothing' };
  const { document, place } = cutDocument(source, range);
  const marked = readMarkedDocument(document, place, { until: changed });
  if (marked.stop === undefined) return editWhole(makeSheet(document, place, marked.marks), marked, wanted);
  const text = editFront(document, place, { marked, wanted });
  if (text !== undefined) return { text, printed: 'nothing' };
  const whole = readMarkedDocument(document, place);
  return editWhole(makeSheet(document, place, whole.marks), whole, wanted);
}

function editPlain(
  source: SourceFile,
  { start, end }: Range,
  { wanted, said, key }: DocumentChange & { readonly key: string },
): string | undefined {
  const isFreshLine = start === 0 || source.text[start - 1] === '\n';
  if (!isFreshLine || !isJsonObject(said) || !isJsonObject(wanted)) return undefined;
  return editLines(source.text.slice(start, end), { said, wanted, key });
}

function editWhole(sheet: Sheet, { data: said }: MarkedDocument, wanted: Json): EditResult {
  if (isSame(said, wanted)) return { text: sheet.text.slice(sheet.range.start), printed: 'nothing' };
  for (const printed of ['nothing', 'collections', 'sections'] as const) {
    for (const text of attempts(sheet, { said, wanted, reprint: printed })) {
      if (text !== undefined && readsAs(sheet, text, wanted)) return { text, printed };
    }
  }
  const text = withLineBreaks(sheet, writeYaml(wanted));
  return { text: startsLine(sheet) ? text : sheet.eol + text, printed: 'document' };
}

/** The document alone, so that its cost does not depend on what else the file holds; behind `---` it stays behind one. */
function cutDocument(source: SourceFile, { start, end }: Range) {
  const isBehindMarker = start >= MARKER.length && source.text.startsWith(MARKER, start - MARKER.length);
  const head = isBehindMarker ? MARKER : '';
  const text = head + source.text.slice(start, end);
  return { document: { path: source.path, text }, place: { start: head.length, end: text.length } };
}

function* attempts(sheet: Sheet, change: Attempt): Generator<string | undefined> {
  const text = attemptEdit(sheet, change);
  yield text;
  if (endsLine(sheet.text)) return;
  // A new literal block may need the line break that the document did not end with; one that was not ended by a line
  // break means another text once something follows.
  if (text !== undefined && !endsLine(text)) yield text + sheet.eol;
  yield attemptEdit(sheet, { ...change, closes: true });
}
