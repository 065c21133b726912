import { badRegex } from './character-set.ts';
import type { RegexReader } from './regex-reader.ts';

const controls: { readonly [letter: string]: number } = { t: 9, n: 10, r: 13, f: 12, a: 7, e: 27 };
const codes = /^(?:x\{([\da-fA-F]{1,8})\}|x([\da-fA-F]{0,2})|o\{([0-7]{1,11})\}|c(.)|([0-7]{1,3}))/su;

/** An escape that stands for one character, with the backslash already read. */
export function readCharacterEscape(reader: RegexReader, outside: boolean): number {
  const rest = reader.pattern.slice(reader.at, reader.at + 14);
  const code = codes.exec(rest);
  if (code !== null) {
    const [text, braced, short, octal, control, digits] = code;
    reader.at += text.length;
    if (control !== undefined) return control.codePointAt(0)! & 0x9f;
    const point =
      digits !== undefined || octal !== undefined
        ? Number.parseInt((digits ?? octal)!, 8)
        : Number.parseInt((braced ?? short) || '0', 16);
    return point > 0x10ffff ? badRegex('too big wide-char value') : point;
  }
  const point = rest.codePointAt(0);
  if (point === undefined) return badRegex('end pattern at escape');
  reader.at += point > 0xffff ? 2 : 1;
  const letter = String.fromCodePoint(point);
  if (outside && /[gXyY]/.test(letter)) return badRegex(`\\${letter} is not supported`);
  return Object.hasOwn(controls, letter) ? controls[letter]! : point;
}
