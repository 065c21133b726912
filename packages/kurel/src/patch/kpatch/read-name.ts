import { quote, quote as quoteWord } from '../../diagnostics/index.ts';
import type { Range } from '../../model/index.ts';
import { parseTemplate } from '../../parameters/index.ts';
import type { Template } from '../../parameters/index.ts';
import { decodeEscape } from '../../yaml/index.ts';
import type { FieldStep } from '../patch.ts';
import { characterAt, peek, findVariableEnd, isBlankOrEnd, rangeOfCharacter, refuse, sample } from './cursor.ts';
import type { Cursor } from './cursor.ts';

/** Reads a YAML quoted string, from its opening quote to after the closing one. It must end on the same line. */
export function readQuoted(cursor: Cursor): string | undefined {
  const { text, end, pos: open } = cursor;
  const quote = text[open];
  let value = '';
  let chunk = open + 1;
  for (let pos = chunk; pos < end;) {
    const character = text[pos];
    if (character === quote) {
      value += text.slice(chunk, pos);
      cursor.pos = pos + 1;
      if (quote !== "'" || text[pos + 1] !== "'" || pos + 1 >= end) return value;
      // A doubled quote is one quote in the string: the second one starts the next piece.
      chunk = pos + 1;
      pos += 2;
    } else if (character === '\\' && quote !== "'" && pos + 1 < end) {
      const escape = readEscape(cursor, pos);
      if (escape === undefined) return undefined;
      value += text.slice(chunk, pos) + escape.value;
      chunk = escape.next;
      pos = chunk;
    } else {
      pos += 1;
    }
  }
  const character = text.charAt(open);
  return refuse(cursor, {
    reason: `\`${character}\` is not closed on the same line`,
    hint:
      quote === "'"
        ? "add the closing `'`; double a quote inside the string: `''`"
        : 'add the closing `"`; escape a quote inside the string: `\\"`',
    range: { start: open, end: open + 1 },
  });
}

/** The character of an escape, and the offset after it. */
function readEscape(cursor: Cursor, start: number): { readonly value: string; readonly next: number } | undefined {
  const { text } = cursor;
  const escape = decodeEscape(text, start, () => true);
  if ('value' in escape) return escape;
  const afterCharacter = start + 1 + String.fromCodePoint(text.codePointAt(start + 1)!).length;
  const range = { start, end: Math.max(escape.end, afterCharacter) };
  return refuse(cursor, {
    reason: `${quoteWord(text.slice(range.start, range.end))} is not a valid escape sequence`,
    hint: 'use `\\\\` for a backslash, or single quotes, which have no escapes',
    range,
  });
}

/** By character code: 1 for ASCII characters of unquoted names. `:` is allowed unless a space follows. */
const nameCharacters = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9_/$@~%-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

interface NameOptions {
  /** First part of a header: `/` separates the namespace from the kind. */
  readonly stopAtSlash?: boolean;
  /** The kind: `@` separates it from its API group. */
  readonly stopAtGroup?: boolean;
  /** `*` and `?` are allowed in the name of a target. */
  readonly wildcards?: boolean;
}

/** Skips the characters and variables of an unquoted name, if any; false if a variable is not closed. */
export function passName(cursor: Cursor, options: NameOptions = {}): boolean {
  const { text, end } = cursor;
  while (cursor.pos < end) {
    const code = text.charCodeAt(cursor.pos);
    const character = code < 128 ? text[cursor.pos]! : characterAt(cursor);
    if (character === '$') {
      if (!passVariable(cursor)) return false;
      continue;
    }
    if (code >= 128 ? !/[\p{L}\p{M}\p{N}]/u.test(character) : !isNameCharacter(cursor, code, options)) return true;
    cursor.pos += character.length;
  }
  return true;
}

function isNameCharacter({ text, pos }: Cursor, code: number, options: NameOptions): boolean {
  const character = text[pos];
  if (nameCharacters[code] === 1) {
    return !(character === '/' && options.stopAtSlash === true) && !(character === '@' && options.stopAtGroup === true);
  }
  if (character === ':') return !isBlankOrEnd(text[pos + 1]);
  return options.wildcards === true && (character === '*' || character === '?');
}

