import type { Json } from '../model/index.ts';
import { findFlowStyle } from './edit-layout.ts';
import {
  afterBreak,
  beforeBreak,
  lineEnd,
  lineStart,
  type Sheet,
  skipBlank,
  startsLine,
  withLineBreaks,
  withoutLastBreak,
} from './edit-sheet.ts';
import { applySplices } from './edit-splice.ts';
import { writeFlow } from './write-flow.ts';
import { isFilled, writeYaml } from './write-yaml.ts';

/** The document with another root; the comments above and below the old one stay. */
export function replaceRoot(sheet: Sheet, said: Json, wanted: Json): string | undefined {
  const mark = typeof said === 'object' && said !== null ? sheet.marks.get(said) : undefined;
  if (mark === undefined) return replaceContent(sheet, wanted);
  if (mark.style === 'flow' && mark.entries.length > 0 && isFilled(wanted)) {
    const { lines, ...style } = findFlowStyle(sheet, { mark });
    const step = lines?.step;
    const text = writeFlow(wanted, step === undefined ? style : { ...style, comma: ', ', lines: { pad: '', step } });
    return applySplices(sheet.text, sheet.range, [{ ...mark.range, text: withLineBreaks(sheet, text) }]);
  }
  const text = withoutLastBreak(sheet, writeYaml(wanted));
  const end = lineEnd(sheet, beforeBreak(sheet, mark.range.end));
  if (!isFilled(wanted) && mark.style === 'flow')
    return applySplices(sheet.text, sheet.range, [{ ...mark.range, text }]);
  // A comment behind empty brackets stays above the lines that take their place.
  const comment = mark.style === 'flow' ? sheet.text.slice(mark.range.end, end).trim() : '';
  const start = lineStart(sheet, mark.range.start);
  const isBehindMarker = start === sheet.range.start && !startsLine(sheet);
  const lead = isBehindMarker
    ? `${comment === '' ? '' : ` ${comment}`}${sheet.eol}`
    : comment === ''
      ? ''
      : comment + sheet.eol;
  return applySplices(sheet.text, sheet.range, [{ start, end, text: lead + text }]);
}

/** Puts data in the place of everything behind the comments that the document begins with. */
function replaceContent(sheet: Sheet, wanted: Json): string {
  const { start, end } = sheet.range;
  let content = start;
  for (;;) {
    const next = skipBlank(sheet, content);
    if (next === end || sheet.text[next] !== '#') {
      content = next === end ? end : Math.max(content, lineStart(sheet, next));
      break;
    }
    content = afterBreak(sheet, lineEnd(sheet, next));
  }
  const above = sheet.text.slice(start, content);
  const endsLine = above === '' ? startsLine(sheet) : /[\r\n]$/u.test(above);
  return above + (endsLine ? '' : sheet.eol) + withLineBreaks(sheet, writeYaml(wanted));
}
