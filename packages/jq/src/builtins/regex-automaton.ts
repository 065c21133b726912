import { endOfText } from './regex-syntax.ts';

/** The places of a pattern that consume a character, and which may come after which. */
export interface Automaton {
  /** For each place, which of the atoms it is. */
  readonly places: readonly number[];
  /** For each atom, the characters of a sample that it takes. */
  readonly atoms: readonly bigint[];
  readonly follow: readonly ReadonlySet<number>[];
  /** Steps from one place to another that the pattern allows in two ways, such as those of `(a+)+`. */
  readonly doubled: readonly (readonly [number, number])[];
  /** Places behind which the match may end without anything left that could fail. */
  readonly final: ReadonlySet<number>;
  /** Set when there are too many steps to go on; then the rest is not complete. */
  readonly isTooLarge: boolean;
}

/** What is known of a part of the pattern while it is read. */
interface Part {
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly final: readonly number[];
  /** Whether it may take nothing, and whether it may do so without a condition that could fail. */
  readonly skippable: boolean;
  readonly free: boolean;
}

interface Builder {
  readonly source: string;
  readonly ignoreCase: boolean;
  readonly sample: readonly string[];
  readonly known: Map<string, number>;
  readonly places: number[];
  readonly atoms: bigint[];
  readonly follow: Set<number>[];
  readonly doubled: (readonly [number, number])[];
  readonly final: Set<number>;
  isTooLarge: boolean;
  links: number;
  at: number;
}

const nothing: Part = { first: [], last: [], final: [], skippable: true, free: true };
/** Lookarounds and references: they take nothing that is looked at here, and may fail. */
const condition: Part = { ...nothing, free: false };
/** The end of the text: nothing can be taken behind it. */
const blocked: Part = { ...condition, skippable: false };
const mostLinks = 100_000;
/** Repetitions up to so many times are as bad as those without an end. */
const manyTimes = 20;

const escape = /\\(?:u\{[^}]*\}|x[\da-f]{2}|k<[^>]*>|[1-9]\d*|.)/suy;
const quantifier = /(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/y;
const opening = /\((?:\?(?:<[=!]|[:=!]|<\w+>))?/y;
const commonCharacters = [
  ...Array.from({ length: 95 }, (_character, index) => String.fromCharCode(32 + index)),
  ...Array.from('\t\n\réßЖ中٣\u00a0😀'),
];

/** Reads a pattern as `translatePattern` writes them. */
export function buildAutomaton(source: string, ignoreCase: boolean): Automaton {
  const sample = [...new Set([...commonCharacters, ...Array.from(source)])];
  const lists = { places: [], atoms: [], follow: [], doubled: [], final: new Set<number>(), known: new Map() };
  const builder: Builder = { source, ignoreCase, sample, ...lists, isTooLarge: false, links: 0, at: 0 };
  for (const place of readAlternatives(builder).final) builder.final.add(place);
  return builder;
}

function take(builder: Builder, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = builder.at;
  const found = pattern.exec(builder.source) ?? undefined;
  builder.at += found?.[0].length ?? 0;
  return found;
}

/** Up to the `)` of the group it is in, or the end. */
function readAlternatives(builder: Builder): Part {
  let whole: Part | undefined;
  let current = nothing;
  for (;;) {
    const next = builder.source[builder.at];
    if (next !== undefined && next !== '|' && next !== ')') {
      current = join(builder, current, readRepeated(builder));
      continue;
    }
    whole = whole === undefined ? current : either(whole, current);
    if (next !== '|') return whole;
    current = nothing;
    builder.at++;
  }
}

function readRepeated(builder: Builder): Part {
  const part = readAtom(builder);
  const found = take(builder, quantifier);
  if (found === undefined) return part;
  const [text, low, comma, high] = found;
  const least = low === undefined ? (text.startsWith('+') ? 1 : 0) : Number(low);
  const bounded = text.startsWith('?') || (low !== undefined && (comma === '' || high !== ''));
  const most = low === undefined ? 1 : Number(comma === '' ? low : high);
  if (!bounded || most >= manyTimes) link(builder, part.last, part.first);
  return least === 0 ? { ...part, skippable: true, free: true } : part;
}

function readAtom(builder: Builder): Part {
  const start = builder.at;
  for (const end of endOfText) {
    if (!builder.source.startsWith(end, start)) continue;
    builder.at += end.length;
    return blocked;
  }
  const group = take(builder, opening)?.[0];
  if (group !== undefined) return readGroup(builder, group);
  const escaped = take(builder, escape)?.[0];
  if (escaped !== undefined && /^\\[1-9k]/.test(escaped)) return condition;
  if (escaped === undefined) {
    if (builder.source[start] === '[') skipClass(builder);
    else builder.at += String.fromCodePoint(builder.source.codePointAt(start)!).length;
  }
  const place = builder.places.push(atomOf(builder, builder.source.slice(start, builder.at))) - 1;
  builder.follow.push(new Set());
  return { first: [place], last: [place], final: [place], skippable: false, free: false };
}

function readGroup(builder: Builder, group: string): Part {
  const body = readAlternatives(builder);
  builder.at++;
  if (!/[=!]$/.test(group)) return body;
  for (const place of body.final) builder.final.add(place);
  return condition;
}

function skipClass(builder: Builder): void {
  let depth = 0;
  do {
    if (take(builder, escape) !== undefined) continue;
    const character = builder.source[builder.at++];
    if (character === '[') depth++;
    if (character === ']') depth--;
  } while (depth > 0);
}

/** Bit by bit, which characters of the sample an atom takes: the host knows best. */
function atomOf({ sample, atoms, known, ignoreCase }: Builder, atom: string): number {
  const cached = known.get(atom);
  if (cached !== undefined) return cached;
  const test = new RegExp(`^(?:${atom})$`, ignoreCase ? 'vi' : 'v');
  const bits = sample.map((character) => (test.test(character) ? '1' : '0')).join('');
  const index = atoms.push(BigInt(`0b${bits}`)) - 1;
  known.set(atom, index);
  return index;
}

function link(builder: Builder, from: readonly number[], to: readonly number[]): void {
  const { follow, doubled } = builder;
  builder.links += from.length * to.length;
  builder.isTooLarge ||= builder.links > mostLinks;
  if (builder.isTooLarge) return;
  for (const left of from) {
    for (const right of to) {
      if (follow[left]!.has(right)) doubled.push([left, right]);
      follow[left]!.add(right);
    }
  }
}

function join(builder: Builder, left: Part, right: Part): Part {
  link(builder, left.last, right.first);
  return {
    first: left.skippable ? [...left.first, ...right.first] : left.first,
    last: right.skippable ? [...left.last, ...right.last] : right.last,
    final: right.free ? [...left.final, ...right.final] : right.final,
    skippable: left.skippable && right.skippable,
    free: left.free && right.free,
  };
}

function either(left: Part, right: Part): Part {
  return {
    first: [...left.first, ...right.first],
    last: [...left.last, ...right.last],
    final: [...left.final, ...right.final],
    skippable: left.skippable || right.skippable,
    free: left.free || right.free,
  };
}
