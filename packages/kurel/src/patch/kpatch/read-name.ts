import { quote } from '../../diagnostics/index.ts';
import type { Range } from '../../model/index.ts';
import { parseTemplate } from '../../parameters/index.ts';
import type { Template } from '../../parameters/index.ts';
import { AT, COLON, DOLLAR, EQUALS, findVariableEnd, isBlankOrEnd, QUESTION, SLASH, STAR } from './characters.ts';
import { characterAt, codeAt, rangeOfCharacter, refuse, sample } from './cursor.ts';
import type { Cursor } from './cursor.ts';

/** By character code: 1 for ASCII characters of unquoted names. `:` is allowed unless a space follows. */
const nameCharacters = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9_/$@~%-]/.test(String.fromCharCode(code)) ? 1 : 0,
);
const letter = /[\p{L}\p{M}\p{N}]/u;

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
    if (code === DOLLAR) {
      if (!passVariable(cursor)) return false;
    } else if (code < 128) {
      const isName =
        nameCharacters[code] === 1
          ? !(code === SLASH && options.stopAtSlash === true) && !(code === AT && options.stopAtGroup === true)
          : (code === COLON && !isBlankOrEnd(text.charCodeAt(cursor.pos + 1))) ||
            (options.wildcards === true && (code === STAR || code === QUESTION));
      if (!isName) return true;
      cursor.pos += 1;
    } else {
      const character = characterAt(cursor);
      if (!letter.test(character)) return true;
      cursor.pos += character.length;
    }
  }
  return true;
}

/** Skips the `${…}` at the position, or only the `$` if none starts there; false if it is not closed. */
export function passVariable(cursor: Cursor): boolean {
  const { text, pos, end } = cursor;
  const next = findVariableEnd(text, { from: pos, to: end });
  if (next === -1) {
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
  const template = parseTemplate(name);
  if (template.unclosed === undefined) return template;
  return refuse(cursor, explainUnclosedVariable(range));
}

/** Like `readTemplate`, for a name that becomes an object key. */
export function readNameTemplate(cursor: Cursor, name: string, range: Range): Template | undefined {
  return isAllowedName(cursor, name, range) ? readTemplate(cursor, name, range) : undefined;
}

function isAllowedName(cursor: Cursor, name: string, range: Range): boolean {
  if (name !== '__proto__') return true;
  refuse(cursor, { reason: 'the name "__proto__" is not allowed', hint: 'use another name', range });
  return false;
}

/** Whether the name can be a selector key, which is a field path and not a template. */
export function isMatchKey(cursor: Cursor, name: string, range: Range): boolean {
  if (!name.includes('${')) return isAllowedName(cursor, name, range);
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
  if (codeAt(cursor) === EQUALS) {
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
