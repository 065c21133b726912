import { BudgetExhausted } from '../../budget/index.ts';
import type { Allowance } from '../../model/index.ts';
import type { CharacterSet, PatternAssertion } from './pattern.ts';

export type Instruction =
  | { readonly type: 'character'; readonly isIn: CharacterSet }
  | { readonly type: 'assertion'; readonly what: PatternAssertion }
  /** Goes on at both places, and would rather at the first. */
  | { readonly type: 'split'; first: number; second: number }
  | { readonly type: 'jump'; to: number }
  | { readonly type: 'match' };

export interface Found {
  readonly start: number;
  readonly end: number;
}

/** Text as code points. */
export function codesOf(text: string): readonly number[] {
  const codes: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.codePointAt(at)!;
    if (code > 0xffff) at += 1;
    codes.push(code);
  }
  return codes;
}

/**
 * The first place from `from` on where a text matches. All places of the program that the text can have led to are followed at the
 * same time, one character after the other, so that the time is that of the text times the program, never more. They are kept
 * in the order in which they are preferred; `quickly` is for callers who want to know only whether there is a match.
 */
export function findMatch(
  program: readonly Instruction[],
  codes: readonly number[],
  { from, quickly = false, steps }: { readonly from: number; readonly quickly?: boolean; readonly steps: Allowance },
): Found | undefined {
  const visited = new Int32Array(program.length).fill(-1);
  const isAnchored = program[0]?.type === 'assertion' && program[0].what === 'start';
  let found: Found | undefined;
  // Places with where their match began: two numbers each.
  let pending: number[] = [];
  let waiting: number[] = [];
  const stack: number[] = [];
  for (let at = from; at <= codes.length; at += 1) {
    if (steps.left < 0) throw new BudgetExhausted('patternSteps', steps.limit);
    // A match may begin at every character, as long as none has been found that began before.
    if (found === undefined && (!isAnchored || at === 0)) pending.push(0, at);
    if (pending.length === 0) return found;
    waiting = [];
    search: for (let index = 0; index < pending.length; index += 2) {
      const start = pending[index + 1]!;
      stack.push(pending[index]!);
      for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
        if (visited[place] === at) continue;
        visited[place] = at;
        steps.left -= 1;
        const instruction = program[place]!;
        if (instruction.type === 'character') waiting.push(place, start);
        else if (instruction.type === 'split') stack.push(instruction.second, instruction.first);
        else if (instruction.type === 'jump') stack.push(instruction.to);
        else if (instruction.type === 'assertion') {
          if (holds(instruction.what, codes, at)) stack.push(place + 1);
        } else {
          found = { start, end: at };
          if (quickly) return found;
          // What is less preferred is of no interest any more.
          stack.length = 0;
          break search;
        }
      }
    }
    const code = codes[at];
    if (code === undefined) break;
    pending = [];
    for (let index = 0; index < waiting.length; index += 2) {
      const instruction = program[waiting[index]!]!;
      if (instruction.type === 'character' && instruction.isIn(code)) {
        pending.push(waiting[index]! + 1, waiting[index + 1]!);
      }
    }
  }
  return found;
}

function holds(what: PatternAssertion, codes: readonly number[], at: number): boolean {
  switch (what) {
    case 'start':
      return at === 0;
    case 'end':
      return at === codes.length;
    case 'line-start':
      return at === 0 || codes[at - 1] === lineFeed;
    case 'line-end':
      return at === codes.length || codes[at] === lineFeed;
    default: {
      const isBoundary = isWordAt(codes, at - 1) !== isWordAt(codes, at);
      return what === 'boundary' ? isBoundary : !isBoundary;
    }
  }
}

const lineFeed = 0x0a;

function isWordAt(codes: readonly number[], at: number): boolean {
  const code = codes[at];
  return code !== undefined && /\w/.test(String.fromCodePoint(code));
}
