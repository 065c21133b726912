import { quote } from '../../diagnostics/index.ts';
import type { DeleteStep, Step } from '../patch.ts';
import { CLOSE_BRACKET, DASH, EQUALS, PLUS, STAR, isBlankOrEnd, isQuote } from './characters.ts';
import { characterAt, codeAt, rangeOfCharacter, refuse, skipGap } from './cursor.ts';
import type { Cursor } from './cursor.ts';
import { makeField, readQuotedField } from './read-field.ts';
import { withoutVariables } from './read-name.ts';
import { readNumber, readSelector, refuseUnclosed, refuseWord } from './read-selector.ts';

type WithoutRange<Any> = Any extends Step ? Omit<Any, 'range'> : never;

/** Reads `[…]` after a name: a selector, an insertion, a deletion, `*`, or a key in quotes. */
export function readBracket(cursor: Cursor): Step | undefined {
  const start = cursor.pos;
  cursor.pos += 1;
  skipGap(cursor);
  const body = readBody(cursor, start);
  if (body === undefined || !closeBracket(cursor, start)) return undefined;
  return { ...body, range: { start, end: cursor.pos } };
}

/** Passes blanks and the `]` of the bracket that opened at `start`. */
export function closeBracket(cursor: Cursor, start: number): boolean {
  skipGap(cursor);
  if (codeAt(cursor) === CLOSE_BRACKET) {
    cursor.pos += 1;
    return true;
  }
  refuseUnclosed(cursor, start, {
    reason: `${quote(characterAt(cursor))} stands where \`]\` is expected`,
    hint:
      codeAt(cursor) === EQUALS
        ? 'the key of a selector stands without quotes: `[name=main]`'
        : 'close the bracket, or put the whole value in quotes: `[name="a, b"]`',
    range: rangeOfCharacter(cursor),
  });
  return false;
}

function readBody(cursor: Cursor, open: number): WithoutRange<Step> | undefined {
  const code = codeAt(cursor);
  if (isQuote(code)) return readQuotedField(cursor);
  if (code === STAR) {
    cursor.pos += 1;
    return { type: 'all' };
  }
  if (code === PLUS || code === DASH) return readInsertion(cursor, open);
  if (startsDelete(cursor)) return readDelete(cursor, open);
  return readSelector(cursor, open) ?? refuseWord(cursor, open);
}

function readInsertion(cursor: Cursor, open: number): WithoutRange<Step> | undefined {
  const where = codeAt(cursor) === DASH ? 'before' : 'after';
  cursor.pos += 1;
  const next = codeAt(cursor);
  if (next === CLOSE_BRACKET || isBlankOrEnd(next)) {
    if (where === 'before') return { type: 'append' };
    return refuseUnclosed(cursor, open, {
      reason: '`[+]` does not say after which item to insert',
      hint: 'write `[+name=main]` or `[+0]`; `[-]` appends to the list',
      range: { start: open, end: cursor.pos + 1 },
    });
  }
  const at = readSelector(cursor, open) ?? refuseWord(cursor, open);
  return at === undefined ? undefined : { type: 'insert', where, at };
}

function startsDelete({ text, pos, end }: Cursor): boolean {
  if (!text.startsWith('delete', pos) || pos + 6 > end) return false;
  const next = pos + 6 === end ? Number.NaN : text.charCodeAt(pos + 6);
  return next === EQUALS || next === CLOSE_BRACKET || isBlankOrEnd(next);
}

function readDelete(cursor: Cursor, open: number): Omit<DeleteStep, 'range'> | undefined {
  cursor.pos += 'delete'.length;
  if (codeAt(cursor) !== EQUALS) return { type: 'delete' };
  cursor.pos += 1;
  const what = readDeleted(cursor, open);
  return what === undefined ? undefined : { type: 'delete', what };
}

function readDeleted(cursor: Cursor, open: number): DeleteStep['what'] | undefined {
  const start = cursor.pos;
  if (isQuote(codeAt(cursor))) return readQuotedField(cursor);
  const selector = readSelector(cursor, open);
  if (selector !== undefined || cursor.problem !== undefined) return selector;
  const range = { start, end: cursor.pos };
  const name = cursor.text.slice(start, cursor.pos);
  if (name === '') {
    return refuseUnclosed(cursor, open, {
      reason: '`[delete=` does not say what to delete',
      hint: 'write `[delete=name=main]`, `[delete=0]` or the name of a key; `[delete]` deletes the field itself',
      range: { start: open, end: start },
    });
  }
  if (withoutVariables(name).includes('.')) return refuseWord(cursor, open, start);
  if (!/^-[0-9]+$/.test(name)) return makeField(cursor, { name, quoted: false, start });
  const count = readNumber(cursor, name.slice(1), range);
  if (count !== 0) return count === undefined ? undefined : { type: 'from-end', count, range };
  return refuse(cursor, { reason: 'there is no item `-0`', hint: 'the last item is `-1`', range });
}
