import { countValues, spendSteps } from '../run-state.ts';
import { isHighSurrogate, isLowSurrogate } from '../values/scalars.ts';
import { type Anchor, foldCase, setHas, type Width, wordCharacter } from './regex-tree.ts';
import { Op, type RegexProgram } from './compile-regex.ts';

/** The position of a match, in UTF-16 units: start and end of the match, then of each group; -1 for a group that did not take part. */
export type RegexMatch = readonly number[];

export interface SearchOptions {
  /** Use the longest match instead of the first. */
  readonly longest: boolean;
  /** Ignore empty matches. */
  readonly notEmpty: boolean;
}

const instructionsPerStep = 4;
/** Instructions between two checks of the budget. */
const batch = 1024;
/** Beyond this many instructions per character, choices that failed are remembered. */
const instructionsPerCharacter = 8;
/** The maximum memory for that, in bits; beyond it only the steps limit the time. */
const maxMemory = 268_435_456;

/** Enough for most searches; searches never overlap. */
const spareStack = new Int32Array(4096);

/** The state of matching one text. */
interface Matching {
  readonly program: RegexProgram;
  readonly text: string;
  readonly options: SearchOptions;
  readonly patience: number;
  readonly slots: Int32Array;
  /** Where to backtrack to, two numbers each: an instruction and a position, or `~slot` and its old value. */
  stack: Int32Array;
  top: number;
  from: number;
  start: number;
  best: RegexMatch | undefined;
  instructions: number;
  counted: number;
  /** One bit per choice and position: set if it was tried. */
  tried: Uint8Array | undefined;
}

/**
 * Finds matches one after another. Uses backtracking like Oniguruma, and counts every instruction. If it backtracks too
 * often, a choice is not tried twice at the same position, because it can only fail again, so the time is proportional to the
 * text and the pattern. With references and conditions this is not possible, and only the steps of the run limit the time.
 */
export function createSearch(
  program: RegexProgram,
  text: string,
  options: SearchOptions,
  patience = instructionsPerCharacter,
): (from: number) => RegexMatch | undefined {
  const matching: Matching = {
    program,
    text,
    options,
    patience,
    slots: new Int32Array(program.slots).fill(-1),
    stack: spareStack,
    top: 0,
    from: 0,
    start: 0,
    best: undefined,
    instructions: 0,
    counted: 0,
    tried: undefined,
  };
  return (from) => {
    account(matching);
    const match = search(matching, from);
    countInstructions(matching);
    if (match === undefined || matching.tried === undefined) return match;
    // choices at the end of the match did not fail, and with `longest` they may still lead to a longer match
    if (options.longest) matching.tried = undefined;
    else forgetPosition(matching, match[1]!);
    return match;
  };
}

function search(matching: Matching, from: number): RegexMatch | undefined {
  const { program, text, slots } = matching;
  const { anchored, prefix } = program;
  matching.from = from;
  matching.best = undefined;
  for (let start = from; start <= text.length; start++) {
    if (anchored && start > 0) break;
    if (prefix !== '') {
      const next = text.indexOf(prefix, start);
      spendSteps(((next < 0 ? text.length : next) - start) >> 6);
      if (next < 0) break;
      start = next;
    } else if (start > 0 && isLowSurrogate(text, start) && isHighSurrogate(text, start - 1)) continue;
    slots.fill(-1);
    slots[0] = start;
    matching.start = start;
    matching.top = 0;
    const end = run(matching, 0, start, -1);
    if (matching.instructions - matching.counted >= batch) account(matching);
    if (end >= 0) return matchOf(matching, end);
  }
  return matching.best;
}

function matchOf({ program, slots }: Matching, end: number): RegexMatch {
  const match = Array.from(slots.subarray(0, 2 * program.names.length + 2));
  match[1] = end;
  return match;
}

function push(matching: Matching, what: number, value: number): void {
  if (matching.top + 2 > matching.stack.length) growStack(matching);
  const { stack } = matching;
  stack[matching.top++] = what;
  stack[matching.top++] = value;
}

function growStack(matching: Matching): void {
  const larger = new Int32Array(matching.stack.length * 2);
  countValues(larger.length >> 4);
  larger.set(matching.stack);
  matching.stack = larger;
}

function countInstructions(matching: Matching): void {
  spendSteps(Math.trunc((matching.instructions - matching.counted) / instructionsPerStep));
  matching.counted = matching.instructions;
}

