import { describeExhaustion } from '../budget/index.ts';
import type { Diagnostic, Range, RelatedLocation } from '../model/index.ts';
import { OPEN_BRACE } from './char-codes.ts';
import { endOfLine, type Reading } from './reading.ts';
import { yamlProblems } from './problems.ts';

/** Ends the reading of one document; never leaves this module. Not an Error, because a stack trace costs more than reading the document. */
export class RefusedDocument {
  readonly diagnostic: Diagnostic;

  constructor(diagnostic: Diagnostic) {
    this.diagnostic = diagnostic;
  }
}

function refuseWith(diagnostic: Diagnostic): never {
  // oxlint-disable-next-line typescript/only-throw-error -- see above
  throw new RefusedDocument(diagnostic);
}

type Code = keyof typeof yamlProblems.definitions;
type Args<C extends Code> = Parameters<(typeof yamlProblems.definitions)[C]['message']>[0];

/** The findings that need only a word. */
type WordCode = { [C in Code]: { readonly word: string } extends Args<C> ? C : never }[Code];

interface Place {
  readonly range: Range;
  readonly related?: readonly { readonly message: string; readonly range: Range }[];
}

function makeDiagnostic<C extends Code>(r: Reading, code: C, args: Args<C>, place: Place): Diagnostic {
  const locate = (range: Range) => ({ file: r.source.path, document: r.document, range });
  const related = place.related?.map(({ message, range }): RelatedLocation => ({ message, location: locate(range) }));
  return yamlProblems.create(code, args as never, {
    location: locate(place.range),
    ...(related === undefined ? {} : { related }),
  });
}

export function refuse<C extends Code>(r: Reading, code: C, args: Args<C>, place: Place): never {
  refuseWith(makeDiagnostic(r, code, args, place));
}

/** Ends a document whose aliases copy more than the budget allows. */
export function refuseCopy(r: Reading, range: Range): never {
  const location = { file: r.source.path, document: r.document, range };
  refuseWith(describeExhaustion('values', r.values.limit, location));
}

/** Every line of a text can be wrong; more findings than this per document help no reader. */
export const mostFindings = 100;

/** Reports a finding without stopping the reading, so that the others in the document are found too. */
export function report<C extends Code>(r: Reading, code: C, args: Args<C>, place: Place): void {
  const diagnostic = makeDiagnostic(r, code, args, place);
  if (r.diagnostics.length + 1 >= mostFindings) refuseWith(diagnostic);
  r.diagnostics.push(diagnostic);
}

const longestWord = 40;

/** The user's text in a range, as a message can quote it: one line, not too long. */
export function wordIn(r: Reading, { start, end }: Range): string {
  const [line = ''] = r.text.slice(start, Math.min(end, start + longestWord + 1)).split(/[\r\n\0]/, 1);
  return line.length <= longestWord ? line.trimEnd() : `${line.slice(0, longestWord - 1)}…`;
}

/** The rest of the line from an offset, without trailing comment and blanks. */
export function restOfLine(r: Reading, start: number): Range {
  const line = r.text.slice(start, endOfLine(r.text, start));
  const comment = line.search(/\s#/);
  const rest = (comment < 0 ? line : line.slice(0, comment)).trimEnd();
  return { start, end: start + rest.length };
}

/** The text from an offset to the next blank: a word in the sense of messages. */
export function wordAt(r: Reading, start: number): Range {
  const rest = restOfLine(r, start);
  const blank = r.text.slice(rest.start, rest.end).search(/\s/);
  return blank < 0 ? rest : { start, end: start + blank };
}

// An object whose first key is an object starts the same way, but its braces do not close together.
const template = /\{\{[^{}\r\n\0]*(?:\}\}|(?=[\r\n\0]))/y;

/** Double braces start a template expression, for which a YAML error would be misleading. */
export function refuseTemplate(r: Reading, start: number): void {
  if (r.text.charCodeAt(start + 1) !== OPEN_BRACE || r.text.charCodeAt(start) !== OPEN_BRACE) return;
  template.lastIndex = start;
  const match = template.exec(r.text);
  if (match === null) return;
  const range = { start, end: start + match[0].trimEnd().length };
  refuse(r, 'yaml-template', { word: wordIn(r, range) }, { range });
}

export function refuseRest(r: Reading, code: WordCode, start: number): never {
  const range = restOfLine(r, start);
  refuse(r, code, { word: wordIn(r, range) }, { range });
}
