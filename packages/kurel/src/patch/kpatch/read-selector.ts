import { quote } from '../../diagnostics/index.ts';
import type { Range } from '../../model/index.ts';
import type { Condition, IndexStep, MatchStep } from '../patch.ts';
import { CLOSE_BRACKET, COMMA, DOLLAR, DOT, EQUALS, isDigits, isQuote, skipBlanks, trimBlanks } from './characters.ts';
import { codeAt, refuse, sample, skipGap } from './cursor.ts';
import type { Cursor, SyntaxProblem } from './cursor.ts';
import { isMatchKey, passName, passVariable, readTemplate } from './read-name.ts';
import { readQuoted } from './read-quoted.ts';

/** An index or conditions. Without a problem, `undefined` means a word that is neither, which has been passed. */
export function readSelector(cursor: Cursor, open: number): IndexStep | MatchStep | undefined {
  const start = cursor.pos;
  const conditions: Condition[] = [];
  for (;;) {
    const from = cursor.pos;
    if (!passMatchKey(cursor)) return undefined;
    const key = cursor.text.slice(from, cursor.pos);
    const keyRange = { start: from, end: cursor.pos };
    if (codeAt(cursor) !== EQUALS) {
      if (conditions.length > 0) return refuseCondition(cursor, open, keyRange);
      if (!isDigits(key)) return undefined;
      const index = readNumber(cursor, key, keyRange);
      return index === undefined ? undefined : { type: 'index', index, range: keyRange };
    }
    if (key === '') return refuseCondition(cursor, open, { start: from, end: from + 1 });
    if (!isMatchKey(cursor, key, keyRange)) return undefined;
    const path = key.split('.');
    if (path.includes('')) return refuse(cursor, emptyPart(key, keyRange));
    if (!path.every((name) => isMatchKey(cursor, name, keyRange))) return undefined;
    cursor.pos += 1;
    const value = readMatchValue(cursor, open);
    if (value === undefined) return undefined;
    conditions.push({ path, value });
    const end = cursor.pos;
    skipGap(cursor);
    if (codeAt(cursor) !== COMMA) return { type: 'match', conditions, range: { start, end } };
    cursor.pos += 1;
    skipGap(cursor);
  }
}

function passMatchKey(cursor: Cursor): boolean {
  for (;;) {
    if (!passName(cursor)) return false;
    if (codeAt(cursor) !== DOT) return true;
    cursor.pos += 1;
  }
}

function readMatchValue(cursor: Cursor, open: number): Condition['value'] | undefined {
  skipGap(cursor);
  const start = cursor.pos;
  if (isQuote(codeAt(cursor))) {
    const value = readQuoted(cursor);
    return value === undefined ? undefined : readTemplate(cursor, value, { start, end: cursor.pos });
  }
  for (;;) {
    const code = codeAt(cursor);
    if (code === DOLLAR) {
      if (!passVariable(cursor)) return undefined;
    } else if (code === CLOSE_BRACKET || code === COMMA) break;
    else if (Number.isNaN(code)) return refuseUnclosed(cursor, open, emptyPart('', { start, end: start }));
    else cursor.pos += 1;
  }
  cursor.pos = trimBlanks(cursor.text, { from: start, to: cursor.pos });
  return readTemplate(cursor, cursor.text.slice(start, cursor.pos), { start, end: cursor.pos });
}

export function readNumber(cursor: Cursor, digits: string, range: Range): number | undefined {
  const number = Number(digits);
  if (Number.isSafeInteger(number)) return number;
  return refuse(cursor, { reason: `the index ${quote(digits)} is too large`, range });
}

function emptyPart(key: string, range: Range) {
  return { reason: `a name is missing in ${quote(key)}`, hint: 'write a name between the dots', range };
}

function refuseCondition(cursor: Cursor, open: number, range: Range): undefined {
  return refuseUnclosed(cursor, open, {
    reason: 'a selector of the form `key=value` is expected here',
    hint: 'write `[name=main]`, or several: `[name=main,image=nginx]`; an item that is no mapping is chosen by its index',
    range,
  });
}

/** Refuses a word in brackets that means nothing there. */
export function refuseWord(cursor: Cursor, open: number, from = open + 1): undefined {
  const { text } = cursor;
  const close = text.slice(0, cursor.end).indexOf(']', cursor.pos);
  const end = close === -1 ? cursor.pos : trimBlanks(text, { from: cursor.pos, to: close });
  const start = skipBlanks(text, { from, to: end });
  const word = text.slice(start, end);
  if (word === '') {
    return refuseUnclosed(cursor, open, {
      reason: 'the brackets are empty',
      hint: 'write an index (`[0]`), a selector (`[name=main]`), `[-]` to append, `[*]` for every item, or a key in quotes',
      range: { start: open, end: end + 1 },
    });
  }
  return refuseUnclosed(cursor, open, {
    reason: `${quote(word)} is not a selector`,
    hint: suggestSelector(word, text.startsWith('delete', open + 1) ? 'delete=' : ''),
    range: { start, end },
  });
}

function suggestSelector(text: string, prefix: string): string {
  const word = sample(text);
  if (/^[^\s=]+\s*=/.test(word)) return `write \`[${prefix}${word.replaceAll(/\s*=\s*/g, '=')}]\`, without blanks`;
  const [, sign = '', name = ''] = /^([+-]?)(.*)/s.exec(word.replaceAll(/["'\\]/g, ''))!;
  const match = `\`[${prefix}${sign}name=${name}]\``;
  if (sign !== '') return `write ${match} to insert ${sign === '-' ? 'before' : 'after'} the item of that name`;
  return `write \`[${prefix}"${name}"]\` for a key, or ${match} for the item of that name`;
}

/** An open bracket explains whatever else looks wrong after it. */
export function refuseUnclosed(cursor: Cursor, start: number, problem: SyntaxProblem): undefined {
  if (cursor.text.slice(cursor.pos, cursor.end).includes(']')) return refuse(cursor, problem);
  return refuse(cursor, {
    reason: 'the `[` has no closing `]`',
    hint: 'close the bracket, as in `containers[name=main]`',
    range: { start, end: start + 1 },
  });
}