/** Skips the `${…}` at the position, or only the `$` if none starts there; false if it is not closed. */
export function passVariable(cursor: Cursor): boolean {
  const { text, pos, end } = cursor;
  const next = findVariableEnd(text, { from: pos, to: end });
  if (next === -1 && !cursor.isLiteral) {
    refuse(cursor, explainUnclosedVariable({ start: pos, end: text.indexOf('{', pos) + 1 }));
    return false;
  }
  cursor.pos = Math.max(next, pos + 1);
  return true;
}

/** The literal part of a name. */
export function withoutVariables(name: string): string {
  if (!name.includes('${')) return name;
  let rest = '';
  for (let from = 0; from < name.length;) {
    const end = findVariableEnd(name, { from, to: name.length });
    if (end === from) rest += name[from]!;
    from = Math.max(end, from + 1);
  }
  return rest;
}

export function explainUnclosedVariable(range: Range) {
  return {
    reason: '`${` is not closed',
    hint: 'close the variable, as in `${values.name}`, or use `$${` for a literal `${`',
    range,
  };
}

/** Template of a name or of a value in a path. `range` is its location. */
export function readTemplate(cursor: Cursor, name: string, range: Range): Template | undefined {
  if (cursor.isLiteral) return { text: name, parts: [name] };
  const template = parseTemplate(name);
  if (template.unclosed === undefined) return template;
  return refuse(cursor, explainUnclosedVariable(range));
}

/** Like `readTemplate`, for a name that becomes an object key. */
export function readNameTemplate(cursor: Cursor, name: string, range: Range): Template | undefined {
  return isAllowedName(cursor, name, range) ? readTemplate(cursor, name, range) : undefined;
}

function isAllowedName(cursor: Cursor, name: string, range: Range): boolean {
  if (name !== '__proto__' || cursor.isLiteral) return true;
  refuse(cursor, { reason: 'the name "__proto__" is not allowed', hint: 'use another name', range });
  return false;
}

/** Whether the name can be a selector key, which is a field path and not a template. */
export function isMatchKey(cursor: Cursor, name: string, range: Range): boolean {
  if (!name.includes('${') || cursor.isLiteral) return isAllowedName(cursor, name, range);
  refuse(cursor, {
    reason: 'a variable cannot be the key of a selector',
    hint: 'use a field name as the key; its value may be a variable, as in `[name=${values.name}]`',
    range,
  });
  return false;
}

/** Rejects the character at the position, which is not allowed in an unquoted name. Names start at `start` or later. */
export function refuseCharacter(cursor: Cursor, start: number): undefined {
  const { text, pos } = cursor;
  const range = rangeOfCharacter(cursor);
  const character = quote(text.slice(range.start, range.end));
  const before = text.slice(Math.max(start, pos - 100), pos);
  if (/["'\]]$/.test(before)) {
    const hint = 'put a `.` before it';
    return refuse(cursor, { reason: `unexpected ${character} directly after \`${before.at(-1)!}\``, hint, range });
  }
  const name =
    /[^\s.[\]]*$/.exec(before)![0] + /^[^\s.[\]:=,"']*/.exec(text.slice(pos, Math.min(cursor.end, pos + 100)))![0];
  if (peek(cursor) === '=') {
    const hint = 'put the list before its selector, as in `containers.name=main`';
    return refuse(cursor, {
      reason: `${quote(`${name}=`)} looks like a selector, but no list comes before it`,
      hint,
      range,
    });
  }
  return refuse(cursor, {
    reason: `${character} is not allowed in an unquoted name`,
    hint: `quote the name: \`"${sample(name.replaceAll(/["\\]/g, ''))}"\``,
    range,
  });
}

export function readQuotedField(cursor: Cursor): FieldStep | undefined {
  const start = cursor.pos;
  const name = readQuoted(cursor);
  return name === undefined ? undefined : makeField(cursor, start, name);
}

/** The field that starts at `start` and ends here; `quoted` is its name if it is quoted. */
export function makeField(cursor: Cursor, start: number, quoted?: string): FieldStep | undefined {
  const range = { start, end: cursor.pos };
  const name = readNameTemplate(cursor, quoted ?? cursor.text.slice(start, cursor.pos), range);
  return name === undefined ? undefined : { type: 'field', name, quoted: quoted !== undefined, range };
}
