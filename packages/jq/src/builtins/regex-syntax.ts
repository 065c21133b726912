import { raise } from '../run-state.ts';

/** What a pattern looks like to the host's engine, and which of its groups are ours rather than the pattern's. */
export interface TranslatedPattern {
  readonly source: string;
  readonly flags: string;
}

/** Groups that only make atomic groups and possessive quantifiers work; they are no captures. */
export const internalGroup = /^jq_atomic_\d+$/;

export interface PatternOptions {
  readonly ignoreCase: boolean;
  readonly extended: boolean;
  readonly dotMatchesNewline: boolean;
}

const word = String.raw`\p{L}\p{M}\p{N}\p{Pc}`;
const end = String.raw`(?![\s\S])`;
const start = String.raw`(?<![\s\S])`;
const beforeLastNewline = String.raw`(?=\n?(?![\s\S]))`;
/** What `$`, `\\Z` and `\\z` become. */
export const endOfText: readonly string[] = [beforeLastNewline, end];
const boundary = `(?:(?<=[${word}])(?![${word}])|(?<![${word}])(?=[${word}]))`;
const noBoundary = `(?:(?<=[${word}])(?=[${word}])|(?<![${word}])(?![${word}]))`;

/** Character types: the members of the class, and whether it is the complement of them. */
const types: { readonly [letter: string]: { readonly members: string; readonly negated: boolean } } = {
  d: { members: String.raw`\p{Nd}`, negated: false },
  D: { members: String.raw`\p{Nd}`, negated: true },
  w: { members: word, negated: false },
  W: { members: word, negated: true },
  s: { members: String.raw`\s\x85`, negated: false },
  S: { members: String.raw`\s\x85`, negated: true },
  h: { members: '0-9a-fA-F', negated: false },
  H: { members: '0-9a-fA-F', negated: true },
};

const anchors: { readonly [letter: string]: string } = {
  A: start,
  z: end,
  Z: beforeLastNewline,
  b: boundary,
  B: noBoundary,
  R: String.raw`(?:\r\n|[\n\v\f\r\x85\u2028\u2029])`,
  G: '',
};

const controls: { readonly [letter: string]: string } = {
  t: String.raw`\t`,
  n: String.raw`\n`,
  r: String.raw`\r`,
  f: String.raw`\f`,
  v: String.raw`\v`,
  a: String.raw`\x07`,
  e: String.raw`\x1b`,
};

const properties: { readonly [name: string]: string } = {
  alnum: String.raw`\p{L}\p{M}\p{N}`,
  alpha: String.raw`\p{L}\p{M}`,
  ascii: String.raw`\x00-\x7f`,
  blank: String.raw`\p{Zs}\t`,
  cntrl: String.raw`\p{Cc}`,
  digit: String.raw`\p{Nd}`,
  graph: String.raw`\p{L}\p{M}\p{N}\p{P}\p{S}`,
  lower: String.raw`\p{Ll}`,
  print: String.raw`\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}`,
  punct: String.raw`\p{P}\p{S}`,
  space: String.raw`\s\x85`,
  upper: String.raw`\p{Lu}`,
  xdigit: '0-9a-fA-F',
  word,
};

function propertyMembers(name: string): string | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

interface Translation {
  readonly pattern: string;
  readonly options: { ignoreCase: boolean; extended: boolean; dotMatchesNewline: boolean };
  at: number;
  atomics: number;
}

function bad(reason: string): never {
  return raise(`Regex failure: ${reason}`);
}

/** Translates a pattern in Oniguruma's Perl syntax. */
export function translatePattern(pattern: string, options: PatternOptions): TranslatedPattern {
  const translation: Translation = { pattern, options: { ...options }, at: 0, atomics: 0 };
  const source = translateAlternatives(translation, 0);
  if (translation.at < pattern.length) bad('unmatched close parenthesis');
  return { source, flags: `dgv${translation.options.ignoreCase ? 'i' : ''}` };
}

/** Up to the `)` of the group it is in, or the end. */
function translateAlternatives(state: Translation, depth: number): string {
  if (depth > 200) bad('too deep nest level');
  let out = '';
  while (state.at < state.pattern.length && state.pattern[state.at] !== ')') {
    if (state.pattern[state.at] === '|') {
      out += '|';
      state.at++;
    } else out += quantified(state, translateAtom(state, depth));
  }
  return out;
}

interface Atom {
  readonly source: string;
  readonly capture: boolean;
  /** Whether a quantifier may follow. */
  readonly repeats: boolean;
}

function atom(source: string, capture = false): Atom {
  return { source, capture, repeats: source !== '' };
}

