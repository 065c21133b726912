import { raise, spendSteps } from '../run-state.ts';

/** The code points that a class, a type such as `\w` or a dot matches. */
export interface CharacterSet {
  /** One entry per ASCII character, so that the common case needs no call. */
  readonly ascii: Uint8Array;
  readonly hasOther: (point: number) => boolean;
}

export function setHas(set: CharacterSet, point: number): boolean {
  return point < 128 ? set.ascii[point] === 1 : set.hasOther(point);
}

export function badRegex(reason: string): never {
  return raise(`Regex failure: ${reason}`);
}

/** Oniguruma's Unicode words, digits and so on, as members of a JavaScript class. */
const named: { readonly [name: string]: string } = {
  alnum: String.raw`\p{Alphabetic}\p{Nd}`,
  alpha: String.raw`\p{Alphabetic}`,
  ascii: String.raw`\x00-\x7f`,
  blank: String.raw`\p{Zs}\t`,
  cntrl: String.raw`\p{Cc}`,
  digit: String.raw`\p{Nd}`,
  graph: String.raw`[^\p{White_Space}\p{Cc}\p{Cn}\p{Cs}]`,
  lower: String.raw`\p{Lowercase}`,
  print: String.raw`[^\p{White_Space}\p{Cc}\p{Cn}\p{Cs}]\p{Zs}`,
  punct: String.raw`\p{P}\p{S}`,
  space: String.raw`\p{White_Space}`,
  upper: String.raw`\p{Uppercase}`,
  xdigit: '0-9a-fA-F',
  word: String.raw`\p{L}\p{M}\p{N}\p{Pc}`,
};

const types: { readonly [letter: string]: string } = {
  d: named['digit']!,
  w: named['word']!,
  s: named['space']!,
};

/** The members of `\w`, `\W` and similar types. */
export function typeMembers(letter: string): string | undefined {
  const members = types[letter.toLowerCase()];
  if (members === undefined) return undefined;
  return letter === letter.toLowerCase() ? members : `[^${members}]`;
}

/** The members of `[:alpha:]` and similar classes. */
export function posixMembers(name: string, negated: boolean): string {
  const members = Object.hasOwn(named, name) ? named[name]! : badRegex('invalid POSIX bracket type');
  return negated ? `[^${members}]` : members;
}

/** The members of `\p{name}`: our own names, then scripts, categories and properties in any case and spelling. */
export function propertyMembers(name: string, negated: boolean): string {
  const plain = name.replaceAll(/[\s_-]/g, '').toLowerCase();
  const members = Object.hasOwn(named, plain) ? membersOf(plain) : hostProperty(name);
  return negated ? `[^${members}]` : members;
}

/** Symbols are punctuation in POSIX, but not in Unicode. */
function membersOf(plain: string): string {
  return plain === 'punct' ? String.raw`\p{P}` : named[plain]!;
}

function hostProperty(name: string): string {
  if (name.includes('=')) return badRegex(`invalid character property name {${name}}`);
  const words = name.split(/[\s_-]+/).filter((word) => word !== '');
  const title = words.map((word) => word[0]!.toUpperCase() + word.slice(1).toLowerCase()).join('_');
  for (const spelling of new Set([title, words.join('_')])) {
    for (const candidate of [`\\p{${spelling}}`, `\\p{Script=${spelling}}`]) {
      try {
        RegExp(candidate, 'v').test('');
        return candidate;
      } catch {
        // not a name of this kind
      }
    }
  }
  return badRegex(`invalid character property name {${name}}`);
}

/** One character as a member of a JavaScript class. */
export function memberOf(point: number): string {
  return `\\u{${point.toString(16)}}`;
}

const setSteps = 1000;
const cache = new Map<string, CharacterSet>();
const cacheSize = 512;

/** The set of a JavaScript class; `members` must come from the functions here. */
export function characterSet(members: string, negated: boolean, ignoreCase: boolean): CharacterSet {
  const source = `^[${negated ? '^' : ''}${members}]$`;
  const key = `${ignoreCase ? 'i' : ''}${source}`;
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  spendSteps(setSteps);
  const test = hostClass(source, ignoreCase);
  const hasOther = (point: number): boolean => test.test(String.fromCodePoint(point));
  const ascii = Uint8Array.from({ length: 128 }, (_item, point) => (hasOther(point) ? 1 : 0));
  if (cache.size >= cacheSize) cache.clear();
  const set = { ascii, hasOther };
  cache.set(key, set);
  return set;
}