/** Counts instructions, and starts to remember choices if there are many for the length of the text. */
function account(matching: Matching): void {
  countInstructions(matching);
  const { program, text, tried, patience } = matching;
  if (tried !== undefined || !program.forgetful || program.choices === 0) return;
  if (matching.instructions < patience * (text.length + batch)) return;
  const bits = program.choices * (text.length + 1);
  if (bits > maxMemory) return;
  countValues(bits >> 9);
  matching.tried = new Uint8Array((bits >> 3) + 1);
}

function isTried({ program, tried }: Matching, choice: number, position: number): boolean {
  const bit = position * program.choices + choice;
  const mask = 1 << (bit & 7);
  if ((tried![bit >> 3]! & mask) !== 0) return true;
  tried![bit >> 3]! |= mask;
  return false;
}

function forgetPosition({ program, tried }: Matching, position: number): void {
  for (let bit = position * program.choices; bit < (position + 1) * program.choices; bit++) {
    tried![bit >> 3]! &= ~(1 << (bit & 7));
  }
}

/**
 * Runs from an instruction to its `accept`, which must be at `target` unless that is -1; returns the position there, or -1. The
 * stack must not be shorter at the end.
 */
function run(matching: Matching, from: number, at: number, target: number): number {
  const base = matching.top;
  const { program, text, slots } = matching;
  const { code, sets } = program;
  let instructions = 0;
  const { length } = text;
  let pc = from;
  let position = at;
  for (;;) {
    if ((++instructions & (batch - 1)) === 0) {
      matching.instructions += batch;
      account(matching);
    }
    const word = pc * 4;
    let fits = true;
    switch (code[word]) {
      case Op.unit:
        // past the end this is NaN, which never equals a unit
        fits = text.charCodeAt(position) === code[word + 1];
        position++;
        pc++;
        break;
      case Op.set: {
        const unit = position < length ? text.charCodeAt(position) : -1;
        const set = sets[code[word + 1]!]!;
        if (unit < 128) {
          fits = unit >= 0 && set.ascii[unit] === 1;
          position++;
        } else {
          const point = text.codePointAt(position)!;
          fits = set.hasOther(point);
          position += point > 0xffff ? 2 : 1;
        }
        pc++;
        break;
      }
      case Op.choose: {
        const choice = code[word + 3]!;
        if (choice >= 0 && matching.tried !== undefined && isTried(matching, choice, position)) fits = false;
        else {
          push(matching, code[word + 2]!, position);
          pc = code[word + 1]!;
        }
        break;
      }
      case Op.jump:
        pc = code[word + 1]!;
        break;
      case Op.save: {
        const slot = code[word + 1]!;
        push(matching, ~slot, slots[slot]!);
        slots[slot] = position;
        pc++;
        break;
      }
      case Op.folded: {
        const point = text.codePointAt(position);
        fits = point !== undefined && foldCase(point) === code[word + 1];
        position += point !== undefined && point > 0xffff ? 2 : 1;
        pc++;
        break;
      }
      case Op.anchor:
        fits = holds(matching, program.anchors[code[word + 1]!]!, position);
        pc++;
        break;
      case Op.leaveIfEmpty:
        pc = slots[code[word + 1]!] === position ? code[word + 2]! : pc + 1;
        break;
      case Op.look:
        fits = look(matching, pc, position);
        pc = code[word + 1]!;
        break;
      case Op.atomic: {
        const end = runInner(matching, pc + 1, position, -1);
        fits = end >= 0;
        position = end;
        pc = code[word + 1]!;
        break;
      }
      case Op.reference: {
        const end = refer(matching, code[word + 1]!, position);
        fits = end >= 0;
        position = end;
        pc++;
        break;
      }
      case Op.condition: {
        const { groups } = program.references[code[word + 2]!]!;
        pc = groups.some((group) => slots[2 * group + 1]! >= 0) ? pc + 1 : code[word + 1]!;
        break;
      }
      default:
        fits = word === code.length - 4 ? acceptsWhole(matching, position) : target < 0 || position === target;
        if (fits) {
          matching.instructions += instructions & (batch - 1);
          return position;
        }
    }
    if (fits) continue;
    for (;;) {
      if (matching.top === base) {
        matching.instructions += instructions & (batch - 1);
        return -1;
      }
      position = matching.stack[--matching.top]!;
      pc = matching.stack[--matching.top]!;
      if (pc >= 0) break;
      slots[~pc] = position;
    }
  }
}

