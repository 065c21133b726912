import { quote } from '../../diagnostics/index.ts';
import type { ScalarValue } from '../patch.ts';
import { COLON, DOLLAR, HASH, isBlank, isBlankOrEnd, skipBlanks, trimBlanks } from './characters.ts';
import type { Span } from './characters.ts';
import { sample } from './cursor.ts';
import { findVariableEnd } from './find-variable-end.ts';
import { makeScalar } from './make-scalar.ts';
import { kpatchProblems } from './problems.ts';
import { hasRoom, locate, refuseSyntax } from './reading.ts';
import type { Reading } from './reading.ts';

interface PlainValue {
  readonly value: ScalarValue | undefined;
  readonly written: string;
  readonly block: undefined;
  readonly comment: string;
}

/** Reads a value without quotes; nothing when there is a problem, which is reported. */
export function readPlain(reading: Reading, { from, to }: Span): PlainValue | undefined {
  if (refuseStart(reading, { from, to })) return undefined;
  const { text } = reading.source;
  const end = findPlainEnd(text, { from, to });
  const written = text.slice(from, end);
  const colon = findMappingColon(text, { from, to: end });
  if (colon !== -1) {
    refuseSyntax(reading, {
      reason: `the value ${quote(written)} has a \`:\` with a blank after it, as if it were a key`,
      hint: `quote the value: ${showQuoted(written)}`,
      range: { start: colon, end: colon + 1 },
    });
    return undefined;
  }
  const comment = skipBlanks(text, { from: end, to });
  return {
    value: makeScalar(reading, { text: written, style: 'plain', range: { start: from, end } }),
    written,
    block: undefined,
    comment: text.slice(comment, trimBlanks(text, { from: comment, to })),
  };
}

/** End of a plain value: in front of a comment, or of the blanks at the end of the line. A variable is never cut. */
export function findPlainEnd(text: string, { from, to }: Span): number {
  if (!text.slice(from, to).includes('#')) return trimBlanks(text, { from, to });
  let hasVariables = true;
  for (let pos = from; pos < to; pos += 1) {
    const code = text.charCodeAt(pos);
    if (code === HASH && pos > from && isBlank(text.charCodeAt(pos - 1))) return trimBlanks(text, { from, to: pos });
    if (code !== DOLLAR || !hasVariables) continue;
    const end = findVariableEnd(text, { from: pos, to });
    if (end === -1) hasVariables = false;
    else pos = Math.max(pos, end - 1);
  }
  return trimBlanks(text, { from, to });
}

function findMappingColon(text: string, { from, to }: Span): number {
  let hasVariables = true;
  for (let pos = from; pos < to; pos += 1) {
    const code = text.charCodeAt(pos);
    if (code === COLON && (pos + 1 === to || isBlankOrEnd(text.charCodeAt(pos + 1)))) return pos;
    if (code !== DOLLAR || !hasVariables) continue;
    const end = findVariableEnd(text, { from: pos, to });
    if (end === -1) hasVariables = false;
    else pos = Math.max(pos, end - 1);
  }
  return -1;
}

/** What means something else at the start of a value; `-`, `?` and `:` do so with a blank after them. */
const indicators = '-?:[]{},#&*!%@`';

/** Refuses what YAML does not take for the start of a text; true when it did. */
function refuseStart(reading: Reading, { from, to }: Span): boolean {
  const { text } = reading.source;
  const character = text.charAt(from);
  if (!indicators.includes(character)) return false;
  const range = { start: from, end: findPlainEnd(text, { from, to }) };
  const word = text.slice(range.start, range.end);
  const isAlone = from + 1 >= range.end || isBlank(text.charCodeAt(from + 1));
  if (character === '[' || character === '{' || (character === '-' && isAlone)) {
    const mapping = text.startsWith('{{', from) ? 'template' : 'mapping';
    const kind = character === '{' ? mapping : 'list';
    if (hasRoom(reading)) {
      const location = locate(reading, range);
      reading.problems.push(kpatchProblems.create('kpatch-value-not-scalar', { word, kind }, { location }));
    }
    return true;
  }
  if ('-?:'.includes(character) && !isAlone) return false;
  const name = specialStarts.get(character);
  refuseSyntax(reading, {
    reason:
      name === undefined
        ? `${quote(word)} starts with ${quote(character)}, which cannot start a value without quotes`
        : `${quote(word)} is ${name} of YAML, which a patch file does not have`,
    hint: `quote the value if a text is meant: ${showQuoted(word)}`,
    range,
  });
  return true;
}

const specialStarts: ReadonlyMap<string, string> = new Map([
  ['&', 'an anchor'],
  ['*', 'an alias'],
  ['!', 'a tag'],
]);

export function showQuoted(word: string): string {
  return `\`'${sample(word.replaceAll("'", "''"))}'\``;
}