function hostClass(source: string, ignoreCase: boolean): RegExp {
  try {
    return new RegExp(source, ignoreCase ? 'vi' : 'v');
  } catch {
    return badRegex('empty range in char class');
  }
}

export const anyCharacter: CharacterSet = { ascii: new Uint8Array(128).fill(1), hasOther: () => true };
export const notNewline: CharacterSet = {
  ascii: Uint8Array.from({ length: 128 }, (_item, point) => (point === 10 ? 0 : 1)),
  hasOther: () => true,
};
export const wordCharacter: CharacterSet = characterSet(named['word']!, false, false);

/** The same value for all cases of a letter; letters that become several in another case are unchanged. */
export function foldCase(point: number): number {
  if (point < 128) return point >= 65 && point <= 90 ? point + 32 : point;
  const upper = String.fromCodePoint(point).toUpperCase();
  const large = isOneCharacter(upper) ? upper : String.fromCodePoint(point);
  const lower = large.toLowerCase();
  return (isOneCharacter(lower) ? lower : large).codePointAt(0)!;
}

function isOneCharacter(text: string): boolean {
  return text.length === (text.codePointAt(0)! > 0xffff ? 2 : 1);
}

export type Anchor =
  | 'text-start'
  | 'text-end'
  /** The end of the text, or before a newline that ends it. */
  | 'last-line-end'
  | 'line-start'
  | 'line-end'
  | 'word-boundary'
  | 'no-word-boundary'
  | 'search-start';

/** A parsed regular expression. */
export type RegexNode =
  | { readonly type: 'sequence'; readonly items: readonly RegexNode[] }
  | { readonly type: 'choice'; readonly options: readonly RegexNode[] }
  | { readonly type: 'character'; readonly point: number; readonly ignoreCase: boolean }
  | { readonly type: 'set'; readonly set: CharacterSet }
  | { readonly type: 'anchor'; readonly anchor: Anchor }
  | { readonly type: 'capture'; readonly index: number; readonly body: RegexNode }
  | { readonly type: 'atomic'; readonly body: RegexNode }
  | {
      readonly type: 'repeat';
      readonly body: RegexNode;
      readonly min: number;
      readonly max: number;
      readonly greedy: boolean;
    }
  | { readonly type: 'look'; readonly behind: boolean; readonly negated: boolean; readonly body: RegexNode }
  | { readonly type: 'reference'; readonly groups: readonly number[]; readonly ignoreCase: boolean }
  /** `(?(1)then|otherwise)` */
  | {
      readonly type: 'condition';
      readonly groups: readonly number[];
      readonly then: RegexNode;
      readonly otherwise: RegexNode;
    }
  /** `\K`: the match starts here. */
  | { readonly type: 'keep' };

export interface ParsedRegex {
  readonly root: RegexNode;
  /** Names of the capturing groups, in order. */
  readonly names: readonly (string | null)[];
}

export const emptyNode: RegexNode = { type: 'sequence', items: [] };

/** Minimum and maximum number of code points that a node consumes. */
export interface Width {
  readonly min: number;
  readonly max: number;
}

const none: Width = { min: 0, max: 0 };

export function widthOf(node: RegexNode): Width {
  switch (node.type) {
    case 'sequence':
      return node.items.map(widthOf).reduce((sum, { min, max }) => ({ min: sum.min + min, max: sum.max + max }), none);
    case 'choice':
      return widest(node.options.map(widthOf));
    case 'character':
    case 'set':
      return { min: 1, max: 1 };
    case 'capture':
    case 'atomic':
      return widthOf(node.body);
    case 'repeat': {
      const { min, max } = widthOf(node.body);
      return { min: min * node.min, max: max === 0 ? 0 : max * node.max };
    }
    case 'reference':
      return { min: 0, max: Infinity };
    case 'condition':
      return widest([widthOf(node.then), widthOf(node.otherwise)]);
    default:
      return none;
  }
}

function widest(widths: readonly Width[]): Width {
  return {
    min: widths.reduce((least, { min }) => Math.min(least, min), Infinity),
    max: widths.reduce((most, { max }) => Math.max(most, max), 0),
  };
}
