import {
  type Anchor,
  anyCharacter,
  badRegex,
  characterSet,
  type CharacterSet,
  memberOf,
  notNewline,
  posixMembers,
  propertyMembers,
  type RegexNode,
  typeMembers,
} from './regex-tree.ts';

/** Options for the rest of the group. */
export interface RegexOptions {
  readonly ignoreCase: boolean;
  /** Blanks and comments are ignored. */
  readonly extended: boolean;
  readonly dotMatchesNewline: boolean;
  /** `^` and `$` match at every line. */
  readonly multiLine: boolean;
}

/** The state of reading a pattern, and its results. */
export interface RegexReader {
  readonly pattern: string;
  at: number;
  options: RegexOptions;
  readonly names: (string | null)[];
  /** The highest group that a reference names; references may come before their groups. */
  highestGroup: number;
}

export function literal({ options: { ignoreCase } }: RegexReader, point: number): RegexNode {
  return { type: 'character', point, ignoreCase };
}

export function anchor(name: Anchor): RegexNode {
  return { type: 'anchor', anchor: name };
}

/** An escape outside a class, after the backslash. */
export function readEscape(reader: RegexReader): RegexNode {
  const letter = reader.pattern[reader.at] ?? '';
  if (Object.hasOwn(escapes, letter)) {
    reader.at++;
    return escapes[letter]!;
  }
  const members = typeMembers(letter);
  if (members !== undefined) {
    reader.at++;
    return { type: 'set', set: characterSet(members, false, false) };
  }
  const property = readProperty(reader);
  if (property !== undefined) return { type: 'set', set: characterSet(property, false, false) };
  return readReference(reader) ?? literal(reader, readCharacterEscape(reader, true));
}

const lineBreak: RegexNode = {
  type: 'atomic',
  body: {
    type: 'choice',
    options: [
      {
        type: 'sequence',
        items: [
          { type: 'character', point: 13, ignoreCase: false },
          { type: 'character', point: 10, ignoreCase: false },
        ],
      },
      { type: 'set', set: characterSet(String.raw`\n\v\f\r\x85\u2028\u2029`, false, false) },
    ],
  },
};

const escapes: { readonly [letter: string]: RegexNode } = {
  A: anchor('text-start'),
  z: anchor('text-end'),
  Z: anchor('last-line-end'),
  b: anchor('word-boundary'),
  B: anchor('no-word-boundary'),
  G: anchor('search-start'),
  K: { type: 'keep' },
  N: { type: 'set', set: notNewline },
  O: { type: 'set', set: anyCharacter },
  R: lineBreak,
};

/** `\1`, `\k<1>`, `\k<-1>`, `\k<name>`, `\k'name'`, after the backslash. */
function readReference(reader: RegexReader): RegexNode | undefined {
  const { ignoreCase } = reader.options;
  const rest = reader.pattern.slice(reader.at, reader.at + 200);
  const digits = /^[1-9]\d*/.exec(rest)?.[0];
  if (digits !== undefined) {
    // a number without such a group is an octal character
    if (digits.length > 1 && Number(digits) > reader.names.length) return undefined;
    reader.at += digits.length;
    return { type: 'reference', groups: referredGroups(reader, digits), ignoreCase };
  }
  const named = /^k(?:<([^>]*)>|'([^']*)')/.exec(rest);
  if (named === null) return undefined;
  reader.at += named[0].length;
  return { type: 'reference', groups: referredGroups(reader, named[1] ?? named[2]!), ignoreCase };
}

/** The groups that a number or name refers to. A number may refer to a later group. */
export function referredGroups(reader: RegexReader, name: string): readonly number[] {
  const { names } = reader;
  if (/^[-+]?\d+$/.test(name)) {
    const number = Number(name);
    const group = name.startsWith('-')
      ? names.length + 1 + number
      : name.startsWith('+')
        ? names.length + number
        : number;
    reader.highestGroup = Math.max(reader.highestGroup, group);
    return group < 1 ? badRegex('invalid backref number/name') : [group];
  }
  const groups = names.flatMap((groupName, index) => (groupName === name ? [index + 1] : []));
  return groups.length === 0 ? badRegex(`undefined name <${name}> reference`) : groups;
}

const controls: { readonly [letter: string]: number } = { t: 9, n: 10, r: 13, f: 12, a: 7, e: 27 };
const codes = /^(?:x\{([\da-fA-F]{1,8})\}|x([\da-fA-F]{1,2})|o\{([0-7]{1,11})\}|c(.)|([0-7]{1,3}))/su;

/** An escape for one character, after the backslash. */
function readCharacterEscape(reader: RegexReader, outside: boolean): number {
  const rest = reader.pattern.slice(reader.at, reader.at + 14);
  const code = codes.exec(rest);
  if (code !== null) {
    const [text, braced, short, octal, control, digits] = code;
    reader.at += text.length;
    if (control !== undefined) return control.codePointAt(0)! & 0x9f;
    const point =
      digits !== undefined || octal !== undefined
        ? Number.parseInt((digits ?? octal)!, 8)
        : Number.parseInt((braced ?? short)!, 16);
    return point > 0x10ffff ? badRegex('too big wide-char value') : point;
  }
  const point = rest.codePointAt(0);
  if (point === undefined) return badRegex('end pattern at escape');
  reader.at += point > 0xffff ? 2 : 1;
  const letter = String.fromCodePoint(point);
  // without digits, `\x` is NUL in a class
  if (letter === 'x' && !outside) return 0;
  if (letter === 'c' && rest.length === 1) return badRegex('end pattern at control');
  if (/^o\{[^}]*\}/.test(rest)) return badRegex('too long wide-char value');
  if (outside && /[gXyY]/.test(letter)) return badRegex(`\\${letter} is not supported`);
  return Object.hasOwn(controls, letter) ? controls[letter]! : point;
}

/** A member of a class: one character, or the members of a type such as `\d`. */
type Member = { readonly point: number } | { readonly members: string };

/** A class, after its `[`. Classes do not nest: in Perl's syntax `[` is a character there. */
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
    const isRange = pattern[reader.at] === '-' && pattern[reader.at + 1] !== ']';
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
    // the end of a range does not start another: in `a-c-e` the second hyphen is a character
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

/** `p{…}`, `P{…}` and `p{^…}`, after the backslash. */
function readProperty(reader: RegexReader): string | undefined {
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
