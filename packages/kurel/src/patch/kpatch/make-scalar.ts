import type { Range } from '../../model/index.ts';
import { parseTemplate } from '../../parameters/index.ts';
import type { Template } from '../../parameters/index.ts';
import type { ScalarValue } from '../patch.ts';
import { explainUnclosedVariable } from './read-name.ts';
import { locate, refuseSyntax } from './reading.ts';
import type { Reading } from './reading.ts';

interface ScalarParts {
  readonly text: string;
  readonly style: ScalarValue['style'];
  /** As written. */
  readonly range: Range;
}

/** A value with its variables taken apart; nothing when one of them is not closed, which is reported. */
export function makeScalar(reading: Reading, { text, style, range }: ScalarParts): ScalarValue | undefined {
  const template = parseTemplate(text);
  if (template.unclosed !== undefined) {
    refuseSyntax(reading, explainUnclosedVariable(findUnclosed(reading.source.text, range, template)));
    return undefined;
  }
  return { type: 'scalar', template, style, location: locate(reading, range) };
}

/** Where the unclosed `${` of a template stands in what was written; escapes can hide it, and then all of it is meant. */
function findUnclosed(text: string, range: Range, template: Template): Range {
  const written = text.slice(range.start, range.end).split('${');
  const meant = template.text.split('${');
  const before = template.text.slice(0, template.unclosed).split('${').length;
  if (written.length !== meant.length) return range;
  const start = range.start + written.slice(0, before).join('${').length;
  return { start, end: start + 2 };
}