/** Whether the whole pattern may end there; with `longest`, the match is kept and the search continues. */
function acceptsWhole(matching: Matching, position: number): boolean {
  const { options, start, best } = matching;
  if (options.notEmpty && position === start) return false;
  if (!options.longest) return true;
  if (best === undefined || position - start > best[1]! - best[0]!) matching.best = matchOf(matching, position);
  return false;
}

/** Runs the body of an atomic group or a lookaround: after a match its choices are discarded, but its captures are kept. */
function runInner(matching: Matching, from: number, at: number, target: number): number {
  const base = matching.top;
  const end = run(matching, from, at, target);
  if (end < 0) return end;
  const { stack, top } = matching;
  matching.top = base;
  for (let entry = base; entry < top; entry += 2) {
    if (stack[entry]! < 0) push(matching, stack[entry]!, stack[entry + 1]!);
  }
  return end;
}

/** Restores the slots to their state when the stack had the height `base`. */
function unwind(matching: Matching, base: number): void {
  const { stack, slots } = matching;
  while (matching.top > base) {
    matching.top -= 2;
    const slot = ~stack[matching.top]!;
    if (slot >= 0) slots[slot] = stack[matching.top + 1]!;
  }
}

function look(matching: Matching, pc: number, position: number): boolean {
  const { behind, negated, width } = matching.program.looks[matching.program.code[pc * 4 + 2]!]!;
  const base = matching.top;
  const matched = behind
    ? lookBehind(matching, pc + 1, position, width)
    : runInner(matching, pc + 1, position, -1) >= 0;
  if (!negated) return matched;
  unwind(matching, base);
  return !matched;
}

function lookBehind(matching: Matching, pc: number, position: number, { min, max }: Width): boolean {
  const { text } = matching;
  let start = position;
  for (let taken = 0; taken <= max; taken++) {
    if (taken >= min && runInner(matching, pc, start, position) >= 0) return true;
    if (start === 0) return false;
    start = characterBefore(text, start);
  }
  return false;
}

/** The position after another occurrence of what one of the groups captured; -1 if there is none. */
function refer(matching: Matching, reference: number, position: number): number {
  const { program, text, slots } = matching;
  const { groups, ignoreCase } = program.references[reference]!;
  // of several groups with the same name the last one is tried first
  for (const group of groups.toReversed()) {
    const start = slots[2 * group]!;
    const end = slots[2 * group + 1]!;
    if (end < start || start < 0) continue;
    const taken = text.slice(start, end);
    spendSteps(taken.length >> 6);
    if (!ignoreCase && text.startsWith(taken, position)) return position + taken.length;
    const other = ignoreCase ? foldedEnd(text, taken, position) : -1;
    if (other >= 0) return other;
  }
  return -1;
}

function foldedEnd(text: string, taken: string, position: number): number {
  let at = position;
  for (const character of taken) {
    const point = text.codePointAt(at);
    if (point === undefined || foldCase(point) !== foldCase(character.codePointAt(0)!)) return -1;
    at += point > 0xffff ? 2 : 1;
  }
  spendSteps(taken.length >> 2);
  return at;
}

function holds({ text, from }: Matching, anchor: Anchor, position: number): boolean {
  switch (anchor) {
    case 'text-start':
      return position === 0;
    case 'text-end':
      return position === text.length;
    case 'last-line-end':
      return position === text.length || (position === text.length - 1 && text.charCodeAt(position) === newline);
    case 'line-start':
      return position === 0 || (text.charCodeAt(position - 1) === newline && position < text.length);
    case 'line-end':
      return position === text.length || text.charCodeAt(position) === newline;
    case 'search-start':
      return position === from;
    case 'word-boundary':
      return isWordBefore(text, position) !== isWordAt(text, position);
    default:
      return isWordBefore(text, position) === isWordAt(text, position);
  }
}

const newline = 10;

function isWordAt(text: string, position: number): boolean {
  const point = text.codePointAt(position);
  return point !== undefined && setHas(wordCharacter, point);
}

function isWordBefore(text: string, position: number): boolean {
  return position > 0 && isWordAt(text, characterBefore(text, position));
}

function characterBefore(text: string, position: number): number {
  return position - (isLowSurrogate(text, position - 1) && isHighSurrogate(text, position - 2) ? 2 : 1);
}
