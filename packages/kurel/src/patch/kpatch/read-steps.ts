import { quote } from '../../diagnostics/index.ts';
import type { Range } from '../../model/index.ts';
import type { Condition, DeleteStep, FieldStep, IndexStep, MatchStep, Step } from '../patch.ts';
import {
  characterAt,
  peek,
  isBlankOrEnd,
  isDigits,
  isQuote,
  rangeOfCharacter,
  refuse,
  sample,
  skipBlanks,
  skipGap,
  trimBlanks,
} from './cursor.ts';
import type { Cursor, SyntaxProblem } from './cursor.ts';
import {
  isMatchKey,
  makeField,
  passName,
  passVariable,
  readQuoted,
  readQuotedField,
  readTemplate,
  refuseCharacter,
  withoutVariables,
} from './read-name.ts';

/** No object is nested this deep; without a limit, a long header would be copied for each of many entries. */
const mostSteps = 100;

/** Reads consecutive `.name` and `[…]` steps. `endDot` allows a trailing dot. */
export function readSteps(cursor: Cursor, options: { readonly steps: Step[]; readonly endDot?: boolean }): void {
  const { steps } = options;
  const from = cursor.pos;
  for (;;) {
    const character = peek(cursor);
    if (character !== '.' && character !== '[') return;
    if (character === '.' && options.endDot === true && cursor.pos + 1 === cursor.end) {
      cursor.pos += 1;
      return;
    }
    if (steps.length === mostSteps) {
      const range = { start: from, end: cursor.end };
      refuse(cursor, { reason: `the path has more than ${mostSteps} steps`, range });
      return;
    }
    if (character === '.') cursor.pos += 1;
    const step = character === '.' ? readPlainStep(cursor) : readBracket(cursor);
    if (step === undefined) return;
    steps.push(step);
  }
}

/** Reads a step without brackets. */
function readPlainStep(cursor: Cursor): Step | undefined {
  const start = cursor.pos;
  const character = peek(cursor);
  if (isQuote(character)) return readQuotedField(cursor);
  if (character === '*') {
    cursor.pos += 1;
    if (endsStep(cursor)) return { type: 'all', range: { start, end: cursor.pos } };
    return refuse(cursor, {
      reason: '`*` means all items and cannot be part of a name',
      hint: 'use `.*` for every item, or quote the name',
      range: { start, end: start + 1 },
    });
  }
  if (!passName(cursor)) return undefined;
  const range = { start, end: cursor.pos };
  const name = cursor.text.slice(start, cursor.pos);
  if (name === '') return refuseNoName(cursor);
  if (peek(cursor) === '=') return readShortMatch(cursor, name);
  if (name === '-') return { type: 'append', range };
  if (/^-[0-9]+$/.test(name)) {
    const index = sample(name.slice(1));
    return refuse(cursor, {
      reason: `${quote(`.${name}`)} is ambiguous: an insertion, or an item counted from the end`,
      hint: `use \`[-${index}]\` to insert before item ${index}; only \`[delete=-${index}]\` counts from the end`,
      range,
    });
  }
  return makeField(cursor, start);
}

/** Reads the first step of a path that may start with an item of a list. */
export function readAnyStep(cursor: Cursor): Step | undefined {
  return peek(cursor) === '[' ? readBracket(cursor) : readPlainStep(cursor);
}

/** Reads the first step of a key, which is always a name. */
export function readField(cursor: Cursor): FieldStep | undefined {
  const start = cursor.pos;
  if (isQuote(peek(cursor))) return readQuotedField(cursor);
  if (!passName(cursor)) return undefined;
  const name = cursor.text.slice(start, cursor.pos);
  if (name === '') return refuseNoName(cursor);
  if (name === '-' && endsStep(cursor)) {
    return refuse(cursor, {
      reason: 'a key cannot start with `-`',
      hint: 'to append to a list, put `[-]` after its name, as in `args[-]: value`',
      range: { start, end: cursor.pos },
    });
  }
  return makeField(cursor, start);
}

