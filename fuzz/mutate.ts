import { mutateData } from './mutate-data.ts';
import type { Random } from './random.ts';

export interface Material {
  /** Words of the grammar. */
  readonly tokens: readonly string[];
  /** Other texts, to take pieces from. */
  readonly others: readonly string[];
  readonly maxLength: number;
  readonly isData?: boolean | undefined;
}

type Mutation = (text: string, random: Random, material: Material) => string;

const characters = Array.from(
  ' \t\n\r\0\'"`#:;,.-?!&*|>%@~<=+/\\[](){}$_^01279aAeExyYnNoO\u00a0\u00e9\u2028\u65e5\ufeff\u0085\u001b',
);
const rare = [
  '\ud800',
  '\udc00',
  '\ud83d\ude00',
  '\uffff',
  '\u0301',
  '\u202e',
  '__proto__',
  'constructor',
  '$${',
  '${',
];
const numbers = [
  '0',
  '-0',
  '-1',
  '1',
  '7',
  '10',
  '256',
  '65536',
  '2147483648',
  '9007199254740993',
  '1e999',
  '0x10',
  '.5',
];

/** An entry is chosen as often as it is listed here. */
const mutations: readonly Mutation[] = [
  insertToken,
  insertToken,
  insertToken,
  replaceByToken,
  replaceByToken,
  insertCharacter,
  replaceCharacter,
  removeRange,
  removeRange,
  copyRange,
  moveRange,
  repeatRange,
  pump,
  changeLine,
  changeLine,
  indentLine,
  changeNumber,
  splice,
  splice,
  takeLines,
];

/** The text with some things changed in it, or in what it says. */
export function mutate(text: string, random: Random, material: Material): string {
  if (material.isData === true && random.below(2) === 0) {
    return mutateData(text, random, material.others).slice(0, material.maxLength);
  }
  let changed = text;
  for (let more = true; more; more = random.below(3) > 0) {
    changed = random.pick(mutations)(changed, random, material).slice(0, material.maxLength);
  }
  return changed;
}

function insertToken(text: string, random: Random, { tokens }: Material): string {
  return insert(text, placeIn(text, random), random.pick(tokens));
}

/** Where one of the words stands, another. */
function replaceByToken(text: string, random: Random, { tokens }: Material): string {
  const from = random.pick(tokens);
  const at = from === '' ? -1 : text.indexOf(from, random.below(text.length + 1));
  if (at === -1) return replaceWord(text, random, random.pick(tokens));
  return text.slice(0, at) + random.pick(tokens) + text.slice(at + from.length);
}

function replaceWord(text: string, random: Random, by: string): string {
  const word = /[\w./-]+/g;
  word.lastIndex = random.below(text.length + 1);
  const found = word.exec(text);
  return found === null ? text + by : text.slice(0, found.index) + by + text.slice(word.lastIndex);
}

function insertCharacter(text: string, random: Random): string {
  return insert(text, placeIn(text, random), anyCharacter(random));
}

function replaceCharacter(text: string, random: Random): string {
  const at = placeIn(text, random);
  return text.slice(0, at) + anyCharacter(random) + text.slice(at + 1);
}

function anyCharacter(random: Random): string {
  const kind = random.below(16);
  if (kind === 0) return random.pick(rare);
  return kind < 4 ? String.fromCharCode(random.below(256)) : random.pick(characters);
}

function removeRange(text: string, random: Random): string {
  const [start, end] = rangeIn(text, random);
  return text.slice(0, start) + text.slice(end);
}

function copyRange(text: string, random: Random): string {
  return insert(text, placeIn(text, random), text.slice(...rangeIn(text, random)));
}

function moveRange(text: string, random: Random): string {
  const [start, end] = rangeIn(text, random);
  const rest = text.slice(0, start) + text.slice(end);
  return insert(rest, placeIn(rest, random), text.slice(start, end));
}

/** What is deep or long is hostile; a short piece many times makes both. */
function repeatRange(text: string, random: Random, { tokens, maxLength }: Material): string {
  const start = placeIn(text, random);
  const piece = random.below(2) === 0 ? text.slice(start, start + 1 + random.below(6)) : random.pick(tokens);
  const most = Math.max(1, Math.floor((maxLength - text.length) / Math.max(1, piece.length)));
  return insert(text, start, piece.repeat(Math.min(2 ** random.below(12), most)));
}

/** One character, wherever it stands, many times over: expressions that can take it in several ways try all of them. */
function pump(text: string, random: Random, { maxLength }: Material): string {
  const character = text[random.below(text.length)];
  if (character === undefined) return text;
  const count = text.split(character).length - 1;
  const most = Math.floor((maxLength - text.length) / count);
  return most < 1 ? text : text.replaceAll(character, () => character.repeat(Math.min(2 ** random.below(10), most)));
}

function changeLine(text: string, random: Random): string {
  const lines = text.split('\n');
  const at = random.below(lines.length);
  const line = lines[at]!;
  const kind = random.below(4);
  if (kind === 0) lines.splice(at, 1);
  else if (kind === 1) lines.splice(random.below(lines.length + 1), 0, line);
  else if (kind === 2) lines.splice(random.below(lines.length), 0, ...lines.splice(at, 1 + random.below(4)));
  else lines[at] = /^\s*/.exec(line)![0] + random.pick(lines).trimStart();
  return lines.join('\n');
}

function indentLine(text: string, random: Random): string {
  const lines = text.split('\n');
  const from = random.below(lines.length);
  const to = Math.min(lines.length, from + 1 + random.below(4));
  const by = random.below(2) === 0;
  for (let at = from; at < to; at++) lines[at] = by ? `  ${lines[at]!}` : lines[at]!.replace(/^ {1,2}/, '');
  return lines.join('\n');
}

function changeNumber(text: string, random: Random): string {
  const digits = /\d+/g;
  digits.lastIndex = random.below(text.length + 1);
  const found = digits.exec(text);
  if (found === null) return insert(text, placeIn(text, random), random.pick(numbers));
  return text.slice(0, found.index) + random.pick(numbers) + text.slice(digits.lastIndex);
}

/** The beginning of this text and the end of another. */
function splice(text: string, random: Random, { others }: Material): string {
  if (others.length === 0) return text;
  const other = random.pick(others);
  if (random.below(2) === 0) return text.slice(0, placeIn(text, random)) + other.slice(placeIn(other, random));
  return insert(text, placeIn(text, random), other.slice(...rangeIn(other, random)));
}

function takeLines(text: string, random: Random, { others }: Material): string {
  if (others.length === 0) return text;
  const lines = text.split('\n');
  const taken = random.pick(others).split('\n');
  const from = random.below(taken.length);
  lines.splice(
    random.below(lines.length + 1),
    random.below(3),
    ...taken.slice(from, from + 1 + random.below(taken.length)),
  );
  return lines.join('\n');
}

function insert(text: string, at: number, piece: string): string {
  return text.slice(0, at) + piece + text.slice(at);
}

function placeIn(text: string, random: Random): number {
  return random.below(text.length + 1);
}

/** Short ranges more often than long ones. */
function rangeIn(text: string, random: Random): [start: number, end: number] {
  const start = placeIn(text, random);
  const longest = random.below(4) === 0 ? text.length : 12;
  return [start, Math.min(text.length, start + 1 + random.below(longest + 1))];
}
