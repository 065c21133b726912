import {
  badRegex,
  type CharacterSet,
  characterSet,
  memberOf,
  posixMembers,
  propertyMembers,
  typeMembers,
} from './character-set.ts';
import { readCharacterEscape } from './parse-escape.ts';
import type { RegexReader } from './regex-reader.ts';

/** A member of a class: one character, or what a type such as `\d` stands for. */
type Member = { readonly point: number } | { readonly members: string };

/** A class, with its `[` already read. Classes do not nest: in Perl's syntax `[` is a character there. */
export function readClass(reader: RegexReader): CharacterSet {
  const { pattern } = reader;
  const negated = pattern[reader.at] === '^';
  if (negated) reader.at++;
  const start = reader.at;
  let members = '';
  while (pattern[reader.at] !== ']' || reader.at === start) {
    if (reader.at >= pattern.length) {
      return badRegex(
        pattern[start] === ']' && reader.at === start + 1 ? 'empty char-class' : 'premature end of char-class',
      );
    }
    const from = readMember(reader);
    const isRange = pattern[reader.at] === '-' && (pattern[reader.at + 1] ?? ']') !== ']';
    if (!isRange || 'members' in from) {
      members += 'members' in from ? from.members : memberOf(from.point);
      // after a type a hyphen is a character
      if (isRange) {
        members += memberOf(45);
        reader.at++;
      }
      continue;
    }
    reader.at++;
    const to = readMember(reader);
    if ('members' in to) return badRegex('char-class value at end of range');
    if (to.point < from.point) return badRegex('empty range in char class');
    members += `${memberOf(from.point)}-${memberOf(to.point)}`;
    // the end of a range does not begin another: in `a-c-e` the second hyphen is a character
    if (pattern[reader.at] === '-' && (pattern[reader.at + 1] ?? ']') !== ']') {
      members += memberOf(45);
      reader.at++;
    }
  }
  reader.at++;
  return characterSet(members, negated, reader.options.ignoreCase);
}

function readMember(reader: RegexReader): Member {
  const { pattern } = reader;
  const posix = /^\[:(\^?)([a-zA-Z]+):\]/.exec(pattern.slice(reader.at, reader.at + 20));
  if (posix !== null) {
    reader.at += posix[0].length;
    return { members: posixMembers(posix[2]!, posix[1] === '^') };
  }
  const point = pattern.codePointAt(reader.at);
  if (point === undefined) return badRegex('premature end of char-class');
  reader.at += point > 0xffff ? 2 : 1;
  if (point !== 92) return { point };
  const letter = pattern[reader.at];
  if (letter === undefined) return badRegex('end pattern at escape');
  const members = typeMembers(letter);
  if (members !== undefined) {
    reader.at++;
    return { members };
  }
  const property = readProperty(reader);
  if (property !== undefined) return { members: property };
  if (letter === 'b') {
    reader.at++;
    return { point: 8 };
  }
  return { point: readCharacterEscape(reader, false) };
}

/** `p{…}`, `P{…}` and `p{^…}`, with the backslash already read. */
export function readProperty(reader: RegexReader): string | undefined {
  const { pattern } = reader;
  if (!/^[pP]\{/.test(pattern.slice(reader.at, reader.at + 2))) return undefined;
  const close = pattern.indexOf('}', reader.at);
  if (close < 0) return badRegex('end pattern with unmatched parenthesis');
  const negates = pattern[reader.at] === 'P';
  const text = pattern.slice(reader.at + 2, close);
  reader.at = close + 1;
  const caret = text.startsWith('^');
  return propertyMembers(caret ? text.slice(1) : text, negates !== caret);
}