function quantified(state: Translation, piece: Atom): string {
  skipExtended(state);
  const found = /^(?:[?*+]|\{(\d*)(,?)(\d*)\})([?+]?)/.exec(state.pattern.slice(state.at, state.at + 30));
  if (found === null) return piece.source;
  const [text, low = '', comma = '', high = '', mode = ''] = found;
  const interval = text.startsWith('{');
  if (interval && low === '' && high === '') return piece.source;
  if (!piece.repeats) bad('target of repeat operator is not specified');
  state.at += text.length;
  const count = interval ? `{${low === '' ? '0' : low}${comma}${high}}` : text[0]!;
  const repeated = `${piece.source}${count}`;
  // after an interval, `+` is a quantifier of its own and not a possessive mark
  if (mode === '+' && interval) return `(?:${repeated})+`;
  if (mode === '+') return atomic(state, repeated);
  // the host forgets a capture whose last turn was empty; Oniguruma keeps it
  if (text === '?' && piece.capture) return `(?:${piece.source}|)`;
  return repeated + mode;
}

function atomic(state: Translation, body: string): string {
  const name = `jq_atomic_${state.atomics++}`;
  return `(?:(?=(?<${name}>${body}))\\k<${name}>)`;
}

function skipExtended(state: Translation): void {
  if (!state.options.extended) return;
  const blank = /(?:\s+|#[^\n]*)+/y;
  blank.lastIndex = state.at;
  const found = blank.exec(state.pattern);
  if (found !== null) state.at += found[0].length;
}

function translateAtom(state: Translation, depth: number): Atom {
  skipExtended(state);
  const character = String.fromCodePoint(state.pattern.codePointAt(state.at) ?? 41);
  if (character === ')' || character === '|') return { source: '', capture: false, repeats: false };
  state.at += character.length;
  switch (character) {
    case '.':
      return atom(state.options.dotMatchesNewline ? String.raw`[\s\S]` : String.raw`[^\n]`);
    case '^':
      return atom(start);
    case '$':
      return atom(beforeLastNewline);
    case '(':
      return translateGroup(state, depth + 1);
    case '[':
      return atom(translateClass(state, depth + 1));
    case '\\':
      return atom(translateEscape(state));
    case '*':
    case '+':
    case '?':
      return bad('target of repeat operator is not specified');
    default:
      return atom(/[\]{}/]/.test(character) ? `\\${character}` : character);
  }
}

function translateGroup(state: Translation, depth: number): Atom {
  const rest = state.pattern.slice(state.at, state.at + 80);
  const comment = /^\?#[^)]*\)/.exec(rest);
  if (comment !== null) {
    state.at += comment[0].length;
    return { source: '', capture: false, repeats: false };
  }
  const flags = /^\?([imx]*)(?:-([imx]*))?([:)])/.exec(rest);
  if (flags !== null && flags[0] !== '?:') return translateFlags(state, flags, depth);
  const opening = /^\?(?:<[=!]|[:=!>]|P?<([A-Za-z_]\w*)>)/.exec(rest);
  if (opening === null && rest.startsWith('?')) return bad('undefined group option');
  state.at += opening?.[0].length ?? 0;
  const body = translateAlternatives(state, depth);
  if (state.pattern[state.at] !== ')') bad('end pattern with unmatched parenthesis');
  state.at++;
  if (opening === null) return atom(`(${body})`, true);
  if (opening[1] !== undefined) return atom(`(?<${opening[1]}>${body})`, true);
  if (opening[0] === '?>') return atom(atomic(state, body));
  // a lookaround may be repeated in Oniguruma, and must be wrapped for that here
  return atom(opening[0] === '?:' ? `(?:${body})` : `(?:(${opening[0]}${body}))`);
}

function translateFlags(state: Translation, flags: RegExpExecArray, depth: number): Atom {
  const [text, on = '', off = '', close] = flags;
  const outer = { ...state.options };
  state.at += text.length;
  if (`${on}${off}`.includes('i') && (close === ':' || state.at > text.length + 1)) {
    // the host applies this flag to the whole pattern or not at all
    bad('the option i is supported at the start of a pattern only');
  }
  const set = (letter: string, before: boolean): boolean =>
    on.includes(letter) ? true : off.includes(letter) ? false : before;
  state.options.ignoreCase = set('i', outer.ignoreCase);
  state.options.extended = set('x', outer.extended);
  state.options.dotMatchesNewline = set('m', outer.dotMatchesNewline);
  if (close === ')') return { source: '', capture: false, repeats: false };
  const body = translateAlternatives(state, depth);
  if (state.pattern[state.at] !== ')') bad('end pattern with unmatched parenthesis');
  state.at++;
  Object.assign(state.options, outer);
  return atom(`(?:${body})`);
}