/** `name=main` without brackets; the name is already consumed. */
function readShortMatch(cursor: Cursor, name: string): MatchStep | undefined {
  const start = cursor.pos - name.length;
  const range = { start, end: cursor.pos };
  if (!isMatchKey(cursor, name, range)) return undefined;
  cursor.pos += 1;
  const from = cursor.pos;
  const first = peek(cursor);
  if (!passShortValue(cursor)) return undefined;
  const value = cursor.text.slice(from, cursor.pos);
  if (value === '' || !endsStep(cursor) || first === '+' || first === '-') {
    return refuseShortValue(cursor, { name, range: { start, end: cursor.pos } });
  }
  const template = readTemplate(cursor, value, { start: from, end: cursor.pos });
  if (template === undefined) return undefined;
  return { type: 'match', conditions: [{ path: [name], value: template }], range: { start, end: cursor.pos } };
}

function refuseShortValue(
  cursor: Cursor,
  { name, range }: { readonly name: string; readonly range: Range },
): undefined {
  const { text, end } = cursor;
  const from = range.start + name.length + 1;
  const rest = text.slice(from, Math.min(end, from + 100));
  const [, , quoted] = /^(["'])(.*?)\1/.exec(rest) ?? [];
  const value = quoted ?? /^[^\]\s]*/.exec(rest)![0];
  return refuse(cursor, {
    reason:
      value === '' && quoted === undefined
        ? `the selector ${quote(`${name}=`)} has no value`
        : `the value of the selector ${quote(`${name}=`)} needs brackets and quotes`,
    hint: `use \`[${sample(name)}="${sample(value.replaceAll('"', ''))}"]\` instead of \`.${sample(name)}=\``,
    range,
  });
}

function passShortValue(cursor: Cursor): boolean {
  for (;;) {
    const character = peek(cursor);
    if (character === '$') {
      if (!passVariable(cursor)) return false;
    } else if (endsStep(cursor) || character === '=' || character === '#' || isQuote(character)) {
      return true;
    } else {
      cursor.pos += 1;
    }
  }
}

/** Whether a step may end here: before the next step, the `]` of a header or a space, or at the end. */
export function endsStep(cursor: Cursor): boolean {
  const character = peek(cursor);
  return character === '.' || character === '[' || character === ']' || isBlankOrEnd(character);
}

function refuseNoName(cursor: Cursor): undefined {
  const character = peek(cursor);
  if (character === '+') {
    return refuse(cursor, {
      reason: '`+` is not allowed in an unquoted name',
      hint: 'use `[+name=main]` or `[+0]` to insert after an item',
      range: rangeOfCharacter(cursor),
    });
  }
  if (!endsStep(cursor) && character !== '=') return refuseCharacter(cursor, cursor.pos);
  const isFirst = cursor.pos === 0 || cursor.text[cursor.pos - 1] !== '.';
  return refuse(cursor, {
    reason: isFirst ? 'a name is missing' : 'a name is missing after `.`',
    hint: character === '[' ? 'remove the `.` before the `[`' : 'add a name, or remove the dot',
    range: { start: isFirst ? cursor.pos : cursor.pos - 1, end: cursor.pos },
  });
}

type WithoutRange<Any> = Any extends Step ? Omit<Any, 'range'> : never;

/** Reads `[…]` after a name: a selector, an insertion, a deletion, `*` or a quoted key. */
function readBracket(cursor: Cursor): Step | undefined {
  const start = cursor.pos;
  cursor.pos += 1;
  skipGap(cursor);
  const body = readBody(cursor, start);
  if (body === undefined || !closeBracket(cursor, start)) return undefined;
  return { ...body, range: { start, end: cursor.pos } };
}

/** Skips spaces and the `]` that closes the bracket at `start`. */
export function closeBracket(cursor: Cursor, start: number): boolean {
  skipGap(cursor);
  if (peek(cursor) === ']') {
    cursor.pos += 1;
    return true;
  }
  refuseUnclosed(cursor, start, {
    reason: `expected \`]\`, got ${quote(characterAt(cursor))}`,
    hint:
      peek(cursor) === '='
        ? 'remove the quotes around the selector key: `[name=main]`'
        : 'close the bracket, or quote the whole value: `[name="a, b"]`',
    range: rangeOfCharacter(cursor),
  });
  return false;
}

function readBody(cursor: Cursor, open: number): WithoutRange<Step> | undefined {
  const character = peek(cursor);
  if (isQuote(character)) return readQuotedField(cursor);
  if (character === '*') {
    cursor.pos += 1;
    return { type: 'all' };
  }
  if (character === '+' || character === '-') return readInsertion(cursor, open);
  if (startsDelete(cursor)) return readDelete(cursor, open);
  return readSelector(cursor, open) ?? refuseWord(cursor, open);
}

function readInsertion(cursor: Cursor, open: number): WithoutRange<Step> | undefined {
  const where = peek(cursor) === '-' ? 'before' : 'after';
  cursor.pos += 1;
  const next = peek(cursor);
  if (next === ']' || isBlankOrEnd(next)) {
    if (where === 'before') return { type: 'append' };
    return refuseUnclosed(cursor, open, {
      reason: '`[+]` does not name the item to insert after',
      hint: 'use `[+name=main]` or `[+0]`, or `[-]` to append to the list',
      range: { start: open, end: cursor.pos + 1 },
    });
  }
  const at = readSelector(cursor, open) ?? refuseWord(cursor, open);
  return at === undefined ? undefined : { type: 'insert', where, at };
}

function startsDelete({ text, pos, end }: Cursor): boolean {
  if (!text.startsWith('delete', pos) || pos + 6 > end) return false;
  const next = pos + 6 === end ? '' : text[pos + 6];
  return next === '=' || next === ']' || isBlankOrEnd(next);
}

function readDelete(cursor: Cursor, open: number): Omit<DeleteStep, 'range'> | undefined {
  cursor.pos += 'delete'.length;
  if (peek(cursor) !== '=') return { type: 'delete' };
  cursor.pos += 1;
  const what = readDeleted(cursor, open);
  return what === undefined ? undefined : { type: 'delete', what };
}

function readDeleted(cursor: Cursor, open: number): DeleteStep['what'] | undefined {
  const start = cursor.pos;
  if (isQuote(peek(cursor))) return readQuotedField(cursor);
  const selector = readSelector(cursor, open);
  if (selector !== undefined || cursor.problem !== undefined) return selector;
  const range = { start, end: cursor.pos };
  const name = cursor.text.slice(start, cursor.pos);
  if (name === '') {
    return refuseUnclosed(cursor, open, {
      reason: '`[delete=` does not name what to delete',
      hint: 'use `[delete=name=main]`, `[delete=0]` or `[delete=key]`, or `[delete]` to delete the field itself',
      range: { start: open, end: start },
    });
  }
  if (withoutVariables(name).includes('.')) return refuseWord(cursor, open, start);
  if (!/^-[0-9]+$/.test(name)) return makeField(cursor, start);
  const count = readNumber(cursor, name.slice(1), range);
  if (count !== 0) return count === undefined ? undefined : { type: 'from-end', count, range };
  return refuse(cursor, { reason: 'item `-0` does not exist', hint: 'use `-1` for the last item', range });
}

/** Reads an index or conditions. `undefined` without a problem means a word that is neither, which is then consumed. */
function readSelector(cursor: Cursor, open: number): IndexStep | MatchStep | undefined {
  const start = cursor.pos;
  const conditions: Condition[] = [];
  for (;;) {
    const from = cursor.pos;
    if (!passMatchKey(cursor)) return undefined;
    const key = cursor.text.slice(from, cursor.pos);
    const keyRange = { start: from, end: cursor.pos };
    if (peek(cursor) !== '=') {
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
    if (peek(cursor) !== ',') return { type: 'match', conditions, range: { start, end } };
    cursor.pos += 1;
    skipGap(cursor);
  }
}

function passMatchKey(cursor: Cursor): boolean {
  for (;;) {
    if (!passName(cursor)) return false;
    if (peek(cursor) !== '.') return true;
    cursor.pos += 1;
  }
}

function readMatchValue(cursor: Cursor, open: number): Condition['value'] | undefined {
  skipGap(cursor);
  const start = cursor.pos;
  if (isQuote(peek(cursor))) {
    const value = readQuoted(cursor);
    return value === undefined ? undefined : readTemplate(cursor, value, { start, end: cursor.pos });
  }
  for (;;) {
    const character = peek(cursor);
    if (character === '$') {
      if (!passVariable(cursor)) return undefined;
    } else if (character === ']' || character === ',') break;
    else if (character === '') return refuseUnclosed(cursor, open, emptyPart('', { start, end: start }));
    else cursor.pos += 1;
  }
  cursor.pos = trimBlanks(cursor.text, { from: start, to: cursor.pos });
  return readTemplate(cursor, cursor.text.slice(start, cursor.pos), { start, end: cursor.pos });
}

function readNumber(cursor: Cursor, digits: string, range: Range): number | undefined {
  const number = Number(digits);
  if (Number.isSafeInteger(number)) return number;
  return refuse(cursor, { reason: `the index ${quote(digits)} is too large`, range });
}

function emptyPart(key: string, range: Range) {
  return { reason: `a name is missing in ${quote(key)}`, hint: 'add a name between the dots', range };
}

function refuseCondition(cursor: Cursor, open: number, range: Range): undefined {
  return refuseUnclosed(cursor, open, {
    reason: 'expected a selector of the form `key=value`',
    hint: 'use `[name=main]` or `[name=main,image=nginx]`; use an index for an item that is not an object',
    range,
  });
}

/** Rejects an unknown word in brackets. */
function refuseWord(cursor: Cursor, open: number, from = open + 1): undefined {
  const { text } = cursor;
  const close = text.slice(0, cursor.end).indexOf(']', cursor.pos);
  const end = close === -1 ? cursor.pos : trimBlanks(text, { from: cursor.pos, to: close });
  const start = skipBlanks(text, { from, to: end });
  const word = text.slice(start, end);
  if (word === '') {
    return refuseUnclosed(cursor, open, {
      reason: 'the brackets are empty',
      hint: 'use an index (`[0]`), a selector (`[name=main]`), `[-]` to append, `[*]` for every item, or a quoted key',
      range: { start: open, end: end + 1 },
    });
  }
  return refuseUnclosed(cursor, open, {
    reason: `${quote(word)} is not a valid selector`,
    hint: suggestSelector(word, text.startsWith('delete', open + 1) ? 'delete=' : ''),
    range: { start, end },
  });
}

function suggestSelector(text: string, prefix: string): string {
  const word = sample(text);
  if (/^[^\s=]+\s*=/.test(word)) return `use \`[${prefix}${word.replaceAll(/\s*=\s*/g, '=')}]\`, without spaces`;
  const [, sign = '', name = ''] = /^([+-]?)(.*)/s.exec(word.replaceAll(/["'\\]/g, ''))!;
  const match = `\`[${prefix}${sign}name=${name}]\``;
  if (sign !== '') return `use ${match} to insert ${sign === '-' ? 'before' : 'after'} the item with that name`;
  return `use \`[${prefix}"${name}"]\` for a key, or ${match} for the item with that name`;
}

/** An unclosed bracket explains any other problem after it. */
function refuseUnclosed(cursor: Cursor, start: number, problem: SyntaxProblem): undefined {
  if (cursor.text.slice(cursor.pos, cursor.end).includes(']')) return refuse(cursor, problem);
  return refuse(cursor, {
    reason: '`[` is not closed',
    hint: 'close the bracket, as in `containers[name=main]`',
    range: { start, end: start + 1 },
  });
}
