import { quote } from '../../diagnostics/index.ts';
import type { Range } from '../../model/index.ts';
import type { FieldStep, MatchStep, Step } from '../patch.ts';
import {
  CLOSE_BRACKET,
  DASH,
  DOLLAR,
  DOT,
  EQUALS,
  HASH,
  OPEN_BRACKET,
  PLUS,
  STAR,
  isBlankOrEnd,
  isQuote,
} from './characters.ts';
import { codeAt, rangeOfCharacter, refuse, sample } from './cursor.ts';
import type { Cursor } from './cursor.ts';
import { readBracket } from './read-bracket.ts';
import { makeField, readQuotedField } from './read-field.ts';
import { isMatchKey, passName, passVariable, readTemplate, refuseCharacter } from './read-name.ts';

/** No object is nested this deep; without a limit, a long header would be copied for each of many entries. */
const mostSteps = 100;

/** Reads consecutive `.name` and `[…]` steps. `endDot` allows a trailing dot. */
export function readSteps(cursor: Cursor, options: { readonly steps: Step[]; readonly endDot?: boolean }): void {
  const { steps } = options;
  const from = cursor.pos;
  for (;;) {
    const code = codeAt(cursor);
    if (code !== DOT && code !== OPEN_BRACKET) return;
    if (code === DOT && options.endDot === true && cursor.pos + 1 === cursor.end) {
      cursor.pos += 1;
      return;
    }
    if (steps.length === mostSteps) {
      const range = { start: from, end: cursor.end };
      refuse(cursor, { reason: `the path has more than ${mostSteps} steps`, range });
      return;
    }
    const step = code === DOT ? readDotStep(cursor) : readBracket(cursor);
    if (step === undefined) return;
    steps.push(step);
  }
}

function readDotStep(cursor: Cursor): Step | undefined {
  cursor.pos += 1;
  const start = cursor.pos;
  const code = codeAt(cursor);
  if (isQuote(code)) return readQuotedField(cursor);
  if (code === STAR) {
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
  if (codeAt(cursor) === EQUALS) return readShortMatch(cursor, name);
  if (name === '-') return { type: 'append', range };
  if (/^-[0-9]+$/.test(name)) {
    const index = sample(name.slice(1));
    return refuse(cursor, {
      reason: `${quote(`.${name}`)} is ambiguous: an insertion, or an item counted from the end`,
      hint: `use \`[-${index}]\` to insert before item ${index}; only \`[delete=-${index}]\` counts from the end`,
      range,
    });
  }
  return makeField(cursor, { name, quoted: false, start });
}

/** Reads the first step of a key, which is always a name. */
export function readField(cursor: Cursor): FieldStep | undefined {
  const start = cursor.pos;
  if (isQuote(codeAt(cursor))) return readQuotedField(cursor);
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
  return makeField(cursor, { name, quoted: false, start });
}

/** `name=main` without brackets; the name is already consumed. */
function readShortMatch(cursor: Cursor, name: string): MatchStep | undefined {
  const start = cursor.pos - name.length;
  const range = { start, end: cursor.pos };
  if (!isMatchKey(cursor, name, range)) return undefined;
  cursor.pos += 1;
  const from = cursor.pos;
  const first = codeAt(cursor);
  if (!passShortValue(cursor)) return undefined;
  const value = cursor.text.slice(from, cursor.pos);
  if (value === '' || !endsStep(cursor) || first === PLUS || first === DASH) {
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
    const code = codeAt(cursor);
    if (code === DOLLAR) {
      if (!passVariable(cursor)) return false;
    } else if (endsStep(cursor) || code === EQUALS || code === HASH || isQuote(code)) {
      return true;
    } else {
      cursor.pos += 1;
    }
  }
}

/** Whether a step may end here: before the next step, the `]` of a header or a space, or at the end. */
function endsStep(cursor: Cursor): boolean {
  const code = codeAt(cursor);
  return code === DOT || code === OPEN_BRACKET || code === CLOSE_BRACKET || isBlankOrEnd(code);
}

function refuseNoName(cursor: Cursor): undefined {
  const code = codeAt(cursor);
  if (code === PLUS) {
    return refuse(cursor, {
      reason: '`+` is not allowed in an unquoted name',
      hint: 'use `[+name=main]` or `[+0]` to insert after an item',
      range: rangeOfCharacter(cursor),
    });
  }
  if (!endsStep(cursor) && code !== EQUALS) return refuseCharacter(cursor, cursor.pos);
  const isFirst = cursor.pos === 0 || cursor.text.charCodeAt(cursor.pos - 1) !== DOT;
  return refuse(cursor, {
    reason: isFirst ? 'a name is missing' : 'a name is missing after `.`',
    hint: code === OPEN_BRACKET ? 'remove the `.` before the `[`' : 'add a name, or remove the dot',
    range: { start: isFirst ? cursor.pos : cursor.pos - 1, end: cursor.pos },
  });
}