/** An escape outside a class, with the backslash already read. */
function translateEscape(state: Translation): string {
  const letter = state.pattern[state.at];
  if (letter === undefined) return bad('end pattern at escape');
  const type = types[letter];
  if (type !== undefined) {
    state.at++;
    return `[${type.negated ? '^' : ''}${type.members}]`;
  }
  const anchor = anchors[letter];
  if (anchor !== undefined) {
    state.at++;
    return anchor;
  }
  const reference = /^(?:[1-9]\d?|k<[A-Za-z_]\w*>)/.exec(state.pattern.slice(state.at, state.at + 60));
  if (reference !== null) {
    state.at += reference[0].length;
    // a digit that follows must not become part of the reference
    return `(?:\\${reference[0]})`;
  }
  return translateCharacter(state) ?? `[${translateProperty(state)}]`;
}

/** `\p{…}`, `\P{…}`, `\p{^…}` as members of a class. */
function translateProperty(state: Translation): string {
  const found = /^([pP])\{(\^?)([\w ]+)\}/.exec(state.pattern.slice(state.at, state.at + 60));
  if (found === null) return bad('invalid character property name');
  const [text, letter, caret, name = ''] = found;
  state.at += text.length;
  const negated = (letter === 'P') !== (caret === '^');
  const members = propertyMembers(name.toLowerCase()) ?? scriptOrCategory(name);
  return negated ? `[^${members}]` : members;
}

function scriptOrCategory(name: string): string {
  for (const candidate of [`\\p{${name}}`, `\\p{Script=${name}}`]) {
    try {
      RegExp(candidate, 'v').test('');
      return candidate;
    } catch {
      // not a name of this kind
    }
  }
  return bad(`invalid character property name {${name}}`);
}

/** An escape that stands for one character, in or out of a class; `undefined` for a property. */
function translateCharacter(state: Translation): string | undefined {
  const rest = state.pattern.slice(state.at, state.at + 14);
  const code = /^(?:x\{([\da-fA-F]{1,8})\}|x([\da-fA-F]{1,2})|u([\da-fA-F]{4})|0([0-7]{0,2}))/.exec(rest);
  if (code !== null) {
    state.at += code[0].length;
    const [, braced, short, long, octal] = code;
    const point =
      octal === undefined ? Number.parseInt(braced ?? short ?? long ?? '', 16) : Number.parseInt(octal || '0', 8);
    return point > 0x10ffff ? bad('too big wide-char value') : `\\u{${point.toString(16)}}`;
  }
  if (/^[pP]\{/.test(rest)) return undefined;
  const character = String.fromCodePoint(rest.codePointAt(0)!);
  state.at += character.length;
  const control = controls[character];
  if (control !== undefined) return control;
  if (/[a-zA-Z0-9]/.test(character)) return character;
  return escapeLiteral(character);
}

function escapeLiteral(character: string): string {
  return /[$()*+.?[\\\]^{|}/&\-!#%,:;<=>@`~]/.test(character)
    ? `\\u{${character.codePointAt(0)!.toString(16)}}`
    : character;
}

/** A class, with its `[` already read. */
function translateClass(state: Translation, depth: number): string {
  if (depth > 200) bad('too deep nest level');
  let members = '';
  const { pattern } = state;
  const negated = pattern[state.at] === '^';
  if (negated) state.at++;
  let first = true;
  for (;;) {
    const character = pattern.codePointAt(state.at);
    if (character === undefined) return bad('premature end of char-class');
    const text = String.fromCodePoint(character);
    if (text === ']' && !first) {
      state.at++;
      break;
    }
    first = false;
    members += translateMember(state, text, depth);
  }
  const [left = '', ...others] = members.split('&&');
  const sets = [left, ...others].map((part) => `[${part}]`);
  return others.length === 0 ? `[${negated ? '^' : ''}${members}]` : `[${negated ? '^' : ''}${sets.join('&&')}]`;
}

function translateMember(state: Translation, text: string, depth: number): string {
  const { pattern } = state;
  const posix = /^\[:(\^?)(\w+):\]/.exec(pattern.slice(state.at, state.at + 20));
  if (posix !== null) {
    const [whole, caret, name = ''] = posix;
    const known = propertyMembers(name);
    if (known === undefined) return bad('invalid POSIX bracket type');
    state.at += whole.length;
    return caret === '^' ? `[^${known}]` : known;
  }
  if (pattern.startsWith('&&', state.at)) {
    state.at += 2;
    return '&&';
  }
  state.at += text.length;
  if (text === '[') return translateClass(state, depth + 1);
  if (text === '-') {
    const previous = pattern[state.at - 2];
    const next = pattern[state.at];
    const isRange = previous !== '[' && previous !== '^' && next !== undefined && next !== ']' && next !== '[';
    return isRange ? '-' : String.raw`\-`;
  }
  if (text !== '\\') return escapeLiteral(text);
  const letter = pattern[state.at];
  if (letter === undefined) return bad('end pattern at escape');
  if (letter === 'b') {
    state.at++;
    return String.raw`\x08`;
  }
  const type = types[letter];
  if (type === undefined) return translateCharacter(state) ?? translateProperty(state);
  state.at++;
  return type.negated ? `[^${type.members}]` : type.members;
}
